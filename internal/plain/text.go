package plain

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/redact"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// Text prints a walk as lines for people. The signs carry the meaning. Whatever
// a title, a server or a command says, it stays on its line, and of escapes only
// colour is printed, and that only of commands.
type Text struct {
	out   io.Writer
	err   error // the first of out; nothing is printed behind it
	color bool
	width int       // of the step numbers
	open  unsettled // what was said last of each expectation
}

// indent stands before all that belongs to a step.
const indent = "    "

// NewText returns a printer of lines; without color the output of commands
// loses its escapes.
func NewText(out io.Writer, color bool) *Text { return &Text{out: out, color: color} }

// Err is why nothing can be printed any more, or nil.
func (t *Text) Err() error { return t.err }

// say cleans each word by itself: the half of an escape at its end must not
// swallow what the program says behind it.
func (t *Text) say(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = ansi.Strip(oneLine(s))
		}
	}
	t.line(fmt.Sprintf(format, args...))
}

func (t *Text) line(s string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.out, s+"\n")
	}
}

// oneLine leaves of a text what belongs on one line: no escape but colour, and
// nothing that goes to another place.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, redact.Terminal([]byte(s)))
}

// Started names the runbook and where it will happen.
func (t *Text) Started(p *steps.Plan, w guard.Where) {
	t.width = len(fmt.Sprint(len(p.Steps)))
	t.say("%s", p.Runbook.Title)
	if w.Context != "" {
		t.say("context %s · server %s · namespace %s", w.Context, w.Server, w.Namespace)
	}
	if w.Vault != "" {
		t.say("vault %s", w.Vault)
	}
	if w.Note != "" {
		t.say("! %s", w.Note)
	}
	for _, s := range p.Steps {
		if !s.Taken {
			t.say("- %*d %s (not taken: %s)", t.width, s.N, s.Title, s.WhyNot)
		}
	}
}

// StepStarted names the step, how risky it is, and what of it isn't run.
func (t *Text) StepStarted(s *steps.BoundStep, a engine.Assessment) {
	t.open = nil
	t.say("▸ %*d %s [%s]", t.width, s.N, s.Title, a.Class)
	for _, l := range leftOuts(s) {
		t.say("%s- line %d is not run: %s", indent, l.line, l.text)
	}
}

// Settled names a step that needs nothing.
func (t *Text) Settled(s *steps.BoundStep, state steps.StepState) {
	t.say("✓ %*d %s (%s)%s", t.width, s.N, s.Title, state.Status, because(state.Why))
}

// Output prints what a step has printed.
func (t *Text) Output(_ string, lines []string) {
	for _, l := range lines {
		l = oneLine(l)
		if !t.color {
			l = ansi.Strip(l)
		}
		t.line(indent + strings.TrimRight(l, " "))
	}
}

// Waiting says what doesn't hold yet, each reason once.
func (t *Text) Waiting(_ string, checks []engine.Check) {
	news, open := t.open.news(checks)
	t.open = open
	for _, c := range news {
		t.say("%s… %s%s", indent, c.Expect.Text, because(c.Verdict.Why))
	}
}

// because is a reason behind what it is the reason of.
func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// Gate prints all that would have been asked.
func (t *Text) Gate(g guard.Gate) {
	if g.Where.Drift != "" {
		t.say("%s! %s", indent, g.Where.Drift)
	}
	for _, w := range g.Warnings {
		t.say("%s! %s", indent, w.Text)
		if w.Undo != "" {
			t.say("%s  what takes it back: %s", indent, w.Undo)
		}
	}
	for _, text := range g.Beside {
		t.say("%s& %s", indent, text)
	}
	for _, b := range g.Blockers {
		t.say("%s✗ %s", indent, b.String())
	}
	for _, r := range g.Reasons {
		t.say("%s%s: %s", indent, r.Class, r.Why)
	}
	for _, l := range g.Losses {
		sign := "lost: "
		switch {
		case l.Irrecoverable:
			sign = "lost for good: "
		case l.Unknown:
			sign = "not known: "
		}
		t.say("%s%s%s%s", indent, sign, l.What, because(l.Why))
	}
	if g.Cost != "" {
		t.say("%scost: %s", indent, g.Cost)
	}
}

// Noticed prints what belongs to no step's output.
func (t *Text) Noticed(n engine.Noticed) {
	t.say("%s! %s", indent, n.Text)
}

// Changed says which values are others now, and what that means for the steps.
func (t *Text) Changed(e engine.ValuesChanged) {
	for _, s := range e.Meaning.Shifts {
		t.say("%s! %s", indent, s)
	}
	for i := range e.Plan.Steps {
		s := &e.Plan.Steps[i]
		switch why, left := e.Meaning.Turn.NotTaken[s.ID]; {
		case left:
			t.say("- %*d %s (not taken: %s)", t.width, s.N, s.Title, why)
		case slices.Contains(e.Meaning.Turn.Taken, s.ID):
			t.say("· %*d %s (taken now)", t.width, s.N, s.Title)
		case slices.Contains(e.Meaning.Turn.Reopened, s.ID):
			t.say("· %*d %s (open again)", t.width, s.N, s.Title)
		}
	}
}

// StepEnded says how a step ended, with what holds and what doesn't.
func (t *Text) StepEnded(s *steps.BoundStep, state steps.StepState, checks []engine.Check) {
	for _, c := range checks {
		if c.Role != engine.ExpectRole {
			continue
		}
		if c.Verdict.Answer == world.Holds {
			t.say("%s✓ %s", indent, c.Expect.Text)
		} else if state.Status == steps.Failed {
			t.say("%s✗ %s%s", indent, c.Expect.Text, because(c.Verdict.Why))
		}
	}
	sign, why := "✓", ""
	if !state.Status.Settled() {
		sign, why = "✗", because(state.Why)
	}
	t.say("%s %*d %s (%s, %s)%s", sign, t.width, s.N, s.Title, state.Status, took(state), why)
}

// Finished counts.
func (t *Text) Finished(settled, taken int) {
	t.say("%d of %d done", settled, taken)
}
