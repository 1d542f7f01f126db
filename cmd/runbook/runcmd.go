package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"runbook/internal/plain"
	"runbook/internal/steps"
)

type runFlags struct {
	set    setFlags
	from   string
	only   []string
	accept []string
	output string
}

func (a *app) runCommand() *cobra.Command {
	f := runFlags{}
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Walk a runbook without the terminal interface, for pipelines",
		Long: `Walk a runbook step by step and print what happens, as lines or as JSON
objects. It never asks: a step that would have to be confirmed is refused unless
--accept-risk names it.`,
		Example: `  runbook run bring-up --set VARIANT=external-secrets
  runbook run teardown --from database --accept-risk database,namespace`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			return a.watched(func() error { return a.runPlain(c.Context(), args[0], f) })
		},
	}
	f.set.add(c)
	c.Flags().StringVar(&f.from, "from", "", "the id of the step to start at")
	c.Flags().StringSliceVar(&f.only, "only", nil, "the ids of the steps to walk")
	c.Flags().StringSliceVar(&f.accept, "accept-risk", nil, "the ids of steps whose risk is accepted")
	c.Flags().StringVarP(&f.output, "output", "o", "text", "text or json")
	return c
}

func (a *app) runPlain(ctx context.Context, file string, f runFlags) error {
	if err := formats(f.output, "text", "json"); err != nil {
		return err
	}
	r, err := a.open(file)
	if err != nil {
		return err
	}
	values, t, err := a.prepare(ctx, r, f.set)
	if err != nil {
		return err
	}
	if open := r.Missing(values); len(open) > 0 {
		return missing(open)
	}
	w, err := a.begin(ctx, r, values, t)
	if err != nil {
		return err
	}
	return a.walkPlain(ctx, w, plain.Options{From: f.from, Only: f.only, Accept: f.accept, Notes: warned(r)}, f.output)
}

// walkPlain walks as lines and closes the walk. A reader that goes away stops
// the run in order: dying of the broken pipe would leave behind what runs.
func (a *app) walkPlain(ctx context.Context, w *walk, o plain.Options, format string) error {
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGPIPE)
	defer signal.Stop(gone)
	err := plain.Walk(ctx, w, o, a.printer(format))
	return errors.Join(err, w.Close())
}

func (a *app) printer(format string) plain.Printer {
	if format == "json" {
		return plain.NewJSON(a.out)
	}
	return plain.NewText(a.out, a.color())
}

// prepare checks all that can be checked before anything is asked: programs,
// the cluster, and the parameters that are known.
func (a *app) prepare(ctx context.Context, r *steps.Runbook, set setFlags) (steps.Values, *target, error) {
	if _, err := set.values(); err != nil {
		return nil, nil, err
	}
	if err := programs(r.Needs); err != nil {
		return nil, nil, err
	}
	if _, err := a.values(r, set, ""); err != nil {
		return nil, nil, err // a bad value is said before a cluster is asked
	}
	commit := ahead(func() string { return commitOf(ctx, r.Path) })
	t, err := a.pinCluster(ctx, r)
	if err != nil {
		commit()
		return nil, nil, err
	}
	t.commit = commit
	values, err := a.values(r, set, t.where.Context)
	if err != nil {
		commit()
		return nil, nil, err
	}
	return values, t, nil
}

// ahead begins to work something out. The function that it returns waits for
// it, and has to be called.
func ahead(work func() string) func() string {
	done := make(chan string, 1)
	go func() { done <- work() }()
	return sync.OnceValue(func() string { return <-done })
}

// programs checks that what the runbook needs is on the path.
func programs(needs []string) error {
	var absent []string
	for _, name := range needs {
		if _, err := exec.LookPath(name); err != nil {
			absent = append(absent, name)
		}
	}
	if len(absent) == 0 {
		return nil
	}
	return &usageError{what: fmt.Sprintf("not on the path: %s", strings.Join(absent, ", ")), hint: "the runbook needs it; install it, or put it on the path"}
}
