package risk

import (
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"
)

// labelled is a command with the label that people gave it.
type labelled struct {
	label, command string
	// tuned says which half of the rows it belongs to: the one that the tables were written
	// with, or the one that only measures.
	tuned bool
}

// TestMeasureCommands prints how well the classifier does on labelled commands, for the half
// it was tuned on and for the other. RUNBOOK_COMMANDS names the file: a head line, then the
// columns label, tool, command (with \n, \t and \\ escaped), separated by tabs.
func TestMeasureCommands(t *testing.T) {
	path := os.Getenv("RUNBOOK_COMMANDS")
	if path == "" {
		t.Skip("RUNBOOK_COMMANDS names no file of labelled commands")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := parseLabelled(string(b))
	if len(rows) == 0 {
		t.Fatalf("%s holds no rows", path)
	}
	all := newScore("all commands")
	tuned, other := newScore("the half that was tuned on"), newScore("the other half")
	for _, r := range rows {
		got := Classify(r.command, Context{})
		all.count(r, got)
		if r.tuned {
			tuned.count(r, got)
		} else {
			other.count(r, got)
		}
	}
	for _, s := range []*score{tuned, other, all} {
		t.Log("\n" + s.table())
		if !s.passes() {
			t.Errorf("%s: recall, precision or reads are below the bar", s.title)
		}
	}
	t.Log("\n" + strings.Join(all.misses, "\n"))
}

func parseLabelled(text string) []labelled {
	var rows []labelled
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for i, line := range strings.Split(text, "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 3 {
			continue
		}
		rows = append(rows, labelled{f[0], unescape.Replace(f[2]), crc32.ChecksumIEEE([]byte(f[2]))%2 == 0})
	}
	return rows
}

var labels = []string{"destructive", "mutating", "read-only", "unknown"}

type score struct {
	title     string
	confusion map[string]map[Class]int
	// settled are rows on which a decision of the product differs from the label.
	settled map[string]int
	misses  []string
}

func newScore(title string) *score {
	s := &score{title: title, confusion: map[string]map[Class]int{}, settled: map[string]int{}}
	for _, l := range labels {
		s.confusion[l] = map[Class]int{}
	}
	return s
}

func (s *score) count(r labelled, got Result) {
	s.confusion[r.label][got.Class]++
	why := settledBy(r, got)
	wrong := false
	switch r.label {
	case "destructive":
		wrong = got.Class < Interrupt
	case "read-only":
		wrong = got.Class != Read
	default:
		wrong = got.Class >= Interrupt || r.label == "unknown" && got.Class < Unknown || r.label == "mutating" && got.Class == Read
	}
	if !wrong {
		return
	}
	if why != "" {
		s.settled[r.label]++
	}
	s.misses = append(s.misses, fmt.Sprintf("%-11s called %-9s %s\n    %s%s", r.label, got.Class, strings.ReplaceAll(r.command, "\n", "⏎"), got.Why(), why))
}

// settledBy names the decision that wins over a label: a restart is an interruption, and what
// a script or a program that no table knows does stays unknown whatever its flags.
func settledBy(r labelled, got Result) string {
	why := got.Why()
	switch {
	case r.label == "mutating" && got.Class == Interrupt && strings.Contains(why, "restart"):
		return " [decided: a restart interrupts]"
	case r.label == "read-only" && got.Class == Unknown && (strings.Contains(why, "isn't known") || strings.Contains(why, "the script") || strings.Contains(why, "runs a ")):
		return " [decided: scripts and strangers stay unknown]"
	}
	return ""
}

func (s *score) sum(label string, from, to Class) int {
	n := 0
	for c := from; c <= to; c++ {
		n += s.confusion[label][c]
	}
	return n
}

func (s *score) rates() (recall, precision, reads, precisionDecided, readsDecided float64) {
	right := s.sum("destructive", Interrupt, Destroy)
	called := 0
	for _, l := range labels {
		called += s.sum(l, Interrupt, Destroy)
	}
	total := s.sum("read-only", Read, Destroy)
	read := s.confusion["read-only"][Read]
	return ratio(right, s.sum("destructive", Read, Destroy)), ratio(right, called), ratio(read, total),
		ratio(right, called-s.settled["mutating"]), ratio(read, total-s.settled["read-only"])
}

func (s *score) passes() bool {
	recall, _, _, precision, reads := s.rates()
	return recall >= 0.99 && precision >= 0.95 && reads >= 0.95 && s.confusion["destructive"][Read] == 0
}

func (s *score) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%-12s", s.title, "label")
	for c := Read; c <= Destroy; c++ {
		fmt.Fprintf(&b, "%10s", c)
	}
	for _, l := range labels {
		fmt.Fprintf(&b, "\n%-12s", l)
		for c := Read; c <= Destroy; c++ {
			fmt.Fprintf(&b, "%10d", s.confusion[l][c])
		}
	}
	recall, precision, reads, precisionDecided, readsDecided := s.rates()
	fmt.Fprintf(&b, "\nrecall of destructive     %.4f   called read: %d\n", recall, s.confusion["destructive"][Read])
	fmt.Fprintf(&b, "precision of destructive  %.4f   without what was decided: %.4f\n", precision, precisionDecided)
	fmt.Fprintf(&b, "read-only called read     %.4f   without what was decided: %.4f\n", reads, readsDecided)
	return b.String()
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}
