package engine

import (
	"context"
	"slices"
	"time"

	"runbook/internal/expect"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// answerTime is how long a gate waits for facts that have been asked for; what
// isn't known by then is said to be not known.
const answerTime = 5 * time.Second

// Gate says what stands between the operator and a step, from what is true now.
// Looking takes its time: a command that was edited meanwhile is judged anew.
func (e *Engine) Gate(ctx context.Context, step string) (guard.Gate, error) {
	g, _, err := e.gate(ctx, step)
	return g, err
}

// A permit is what a gate has judged: that, and nothing else, may run.
type permit struct {
	code []string
	gen  int // of the values that it was judged with
}

// gate is Gate, with what it judged: the step as it would run now, also where
// it is settled and stands on other values.
func (e *Engine) gate(ctx context.Context, step string) (guard.Gate, permit, error) {
	for {
		foot := e.footing()
		b, ok := foot.present(step)
		if !ok {
			return guard.Gate{}, permit{}, &UnknownStepError{Step: step}
		}
		e.attend(step)
		e.settleFacts(ctx, b)
		e.lookAside()
		p := permit{code: e.code(b), gen: foot.gen}
		g := e.judge(ctx, b, p.code)
		if ctx.Err() != nil || slices.Equal(p.code, e.code(b)) && p.gen == e.footing().gen {
			return g, p, ctx.Err()
		}
	}
}

// attend has the facts wanted that the gate of a step depends on.
func (e *Engine) attend(step string) {
	e.mu.Lock()
	e.focus, e.gated = step, step
	e.mu.Unlock()
	e.want()
}

// judge reads anew what the commands name: a file may have changed since they
// were first shown.
func (e *Engine) judge(ctx context.Context, b binding, code []string) guard.Gate {
	a := Assess(b.BoundStep, code, e.riskContext(b))
	req := guard.Request{
		Step: *b.BoundStep, Class: a.Class, Results: offered(b.BoundStep, a), Where: e.Where(),
		Protects: e.Plan().Protects, World: e.World(), Unclear: e.Unclear(b.ID),
	}
	req.Left, req.Died = e.besideOf(b.ID)
	req.Begun = !e.Run().Steps[b.ID].Started.IsZero()
	for _, c := range ofRole(e.checks(b), BeforeRole) {
		if c.Verdict.Answer != world.Holds {
			req.Unmet = append(req.Unmet, guard.Unmet{Text: c.Expect.Text, Verdict: c.Verdict})
		}
	}
	if gone := deleted(req.Results); e.cfg.Surveyor != nil && len(gone) > 0 && a.Class > risk.Read {
		req.Losses = e.cfg.Surveyor.Survey(ctx, gone)
	}
	if given := guard.GivenTo(req.Protects, req.Results); e.cfg.Keeper != nil && len(given) > 0 && a.Class > risk.Read {
		req.Foreseen = e.cfg.Keeper.Foresee(ctx, req.Protects, given)
	}
	return shownGate(e.cfg.Hide, guard.Decide(req))
}

// UnknownStepError says that a runbook has no such step.
type UnknownStepError struct{ Step string }

func (e *UnknownStepError) Error() string { return "step " + e.Step + ": no such step in this runbook" }

// settleFacts waits until what the gate depends on has been answered once.
func (e *Engine) settleFacts(ctx context.Context, b binding) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_ = e.until(ctx, func() bool { return !e.asking(b) }) // what is still unknown is judged as unknown
}

// asking tells whether a fact that the gate of a step needs has never been answered.
func (e *Engine) asking(b binding) bool {
	if len(e.cfg.Watchers) == 0 {
		return false
	}
	return e.unanswered(e.gateNeeds(b))
}

// unanswered tells whether a fact has never been answered.
func (e *Engine) unanswered(n Wanted) bool {
	w := e.World()
	for _, r := range n.Objects {
		if w.Objects[r].Presence == world.Asking {
			return true
		}
	}
	for _, p := range n.Entries {
		if w.Entries[p].Presence == world.Asking {
			return true
		}
	}
	for _, p := range n.Caps {
		if w.Caps[p].Presence == world.Asking {
			return true
		}
	}
	for _, u := range n.URLs {
		if w.Probes[u].Presence == world.Asking {
			return true
		}
	}
	return false
}

// gateNeeds are the facts that decide whether a step may run: those of its
// before and done expectations, and of what is protected.
func (e *Engine) gateNeeds(s binding) Wanted {
	var w Wanted
	for _, c := range e.expectations(s) {
		if c.Role == ExpectRole {
			continue
		}
		for _, n := range expect.Needs(c.Expect, s.namespace) {
			w = w.and(wanted(n))
		}
	}
	return w.and(e.protectsWanted(s))
}

// offered are the results of the blocks that would run.
func offered(s *steps.BoundStep, a Assessment) []risk.Result {
	var out []risk.Result
	for i, b := range s.Blocks {
		if b.Offered {
			out = append(out, a.Blocks[i])
		}
	}
	return out
}

func deleted(results []risk.Result) []risk.Touch {
	var out []risk.Touch
	for _, r := range results {
		for _, t := range r.Touches {
			if t.Op == "delete" {
				out = append(out, t)
			}
		}
	}
	return out
}
