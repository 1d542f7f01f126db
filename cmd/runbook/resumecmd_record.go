package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/journal"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// An otherTargetError says that a run would go on somewhere else than where it
// began.
type otherTargetError struct{ what, hint string }

func (e *otherTargetError) Error() string { return e.what }

// Hint says what to do next.
func (e *otherTargetError) Hint() string { return e.hint }

// sameTarget refuses to go on with a run on another cluster or Vault.
func sameTarget(past *journal.Record, w guard.Where) error {
	if past == nil {
		return nil
	}
	h := past.Header
	other := func(what, was, is string) error {
		return &otherTargetError{
			what: fmt.Sprintf("resume %s: it ran on %s %s, and this is %s", h.Run, what, was, is),
			hint: "a run goes on where it began; runbook run begins another",
		}
	}
	switch {
	case h.Context != "" && h.Context != w.Context:
		return other("context", h.Context, orNone(w.Context))
	case h.UID != "" && w.UID != "" && h.UID != w.UID:
		return other("another cluster behind context", h.Context, w.Server)
	case h.Vault != "" && h.Vault != w.Vault:
		return other("the Vault", h.Vault, orNone(w.Vault))
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// unfinished reads the record that is to go on: the named one, else the newest
// that isn't finished and that nobody is walking.
func (a *app) unfinished(args []string) (*journal.Record, error) {
	root, err := a.recordRoot()
	if err != nil {
		return nil, err
	}
	if len(args) == 1 {
		return a.named(root, args[0])
	}
	names, err := journal.List(root)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		rec, err := journal.Read(filepath.Join(root, name))
		if err != nil || journal.InUse(rec.Dir) {
			continue // runbook runs says what is wrong with it
		}
		if rec.Run().Next() != "" {
			return rec, nil
		}
	}
	return nil, &usageError{what: "resume: no run on this machine is unfinished", hint: "runbook runs lists them"}
}

// named reads the record of a run by its name, or the beginning of it.
func (a *app) named(root, word string) (*journal.Record, error) {
	names, err := journal.List(root)
	if err != nil {
		return nil, err
	}
	var matches []string
	for _, name := range names {
		if name == word {
			matches = []string{name}
			break
		}
		if strings.HasPrefix(name, word) {
			matches = append(matches, name)
		}
	}
	switch len(matches) {
	case 1:
		return journal.Read(filepath.Join(root, matches[0]))
	case 0:
		return nil, &usageError{what: "no run is called " + word, hint: "runbook runs lists them"}
	}
	return nil, &usageError{what: "more than one run is called " + word, hint: "say which: " + strings.Join(matches, ", ")}
}

// continueRecord opens the record of the run for more.
func (b *builder) continueRecord() error {
	w, err := journal.Continue(b.past.Dir, journal.ResumeData{Operator: operator(), Host: hostname(), Version: version()}, b.hide, b.app.now)
	if err != nil {
		return err
	}
	b.walk.record = w
	b.app.resumable(filepath.Base(w.Dir()))
	b.closing(w.Close)
	return nil
}

// recall puts the engine where the record ends. The record is read once more,
// now that nobody else can write to it.
func (b *builder) recall(ctx context.Context, cfg *engine.Config) error {
	if b.past == nil {
		return nil
	}
	rec, err := journal.Read(b.past.Dir)
	if err != nil {
		return err
	}
	cfg.Run, _ = rec.Replay(b.plan) // what belongs to steps that are gone is said with the edits
	b.walk.strays = findStrays(b.walk.record.Run(), b.hide)
	cfg.Strays = b.walk.strays
	cfg.Past, cfg.With = map[string]engine.Past{}, map[string]steps.Values{}
	cfg.Edits, b.walk.restored = b.edits(rec, cfg.Run)
	for _, s := range b.plan.Steps {
		edited := rec.Header.Steps[s.ID] != hashOf(b.plan.Runbook.Text(s.Step))
		if shifts := rec.Shifts(s.ID); len(shifts) > 0 {
			cfg.With[s.ID] = b.plan.Values.Undone(shifts)
			edited = true // what was started isn't what would run now
		}
		switch cfg.Run.Steps[s.ID].Status {
		case steps.Unsure, steps.Failed:
			t := rec.Trace(s.ID)
			edited = edited || b.ranOther(t, cfg.Edits[s.ID])
			if !edited {
				if err := b.rotations(ctx, s, t); err != nil {
					return err
				}
			}
			b.begun(s, t, edited)
			cfg.Past[s.ID] = pastOf(t, cfg.Run.Steps[s.ID].Status == steps.Unsure, edited)
		}
	}
	return nil
}

// begun tells the actions when a try of them that was cut off had begun.
func (b *builder) begun(s steps.BoundStep, t journal.Trace, edited bool) {
	for i, block := range s.Blocks {
		if _, ended := t.Ended[i]; block.Action != nil && t.Began[i] && !ended && !edited {
			b.runner.Begun[block.Action.Pos.Line] = t.Starts[i]
		}
	}
}

func pastOf(t journal.Trace, lost, edited bool) engine.Past {
	p := engine.Past{Began: t.Began, Ended: t.Ended, Before: map[string]world.Answer{}, Lost: lost, Edited: edited}
	for _, c := range t.Before {
		p.Before[c.Text] = world.Answer(c.Answer)
	}
	return p
}

// workingDir is where the session starts: the folder that the run began in.
func (b *builder) workingDir() (string, error) {
	if b.past == nil || b.past.Header.Dir == "" {
		return b.app.getwd()
	}
	dir := b.past.Header.Dir
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", &usageError{what: fmt.Sprintf("resume %s: the folder %s, where it ran, is gone", b.past.Header.Run, dir), hint: "bring it back: what steps left there may be needed"}
	}
	return dir, nil
}
