package guard

import (
	"slices"
	"strings"

	"runbook/internal/risk"
	"runbook/internal/steps"
)

// An effect is what one thing that a step does would make of a protected value.
type effect struct {
	layer   Layer
	how     string // before "the session key": "overwrites"
	then    string // what follows, and when it reaches the process
	undo    string
	rotates bool // the value is replaced; else it is taken away, or may be later
	gone    bool // the value is taken away from where it is
	// harmless is a write of the same value: it costs nobody anything.
	harmless bool
}

// A deed is one block of a step with what it was found to do.
type deed struct {
	risk.Result
	action *steps.Action // nil for a command
}

// deeds pairs the results with the actions they were made from.
func deeds(q Request) []deed {
	var out []deed
	offered := 0
	for _, b := range q.Step.Blocks {
		if !b.Offered || offered >= len(q.Results) {
			continue
		}
		d := deed{Result: q.Results[offered]}
		if b.Kind == steps.ActionBlock {
			d.action = b.Action
		}
		out = append(out, d)
		offered++
	}
	for _, r := range q.Results[offered:] {
		out = append(out, deed{Result: r})
	}
	return out
}

// effects are all that a step would do to a protected value.
func effects(q Request, h home) []effect {
	var out []effect
	for _, d := range deeds(q) {
		if d.Class == risk.Read {
			continue
		}
		out = append(out, entryEffects(d, h)...)
		if h.name == "" {
			continue
		}
		out = append(out, syncEffects(d, h)...)
		out = append(out, secretEffects(d, h)...)
		out = append(out, processEffects(d, h)...)
	}
	return compact(out)
}

// compact drops what is said twice.
func compact(all []effect) []effect {
	var out []effect
	for _, e := range all {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// protectWarnings says first of all what would become of protected values.
func protectWarnings(q Request) []Warning {
	var out []Warning
	for _, h := range homes(q) {
		for _, e := range effects(q, h) {
			out = append(out, Warning{Protects: h.Name, Layer: e.layer, Text: h.sentence(e), Undo: e.undo})
		}
		if what := unread(q); what != "" && len(out) == 0 {
			out = append(out, Warning{Protects: h.Name, Text: "can't tell whether it changes the " + h.Name + ": " + what})
		}
	}
	return out
}

// unread says what a step applies or deletes without anybody having looked into
// it.
func unread(q Request) string {
	for _, r := range q.Results {
		for _, x := range r.Reasons {
			switch {
			case x.Class == risk.Write && strings.Contains(x.Why, "wasn't read"):
				return x.Why
			case x.Class == risk.Destroy && strings.Contains(x.Why, "everything that is in") && !deletes(r):
				return x.Why + ", which wasn't read"
			}
		}
	}
	return ""
}

func deletes(r risk.Result) bool {
	return slices.ContainsFunc(r.Touches, func(t risk.Touch) bool { return t.Op == "delete" })
}

// sentence says what changes, what follows from it, and what it costs.
func (h home) sentence(e effect) string {
	s := e.how + " the " + h.Name
	if e.then != "" {
		s += "; " + e.then
	}
	if h.Cost != "" && !e.harmless {
		s += ": " + h.Cost
	}
	return s
}

// rotated names the protected values that a step would replace, on purpose or
// by accident.
func rotated(q Request) []string {
	var out []string
	for _, h := range homes(q) {
		if slices.ContainsFunc(effects(q, h), func(e effect) bool { return e.rotates }) {
			out = append(out, h.Name)
		}
	}
	return out
}

// protectLosses names a protected value that is taken away from where it is,
// and whether anything has it still.
func protectLosses(q Request) []Loss {
	var out []Loss
	for _, h := range homes(q) {
		for _, e := range effects(q, h) {
			if !e.gone {
				continue
			}
			l := Loss{What: "the " + h.Name, Why: e.undo}
			has, known := h.inVault()
			if e.layer == VaultEntry {
				has, known = h.besideVault()
			}
			l.Irrecoverable, l.Unknown = known && !has, !known
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

// says tells whether a command of the deed, one that changes something, has
// the text in it.
func (d deed) says(texts ...string) bool {
	return slices.ContainsFunc(d.Reasons, func(r risk.Reason) bool {
		return r.Class > risk.Read && slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(r.Command, t) })
	})
}

// flag tells whether a command of the deed, one that changes something, has the
// flag, and not one that begins like it.
func (d deed) flag(name string) bool {
	return slices.ContainsFunc(d.Reasons, func(r risk.Reason) bool {
		words := strings.Fields(r.Command)
		return r.Class > risk.Read && (slices.Contains(words, name) || slices.Contains(words, name+"=true"))
	})
}

// only tells whether every command of the deed that changes something is
// explained by one of the words: annotates, labels.
func (d deed) only(why ...string) bool {
	for _, r := range d.Reasons {
		if r.Class > risk.Read && !slices.ContainsFunc(why, func(w string) bool { return strings.HasPrefix(r.Why, w) }) {
			return false
		}
	}
	return true
}

// generated says that the new value is a random one.
func (d deed) generated() string {
	if d.Generates != "" {
		return "the new value is made at random, and is on record nowhere else; "
	}
	return ""
}
