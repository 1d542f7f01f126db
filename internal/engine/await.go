package engine

import (
	"context"
	"errors"
	"time"

	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// await watches the expectations of a step until they hold, can't hold any
// more, or the time is over.
func (e *Engine) await(ctx context.Context, s *steps.BoundStep) steps.Event {
	timed, cancel := context.WithTimeout(ctx, within(s))
	defer cancel()
	final := ""
	err := e.until(timed, func() bool {
		if final = e.brokeBeside(s); final != "" {
			return true
		}
		checks := printed(s, ofRole(e.Checks(s.ID), ExpectRole))
		if why, stuck := firstUnmet(checks); stuck {
			final = why
			return true
		}
		return allHold(checks)
	})
	switch {
	case ctx.Err() != nil:
		return cancelled(ctx)
	case final != "":
		return steps.Event{Kind: steps.StepUnmet, Why: final}
	case errors.Is(err, context.DeadlineExceeded):
		why, _ := firstUnmet(ofRole(e.Checks(s.ID), ExpectRole))
		return steps.Event{Kind: steps.StepUnmet, Why: "after " + within(s).String() + ": " + why}
	}
	return steps.Event{Kind: steps.StepHeld}
}

// printed makes final what doesn't hold of the output of a step whose commands
// are through: no time makes them print anything else.
func printed(s *steps.BoundStep, checks []Check) []Check {
	for i, c := range checks {
		if c.Expect.Subject.Source == steps.Output && c.Verdict.Answer == world.DoesNot && !s.Background {
			checks[i].Verdict.Final = true
		}
	}
	return checks
}

// settleIfSatisfied marks the step that is next as satisfied when what it is
// for holds already, also one that was cut off. A step that failed is left to
// the operator.
func (e *Engine) settleIfSatisfied() {
	for {
		e.mu.Lock()
		id, busy := e.run.Next(), e.busy != nil
		status := e.run.Steps[id].Status
		pending := id != "" && (status == steps.Pending || status == steps.Unsure)
		e.mu.Unlock()
		if busy || !pending || !e.satisfied(id) {
			return
		}
		if applied, err := e.applyFrom(steps.Event{Kind: steps.StepSatisfied, Step: id}, status); err != nil || !applied {
			return
		}
		e.want()
	}
}

func (e *Engine) satisfied(id string) bool {
	done := ofRole(e.Checks(id), DoneRole)
	return len(done) > 0 && done[0].Verdict.Answer == world.Holds
}

// Settle waits until what decides about a step has been asked once, and tells
// whether it is settled without running anything.
func (e *Engine) Settle(ctx context.Context, step string) bool {
	e.attend(step)
	if b, ok := e.footing().present(step); ok {
		e.settleFacts(ctx, b)
	}
	e.settleIfSatisfied()
	return e.Run().Steps[step].Status.Settled()
}

func orDefault(d time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return steps.DefaultWithin
}

// tell puts a change of a protected value in words; "" when there is nothing to say.
func tell(c guard.Change) (text string, bad bool) {
	subject := c.Protects + " in " + c.Layer
	switch c.Now {
	case guard.Same:
		return "", false
	case guard.Changed, guard.Removed:
		return subject + ": " + string(c.Now), true
	case guard.CantTell:
		return subject + ": can't tell whether it changed: " + c.Why, false
	}
	return subject + ": " + string(c.Now), false
}
