package plain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// An Engine is what a walk drives.
type Engine interface {
	Events() <-chan engine.Event
	Plan() *steps.Plan
	Run() steps.Run
	World() world.World
	Assess(step string) engine.Assessment
	Checks(step string) []engine.Check
	Output(step string) engine.Output
	Where() guard.Where
	Settle(ctx context.Context, step string) bool
	Gate(ctx context.Context, step string) (guard.Gate, error)
	Do(ctx context.Context, step string, a engine.Answer) error
	Stop(step string) error
	Unclear(step string) string
	Unrecorded() error
}

// Options say which steps to walk, and what was accepted beforehand.
type Options struct {
	From   string
	Only   []string
	Accept []string         // ids of steps whose risk is accepted
	Notes  []engine.Noticed // to be said before the first step
}

// A FailedError says that a step, or what was expected of it, failed.
type FailedError struct{ Step, Why string }

func (e *FailedError) Error() string { return "step " + e.Step + ": " + e.Why }

// A NotTakenError says that a step was asked for by its id that belongs to a
// choice which wasn't made.
type NotTakenError struct{ Step, Why string }

func (e *NotTakenError) Error() string { return "step " + e.Step + ": not taken: " + e.Why }

// A RefusedError says that a step needs an answer that nobody gave.
type RefusedError struct {
	Gate guard.Gate
	Why  string
	Next string
}

func (e *RefusedError) Error() string { return "step " + e.Gate.Step + ": refused: " + e.Why }

// A PersonError says that the run stopped at a step that only a person can do.
type PersonError struct{ Step, Why, Next string }

func (e *PersonError) Error() string { return "step " + e.Step + ": " + e.Why }

// An UnheardError says that the run stopped because what happens can't be
// printed any more: whoever read it has gone.
type UnheardError struct {
	Step string // that was running, or would have been next
	Next string
	Err  error
}

func (e *UnheardError) Error() string {
	return "step " + e.Step + ": nobody reads what happens: " + e.Err.Error()
}
func (e *UnheardError) Unwrap() error { return e.Err }

// Walk runs the steps one after the other and returns at the first that
// doesn't come true. Everything is reported to the printer.
func Walk(ctx context.Context, e Engine, o Options, p Printer) error {
	w := &walk{engine: e, options: o, printer: p}
	ids, err := w.chosen()
	if err != nil {
		return err
	}
	p.Started(e.Plan(), e.Where())
	for _, n := range o.Notes {
		p.Noticed(n)
	}
	for _, id := range ids {
		if err := w.step(ctx, id); err != nil {
			return err
		}
	}
	settled, taken := e.Run().Count()
	p.Finished(settled, taken)
	return nil
}

type walk struct {
	engine  Engine
	options Options
	printer Printer
}

// chosen are the ids of the steps to walk, in order. Unknown ids are an error.
func (w *walk) chosen() ([]string, error) {
	plan := w.engine.Plan()
	for _, id := range append(append([]string{}, w.options.Only...), w.options.Accept...) {
		if plan.Step(id) == nil {
			return nil, &engine.UnknownStepError{Step: id}
		}
	}
	for _, id := range w.options.Only {
		if s := plan.Step(id); !s.Taken {
			return nil, &NotTakenError{Step: id, Why: s.WhyNot}
		}
	}
	if w.options.From != "" && plan.Step(w.options.From) == nil {
		return nil, &engine.UnknownStepError{Step: w.options.From}
	}
	var ids []string
	started := w.options.From == ""
	for _, s := range plan.Steps {
		started = started || s.ID == w.options.From
		wanted := len(w.options.Only) == 0 || slices.Contains(w.options.Only, s.ID)
		if started && wanted && s.Taken {
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

func (w *walk) step(ctx context.Context, id string) error {
	s := w.engine.Plan().Step(id)
	if w.engine.Settle(ctx, id) {
		w.printer.Settled(s, w.engine.Run().Steps[id])
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.needsPerson(s); err != nil {
		return err
	}
	if why := w.engine.Unclear(id); why != "" && !slices.Contains(w.options.Accept, id) {
		return &PersonError{Step: id, Why: why, Next: w.cutOff(id)}
	}
	w.printer.StepStarted(s, w.engine.Assess(id))
	if err := w.unheard(id); err != nil {
		return err // nothing is started that nobody sees
	}
	if err := w.begin(ctx, s); err != nil {
		return err
	}
	if err := w.follow(ctx, s); err != nil {
		return err
	}
	return w.engine.Unrecorded() // what isn't recorded isn't done, and nothing goes on behind it
}

func (w *walk) unheard(id string) error {
	if err := w.printer.Err(); err != nil {
		return &UnheardError{Step: id, Next: "runbook resume goes on where it stopped", Err: err}
	}
	return nil
}

// needsPerson stops at what a pipeline can't do.
func (w *walk) needsPerson(s *steps.BoundStep) error {
	next := "do it, then go on with --from the step behind it"
	switch {
	case s.Manual:
		return &PersonError{Step: s.ID, Why: "is for a person", Next: next}
	case s.Interactive:
		return &PersonError{Step: s.ID, Why: "needs a terminal", Next: next}
	case w.engine.Assess(s.ID).Endless && !s.Background:
		return &PersonError{Step: s.ID, Why: "has a command that never ends by itself", Next: "walk it in the terminal interface, or mark the step as background"}
	}
	return nil
}

// cutOff says how to go on at a step of which it isn't known what it did.
func (w *walk) cutOff(id string) string {
	next := "look at what it did; to run it again: --accept-risk " + id
	order := w.engine.Run().Order
	if i := slices.Index(order, id); i+1 < len(order) {
		next += "; to go on behind it: --from " + order[i+1]
	}
	return next
}

// begin passes the gate of a step or says why it can't. What was accepted
// beforehand is shown all the same, as it is now.
func (w *walk) begin(ctx context.Context, s *steps.BoundStep) error {
	accepted := slices.Contains(w.options.Accept, s.ID)
	if accepted {
		g, err := w.engine.Gate(ctx, s.ID)
		if err != nil {
			return err
		}
		w.printer.Gate(g)
	}
	err := w.engine.Do(ctx, s.ID, engine.Answer{Accepted: accepted})
	var closed *engine.GateError
	if !errors.As(err, &closed) {
		return err
	}
	g := closed.Gate
	if !accepted {
		w.printer.Gate(g)
	}
	if g.Decision == guard.Refuse {
		b := g.Blockers[0]
		return &RefusedError{Gate: g, Why: b.String(), Next: b.Next}
	}
	return &RefusedError{Gate: g, Why: asked(g), Next: "read what it does, then name it: --accept-risk " + s.ID}
}

// asked says in one line why a gate has to be confirmed.
func asked(g guard.Gate) string {
	for _, w := range g.Warnings {
		return w.Text
	}
	for _, r := range g.Reasons {
		if r.Class == g.Class {
			return g.Class.String() + ": " + r.Why
		}
	}
	if g.Class == risk.Unknown {
		return "what it does can't be determined"
	}
	return "its author says it can " + g.Class.String()
}

// follow reports what happens until the step has ended.
func (w *walk) follow(ctx context.Context, s *steps.BoundStep) error {
	out := &tail{}
	for {
		select {
		case <-ctx.Done():
			return w.stop(s, out, ctx.Err())
		case ev, ok := <-w.engine.Events():
			if !ok {
				return fmt.Errorf("step %s: the engine ended", s.ID)
			}
			if done, err := w.heard(ev, s, out); done {
				return err
			}
			if err := w.unheard(s.ID); err != nil {
				return w.stop(s, out, err)
			}
		}
	}
}

// stop ends the step that runs, says how it ended, and returns why.
func (w *walk) stop(s *steps.BoundStep, out *tail, why error) error {
	if err := w.engine.Stop(s.ID); err != nil {
		return errors.Join(why, err)
	}
	w.printer.Output(s.ID, out.rest(w.engine.Output(s.ID)))
	state := w.engine.Run().Steps[s.ID]
	if state.Why == "" {
		state.Why = "stopped"
	}
	w.printer.StepEnded(s, state, w.engine.Checks(s.ID))
	return why
}

// heard reports one event; done tells that it ends the step.
func (w *walk) heard(ev engine.Event, s *steps.BoundStep, out *tail) (done bool, err error) {
	switch ev := ev.(type) {
	case engine.OutputChanged:
		if ev.Step == s.ID {
			w.printer.Output(s.ID, out.news(w.engine.Output(s.ID)))
		}
	case engine.WorldChanged:
		if w.engine.Run().Steps[s.ID].Status == steps.Waiting {
			w.printer.Waiting(s.ID, w.engine.Checks(s.ID))
		}
	case engine.Noticed:
		w.printer.Noticed(ev)
	case engine.Drifted:
		w.printer.Noticed(engine.Noticed{Bad: ev.Where.Drift != "", Text: drifted(ev.Where)})
	case engine.ValuesChanged:
		w.printer.Changed(ev)
	case engine.RunChanged:
		if ev.Fact.Step != s.ID {
			return false, nil
		}
		return w.moved(ev, s, out)
	}
	return false, nil
}

// drifted says what the operator's configuration names by now.
func drifted(at guard.Where) string {
	if at.Drift == "" {
		return "the kubeconfig names the target of this run again"
	}
	return at.Drift
}

func (w *walk) moved(ev engine.RunChanged, s *steps.BoundStep, out *tail) (done bool, err error) {
	state := ev.Run.Steps[s.ID]
	switch state.Status {
	case steps.Running, steps.Pending, steps.Unsure: // the last two happened before it was started
		return false, nil
	case steps.Waiting:
		w.printer.Output(s.ID, out.rest(w.engine.Output(s.ID)))
		w.printer.Waiting(s.ID, w.engine.Checks(s.ID))
		return false, nil
	}
	w.printer.Output(s.ID, out.rest(w.engine.Output(s.ID)))
	w.printer.StepEnded(s, state, w.engine.Checks(s.ID))
	if state.Status == steps.Failed {
		return true, &FailedError{Step: s.ID, Why: state.Why}
	}
	return true, nil
}

// A tail tells which lines of a growing output haven't been shown yet.
type tail struct{ shown int }

// news are the lines that are whole and haven't been shown.
func (t *tail) news(o engine.Output) []string {
	end := o.Dropped + len(o.Lines)
	if o.Open {
		end--
	}
	return t.upTo(o, end)
}

// rest are all lines that haven't been shown.
func (t *tail) rest(o engine.Output) []string {
	return t.upTo(o, o.Dropped+len(o.Lines))
}

func (t *tail) upTo(o engine.Output, end int) []string {
	if end <= t.shown {
		return nil
	}
	var lines []string
	if missed := o.Dropped - t.shown; missed > 0 {
		lines = append(lines, fmt.Sprintf("… %d lines are in the record only", missed))
		t.shown = o.Dropped
	}
	lines = append(lines, o.Lines[t.shown-o.Dropped:end-o.Dropped]...)
	t.shown = end
	for len(lines) > 0 && o.Open && end == o.Dropped+len(o.Lines) && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1] // the blank screen below the last line
	}
	return lines
}

// took is how long a step took, rounded for people.
func took(s steps.StepState) time.Duration {
	return s.Ended.Sub(s.Started).Round(100 * time.Millisecond)
}
