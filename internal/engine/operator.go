package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"runbook/internal/steps"
)

// ErrReason says that skipping or ticking off a step needs a reason.
var ErrReason = errors.New("a reason is needed: it goes into the record")

// Skip leaves a step out, for a reason that the record keeps.
func (e *Engine) Skip(step, reason string) error {
	return e.byHand(steps.StepSkipped, step, reason)
}

// Tick says that a step was done elsewhere, or by a person.
func (e *Engine) Tick(step, reason string) error {
	return e.byHand(steps.StepTicked, step, reason)
}

func (e *Engine) byHand(kind steps.EventKind, step, reason string) error {
	s, ok := e.footing().present(step)
	if !ok {
		return &UnknownStepError{Step: step}
	}
	reason = strings.TrimSpace(reason)
	if reason == "" && !s.Manual {
		return fmt.Errorf("step %s: %w", step, ErrReason)
	}
	if err := e.apply(steps.Event{Kind: kind, Step: step, Why: reason}); err != nil {
		return err
	}
	e.settleIfSatisfied()
	e.want()
	return nil
}

// Note writes the operator's words into the record.
func (e *Engine) Note(step, text string) error { return e.cfg.Journal.Note(step, text) }

// Edit replaces the command of a block before it runs. The new one is judged
// anew, and the record keeps both, so that a resumed run has it too.
func (e *Engine) Edit(step string, block int, code string) error {
	s, ok := e.footing().present(step)
	if !ok || block < 0 || block >= len(s.Blocks) {
		return &UnknownStepError{Step: step}
	}
	if s.Blocks[block].Kind == steps.ActionBlock {
		return fmt.Errorf("step %s: an action can't be edited here; change the runbook", step)
	}
	e.facts.Lock() // so that the record has the edits in their order
	defer e.facts.Unlock()
	if err := e.cfg.Journal.Edit(step, Code{Block: block, Text: code, Document: s.Code[block]}); err != nil {
		return fmt.Errorf("edit step %s: %w", step, err)
	}
	e.mu.Lock()
	if e.edits[step] == nil {
		e.edits[step] = map[int]string{}
	}
	if code == s.Code[block] {
		delete(e.edits[step], block)
	} else {
		e.edits[step][block] = code
	}
	e.wake()
	e.mu.Unlock()
	e.want()
	return nil
}

// Stop ends the step if it runs or waits, with everything it has started, and
// returns once it has ended.
func (e *Engine) Stop(step string) error {
	c := e.carried(step)
	if c == nil {
		return nil
	}
	c.cancel() // first: however its program ends now, it was stopped
	if p := c.current(); p != nil {
		p.Stop(context.WithoutCancel(e.ctx))
	}
	<-c.done
	return nil
}

// An EndedError is why the context of a run is over that somebody else than the
// operator has ended.
type EndedError struct{ By string } // the name of a signal

func (e *EndedError) Error() string { return e.By + " ended the program" }

// cancelled is the end of a step that was stopped.
func cancelled(ctx context.Context) steps.Event {
	ev := steps.Event{Kind: steps.StepCancelled}
	var ended *EndedError
	if errors.As(context.Cause(ctx), &ended) {
		ev.Why = ended.Error() + "; what the step has begun elsewhere may go on"
	}
	return ev
}

// Type sends keys to the program that the step runs.
func (e *Engine) Type(step string, keys []byte) error {
	p := e.carried(step).current()
	if p == nil {
		return fmt.Errorf("step %s: nothing runs that could read keys", step)
	}
	return p.Type(keys)
}

// current is the process of the block that runs now, if any. No lock is held
// while it is talked to: a program that doesn't read its keys must hold up
// nobody else.
func (c *carrying) current() Process {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.process
}

func (e *Engine) carried(step string) *carrying {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.busy == nil || e.busy.step.ID != step {
		return nil
	}
	return e.busy
}

// Resize tells the terminal of running commands how large it is.
func (e *Engine) Resize(cols, rows int) {
	e.mu.Lock()
	e.size.cols, e.size.rows = cols, rows
	c := e.busy
	e.mu.Unlock()
	if p := c.current(); p != nil {
		p.Resize(cols, rows)
	}
}

// Output returns what a step has printed so far.
func (e *Engine) Output(step string) Output {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.output[step]
}

// outputText is what an `output matches` expectation is held against.
func (e *Engine) outputText(step string) string {
	return strings.Join(e.Output(step).Lines, "\n")
}

// Notice puts something that the operator should read among the events.
func (e *Engine) Notice(n Noticed) { e.events.put(n) }

// Offer puts something that the operator may have done among the events.
func (e *Engine) Offer(o Offered) { e.events.put(o) }
