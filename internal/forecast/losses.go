package forecast

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"runbook/internal/guard"
)

// Losses are what the gate of a step shows, from the lines that `runbook run -o
// json` prints.
func Losses(out []byte, step string) ([]guard.Loss, error) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Event, Step string
			Losses      []guard.Loss
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err == nil && e.Event == "gate" && e.Step == step {
			return e.Losses, nil
		}
	}
	return nil, fmt.Errorf("no gate of step %s in\n%s", step, out)
}

// A Tally is how many objects of each kind go, and those that have been named,
// as kind/name.
type Tally struct {
	Counts map[string]int
	Named  map[string]bool
}

var number = regexp.MustCompile(`(?:^|, )(\d+) ([a-z]+)`)

// Foretold are the objects that losses say will be gone. The volume of a claim
// is among them when the claim's loss says that it goes. Hosts and what has a
// use for a thing are none.
func Foretold(losses []guard.Loss) Tally {
	out := Tally{map[string]int{}, map[string]bool{}}
	for _, l := range losses {
		if claim, ok := strings.CutPrefix(l.What, "pvc/"); ok {
			name, _, _ := strings.Cut(claim, " ")
			out.add("persistentvolumeclaim", 1, name)
			if l.Irrecoverable {
				out.add("persistentvolume", 1, "")
			}
			continue
		}
		if strings.Contains(l.What, " host") || strings.Contains(l.What, "a use for it") {
			continue
		}
		what, names, _ := strings.Cut(l.What, ": ")
		names, _, _ = strings.Cut(names, " and ")
		for _, m := range number.FindAllStringSubmatch(what, -1) {
			n, _ := strconv.Atoi(m[1])
			out.add(singular(m[2]), n, names)
		}
	}
	return out
}

func (t Tally) add(kind string, n int, names string) {
	t.Counts[kind] += n
	for name := range strings.SplitSeq(names, ", ") {
		if name != "" {
			t.Named[kind+"/"+name] = true
		}
	}
}

// singular makes the same word of a kind and of its resource.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "sses"):
		return strings.TrimSuffix(word, "es")
	case strings.HasSuffix(word, "ss"):
		return word
	}
	return strings.TrimSuffix(word, "s")
}

// Gone are the objects that are no more.
func Gone(before, after map[string]bool) Tally {
	out := Tally{map[string]int{}, map[string]bool{}}
	for o := range before {
		if after[o] {
			continue
		}
		kind, rest, _ := strings.Cut(o, "/")
		_, name, _ := strings.Cut(rest, "/")
		out.add(singular(strings.ToLower(kind)), 1, name)
	}
	return out
}

// Missed says in which way what went is not what was foretold; "" when it is:
// as many of each kind, and every one of those that were named.
func (t Tally) Missed(gone Tally) string {
	if !maps.Equal(t.Counts, gone.Counts) {
		return fmt.Sprintf("foretold were %v, and gone are %v", t.Counts, gone.Counts)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Named)) {
		if !gone.Named[name] {
			return name + " was foretold, and isn't gone"
		}
	}
	return ""
}

// Within tells whether everything that was foretold is gone, in numbers.
func (t Tally) Within(gone Tally) bool {
	for kind, n := range t.Counts {
		if gone.Counts[kind] < n {
			return false
		}
	}
	return true
}

// Show writes losses one to a line.
func Show(losses []guard.Loss) string {
	var b strings.Builder
	for _, l := range losses {
		fmt.Fprintf(&b, "  %s — %s\n", l.What, l.Why)
	}
	return b.String()
}
