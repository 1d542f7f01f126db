package risk

import (
	"fmt"
	"strings"
)

// score counts how labels and classes go together.
type score struct {
	title     string
	confusion map[string]map[Class]int
	// settled are rows on which a decision of the product differs from the label.
	settled map[string]int
	misses  []string
	// exact are the rows whose very class was right, of those that name one.
	exact, classed int
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
	if r.want >= Read {
		s.classed++
		if r.want == got.Class {
			s.exact++
		}
	}
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
	why := settledBy(r, got)
	if why != "" {
		s.settled[r.label]++
		why = "\n    decided: " + why
	}
	s.misses = append(s.misses, fmt.Sprintf("%-11s called %-9s %s\n    %s%s", r.label, got.Class, strings.ReplaceAll(r.command, "\n", "⏎"), got.Why(), why))
}

// decisions are where the product has made up its mind and a label may differ: which label,
// what it is called instead, and what the reasons say.
var decisions = []struct {
	label    string
	class    Class
	reason   string
	sentence string
}{
	{"mutating", Interrupt, "restart", "what restarts a service interrupts it"},
	{"read-only", Unknown, "the script ", "a script is unknown, whatever flags it gets"},
	{"read-only", Unknown, "runs a program", "a script is unknown, whatever flags it gets"},
	{"read-only", Unknown, "runs a task", "a task is unknown unless its body can be read"},
	{"read-only", Unknown, "isn't known", "a program that no table knows is a script: unknown, whatever flags it gets"},
	{"read-only", Unknown, "can't be told", "a variable in the place of the program or the verb is unknown"},
	{"read-only", Unknown, "may hold flags", "a variable in the place of the program or the verb is unknown"},
}

// settledBy is the decision that wins over a label, "" if there is none: every reason for the
// class has to fall under one.
func settledBy(r labelled, got Result) string {
	sentence := ""
	for _, x := range got.Reasons {
		if x.Class != got.Class {
			continue
		}
		found := ""
		for _, d := range decisions {
			if d.label == r.label && d.class == got.Class && strings.Contains(x.Why, d.reason) {
				found = d.sentence
			}
		}
		if found == "" {
			return ""
		}
		sentence = found
	}
	return sentence
}

func (s *score) sum(label string, from, to Class) int {
	n := 0
	for c := from; c <= to; c++ {
		n += s.confusion[label][c]
	}
	return n
}

// rates are shares of one; those that are decided leave out what decisions settle.
type rates struct {
	recall, precision, reads       float64
	precisionDecided, readsDecided float64
}

func (s *score) rates() rates {
	right := s.sum("destructive", Interrupt, Destroy)
	called := 0
	for _, l := range labels {
		called += s.sum(l, Interrupt, Destroy)
	}
	total := s.sum("read-only", Read, Destroy)
	read := s.confusion["read-only"][Read]
	return rates{
		recall: ratio(right, s.sum("destructive", Read, Destroy)), precision: ratio(right, called), reads: ratio(read, total),
		precisionDecided: ratio(right, called-s.settled["mutating"]), readsDecided: ratio(read, total-s.settled["read-only"]),
	}
}

// passes asks for the bar: by the labels alone, or of a part of the rows, in which a single
// decision weighs more, where no decision differs from the label.
func (s *score) passes(strict bool) bool {
	r := s.rates()
	if !strict {
		r.precision, r.reads = r.precisionDecided, r.readsDecided
	}
	return r.recall >= barRecall && r.precision >= barPrecision && r.reads >= barReads && s.confusion["destructive"][Read] == 0
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
	r := s.rates()
	fmt.Fprintf(&b, "\nrecall of destructive     %.4f   called read: %d\n", r.recall, s.confusion["destructive"][Read])
	fmt.Fprintf(&b, "precision of destructive  %.4f   where no decision differs from the label: %.4f\n", r.precision, r.precisionDecided)
	fmt.Fprintf(&b, "read-only called read     %.4f   where no decision differs from the label: %.4f\n", r.reads, r.readsDecided)
	if s.classed > 0 {
		fmt.Fprintf(&b, "the very class            %.4f   of %d\n", ratio(s.exact, s.classed), s.classed)
	}
	return b.String()
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}
