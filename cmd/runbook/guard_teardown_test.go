package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"runbook/internal/guard"
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

// kinds are all that the cluster can list, as kubectl names them. Events are
// about objects, and come and go by themselves.
func (d *desk) kinds(t *testing.T) string {
	t.Helper()
	kinds := strings.Fields(d.kubectl(t, "api-resources", "--verbs=list,get", "-o", "name"))
	return strings.Join(slices.DeleteFunc(kinds, func(k string) bool { return strings.HasPrefix(k, "events") }), ",")
}

// objects are all that the cluster has, as Kind/namespace/name.
func (d *desk) objects(t *testing.T, kinds string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, line := range strings.Fields(d.kubectl(t, "get", kinds, "-A", "-o",
		`jsonpath={range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name}{"\n"}{end}`)) {
		out[line] = true
	}
	return out
}

// losses are what the gate of a step shows, from the lines of a run.
func lossesOf(t *testing.T, out []byte, step string) []guard.Loss {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Event, Step string
			Losses      []guard.Loss
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err == nil && e.Event == "gate" && e.Step == step {
			return e.Losses
		}
	}
	t.Fatalf("no gate of step %s in\n%s", step, out)
	return nil
}

var number = regexp.MustCompile(`(?:^|, )(\d+) ([a-z]+)`)

// counts are how many objects of each kind a preview says will be gone.
func counts(losses []guard.Loss) map[string]int {
	out := map[string]int{}
	for _, l := range losses {
		if strings.HasPrefix(l.What, "pvc/") {
			out["persistentvolumeclaim"]++
			if l.Irrecoverable {
				out["persistentvolume"]++
			}
			continue
		}
		if strings.Contains(l.What, " host") {
			continue
		}
		what, _, _ := strings.Cut(l.What, ":")
		for _, m := range number.FindAllStringSubmatch(what, -1) {
			n, _ := strconv.Atoi(m[1])
			out[singular(m[2])] += n
		}
	}
	return out
}

func singular(plural string) string { return strings.TrimSuffix(plural, "s") }

// vanished are how many objects of each kind are there no more.
func vanished(before, after map[string]bool) map[string]int {
	out := map[string]int{}
	for o := range before {
		if kind, _, _ := strings.Cut(o, "/"); !after[o] {
			out[singular(strings.ToLower(kind))]++
		}
	}
	return out
}

func TestATeardownTakesExactlyWhatItsPreviewNames(t *testing.T) {
	for _, scenario := range []string{"deployed", "deployed-ordinary"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, scenario)
			kinds := d.kinds(t)
			d.teardown(t, 0, "--only", "look")
			for _, step := range []string{"database", "namespace"} {
				shown := d.teardown(t, exitRefused, "--only", step)
				before := d.objects(t, kinds)
				d.teardown(t, 0, "--only", step, "--accept-risk", step)
				missing := vanished(before, d.objects(t, kinds))
				if step == "namespace" {
					delete(missing, "namespace") // it is what was asked for
				}
				if len(missing) < 3 {
					t.Errorf("step %s: only %v are gone; it proves little", step, missing)
				}
				if foretold := counts(lossesOf(t, shown, step)); !maps.Equal(foretold, missing) {
					t.Errorf("step %s: the preview said %v, and gone are %v\n%s", step, foretold, missing, show(lossesOf(t, shown, step)))
				}
			}
		})
	}
}

func show(losses []guard.Loss) string {
	var b strings.Builder
	for _, l := range losses {
		fmt.Fprintf(&b, "  %s — %s\n", l.What, l.Why)
	}
	return b.String()
}

// state is every byte of the cluster, and what Vault says of the entry.
func (d *desk) state(t *testing.T, kinds string) string {
	t.Helper()
	return d.kubectl(t, "get", kinds, "-A", "-o", "yaml", "--show-managed-fields")
}

func TestARefusedTeardownLeavesTheClusterAsItWas(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed")
	kinds := d.kinds(t)
	before, versions := d.state(t, kinds), d.versions(t)
	for _, args := range [][]string{{}, {"--only", "database"}, {"--only", "namespace"}, {"--from", "database", "--accept-risk", "namespace"}} {
		d.teardown(t, exitRefused, args...)
	}
	if after := d.state(t, kinds); after != before {
		t.Errorf("it changed the cluster:\n%s", difference(before, after))
	}
	if after := d.versions(t); after != versions {
		t.Errorf("it changed the Vault entry: %s, was %s", after, versions)
	}
}

// difference is the first lines in which two texts differ.
func difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return strings.Join(as[max(0, i-20):min(len(as), i+3)], "\n") + "\nbecame\n" + strings.Join(bs[max(0, i-3):min(len(bs), i+3)], "\n")
		}
	}
	return fmt.Sprintf("%d lines became %d", len(as), len(bs))
}
