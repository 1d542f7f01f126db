package engine

import (
	"context"
	"slices"

	"runbook/internal/expect"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// Recheck holds what a resumed run has behind it against the world: a settled
// step whose expectations hold no longer is open again, and a step that was cut
// off is satisfied when the world shows that it came through. What can't be
// told is said and left as it is.
func (e *Engine) Recheck(ctx context.Context) error {
	ids := e.reviewed()
	e.setReview(ids)
	defer e.setReview(nil)
	e.answers(ctx, ids)
	if err := ctx.Err(); err != nil {
		return err
	}
	// From the end: what a later step has reached decides about earlier ones.
	for _, id := range slices.Backward(ids) {
		if err := e.recheck(id); err != nil {
			return err
		}
	}
	e.Focus(e.Run().Next())
	e.settleIfSatisfied()
	return nil
}

// reviewed are the steps that have something to be held against the world.
func (e *Engine) reviewed() []string {
	run := e.Run()
	return slices.DeleteFunc(slices.Clone(run.Order), func(id string) bool {
		switch run.Steps[id].Status {
		case steps.Done, steps.Satisfied, steps.Ticked, steps.Unsure:
			return false
		}
		return true
	})
}

func (e *Engine) setReview(ids []string) {
	e.mu.Lock()
	e.review = ids
	e.mu.Unlock()
	e.want()
}

// answers waits until everything about the steps has been answered once, or
// for as long as a gate would.
func (e *Engine) answers(ctx context.Context, ids []string) {
	if len(e.cfg.Watchers) == 0 {
		return
	}
	var n Wanted
	for _, id := range ids {
		b, _ := e.step(id)
		for _, c := range e.expectations(b) {
			for _, need := range expect.Needs(c.Expect, b.namespace) {
				n = n.and(wanted(need))
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_ = e.until(ctx, func() bool { return !e.unanswered(n) }) // what is still unknown is judged as unknown
}

func (e *Engine) recheck(id string) error {
	b, _ := e.step(id)
	s, state := b.BoundStep, e.Run().Steps[id]
	if state.Status == steps.Unsure {
		if why := e.cameThrough(s); why != "" {
			_, err := e.applyFrom(steps.Event{Kind: steps.StepSatisfied, Step: id, Why: why}, steps.Unsure)
			return err
		}
		return nil
	}
	broken, unknown := e.broken(s, state.Status)
	switch {
	case broken != "" && state.Status == steps.Ticked:
		e.events.put(Noticed{Step: id, Bad: true, Text: s.Title + " was ticked off; " + broken})
	case broken != "":
		_, err := e.applyFrom(steps.Event{Kind: steps.StepReopened, Step: id, Why: broken}, state.Status)
		return err
	case unknown != "":
		e.events.put(Noticed{Step: id, Text: "can't tell whether what " + s.Title + " reached still holds: " + unknown})
	}
	return nil
}

// broken says which expectation of a settled step holds no longer, or else of
// which it can't be told.
func (e *Engine) broken(s *steps.BoundStep, status steps.Status) (broken, unknown string) {
	if s.Background && status == steps.Done {
		return "what it had left running ended with the program", ""
	}
	for _, c := range e.Checks(s.ID) {
		if c.Role == BeforeRole || c.Role == DoneRole && status != steps.Satisfied || c.Expect.Subject.Source == steps.Output {
			continue // what a step has printed is not to be had again
		}
		switch c.Verdict.Answer {
		case world.DoesNot:
			if !e.overtaken(s, c) {
				return c.Expect.Text + ": " + reason(c.Verdict), ""
			}
		case world.CantTell:
			unknown = c.Expect.Text + ": " + reason(c.Verdict)
		}
	}
	return "", unknown
}

// overtaken tells whether a later step that is settled, or was cut off, says
// something else about the same thing, and that holds: what was made to be
// deleted later on needn't be there.
func (e *Engine) overtaken(s *steps.BoundStep, old Check) bool {
	run := e.Run()
	for _, id := range run.Order[slices.Index(run.Order, s.ID)+1:] {
		switch run.Steps[id].Status {
		case steps.Done, steps.Satisfied, steps.Ticked, steps.Unsure:
		default:
			continue
		}
		for _, c := range ofRole(e.Checks(id), ExpectRole) {
			if sameSubject(c.Expect.Subject, old.Expect.Subject) && c.Verdict.Answer == world.Holds {
				return true
			}
		}
	}
	return false
}

// cameThrough says how the world shows that a step which was cut off has
// reached what it is for; "" when it doesn't show it.
func (e *Engine) cameThrough(s *steps.BoundStep) string {
	if done := ofRole(e.Checks(s.ID), DoneRole); len(done) > 0 && done[0].Verdict.Answer == world.Holds {
		return done[0].Expect.Text
	}
	p, cut := e.pastOf(s.ID)
	checks := ofRole(e.Checks(s.ID), ExpectRole)
	if !cut || p.Edited || len(checks) == 0 || !allHold(checks) || e.leftInSession(s) {
		return ""
	}
	if e.nothingLeft(s.ID) {
		return "its commands had ended when the run was cut off, and what is expected holds"
	}
	if class := e.Assess(s.ID).Class; class == risk.Rotate || class == risk.Interrupt || class == risk.Unknown {
		return "" // a thing is as ready before a restart as after it
	}
	for _, c := range checks {
		if p.Before[c.Expect.Text] == world.DoesNot {
			return "it was cut off while it ran, and what is expected holds; it didn't before: " + c.Expect.Text
		}
	}
	return ""
}

// leftInSession tells whether a step sets up something in its session, which
// no look at the world can bring back.
func (e *Engine) leftInSession(s *steps.BoundStep) bool {
	for i, b := range s.Blocks {
		if b.Offered && b.Kind == steps.ShellBlock && (s.Background || LeavesState(e.Code(s.ID)[i])) {
			return true
		}
	}
	return false
}
