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
	label, tool, command string
	tuned                bool
}

// TestMeasureCommands prints how well the classifier does on labelled commands, for the half
// it was tuned on and for the half it wasn't. RUNBOOK_COMMANDS names the file: columns label,
// tool, command (with \n, \t and \\ escaped), separated by tabs.
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
	half := os.Getenv("RUNBOOK_COMMANDS_HALF")
	if half != "other" {
		measure(t, "tuned half", rows, func(r labelled) bool { return r.tuned }, true)
	}
	if half != "tuned" {
		measure(t, "other half", rows, func(r labelled) bool { return !r.tuned }, half == "other" || half == "all")
		measure(t, "all", rows, func(labelled) bool { return true }, false)
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
		rows = append(rows, labelled{f[0], f[1], unescape.Replace(f[2]), crc32.ChecksumIEEE([]byte(f[2]))%2 == 0})
	}
	return rows
}

func measure(t *testing.T, title string, rows []labelled, in func(labelled) bool, misses bool) {
	confusion := map[string]map[Class]int{}
	var missed []string
	bad, called, right, readCalledRead, destructiveCalledRead := 0, 0, 0, 0, 0
	total := map[string]int{}
	for _, r := range rows {
		if !in(r) {
			continue
		}
		got := Classify(r.command, Context{})
		if confusion[r.label] == nil {
			confusion[r.label] = map[Class]int{}
		}
		confusion[r.label][got.Class]++
		total[r.label]++
		severe := got.Class >= Interrupt
		wrong := false
		switch r.label {
		case "destructive":
			if severe {
				right++
			} else {
				bad++
				wrong = true
			}
			if got.Class == Read {
				destructiveCalledRead++
			}
		case "read-only":
			if got.Class == Read {
				readCalledRead++
			} else {
				wrong = true
			}
		default:
			wrong = severe || r.label == "unknown" && got.Class < Unknown || r.label == "mutating" && got.Class == Read
		}
		if severe {
			called++
		}
		if wrong {
			missed = append(missed, fmt.Sprintf("  %-11s called %-9s %s\n%30s(%s)", r.label, got.Class, strings.ReplaceAll(r.command, "\n", "⏎"), "", got.Why()))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%-12s", title, "label")
	for c := Read; c <= Destroy; c++ {
		fmt.Fprintf(&b, "%10s", c)
	}
	for _, l := range []string{"destructive", "mutating", "read-only", "unknown"} {
		fmt.Fprintf(&b, "\n%-12s", l)
		for c := Read; c <= Destroy; c++ {
			fmt.Fprintf(&b, "%10d", confusion[l][c])
		}
	}
	fmt.Fprintf(&b, "\nrecall of destructive     %.4f (%d of %d, %d called read)\n", ratio(right, total["destructive"]), right, total["destructive"], destructiveCalledRead)
	fmt.Fprintf(&b, "precision of destructive  %.4f (%d of %d)\n", ratio(right, called), right, called)
	fmt.Fprintf(&b, "read-only called read     %.4f (%d of %d)\n", ratio(readCalledRead, total["read-only"]), readCalledRead, total["read-only"])
	if misses {
		b.WriteString(strings.Join(missed, "\n"))
	}
	t.Log("\n" + b.String())
	if destructiveCalledRead > 0 || ratio(right, total["destructive"]) < 0.99 || ratio(right, called) < 0.95 || ratio(readCalledRead, total["read-only"]) < 0.95 {
		t.Errorf("%s: recall, precision or reads are below the bar", title)
	}
	_ = bad
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}
