package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"runbook/internal/cluster"
	"runbook/internal/steps"
	"runbook/internal/tui"
)

// openFlags are those of the terminal interface.
type openFlags struct{ set setFlags }

func (f *openFlags) add(c *cobra.Command) { f.set.add(c) }

// openTUI walks a runbook in the terminal interface. Off a terminal it is
// walked as lines, and says so.
func (a *app) openTUI(ctx context.Context, args []string, f openFlags) error {
	if !a.terminal {
		if len(args) == 0 {
			return &usageError{what: "not a terminal: there is nobody to choose a runbook", hint: "runbook run NAME; runbook list shows what is known"}
		}
		what := "not a terminal"
		if dumb(a.environ) {
			what = "TERM=dumb, which can't be drawn on"
		}
		say(a.errOut, "runbook: %s: walking %s as lines", what, args[0])
		return a.runPlain(ctx, args[0], runFlags{set: f.set, output: "text"})
	}
	cluster.QuietLogs(io.Discard) // whatever client libraries log would tear the screen
	o := &opening{app: a, set: f.set}
	cfg := tui.Config{Start: o.start, Open: o.open, Written: a.secrets().Written, Now: a.now}
	if len(args) == 0 {
		choices, err := a.choices()
		if err != nil {
			return err
		}
		cfg.Choices = choices
	} else {
		var err error
		if cfg.Runbook, cfg.Values, err = o.opened(ctx, args[0]); err != nil {
			return err
		}
		cfg.Target = o.target.describe()
	}
	return a.onTerminal(ctx, o, cfg)
}

// framesPerSecond is the most that Bubble Tea draws: the first frame, and the
// answer to a key, wait for the next one.
const framesPerSecond = 120

// onTerminal runs the interface until the operator leaves it.
func (a *app) onTerminal(ctx context.Context, o *opening, cfg tui.Config) error {
	ctx, cancel := context.WithCancel(ctx)
	cfg.Suspend, cfg.Suspendable, cfg.Lend = a.jobs.Suspend, suspendable, a.jobs.Lend
	a.watcher.Taken()
	program := tea.NewProgram(tui.New(ctx, cfg), tea.WithContext(ctx), tea.WithFPS(framesPerSecond), tea.WithFilter(onTerminalNow(os.Stdin, os.Stdout)))
	heed := a.jobs.heed(program.Send)
	model, err := program.Run()
	heed()
	if !errors.Is(err, tea.ErrProgramPanic) { // else it may have left anything behind
		a.watcher.Left()
	}
	cancel()
	if closeErr := o.close(); closeErr != nil {
		err = errors.Join(err, closeErr)
	}
	if err != nil {
		return fmt.Errorf("terminal interface: %w", err)
	}
	return o.left(model)
}

// An opening builds what the interface asks for.
type opening struct {
	app    *app
	set    setFlags
	target *target
	walk   *walk
}

// opened reads a runbook and pins its cluster; what fails here is said before
// the screen is taken.
func (o *opening) opened(ctx context.Context, name string) (*steps.Runbook, steps.Values, error) {
	r, err := o.app.open(name)
	if err != nil {
		return nil, nil, err
	}
	values, t, err := o.app.prepare(ctx, r, o.set)
	if err != nil {
		return nil, nil, err
	}
	o.target = t
	if len(r.Missing(values)) == 0 {
		if err := o.begin(ctx, r, values); err != nil {
			return nil, nil, err
		}
	}
	return r, values, nil
}

func (o *opening) open(path string) (*steps.Runbook, steps.Values, error) {
	r, err := o.app.open(path)
	if err != nil {
		return nil, nil, err
	}
	values, err := o.app.values(r, o.set, "")
	return r, values, err
}

// start builds the engine once all parameters are known.
func (o *opening) start(ctx context.Context, r *steps.Runbook, v steps.Values) (tui.Engine, error) {
	if o.walk != nil {
		return o.walk, nil
	}
	if o.target == nil { // the runbook was picked in the interface
		_, t, err := o.app.prepare(ctx, r, o.set)
		if err != nil {
			return nil, o.app.discreetly(err)
		}
		o.target = t
	}
	if err := o.begin(ctx, r, v); err != nil {
		return nil, o.app.discreetly(err)
	}
	return o.walk, nil
}

func (o *opening) begin(ctx context.Context, r *steps.Runbook, v steps.Values) error {
	w, err := o.app.begin(ctx, r, v, o.target)
	if err != nil {
		return err
	}
	o.walk = w
	for _, n := range warned(r) {
		w.Notice(n)
	}
	return nil
}

func (o *opening) close() error {
	if o.target != nil {
		o.target.wait() // for a run that was never begun
	}
	if o.walk == nil {
		return nil
	}
	return o.walk.Close()
}

// left says how the operator left: at the end, or before it.
func (o *opening) left(tea.Model) error {
	if o.walk == nil {
		return &stoppedError{}
	}
	if err := o.walk.Unrecorded(); err != nil {
		return err
	}
	settled, taken := o.walk.Run().Count()
	if settled == taken {
		return nil
	}
	return &stoppedError{settled: settled, taken: taken}
}

func (a *app) choices() ([]tui.Choice, error) {
	rows, err := a.listed()
	if err != nil {
		return nil, err
	}
	var out []tui.Choice
	for _, r := range rows {
		if r.Problem == "" {
			out = append(out, tui.Choice{Name: r.Name, Purpose: r.Purpose, Title: a.secrets().Written(r.Title), Steps: r.Steps, Path: r.Path})
		}
	}
	if len(out) == 0 {
		return nil, &usageError{what: "no runbooks under ./runbooks or $RUNBOOK_PATH", hint: "name a file: runbook FILE"}
	}
	return out, nil
}
