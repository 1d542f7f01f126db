package risk

import (
	"hash/crc32"
	"os"
	"strings"
	"testing"
)

// labelled is a command with the label that people gave it.
type labelled struct {
	label, command string
	// want is the class that goes with the label, where people were asked for that.
	want Class
	// tuned says which half of the rows it belongs to: the one that the tables were written
	// with, or the one that only measures.
	tuned bool
}

// The bar: what is destructive is found and never called read, little else is called
// destructive, and what only reads is called so.
const (
	barRecall    = 0.99
	barPrecision = 0.95
	barReads     = 0.95
)

// TestMeasureCommands prints how well the classifier does on labelled commands, for the half
// it was tuned on and for the other. RUNBOOK_COMMANDS names the file: a head line, then the
// columns label, tool, command (with \n, \t and \\ escaped), separated by tabs.
func TestMeasureCommands(t *testing.T) {
	path := os.Getenv("RUNBOOK_COMMANDS")
	if path == "" {
		t.Skip("RUNBOOK_COMMANDS names no file of labelled commands")
	}
	measure(t, parseLabelled(readTable(t, path)), true)
}

// TestCommandsOfRunbooksReachTheBar measures on commands that were classed by their tools'
// documentation before the classifier was asked, half by half.
func TestCommandsOfRunbooksReachTheBar(t *testing.T) {
	for _, table := range []string{"testdata/runbooks.txt", "testdata/heldout.txt"} {
		measure(t, parseClassed(t, readTable(t, table)), testing.Verbose())
	}
}

func readTable(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// measure fails where a half, or the whole, is below the bar.
func measure(t *testing.T, rows []labelled, print bool) {
	t.Helper()
	if len(rows) == 0 {
		t.Fatal("the table holds no rows")
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
		if print {
			t.Log("\n" + s.table())
		}
		if !s.passes(s == all) {
			t.Errorf("%s are below the bar\n%s\n%s", s.title, s.table(), strings.Join(s.misses, "\n"))
		}
	}
	if print {
		t.Log("\n" + strings.Join(all.misses, "\n"))
	}
}

func parseLabelled(text string) []labelled {
	var rows []labelled
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for i, line := range strings.Split(text, "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 3 {
			continue
		}
		rows = append(rows, labelled{label: f[0], command: unescape.Replace(f[2]), want: -1, tuned: half(f[2])})
	}
	return rows
}

// half divides the rows of a table in two, whatever their order.
func half(s string) bool { return crc32.ChecksumIEEE([]byte(s))%2 == 0 }

// parseClassed reads a table of lines with a class and a command.
func parseClassed(t *testing.T, text string) []labelled {
	t.Helper()
	var rows []labelled
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		name, command, _ := strings.Cut(line, " ")
		want, err := ParseClass(name)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		rows = append(rows, labelled{label: labelOf(want), command: unescape.Replace(strings.TrimSpace(command)), want: want, tuned: half(line)})
	}
	return rows
}

func labelOf(c Class) string {
	switch c {
	case Read:
		return "read-only"
	case Write:
		return "mutating"
	case Unknown:
		return "unknown"
	}
	return "destructive"
}

var labels = []string{"destructive", "mutating", "read-only", "unknown"}
