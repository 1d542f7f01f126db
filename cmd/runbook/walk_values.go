package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"path/filepath"
	"time"

	"runbook/internal/actions"
	"runbook/internal/conceal"
	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/keeper"
	"runbook/internal/redact"
	"runbook/internal/steps"
)

func (b *builder) actions() (engine.Actions, error) {
	r := &actions.Runner{Begun: map[int][]time.Time{}, Now: b.app.now, Rand: rand.Reader, Hide: b.hide.Add, Run: b.walk.record.Run()}
	if b.target.vault != nil {
		r.Vault = b.target.vault
	}
	if b.target.cluster != nil {
		r.Cluster = b.target.cluster.Client()
	}
	if b.rotates() {
		salt, err := b.salt()
		if err != nil {
			return nil, err
		}
		r.Salt = salt
	}
	b.runner = r
	return discreet{runner: r, hide: b.hide, where: b.where}, nil
}

// discreet carries out actions whose words pass the same filter as the output
// of commands: what a server says of an object may hold anything.
type discreet struct {
	runner *actions.Runner
	hide   *redact.Redactor
	where  func() guard.Where
}

func (d discreet) Do(ctx context.Context, a *steps.Action, out io.Writer, foretell func(engine.Intent) error) error {
	w := d.hide.Writer(out)
	r := *d.runner
	r.Namespace = d.where().Namespace
	intend := func(i actions.Intent) error { return foretell(engine.Intent{Version: i.Version, Print: i.Print}) }
	if err := errors.Join(r.Do(ctx, a, w, intend), w.Flush()); err != nil {
		return &discreetError{text: d.hide.Sentence(err.Error()), err: err}
	}
	return nil
}

// A discreetError is an error as it may be shown.
type discreetError struct {
	text string
	err  error
}

func (e *discreetError) Error() string { return e.text }
func (e *discreetError) Unwrap() error { return e.err }

// keeper compares what the runbook protects, from step to step.
func (b *builder) keeper() (engine.Keeper, error) {
	if len(b.plan.Protects) == 0 {
		return nil, nil
	}
	salt, err := b.salt()
	if err != nil {
		return nil, err
	}
	k := &keeper.Keeper{Salt: salt, Hide: b.hide.Add}
	if b.target.vault != nil {
		k.Vault = b.target.vault
	}
	if b.target.cluster != nil {
		k.Cluster = b.target.cluster.Client()
	}
	return k, nil
}

// learner has hidden what commands read from the run's cluster and Vault.
func (b *builder) learner() engine.Learner {
	l := &conceal.Learner{Hide: b.hide.Add}
	if b.target.vault != nil {
		l.Vault = b.target.vault
	}
	if b.target.cluster != nil {
		l.Cluster = b.target.cluster.Client()
	}
	return l
}

// salt is what fingerprints on this machine are made with.
func (b *builder) salt() ([]byte, error) {
	root, err := b.app.stateRoot()
	if err != nil {
		return nil, err
	}
	return keeper.Salt(filepath.Join(root, "salt"), rand.Reader)
}
