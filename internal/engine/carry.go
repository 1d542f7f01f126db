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
	values steps.Values
	cancel context.CancelFunc
	done   chan struct{}

	turns chan turn // asks for the next statement of a step that is walked by statements; else nil

	mu      sync.Mutex
	process Process // of the block that runs now; nil between blocks and for actions
	paused  *Pause  // before the next statement; nil while it runs
}

// ErrBusy says that a step is running already.
var ErrBusy = errors.New("another step is running")

// Do runs a step if the answer passes its gate, and returns once it has
// started. A gate that isn't passed is a [*GateError] with the gate in force.
//
// A step that is walked by statements runs the rest of them.
func (e *Engine) Do(ctx context.Context, step string, a Answer) error {
	if e.proceed(step, turn{rest: true}) {
		return nil
	}
	return e.begin(ctx, step, a, nil)
}

// begin starts a step if the answer passes its gate. When a value has changed
// in between, it is the gate of what would run now that has to be passed.
func (e *Engine) begin(ctx context.Context, step string, a Answer, turns chan turn) error {
	for {
		p, err := e.pass(ctx, step, a)
		if err != nil {
			return err
		}
		if err := e.start(step, p, turns); !errors.Is(err, errStale) {
			return err
		}
	}
}

// errStale says that what passed a gate isn't what would run any more.
var errStale = errors.New("a value has changed since the gate was passed")

// pass returns the code that may run when the answer passes the gate of a step.
// A step of which nothing is left to run but its expectations has been through
// its gate.
func (e *Engine) pass(ctx context.Context, step string, a Answer) (permit, error) {
	if foot := e.footing(); e.nothingLeft(step) {
		b, _ := foot.present(step)
		return permit{code: e.code(b), gen: foot.gen}, nil
	}
	gate, p, err := e.gate(ctx, step)
	if err != nil {
		return permit{}, err
	}
	why := refusal(gate, a)
	if err := e.cfg.Journal.Gate(step, gate, a, why == ""); err != nil {
		return permit{}, &UnwritableError{Step: step, Err: err}
	}
	if why != "" {
		return permit{}, &GateError{Gate: gate, Why: why}
	}
	return p, nil
}

// refusal says why an answer doesn't pass a gate; "" when it does.
func refusal(g guard.Gate, a Answer) string {
	switch {
	case g.Decision == guard.Refuse:
		return "refused: " + g.Blockers[0].String()
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

// start runs what has passed the gate of a step.
func (e *Engine) start(step string, p permit, turns chan turn) error {
	ctx, cancel := context.WithCancel(e.ctx)
	c := &carrying{code: p.code, cancel: cancel, done: make(chan struct{}), turns: turns}
	if err := e.occupy(step, c, p.gen); err != nil {
		cancel()
		return err
	}
	e.want()
	e.work.Go(func() {
		defer e.free(c)
		e.carry(ctx, c)
	})
	return nil
}

// occupy makes c the step that is carried out, unless another one is, or a
// value has changed: neither can happen meanwhile.
func (e *Engine) occupy(step string, c *carrying, gen int) error {
	e.facts.Lock()
	defer e.facts.Unlock()
	e.mu.Lock()
	b, _ := e.foot.present(step)
	busy, stale := e.busy != nil, e.foot.gen != gen
	if !busy && !stale {
		c.step, c.values = b.BoundStep, b.values
		e.busy = c
		e.output[step] = Output{Running: true}
	}
	e.mu.Unlock()
	switch {
	case busy:
		return fmt.Errorf("step %s: %w", step, ErrBusy)
	case stale:
		return errStale
	}
	if err := e.take(steps.Event{Kind: steps.StepStarted, Step: step}); err != nil {
		e.release()
		close(c.done)
		return err
	}
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
	if err := e.cfg.Journal.Checks(c.step.ID, e.datedChecks(c.step.ID)); err != nil {
		e.finish(c, steps.Event{Kind: steps.StepFailed, Why: err.Error()}, false)
		return
	}
	marked := e.mark(ctx, c)
	last := Result{}
	for i, b := range c.step.Blocks {
		if !b.Offered || e.through(c.step, i) {
			continue
		}
		r, err := e.block(ctx, c, i)
		if err != nil && ctx.Err() == nil {
			e.finish(c, steps.Event{Kind: steps.StepFailed, Why: err.Error()}, marked)
			return
		}
		if ctx.Err() != nil {
			e.finish(c, cancelled(ctx), marked)
			return
		}
		if last = r; r.Exit != 0 {
			break
		}
	}
	if last.Exit != 0 {
		e.finish(c, steps.Event{Kind: steps.StepExited, Exit: last.Exit, Why: exitText(last.Exit)}, marked)
		return
	}
	e.must(steps.Event{Kind: steps.StepExited, Step: c.step.ID})
	e.finish(c, e.await(ctx, c.step), marked)
}

// finish records how a step ended, and what became of protected values.
func (e *Engine) finish(c *carrying, ev steps.Event, marked bool) {
	ev.Step = c.step.ID
	e.compare(c, marked)
	if err := e.cfg.Journal.Checks(c.step.ID, e.datedChecks(c.step.ID)); err != nil {
		e.unwritten(c.step.ID, err)
	}
	e.setRunning(c.step.ID, false)
	e.forget(c.step.ID)
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
	last := Result{}
	for _, p := range e.pieces(c, i) {
		if err := e.pause(ctx, c, p); err != nil {
			return Result{}, err
		}
		r, err := e.piece(ctx, c, p, last.Exit)
		if ctx.Err() != nil {
			return r, err // stopped: how far it got isn't known
		}
		if err := e.recordEnd(c, p, r, err); err != nil {
			return r, err
		}
		if last = r; r.Cut {
			e.events.put(Noticed{Step: c.step.ID, Text: fmt.Sprintf(
				"nothing behind statement %d of %d runs: it ended the shell with %d, as exit, exec and a failure under set -e do in a script", p.Statement, p.Of, r.Exit)})
			break
		}
	}
	return last, nil
}

// recordEnd writes how a piece ended; it returns the error it was given.
func (e *Engine) recordEnd(c *carrying, p Code, r Result, failed error) error {
	end := Ended{Block: p.Block, Exit: r.Exit, Statement: p.Statement, Of: p.Of}
	if failed != nil {
		end.Exit, end.Why = -1, failed.Error()
	}
	if err := e.cfg.Journal.Ended(c.step.ID, end); err != nil {
		e.unwritten(c.step.ID, err)
	}
	return failed
}

// piece carries out a block, or one statement of it behind one that ended with
// the exit status before.
func (e *Engine) piece(ctx context.Context, c *carrying, p Code, before int) (Result, error) {
	b := c.step.Blocks[p.Block]
	p.Foretells = Foretells(b.Action)
	if err := e.cfg.Journal.Code(c.step.ID, p); err != nil {
		return Result{}, err
	}
	record, err := e.cfg.Journal.Output(c.step.ID, p.Block)
	if err != nil {
		return Result{}, err
	}
	if b.Kind != steps.ActionBlock {
		e.conceal(ctx, c, p)
	}
	switch {
	case b.Kind == steps.ActionBlock:
		err = e.act(ctx, c, p.Block, record)
		return Result{}, errors.Join(err, record.Close())
	case c.step.Interactive:
		r, err := e.interact(ctx, c, c.command(e, p, record))
		return r, errors.Join(err, record.Close())
	case c.step.Background:
		return Result{}, e.leave(c, p.Block, c.command(e, p, record), record)
	}
	cmd := c.command(e, p, record)
	cmd.Statement, cmd.Of, cmd.Before = p.Statement, p.Of, before
	r, err := e.execute(ctx, c, cmd)
	return r, errors.Join(err, record.Close())
}

func (c *carrying) command(e *Engine, p Code, record io.Writer) Command {
	e.mu.Lock()
	cols, rows := e.size.cols, e.size.rows
	e.mu.Unlock()
	return Command{
		Code: p.Text, Env: environment(c.values), Shell: c.shell(p.Block), Cols: cols, Rows: rows,
		Record: record, Background: c.step.Background, Timeout: c.step.Timeout,
	}
}

// shell is the one that the step asks for, else its block.
func (c *carrying) shell(block int) string {
	if c.step.Shell != "" {
		return c.step.Shell
	}
	return c.step.Blocks[block].Lang
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
	before := e.Output(c.step.ID).Lines
	return e.follow(c.step.ID, p, func(o Output) {
		o.Running = true
		e.show(c.step.ID, before, o)
	}), nil
}

// follow shows what a process prints until it has ended.
func (e *Engine) follow(step string, p Process, show func(Output)) Result {
	for range p.Changed() {
		show(p.Output())
	}
	r := p.Wait()
	o := p.Output()
	o.Exit, o.Note = r.Exit, e.cfg.Hide.Sentence(r.Note)
	show(o)
	if r.Note != "" {
		e.events.put(Noticed{Step: step, Text: r.Note})
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
		return e.returned(c, after(err)), nil
	}
}

// returned says how a command ended that had the real terminal.
func (e *Engine) returned(c *carrying, r Result) Result {
	const kept = "it had the terminal: what it showed there isn't kept"
	e.show(c.step.ID, nil, Output{Running: true, Exit: r.Exit, Note: kept})
	if r.Note != "" {
		e.events.put(Noticed{Step: c.step.ID, Text: r.Note})
	}
	return r
}

// class tells how bad the running step is, for what must be kept for it.
func (e *Engine) class(c *carrying) risk.Class { return e.Assess(c.step.ID).Class }
