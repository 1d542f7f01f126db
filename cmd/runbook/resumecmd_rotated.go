package main

import (
	"context"
	"slices"
	"time"

	"runbook/internal/actions"
	"runbook/internal/engine"
	"runbook/internal/journal"
	"runbook/internal/steps"
)

// lookTime is how long a run that goes on waits for Vault to tell what became of
// a rotation that was cut off.
const lookTime = 10 * time.Second

// rotates tells whether the run may have to know a value again that it has made.
func (b *builder) rotates() bool {
	return slices.ContainsFunc(b.plan.Steps, func(s steps.BoundStep) bool {
		return slices.ContainsFunc(s.Blocks, func(k steps.Block) bool { return engine.Foretells(k.Action) })
	})
}

// rotations finds out what became of the rotations of a step that have no end.
// One that has written is recorded as ended, one that hasn't is as if it had never
// begun; of any other the trace is left as it is, and the operator is asked.
func (b *builder) rotations(ctx context.Context, s steps.BoundStep, t journal.Trace) error {
	for i, block := range s.Blocks {
		if _, ended := t.Ended[i]; ended || !t.Began[i] || !t.Foretells[i] || !engine.Foretells(block.Action) || b.target.vault == nil {
			continue
		}
		var foretold []actions.Intent
		for _, d := range t.Intents[i] {
			foretold = append(foretold, actions.Intent{Version: d.Version, Print: d.Print})
		}
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		became, why := actions.WhatBecame(ctx, b.target.vault, b.runner.Salt, block.Action, foretold)
		cancel()
		b.walk.restored = append(b.walk.restored, engine.Noticed{Step: s.ID, Bad: became == actions.CantTell, Text: b.hide.Sentence(why)})
		switch became {
		case actions.Rotated:
			if err := b.walk.record.Ended(s.ID, journal.EndData{Block: i, Why: why}); err != nil {
				return err
			}
			t.Ended[i] = 0
		case actions.NotRotated:
			delete(t.Began, i)
		}
	}
	return nil
}
