package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"runbook/internal/steps"
)

// A Beside is a command that goes on beside later steps, or did.
type Beside struct {
	ID      int    // from 1, in the order they were started; below 0 for what is from before
	Before  bool   // an earlier process of the run has left it; its end isn't known of
	Step    string // that left it running
	Block   int    // of the step
	Title   string // of the step
	Code    string // its first line
	PID     int
	Since   time.Time
	Ended   time.Time // zero while it runs
	Exit    int
	Signal  string // that has ended it, as far as its exit status tells
	Stopped bool   // the operator has ended it
	WithRun bool   // it was ended with the run
	Note    string
}

// Running tells whether it still goes on.
func (b Beside) Running() bool { return b.Ended.IsZero() }

// ByItself tells whether it has ended without being asked to.
func (b Beside) ByItself() bool { return !b.Running() && !b.Stopped && !b.WithRun }

// How says how it has ended: "exit status 1", "SIGTERM".
func (b Beside) How() string {
	if b.Signal != "" {
		return b.Signal
	}
	return fmt.Sprintf("exit status %d", b.Exit)
}

// besideProcess is a Beside with what is needed to look at it and to end it.
type besideProcess struct {
	Beside
	process Process
	output  Output
	started time.Time // the try of the step that it belongs to
	before  []string  // what that had printed already
}

// Beside lists what steps have left running, the oldest first, those that have
// ended included.
func (e *Engine) Beside() []Beside {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.strayBesides()
	for _, b := range e.beside {
		out = append(out, b.Beside)
	}
	return out
}

// BesideOutput is what such a command has printed.
func (e *Engine) BesideOutput(id int) Output {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := e.besideIndex(id); i >= 0 {
		return e.beside[i].output
	}
	return Output{}
}

// StopBeside ends one of them with all that it has started, and returns once it
// has ended. One that has ended already is left alone.
func (e *Engine) StopBeside(ctx context.Context, id int) error {
	if id < 0 {
		return e.stopStray(ctx, -id)
	}
	e.mu.Lock()
	i := e.besideIndex(id)
	if i < 0 {
		e.mu.Unlock()
		return fmt.Errorf("stop background command %d: there is none", id)
	}
	b := e.beside[i]
	running := b.Running()
	b.Stopped = b.Stopped || running
	e.mu.Unlock()
	if !running {
		return nil
	}
	b.process.Stop(ctx)
	return e.until(ctx, func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return !b.Running()
	})
}

// besideIndex finds one of them; e.mu is held.
func (e *Engine) besideIndex(id int) int {
	return slices.IndexFunc(e.beside, func(b *besideProcess) bool { return b.ID == id })
}

// besideRunning are the steps whose commands still run; e.mu is held.
func (e *Engine) besideRunning() []string {
	var out []string
	for _, b := range e.beside {
		if b.Running() && !slices.Contains(out, b.Step) {
			out = append(out, b.Step)
		}
	}
	return out
}

// leave starts a command that goes on beside later steps, until it is stopped
// or the engine is closed.
func (e *Engine) leave(c *carrying, block int, cmd Command, record io.Closer) error {
	p, err := e.cfg.Shell.Start(e.ctx, cmd)
	if err != nil {
		return errors.Join(err, record.Close())
	}
	first, _, _ := strings.Cut(strings.TrimSpace(cmd.Code), "\n")
	b := &besideProcess{process: p, Beside: Beside{Step: c.step.ID, Block: block, Title: c.step.Title, Code: e.cfg.Hide.Text(first), PID: p.PID(), Since: e.cfg.Now()}}
	b.started, b.before = e.Run().Steps[c.step.ID].Started, e.Output(c.step.ID).Lines
	e.mu.Lock()
	b.ID = len(e.beside) + 1
	e.beside = append(e.beside, b)
	e.mu.Unlock()
	e.events.put(BesideChanged{})
	e.work.Go(func() { e.accompany(c, b, record) })
	return nil
}

// accompany follows a command in the background to its end, and says that end
// unless it was asked for.
func (e *Engine) accompany(c *carrying, b *besideProcess, record io.Closer) {
	r := e.follow(b.Step, b.process, func(o Output) {
		e.mu.Lock()
		b.output = o
		latest := e.run.Steps[b.Step].Started.Equal(b.started)
		e.mu.Unlock()
		if latest { // else another try of the step shows its own
			e.show(b.Step, b.before, o)
		}
		e.events.put(BesideChanged{})
	})
	e.mu.Lock()
	end := b.Beside
	e.mu.Unlock()
	end.Ended, end.Exit, end.Signal, end.Note = e.cfg.Now(), r.Exit, r.Signal, e.cfg.Hide.Sentence(r.Note)
	end.WithRun = !end.Stopped && e.ctx.Err() != nil
	if err := errors.Join(record.Close(), e.cfg.Journal.Beside(b.Step, end, record)); err != nil {
		e.unwritten(c.step.ID, err)
	}
	e.mu.Lock()
	b.Beside = end
	e.wake()
	e.mu.Unlock()
	e.events.put(BesideChanged{})
	if end.ByItself() {
		e.events.put(Noticed{Step: b.Step, Bad: true, Text: fmt.Sprintf("step %d: in the background `%s` has ended by itself, %s; what follows may need it", c.step.N, b.Code, end.How())})
	}
}

// brokeBeside says which command of a step has ended badly in the background
// since the step was started; "" when none has.
func (e *Engine) brokeBeside(s *steps.BoundStep) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, b := range e.beside {
		if b.Step == s.ID && !b.Running() && b.Exit != 0 && !b.Stopped && !b.Since.Before(e.run.Steps[s.ID].Started) {
			return fmt.Sprintf("`%s` was to keep running and has ended: %s", b.Code, b.How())
		}
	}
	return ""
}
