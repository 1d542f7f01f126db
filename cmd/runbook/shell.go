package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"

	"runbook/internal/engine"
	"runbook/internal/shell"
)

// session puts the shell's terms into the engine's.
type session struct {
	*shell.Session
	errOut *os.File // standard error of what has the real terminal; nil for the program's own
	// place makes sure that what names no namespace means the one that is on the
	// screen, before anything runs; nil where there is no cluster.
	place func() error
	// stayed puts back what a command has done to that place, and says so; nil
	// where there is no cluster.
	stayed func() string
}

func (s session) Start(ctx context.Context, c engine.Command) (engine.Process, error) {
	if err := s.placed(); err != nil {
		return nil, err
	}
	cancel := func() {}
	if c.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, c.Timeout)
	}
	p, err := s.Session.Start(ctx, command(c))
	if err != nil {
		cancel()
		return nil, err
	}
	return &process{Process: p, cancel: cancel, ctx: ctx, after: func(r engine.Result) engine.Result { return s.settled(c, r) }}, nil
}

// settled adds to the result of a command what has become of the place that it
// ran in. Between the statements of a block it is the block's own.
func (s session) settled(c engine.Command, r engine.Result) engine.Result {
	if s.stayed == nil || c.Statement < c.Of && !r.Cut {
		return r
	}
	if note := s.stayed(); note != "" {
		r.Note = strings.TrimPrefix(r.Note+"; "+note, "; ")
	}
	return r
}

func (s session) placed() error {
	if s.place == nil {
		return nil
	}
	return s.place()
}

func command(c engine.Command) shell.Command {
	return shell.Command{
		Code: c.Code, Env: c.Env, Shell: shellName(c.Shell), Cols: c.Cols, Rows: c.Rows,
		Record: c.Record, Background: c.Background,
		Statement: c.Statement, Of: c.Of, Before: c.Before,
	}
}

// shellName is the shell that an info string asks for. Words that only say
// "shell" leave it to the session.
func shellName(lang string) string {
	switch lang {
	case "bash", "zsh", "sh":
		return lang
	}
	return ""
}

func (s session) Interactive(c engine.Command) (*exec.Cmd, func(error) engine.Result, error) {
	if err := s.placed(); err != nil {
		return nil, nil, err
	}
	cmd, finish, err := s.Session.Interactive(command(c))
	if err != nil {
		return nil, nil, err
	}
	if s.errOut != nil {
		cmd.Stderr = s.errOut
	}
	return cmd, func(runErr error) engine.Result { return s.settled(c, result(finish(runErr))) }, nil
}

type process struct {
	*shell.Process
	ctx    context.Context
	cancel func()
	after  func(engine.Result) engine.Result
}

func (p *process) Changed() <-chan struct{} { return p.Dirty() }

// Output is what a person would want to read: the lines as they were printed,
// or the screen itself while the program draws on all of it.
func (p *process) Output() engine.Output {
	o := engine.Output{Secret: p.EchoOff()}
	if err := p.RecordErr(); err != nil {
		o.Note = "not all of this is in the record: " + err.Error()
	}
	if screen := p.Screen(0, 0); screen.Full {
		o.Lines, o.Open = screen.Lines, true
		return o
	}
	o.Lines, o.Dropped, o.Open = p.Printed()
	return o
}

func (p *process) Resize(cols, rows int) {
	_ = p.Process.Resize(cols, rows) // a program that has ended needs no size
}

func (p *process) Stop(ctx context.Context) { p.Process.Stop(ctx) }

func (p *process) Wait() engine.Result {
	r := p.after(result(p.Process.Wait()))
	if errors.Is(p.ctx.Err(), context.DeadlineExceeded) {
		r.Note = strings.TrimPrefix(r.Note+"; stopped: its timeout was over", "; ")
	}
	p.cancel()
	return r
}

func result(r shell.Result) engine.Result {
	var notes []string
	if r.StateLost != "" {
		notes = append(notes, "the session is as it was before: "+r.StateLost)
	}
	if len(r.Gone) > 0 {
		notes = append(notes, "nothing that runs later has "+strings.Join(r.Gone, ", ")+": that ended with its shell")
	}
	if r.Strangers {
		notes = append(notes, "wait, jobs, $! and %1 know what this shell has started only: what earlier ones left running is none of it")
	}
	if len(r.PutBack) > 0 {
		notes = append(notes, strings.Join(r.PutBack, ", ")+" was changed for this step only: the run stays on the target that it is pinned to")
	}
	for _, l := range r.Left {
		notes = append(notes, fmt.Sprintf("still running: %s (pid %d)", l.Command, l.PID))
	}
	if r.Err != nil {
		notes = append(notes, r.Err.Error())
	}
	e := engine.Result{Exit: r.Exit, Cut: r.Cut}
	if r.Signal != 0 {
		e.Signal = unix.SignalName(r.Signal)
		if !strings.Contains(r.StateLost, "ended by") { // it names the signal already
			notes = append(notes, "ended by "+cmp.Or(e.Signal, r.Signal.String()))
		}
	}
	e.Note = strings.Join(notes, "; ")
	return e
}
