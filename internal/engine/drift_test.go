package engine_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"runbook/internal/engine"
)

func TestAConfigurationThatMovesOnIsSaidAtATickARefreshAndAGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var says atomic.Value
		says.Store("")
		ticks := make(chan time.Time)
		b := resume(t, destroys, func(cfg *engine.Config) {
			cfg.Ticks, cfg.Drift = ticks, func() string { return says.Load().(string) }
		})
		defer b.Close()
		drifted := func() (text string) {
			t.Helper()
			for {
				synctest.Wait()
				select {
				case ev := <-b.Events():
					if d, ok := ev.(engine.Drifted); ok {
						return d.Where.Drift
					}
				default:
					return "nothing was said"
				}
			}
		}
		ticks <- time.Time{}
		if got := drifted(); got != "nothing was said" {
			t.Fatalf("with nothing changed: %s", got)
		}
		for _, c := range []struct {
			text string
			look func()
		}{
			{"at a tick", func() { ticks <- time.Time{} }},
			{"at a refresh", b.Refresh},
			{"", func() { ticks <- time.Time{} }},
		} {
			says.Store(c.text)
			c.look()
			if got := drifted(); got != c.text {
				t.Errorf("%q: %s", c.text, got)
			}
			c.look()
			if got := drifted(); got != "nothing was said" {
				t.Errorf("%q, once more: %s", c.text, got)
			}
		}
		before, err := b.Gate(t.Context(), "away")
		if err != nil {
			t.Fatal(err)
		}
		says.Store("the run stays here")
		err = b.Do(t.Context(), "away", engine.Answer{Fingerprint: before.Fingerprint, Words: before.Words})
		var again *engine.GateError
		if !errors.As(err, &again) || again.Gate.Where.Drift != "the run stays here" {
			t.Errorf("an answer from before: %v, want the question again, with what has changed", err)
		}
		if got := b.Where().Drift; got != "the run stays here" {
			t.Errorf("where: %q", got)
		}
	})
}
