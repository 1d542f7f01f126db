package engine

import (
	"slices"

	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
)

// A Discretion takes out of a text what must not be shown. Everything that the
// engine says passes it where it comes about, so that every front end and the
// record say the same; what commands print was cleaned where it was read.
type Discretion interface {
	Text(s string) string     // of a command
	Sentence(s string) string // of the program, or of a server
}

// open hides nothing.
type open struct{}

func (open) Text(s string) string     { return s }
func (open) Sentence(s string) string { return s }

// Shown returns a sentence about the world as it may be shown: what a server
// says of an object, an event or an entry may hold anything.
func (e *Engine) Shown(s string) string { return e.cfg.Hide.Sentence(s) }

func shownWhere(h Discretion, w guard.Where) guard.Where {
	w.Context, w.Server, w.Vault = h.Sentence(w.Context), h.Sentence(w.Server), h.Sentence(w.Vault)
	w.VaultNamespace = h.Sentence(w.VaultNamespace)
	w.Namespace, w.Note, w.Drift = h.Sentence(w.Namespace), h.Sentence(w.Note), h.Sentence(w.Drift)
	return w
}

// shownShifts treats a value that holds something secret as a secret.
func shownShifts(h Discretion, shifts []steps.Shift) []steps.Shift {
	out := slices.Clone(shifts)
	for i, s := range out {
		if h.Text(s.Old) != s.Old || h.Text(s.New) != s.New {
			out[i].Secret, out[i].Old, out[i].New = true, "", ""
		}
	}
	return out
}

// shownGate leaves alone what an answer is held against: the words and the
// fingerprint.
func shownGate(h Discretion, g guard.Gate) guard.Gate {
	g.Title, g.Where, g.Cost = h.Sentence(g.Title), shownWhere(h, g.Where), h.Sentence(g.Cost)
	g.Reasons = shownReasons(h, g.Reasons)
	g.Losses, g.Warnings, g.Blockers = slices.Clone(g.Losses), slices.Clone(g.Warnings), slices.Clone(g.Blockers)
	for i, l := range g.Losses {
		g.Losses[i].What, g.Losses[i].Why = h.Sentence(l.What), h.Sentence(l.Why)
	}
	g.Beside = slices.Clone(g.Beside)
	for i, text := range g.Beside {
		g.Beside[i] = h.Sentence(text)
	}
	for i, w := range g.Warnings {
		g.Warnings[i].Text, g.Warnings[i].Undo = h.Sentence(w.Text), h.Sentence(w.Undo)
	}
	for i, b := range g.Blockers {
		g.Blockers[i] = guard.Blocker{What: h.Sentence(b.What), Why: h.Sentence(b.Why), Next: h.Sentence(b.Next)}
	}
	return g
}

func shownReasons(h Discretion, reasons []risk.Reason) []risk.Reason {
	out := slices.Clone(reasons)
	for i, r := range out {
		out[i].Command, out[i].Why = h.Text(r.Command), h.Sentence(r.Why)
	}
	return out
}

// shownAssessment cleans what people read of an assessment; what the engine
// itself goes by, the things that are touched, stays as it is.
func shownAssessment(h Discretion, a Assessment) Assessment {
	a.Blocks = slices.Clone(a.Blocks)
	for i, b := range a.Blocks {
		b.Reasons, b.Notes = shownReasons(h, b.Reasons), slices.Clone(b.Notes)
		for j, n := range b.Notes {
			b.Notes[j] = h.Sentence(n)
		}
		b.ParseError, b.Endless, b.Interactive = h.Sentence(b.ParseError), h.Text(b.Endless), h.Text(b.Interactive)
		b.Generates, b.Prints = h.Text(b.Generates), h.Text(b.Prints)
		a.Blocks[i] = b
	}
	return a
}

func shownChecks(h Discretion, checks []Check) []Check {
	for i, c := range checks {
		checks[i].Expect.Text = h.Sentence(c.Expect.Text)
		checks[i].Verdict.Why = h.Sentence(c.Verdict.Why)
	}
	return checks
}
