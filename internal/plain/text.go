package plain

import (
	"fmt"
	"io"
	"strings"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// Text prints a walk as lines for people. The signs carry the meaning.
type Text struct {
	out    io.Writer
	width  int    // of the step numbers
	said   string // what was said last about expectations
	plan   *steps.Plan
	indent string
}

// NewText returns a printer of lines.
func NewText(out io.Writer) *Text { return &Text{out: out, indent: "    "} }

func (t *Text) say(format string, args ...any) {
	_, _ = fmt.Fprintf(t.out, format+"\n", args...) // a closed pipe ends the process by SIGPIPE
}

// Started names the runbook and where it will happen.
func (t *Text) Started(p *steps.Plan, w guard.Where) {
	t.plan = p
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

// StepStarted names the step and how risky it is.
func (t *Text) StepStarted(s *steps.BoundStep, a engine.Assessment) {
	t.said = ""
	t.say("▸ %*d %s [%s]", t.width, s.N, s.Title, a.Class)
}

// Settled names a step that needs nothing.
func (t *Text) Settled(s *steps.BoundStep, state steps.StepState) {
	line := fmt.Sprintf("✓ %*d %s (%s)", t.width, s.N, s.Title, state.Status)
	if state.Why != "" {
		line += ": " + state.Why
	}
	t.say("%s", line)
}

// Output prints what a step has printed.
func (t *Text) Output(_ string, lines []string) {
	for _, l := range lines {
		t.say("%s%s", t.indent, l)
	}
}

// Waiting says which expectations don't hold yet, once for each change.
func (t *Text) Waiting(_ string, checks []engine.Check) {
	var open []string
	for _, c := range checks {
		if c.Role == engine.ExpectRole && c.Verdict.Answer != world.Holds {
			open = append(open, c.Expect.Text+why(c.Verdict))
		}
	}
	text := strings.Join(open, "\n")
	if text == "" || text == t.said {
		return
	}
	t.said = text
	for _, l := range open {
		t.say("%s… %s", t.indent, l)
	}
}

func why(v world.Verdict) string {
	if v.Why == "" {
		return ""
	}
	return ": " + v.Why
}

// Gate prints all that would have been asked.
func (t *Text) Gate(g guard.Gate) {
	for _, w := range g.Warnings {
		t.say("%s! %s", t.indent, w.Text)
		if w.Undo != "" {
			t.say("%s  what takes it back: %s", t.indent, w.Undo)
		}
	}
	for _, b := range g.Blockers {
		t.say("%s✗ %s", t.indent, b.Why)
	}
	for _, r := range g.Reasons {
		t.say("%s%s: %s", t.indent, r.Class, r.Why)
	}
	for _, l := range g.Losses {
		sign := "lost: "
		if l.Irrecoverable {
			sign = "lost for good: "
		}
		t.say("%s%s%s, %s", t.indent, sign, l.What, l.Why)
	}
	if g.Cost != "" {
		t.say("%scost: %s", t.indent, g.Cost)
	}
}

// Noticed prints what belongs to no step's output.
func (t *Text) Noticed(n engine.Noticed) {
	t.say("%s! %s", t.indent, n.Text)
}

// StepEnded says how a step ended, with what holds and what doesn't.
func (t *Text) StepEnded(s *steps.BoundStep, state steps.StepState, checks []engine.Check) {
	for _, c := range checks {
		if c.Role != engine.ExpectRole {
			continue
		}
		if c.Verdict.Answer == world.Holds {
			t.say("%s✓ %s", t.indent, c.Expect.Text)
		} else if state.Status == steps.Failed {
			t.say("%s✗ %s%s", t.indent, c.Expect.Text, why(c.Verdict))
		}
	}
	sign := "✓"
	if !state.Status.Settled() {
		sign = "✗"
	}
	t.say("%s %*d %s (%s, %s)", sign, t.width, s.N, s.Title, state.Status, took(state))
}

// Finished counts.
func (t *Text) Finished(settled, taken int) {
	t.say("%d of %d done", settled, taken)
}
