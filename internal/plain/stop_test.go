package plain

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"

	"runbook/internal/engine"
	"runbook/internal/steps"
	"runbook/internal/world"
)

func TestASignalStopsTheStepThatRunsAndTellsHowItEnded(t *testing.T) {
	moments := map[string][]act{
		"while it runs":  {prints("namespace", "half of it")},
		"while it waits": {prints("namespace", "half of it"), fact(steps.StepExited, "namespace", 0, ""), finds("namespace", world.DoesNot, "not yet")},
	}
	for when, acts := range moments {
		for name, printer := range printers {
			t.Run(when+" "+name, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				f := newFake(t, three)
				f.course["namespace"] = append(acts, func(*fake) engine.Event { interrupt(); return nil })
				var out bytes.Buffer
				err := Walk(ctx, f, Options{}, printer(&out))
				if !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				if got := strings.Join(f.did, ","); got != "namespace,stop namespace" {
					t.Errorf("did %s", got)
				}
				said := strings.TrimSpace(out.String())
				last := said[strings.LastIndex(said, "\n")+1:]
				if !strings.Contains(said, "half of it") || !strings.Contains(last, "failed") || !strings.Contains(last, "Namespace") && !strings.Contains(last, `"step":"namespace"`) {
					t.Errorf("said\n%s", said)
				}
			})
		}
	}
}

func TestASignalBetweenStepsStartsNoOther(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	f := newFake(t, three)
	f.course["namespace"] = append(comesTrue("namespace")[:2], func(f *fake) engine.Event {
		interrupt()
		return f.fact(steps.Event{Kind: steps.StepHeld, Step: "namespace"})
	})
	err := Walk(ctx, f, Options{Accept: []string{"database"}}, NewText(io.Discard, false))
	if got := strings.Join(f.did, ","); !errors.Is(err, context.Canceled) || got != "namespace" && got != "namespace,stop namespace" {
		t.Errorf("got %v, did %s", err, got)
	}
}

// A pipe takes so many lines; then whoever read it is gone.
type pipe struct {
	bytes.Buffer
	lines int
}

func (p *pipe) Write(b []byte) (int, error) {
	if p.lines == 0 {
		return 0, syscall.EPIPE
	}
	p.lines--
	return p.Buffer.Write(b)
}

func TestAReaderThatGoesAwayStopsTheWalkInOrder(t *testing.T) {
	for name, printer := range printers {
		for lines := range 40 {
			f := eventful(t)
			out := &pipe{lines: lines}
			err := Walk(t.Context(), f, Options{Accept: []string{"database"}}, printer(out))
			var failed *FailedError
			if errors.As(err, &failed) {
				continue // all of it was read
			}
			var unheard *UnheardError
			if !errors.As(err, &unheard) || !errors.Is(err, syscall.EPIPE) || !strings.Contains(unheard.Next, "resume") {
				t.Fatalf("%s after %d lines: got %v", name, lines, err)
			}
			for id, s := range f.run.Steps {
				if s.Status == steps.Running || s.Status == steps.Waiting {
					t.Errorf("%s after %d lines: %s is still %s", name, lines, id, s.Status)
				}
			}
			if lines < 3 && len(f.did) > 0 {
				t.Errorf("%s after %d lines: did %v although nobody saw its gate", name, lines, f.did)
			}
		}
	}
}

func TestAnEngineThatEndsIsAnError(t *testing.T) {
	f := newFake(t, three)
	f.course["namespace"] = []act{func(f *fake) engine.Event { close(f.events); return nil }}
	if err := Walk(t.Context(), f, Options{}, NewText(io.Discard, false)); err == nil || !strings.Contains(err.Error(), "the engine ended") {
		t.Errorf("got %v", err)
	}
}

var _ Engine = (*engine.Engine)(nil)
