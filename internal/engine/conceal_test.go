package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"runbook/internal/engine"
	"runbook/internal/risk"
	"runbook/internal/steps"
)

// A scholar notes what it is asked to learn, and what had run by then.
type scholar struct {
	ran   func() string
	heard []string
	why   []string
}

func (s *scholar) Learn(_ context.Context, read []risk.Touch, shown func(string) bool) []string {
	for _, t := range read {
		s.heard = append(s.heard, t.String()+" after "+s.ran())
	}
	if !shown("default") || shown("first") || shown("hunter2-x9") {
		s.heard = append(s.heard, "the namespace is shown, and no secret")
	}
	return s.why
}

const reading = "---\nrunbook: v1\nparams:\n  TOKEN: {secret: true}\n---\n\n# Try\n\n## Read\n\n```sh\nkubectl get secret app -o yaml; kubectl get secrets -A -o yaml\n```\n\n```sh\nvault kv get kv/shop\n```\n\n## Nothing\n\n```sh\ntrue\n```\n"

func TestWhatACommandReadsIsLearntRightBeforeItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scholar{why: []string{"of what x prints only what looks like a secret can be hidden: forbidden"}}
		b := resume(t, reading, func(c *engine.Config) { c.Learner = s })
		defer b.Close()
		s.ran = b.shell.history
		for _, step := range []string{"read", "nothing"} {
			if err := b.Do(t.Context(), step, engine.Answer{}); err != nil {
				t.Fatal(err)
			}
			if got := b.status(step).Status; got != steps.Done {
				t.Fatalf("%s is %s", step, got)
			}
		}
		if want := []string{"secret/app in default after ", "secret in all namespaces after ", "vault kv/shop after kubectl get secret app -o yaml; kubectl get secrets -A -o yaml"}; !slices.Equal(s.heard, want) {
			t.Errorf("learnt %q, want %q", s.heard, want)
		}
		if got := b.notices(); strings.Count(got, "can be hidden: forbidden") != 2 {
			t.Errorf("it says %q", got)
		}
	})
}
