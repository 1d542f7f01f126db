package engine

import (
	"time"

	"runbook/internal/expect"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// expectations lists what is claimed of a step, without saying whether it holds.
func (e *Engine) expectations(s binding) []Check {
	var checks []Check
	if s.Done != nil {
		checks = append(checks, Check{Role: DoneRole, Expect: *s.Done})
	}
	for _, x := range s.Before {
		checks = append(checks, Check{Role: BeforeRole, Expect: x})
	}
	for _, x := range s.Expect {
		checks = append(checks, Check{Role: ExpectRole, Expect: x})
	}
	if len(s.Expect) == 0 {
		for _, x := range implied(e.touches(s)) {
			checks = append(checks, Check{Role: ExpectRole, Expect: x, Implied: true})
		}
	}
	return checks
}

// implied is what the commands themselves promise, for a step whose author
// says nothing: what is created or applied exists, what is deleted is gone.
// The last command that touches an object wins.
func implied(touches []risk.Touch) []steps.Expectation {
	last := map[string]steps.Expectation{}
	var order []string
	for _, t := range touches {
		x, ok := promise(t)
		if !ok {
			continue
		}
		if _, seen := last[t.String()]; !seen {
			order = append(order, t.String())
		}
		last[t.String()] = x
	}
	var out []steps.Expectation
	for _, name := range order {
		out = append(out, last[name])
	}
	return out
}

func promise(t risk.Touch) (steps.Expectation, bool) {
	subject, ok := touched(t)
	if !ok || subject.Source != steps.Kube {
		return steps.Expectation{}, false
	}
	x := steps.Expectation{Subject: subject}
	switch t.Op {
	case "create", "apply":
		x.Check = steps.Exists
		if world.HasRule(t.Kind) {
			x.Check = steps.Ready
		}
	case "delete":
		x.Check = steps.Absent
	default:
		return x, false
	}
	is := "is " + string(x.Check)
	if x.Check == steps.Exists {
		is = string(x.Check)
	}
	x.Text = t.String() + " " + is
	return x, true
}

// Checks says of each expectation of a step whether it holds now.
func (e *Engine) Checks(step string) []Check {
	b, ok := e.step(step)
	if !ok {
		return nil
	}
	return e.checks(b)
}

func (e *Engine) checks(b binding) []Check {
	w := e.World()
	out := e.outputText(b.ID)
	checks := e.expectations(b)
	for i := range checks {
		checks[i].Verdict = expect.Judge(checks[i].Expect, w, b.namespace, out)
	}
	return shownChecks(e.cfg.Hide, checks)
}

func ofRole(checks []Check, r Role) []Check {
	var out []Check
	for _, c := range checks {
		if c.Role == r {
			out = append(out, c)
		}
	}
	return out
}

func allHold(checks []Check) bool {
	for _, c := range checks {
		if c.Verdict.Answer != world.Holds {
			return false
		}
	}
	return true
}

// firstUnmet says which check doesn't hold, and why; final tells that waiting
// can't change it.
func firstUnmet(checks []Check) (why string, final bool) {
	for _, c := range checks {
		if c.Verdict.Final && c.Verdict.Answer != world.Holds {
			return c.Expect.Text + ": " + reason(c.Verdict), true
		}
	}
	for _, c := range checks {
		if c.Verdict.Answer != world.Holds {
			return c.Expect.Text + ": " + reason(c.Verdict), false
		}
	}
	return "", false
}

func reason(v world.Verdict) string {
	if v.Why == "" {
		return string(v.Answer)
	}
	return v.Why
}

func within(s *steps.BoundStep) time.Duration {
	if s.Within > 0 {
		return s.Within
	}
	return steps.DefaultWithin
}
