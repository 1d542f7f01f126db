package e2e

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"runbook/internal/forecast"
)

// refused is the exit code of a run that nobody was there to confirm.
const refused = 4

// teardown walks the shipped runbook step by step: a step that is refused leaves every byte of the cluster as it was, and
// one that is accepted takes exactly what its preview had named.
func teardown(t *testing.T, p place) {
	t.Helper()
	c := forecast.Look(func(args ...string) string { return kubectl(t, p, args...) })
	tearingDown(t, p, 0, "--only", "look")
	for _, step := range []string{"database", "namespace"} {
		state, before := c.State(), c.Objects()
		shown := tearingDown(t, p, refused, "--only", step)
		if after := c.State(); after != state {
			t.Errorf("step %s was refused, and has changed the cluster:\n%s", step, forecast.Difference(state, after))
		}
		losses, err := forecast.Losses(shown, step)
		if err != nil {
			t.Fatal(err)
		}
		tearingDown(t, p, 0, "--only", step, "--accept-risk", step)
		foretold := forecast.Foretold(losses)
		gone := settled(t, c, before, foretold)
		if step == "namespace" {
			delete(gone.Counts, "namespace") // it is what was asked for
		}
		if len(gone.Counts) < 3 {
			t.Errorf("step %s: only %v are gone; it proves little", step, gone.Counts)
		}
		if missed := foretold.Missed(gone); missed != "" {
			t.Errorf("step %s: %s\n%s", step, missed, forecast.Show(losses))
		}
	}
}

// settled waits until what was foretold is gone: garbage is collected some time after its owner went.
func settled(t *testing.T, c forecast.Cluster, before map[string]bool, foretold forecast.Tally) forecast.Tally {
	t.Helper()
	for patience := time.Now().Add(time.Minute); ; {
		gone := forecast.Gone(before, c.Objects())
		if foretold.Within(gone) || time.Now().After(patience) {
			return gone
		}
	}
}

// tearingDown runs steps of the teardown off a terminal, and returns its lines.
func tearingDown(t *testing.T, p place, want int, args ...string) []byte {
	t.Helper()
	cmd := runbook(t, p, append([]string{"run", "schmetterpause/teardown", "-o", "json"}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	code := 0
	if exit := (&exec.ExitError{}); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if code != want {
		t.Fatalf("runbook %s: exit %d, want %d\n%s\n%s", strings.Join(cmd.Args[1:], " "), code, want, out.Bytes(), errs.Bytes())
	}
	return out.Bytes()
}

// kubectl is what somebody asks in another window.
func kubectl(t *testing.T, p place, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", `exec kubectl "$@"`, "kubectl"}, args...)...)
	cmd.Env = runbook(t, p).Env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("kubectl %s: %v: %s", strings.Join(args, " "), err, errs.String())
	}
	return string(out)
}
