package operators_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators/trial"
)

// clock is a clock that runs, and can be put forward.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time          { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clock) forward(d time.Duration) { c.ahead.Add(int64(d)) }

// env is a sandbox with the platform on it, for the subtests of one test.
type env struct {
	sandbox *sandbox.Sandbox
	world   *trial.World
	clock   *clock
}

// story is one thing that is shown on an env; stories have a namespace each, since a sandbox for each would be dear.
type story struct {
	name string
	tell func(t *testing.T, e env)
}

func tell(t *testing.T, e env, stories []story) {
	t.Helper()
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) { s.tell(t, e) })
	}
}

func world(t *testing.T, o sandbox.Options) env {
	t.Helper()
	c := &clock{}
	o.Speed, o.Dir, o.Now = 20, t.TempDir(), c.now
	o.Log = func(controller string, err error) { t.Logf("%s: %v", controller, err) }
	s, err := sandbox.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return env{s, trial.New(t, s.Rest()), c}
}

func namespace(w *trial.World, name string) {
	w.Apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}")
}

// in puts a namespace into a manifest that calls it NS.
func in(ns, manifest string) string { return strings.ReplaceAll(manifest, "NS", ns) }

func want(t *testing.T, what string, want, got any) {
	t.Helper()
	if want != got {
		t.Errorf("%s:\nwant %v\ngot  %v", what, want, got)
	}
}

func waits(prefix string) func(trial.Object) bool {
	return func(o trial.Object) bool { return strings.HasPrefix(trial.Waiting(o), prefix) }
}
