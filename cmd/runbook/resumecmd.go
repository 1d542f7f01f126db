package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"runbook/internal/cluster"
	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/journal"
	"runbook/internal/plain"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/tui"
	"runbook/runbooks"
)

func (a *app) resumeCommand() *cobra.Command {
	f := runFlags{}
	c := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with a run where it stopped",
		Long: `Go on with a run where it stopped: the newest that isn't finished, or the one
that is named. What was done is held against the world first; what holds no
longer is open again. A step that was running when the run was cut off is never
guessed about: where neither the record nor the world shows what it did, it is
asked about, or off a terminal left alone with exit status 3.`,
		Example: `  runbook resume
  runbook resume 20260504T1200 --accept-risk database   # run the step that was cut off again
  runbook resume --from check                           # go on behind it`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.watched(func() error { return a.resume(c.Context(), args, f) })
		},
	}
	f.set.add(c)
	c.Flags().StringVar(&f.from, "from", "", "the id of the step to go on at")
	c.Flags().StringSliceVar(&f.accept, "accept-risk", nil, "the ids of steps whose risk is accepted, or that may run again")
	c.Flags().StringVarP(&f.output, "output", "o", "text", "text or json")
	return c
}

// A resumption is a run that is to go on, with all that it needs.
type resumption struct {
	record  *journal.Record
	runbook *steps.Runbook
	values  steps.Values
	target  *target
}

func (a *app) resume(ctx context.Context, args []string, f runFlags) error {
	if err := formats(f.output, "text", "json"); err != nil {
		return err
	}
	rec, err := a.unfinished(args)
	if err != nil {
		return err
	}
	r, err := a.recall(ctx, rec, f.set)
	if err != nil {
		return err
	}
	w, err := a.goOn(ctx, r.runbook, r.values, r.target, rec)
	if err != nil {
		return err
	}
	notes, err := r.recheck(ctx, w)
	if err != nil {
		return errors.Join(err, w.Close())
	}
	if a.terminal {
		w.strays.offerToStop(w)
		return a.resumeTUI(ctx, r, w, notes, f.set)
	}
	notes = append(notes, w.strays.stillRunning()...)
	o := plain.Options{From: f.from, Accept: f.accept, Notes: notes}
	return a.walkPlain(ctx, w, o, f.output)
}

func (a *app) resumeTUI(ctx context.Context, r *resumption, w *walk, notes []engine.Noticed, set setFlags) error {
	cluster.QuietLogs(io.Discard) // whatever client libraries log would tear the screen
	for _, n := range notes {
		w.Notice(n)
	}
	o := &opening{app: a, set: set, target: r.target, walk: w}
	return a.onTerminal(ctx, o, tui.Config{
		Start: o.start, Open: o.open, Now: a.now, Runbook: r.runbook, Values: r.values, Target: r.target.describe(),
	})
}

// recall brings back what the run needs: its runbook, its parameters and the
// cluster that it was on.
func (a *app) recall(ctx context.Context, rec *journal.Record, set setFlags) (*resumption, error) {
	r, err := a.openRecorded(rec.Header)
	if err != nil {
		return nil, err
	}
	if err := programs(r.Needs); err != nil {
		return nil, err
	}
	now := rec.Header
	now.Params = rec.Params()
	values, err := a.recorded(r, now, set)
	if err != nil {
		return nil, err
	}
	if a.kube.context == "" {
		a.kube.context = rec.Header.Context
	}
	if p := rec.Header.Params["NAMESPACE"]; a.kube.namespace == "" && (p.Secret || p.Value != rec.Header.Namespace) {
		a.kube.namespace = rec.Header.Namespace // else the parameter says it, which may have changed
	}
	t, err := a.pinCluster(ctx, r)
	if err != nil {
		return nil, err
	}
	return &resumption{record: rec, runbook: r, values: values, target: t}, nil
}

// openRecorded opens the runbook of a record from where it was.
func (a *app) openRecorded(h journal.Header) (*steps.Runbook, error) {
	gone := func(err error) error {
		return &usageError{
			what: fmt.Sprintf("resume %s: its runbook can't be opened: %v", h.Run, err),
			hint: "put it back where it was; runbook report " + h.Run + " shows what was done",
		}
	}
	switch {
	case h.Path == "-":
		return nil, gone(errors.New("it was read from standard input"))
	case strings.HasPrefix(h.Path, shipped):
		src, err := fs.ReadFile(runbooks.FS, strings.TrimPrefix(h.Path, shipped)+".md")
		if err != nil {
			return nil, gone(errors.New("this version of the program doesn't bring " + h.Path))
		}
		return a.parse(h.Path, src)
	}
	path := h.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.Dir, path)
	}
	r, err := a.open(path)
	var invalid *steps.InvalidError
	if err != nil && !errors.As(err, &invalid) {
		return nil, gone(err)
	}
	return r, err
}

// recorded are the parameters of the run as they were. Those that the record
// doesn't keep have to be given again.
func (a *app) recorded(r *steps.Runbook, h journal.Header, set setFlags) (steps.Values, error) {
	given, err := set.values()
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if p, ok := h.Params[name]; ok && !p.Secret && p.Source != steps.FromNone && p.Value != given[name] {
			return nil, &usageError{
				what: fmt.Sprintf("--set %s: the run has %s=%s, and what was done was done with that", name, name, p.Value),
				hint: "another value is another run: runbook run",
			}
		}
	}
	for name, p := range h.Params {
		if _, ok := given[name]; !ok && !p.Secret && p.Source != steps.FromNone && r.Param(name) != nil {
			given[name] = p.Value
		}
	}
	values, err := r.Resolve(steps.Sources{Set: given, Env: a.env})
	a.hideSecrets(r, values)
	if err != nil {
		return nil, err
	}
	for name, v := range values {
		if p, ok := h.Params[name]; ok && !p.Secret {
			v.Source = p.Source
			values[name] = v
		}
	}
	return values, unanswered(r, h, values)
}

// unanswered is the error for parameters that have no value: the record keeps
// none of a secret, and a default may be another one by now.
func unanswered(r *steps.Runbook, h journal.Header, values steps.Values) error {
	var secrets []steps.Param
	for _, p := range r.Params {
		old := h.Params[p.Name]
		v, ok := values[p.Name]
		if old.Secret && old.Source != steps.FromNone && (!ok || v.Source == steps.FromDefault && old.Source != steps.FromDefault) {
			secrets = append(secrets, p)
		}
	}
	if len(secrets) > 0 {
		err := missing(secrets).(*usageError)
		err.what += ": the record keeps no secret"
		return err
	}
	if open := r.Missing(values); len(open) > 0 {
		return missing(open)
	}
	return nil
}

// recheck holds what was done against the world, and says what is different
// from what the run knew.
func (r *resumption) recheck(ctx context.Context, w *walk) ([]engine.Noticed, error) {
	before := w.Run()
	settled, taken := before.Count()
	notes := []engine.Noticed{{Text: fmt.Sprintf("going on with %s of %s by %s: %d of %d done", r.record.Header.Run,
		r.record.Lines[0].At.Local().Format("2006-01-02 15:04"), r.record.Header.Operator, settled, taken)}}
	notes = append(notes, r.edits(w.Plan())...)
	notes = append(notes, amendedNotes(r.record)...)
	notes = append(notes, w.restored...)
	if names := sessionSteps(w.Engine, before); names != "" {
		notes = append(notes, engine.Noticed{Text: "variables, functions and folders that these steps had set in their session are gone: " + names})
	}
	if err := w.Recheck(ctx); err != nil {
		return nil, err
	}
	after := w.Run()
	unseen, err := r.unseen(w, before)
	if err != nil {
		return nil, err
	}
	notes = append(notes, unseen...)
	for _, s := range w.Plan().Steps {
		old, now := before.Steps[s.ID], after.Steps[s.ID]
		switch {
		case old.Status == steps.Unsure && now.Status == steps.Unsure:
			notes = append(notes, engine.Noticed{Step: s.ID, Text: fmt.Sprintf("%d %s was running when the run was cut off", s.N, s.Title)})
		case old.Status.Settled() && now.Status == steps.Pending:
			notes = append(notes, engine.Noticed{Step: s.ID, Bad: true, Text: fmt.Sprintf("%d %s is open again: %s", s.N, s.Title, now.Why)})
		}
	}
	return notes, nil
}

// unseen says, and records, of every protected value that nobody compared it
// over the step that was cut off.
func (r *resumption) unseen(w *walk, before steps.Run) ([]engine.Noticed, error) {
	var notes []engine.Noticed
	for _, s := range w.Plan().Steps {
		if before.Steps[s.ID].Status != steps.Unsure || len(r.record.Trace(s.ID).Began) == 0 || w.Assess(s.ID).Class == risk.Read {
			continue
		}
		var changes []journal.ChangeData
		for _, p := range w.Plan().Protects {
			why := "the run was cut off before it could be compared"
			changes = append(changes, journal.ChangeData{Protects: p.Name, Layer: "Vault and Secret", Now: string(guard.CantTell), Why: why})
			notes = append(notes, engine.Noticed{Step: s.ID, Text: fmt.Sprintf("%s: can't tell whether %d %s changed it: %s", p.Name, s.N, s.Title, why)})
		}
		if len(changes) == 0 {
			continue
		}
		if err := w.record.Changes(s.ID, changes); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// sessionSteps names the steps that have left something in a session that
// ended with the program.
func sessionSteps(e *engine.Engine, run steps.Run) string {
	var names []string
	for _, s := range e.Plan().Steps {
		if run.Steps[s.ID].Status != steps.Done {
			continue
		}
		for i, b := range s.Blocks {
			if b.Offered && b.Kind == steps.ShellBlock && engine.LeavesState(s.Code[i]) {
				names = append(names, s.ID)
				break
			}
		}
	}
	return strings.Join(names, ", ")
}
