package main

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"runbook/internal/forecast"
)

// teardown is the shipped one, off a terminal.
func (d *desk) teardown(t *testing.T, want exitCode, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("runbook", append([]string{"run", "../../runbooks/schmetterpause/teardown.md", "-o", "json"}, args...)...)
	cmd.Env = d.app.environ
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	code := exitCode(0)
	if exit := (&exec.ExitError{}); errors.As(err, &exit) {
		code = exitCode(exit.ExitCode())
	} else if err != nil {
		t.Fatal(err)
	}
	if code != want {
		t.Fatalf("runbook run %s: exit %d, want %d\n%s\n%s", strings.Join(args, " "), code, want, out.Bytes(), errs.Bytes())
	}
	return out.Bytes()
}

// cluster is all that the cluster has.
func (d *desk) cluster(t *testing.T) forecast.Cluster {
	t.Helper()
	return forecast.Look(func(args ...string) string { return d.kubectl(t, args...) })
}

func TestATeardownTakesExactlyWhatItsPreviewNames(t *testing.T) {
	t.Parallel()
	for _, scenario := range []string{"deployed", "deployed-ordinary"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, scenario)
			c := d.cluster(t)
			d.teardown(t, 0, "--only", "look")
			for _, step := range []string{"database", "namespace"} {
				losses, err := forecast.Losses(d.teardown(t, exitRefused, "--only", step), step)
				if err != nil {
					t.Fatal(err)
				}
				before := c.Objects()
				d.teardown(t, 0, "--only", step, "--accept-risk", step)
				gone := forecast.Gone(before, c.Objects())
				if step == "namespace" {
					delete(gone.Counts, "namespace") // it is what was asked for
				}
				if len(gone.Counts) < 3 {
					t.Errorf("step %s: only %v are gone; it proves little", step, gone.Counts)
				}
				if missed := forecast.Foretold(losses).Missed(gone); missed != "" {
					t.Errorf("step %s: %s\n%s", step, missed, forecast.Show(losses))
				}
			}
		})
	}
}

func TestARefusedTeardownLeavesTheClusterAsItWas(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed")
	c := d.cluster(t)
	before, versions := c.State(), d.versions(t)
	for _, args := range [][]string{{}, {"--only", "database"}, {"--only", "namespace"}, {"--from", "database", "--accept-risk", "namespace"}} {
		d.teardown(t, exitRefused, args...)
	}
	if after := c.State(); after != before {
		t.Errorf("it changed the cluster:\n%s", forecast.Difference(before, after))
	}
	if after := d.versions(t); after != versions {
		t.Errorf("it changed the Vault entry: %s, was %s", after, versions)
	}
}
