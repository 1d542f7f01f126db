package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
)

// carrying is a step on its way from "started" to its end.
type carrying struct {
	step   *steps.BoundStep
	code   []string
	cancel context.CancelFunc
	done   chan struct{}

	mu      sync.Mutex
	process Process // of the block that runs now; nil between blocks and for actions
}

// ErrBusy says that a step is running already.
var ErrBusy = errors.New("another step is running")

// Do runs a step if the answer passes its gate, and returns once it has
// started. A gate that isn't passed is a [*GateError] with the gate in force.
func (e *Engine) Do(ctx context.Context, step string, a Answer) error {
	gate, err := e.Gate(ctx, step)
	if err != nil {
		return err
	}
	why := refusal(gate, a)
	if gate.Decision != guard.Allow {
		if err := e.cfg.Journal.Gate(step, gate, a, why == ""); err != nil {
			return fmt.Errorf("step %s: %w", step, err)
		}
	}
	if why != "" {
		return &GateError{Gate: gate, Why: why}
	}
	return e.start(step)
}

// refusal says why an answer doesn't pass a gate; "" when it does.
func refusal(g guard.Gate, a Answer) string {
	switch {
	case g.Decision == guard.Refuse:
		return "refused: " + g.Blockers[0].Why
	case g.Decision == guard.Allow:
		return ""
	case a.Accepted:
		return ""
	case a.Fingerprint == "":
		return "has to be confirmed"
	case a.Fingerprint != g.Fingerprint:
		return "the world has changed since the question was asked"
	case a.Words != g.Words:
		return "the words don't match"
	}
	return ""
}

func (e *Engine) start(step string) error {
	s := e.cfg.Plan.Step(step)
	code := e.Code(step)
	ctx, cancel := context.WithCancel(e.ctx)
	c := &carrying{step: s, code: code, cancel: cancel, done: make(chan struct{})}
	e.mu.Lock()
	if e.busy != nil {
		e.mu.Unlock()
		cancel()
		return fmt.Errorf("step %s: %w", step, ErrBusy)
	}
	e.busy = c
	e.output[step] = Output{Running: true}
	e.mu.Unlock()
	if err := e.apply(steps.Event{Kind: steps.StepStarted, Step: step}); err != nil {
		e.release()
		e.free(c)
		return err
	}
	e.want()
	e.work.Go(func() {
		defer e.free(c)
		e.carry(ctx, c)
	})
	return nil
}

func (e *Engine) free(c *carrying) {
	c.cancel()
	close(c.done)
	e.settleIfSatisfied()
	e.want()
}

// carry runs the blocks one after the other, then waits for the expectations.
func (e *Engine) carry(ctx context.Context, c *carrying) {
	marked := e.mark(ctx, c)
	last := Result{}
	for i, b := range c.step.Blocks {
		if !b.Offered {
			continue
		}
		r, err := e.block(ctx, c, i)
		if err != nil && ctx.Err() == nil {
			e.finish(c, steps.Event{Kind: steps.StepFailed, Why: err.Error()}, marked)
			return
		}
		if ctx.Err() != nil {
			e.finish(c, steps.Event{Kind: steps.StepCancelled}, marked)
			return
		}
		if last = r; r.Exit != 0 {
			break
		}
	}
	if last.Exit != 0 {
		e.finish(c, steps.Event{Kind: steps.StepExited, Exit: last.Exit, Why: fmt.Sprintf("exit status %d", last.Exit)}, marked)
		return
	}
	e.must(steps.Event{Kind: steps.StepExited, Step: c.step.ID})
	e.finish(c, e.await(ctx, c.step), marked)
}

// finish records how a step ended, and what became of protected values.
func (e *Engine) finish(c *carrying, ev steps.Event, marked bool) {
	ev.Step = c.step.ID
	e.compare(c, marked)
	if err := e.cfg.Journal.Checks(c.step.ID, e.Checks(c.step.ID)); err != nil {
		e.events.put(Noticed{Step: c.step.ID, Bad: true, Text: "the record could not be written: " + err.Error()})
	}
	e.setRunning(c.step.ID, false)
	// Whoever hears that the step has ended may start the next one at once.
	e.release()
	e.must(ev)
}

func (e *Engine) release() {
	e.mu.Lock()
	e.busy = nil
	e.mu.Unlock()
}

func (e *Engine) setRunning(step string, running bool) {
	e.mu.Lock()
	o := e.output[step]
	o.Running = running
	e.output[step] = o
	e.mu.Unlock()
	e.events.put(OutputChanged{Step: step})
}

// block carries out one block and returns how it ended.
func (e *Engine) block(ctx context.Context, c *carrying, i int) (Result, error) {
	b := c.step.Blocks[i]
	if err := e.cfg.Journal.Code(c.step.ID, i, c.code[i], e.edited(c.step.ID, i)); err != nil {
		return Result{}, err
	}
	record, err := e.cfg.Journal.Output(c.step.ID, i)
	if err != nil {
		return Result{}, err
	}
	switch {
	case b.Kind == steps.ActionBlock:
		err = e.act(ctx, c, b, record)
		return Result{}, errors.Join(err, record.Close())
	case c.step.Interactive:
		r, err := e.interact(ctx, c, c.command(e, i, record))
		return r, errors.Join(err, record.Close())
	case c.step.Background:
		return Result{}, e.leave(c, c.command(e, i, record), record)
	}
	r, err := e.execute(ctx, c, c.command(e, i, record))
	return r, errors.Join(err, record.Close())
}

func (c *carrying) command(e *Engine, i int, record io.Writer) Command {
	e.mu.Lock()
	cols, rows := e.size.cols, e.size.rows
	e.mu.Unlock()
	shell := c.step.Shell
	if shell == "" {
		shell = c.step.Blocks[i].Lang
	}
	return Command{
		Code: c.code[i], Env: environment(e.cfg.Plan.Values), Shell: shell, Cols: cols, Rows: rows,
		Record: record, Background: c.step.Background, Timeout: c.step.Timeout,
	}
}

// environment has every parameter as NAME=value, sorted.
func environment(v steps.Values) []string {
	var env []string
	for name, value := range v {
		if value.Source != steps.FromNone {
			env = append(env, name+"="+value.Text)
		}
	}
	slices.Sort(env)
	return env
}

func (e *Engine) execute(ctx context.Context, c *carrying, cmd Command) (Result, error) {
	p, err := e.cfg.Shell.Start(ctx, cmd)
	if err != nil {
		return Result{}, err
	}
	c.hold(p)
	defer c.hold(nil)
	return e.follow(c, p, true), nil
}

// leave starts a command that goes on beside later steps, until the engine is
// closed.
func (e *Engine) leave(c *carrying, cmd Command, record io.Closer) error {
	p, err := e.cfg.Shell.Start(e.ctx, cmd)
	if err != nil {
		return errors.Join(err, record.Close())
	}
	e.work.Go(func() {
		r := e.follow(c, p, false)
		if err := record.Close(); err != nil {
			e.events.put(Noticed{Step: c.step.ID, Bad: true, Text: "the record could not be written: " + err.Error()})
		}
		if e.ctx.Err() == nil {
			e.events.put(Noticed{Step: c.step.ID, Bad: r.Exit != 0, Text: fmt.Sprintf("what it left running has ended: exit status %d", r.Exit)})
		}
	})
	return nil
}

// follow shows what a process prints until it has ended, behind the output of
// the blocks before it.
func (e *Engine) follow(c *carrying, p Process, running bool) Result {
	before := e.Output(c.step.ID).Lines
	for range p.Changed() {
		o := p.Output()
		o.Running = running
		e.show(c.step.ID, before, o)
	}
	r := p.Wait()
	o := p.Output()
	o.Running, o.Exit, o.Note = running, r.Exit, r.Note
	e.show(c.step.ID, before, o)
	if r.Note != "" {
		e.events.put(Noticed{Step: c.step.ID, Text: r.Note})
	}
	return r
}

func (c *carrying) hold(p Process) {
	c.mu.Lock()
	c.process = p
	c.mu.Unlock()
}

// show puts the output of the running block behind that of the blocks before it.
func (e *Engine) show(step string, before []string, o Output) {
	if len(before) > 0 {
		o.Lines = append(slices.Clone(before), o.Lines...)
	}
	e.mu.Lock()
	e.output[step] = o
	e.mu.Unlock()
	e.events.put(OutputChanged{Step: step})
}

// interact lends the real terminal to a command.
func (e *Engine) interact(ctx context.Context, c *carrying, cmd Command) (Result, error) {
	x, after, err := e.cfg.Shell.Interactive(cmd)
	if err != nil {
		return Result{}, err
	}
	ended := make(chan error, 1)
	e.events.put(TerminalWanted{Step: c.step.ID, Cmd: x, Done: func(err error) { ended <- err }})
	select {
	case <-ctx.Done():
		return Result{}, ctx.Err()
	case err := <-ended:
		return after(err), nil
	}
}

// class tells how bad the running step is, for what must be kept for it.
func (e *Engine) class(c *carrying) risk.Class { return e.Assess(c.step.ID).Class }
