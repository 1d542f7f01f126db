package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/journal"
)

func TestTheCommitOfARunbookSaysWhetherItIsAsCommitted(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on the path")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "r.md")
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c", "-C", dir}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# R\n")
	if got := commitOf(t.Context(), path); got != "" {
		t.Errorf("outside of a repository: %q", got)
	}
	git("init", "-q")
	git("add", "r.md")
	git("commit", "-q", "-m", "one")
	head := git("rev-parse", "HEAD")
	if got := commitOf(t.Context(), path); got != head {
		t.Errorf("as committed: got %q, want %q", got, head)
	}
	write("# R\n\nmore\n")
	if got := commitOf(t.Context(), path); got != head+"+" {
		t.Errorf("changed since: got %q, want %q", got, head+"+")
	}
}

// holds are the lines of a kind of a step.
func holds[T any](t testing.TB, rec *journal.Record, kind journal.Kind, step string) []T {
	t.Helper()
	var out []T
	for _, l := range rec.Lines {
		var x T
		if l.Kind == kind && l.Step == step {
			if err := json.Unmarshal(l.Data, &x); err != nil {
				t.Fatal(err)
			}
			out = append(out, x)
		}
	}
	return out
}

func TestARecordAnswersWhatIsAskedAfterwards(t *testing.T) {
	t.Parallel()
	b := newAscent(t, "external-secrets")
	if out, err := b.run(nil, "runbook", "run", bringUpFile); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rec := b.record()
	h := rec.Header
	for what, text := range map[string]string{
		"who": h.Operator, "on which machine": h.Host, "with which program": h.Version, "which runbook": h.Path, "from which folder": h.Dir, "as it read": h.Hash,
		"on which context": h.Context, "server": h.Server, "cluster": h.UID, "namespace": h.Namespace, "which Vault": h.Vault,
	} {
		if text == "" {
			t.Errorf("it doesn't say %s", what)
		}
	}
	if got := h.Params["VARIANT"]; got.Value != "external-secrets" || got.Source == "" {
		t.Errorf("a parameter: got %+v", got)
	}
	if gates := holds[journal.GateData](t, rec, journal.Gate, "gateway"); len(gates) != 1 || gates[0].Decision != "allow" || !gates[0].Passed {
		t.Errorf("the gate: got %+v", gates)
	}
	code := holds[journal.CodeData](t, rec, journal.Code, "gateway")
	if len(code) != 1 || !strings.HasPrefix(code[0].Code, `kubectl -n "$GATEWAY_NAMESPACE" get gateway`) {
		t.Fatalf("the code as it ran: got %+v", code)
	}
	if out, err := os.ReadFile(filepath.Join(rec.Dir, code[0].Output)); err != nil || !strings.Contains(string(out), b.box.Place().Domain) {
		t.Errorf("what it printed: got %q, %v", out, err)
	}
	if ends := holds[journal.EndData](t, rec, journal.Ended, "gateway"); len(ends) != 1 || ends[0].Exit != 0 || ends[0].Sum == "" {
		t.Errorf("how it ended: got %+v", ends)
	}
	checks := holds[[]journal.CheckData](t, rec, journal.Checked, "gateway")
	if len(checks) != 2 {
		t.Fatalf("its expectations before and after: got %+v", checks)
	}
	for _, c := range checks[1] {
		if c.Answer != "holds" || c.Seen.IsZero() || c.Seen.After(rec.Last()) {
			t.Errorf("an expectation with the age of what is behind it: got %+v", c)
		}
	}
	permissions(t, rec.Dir)
}

// permissions checks that a folder and all in it are for its owner alone.
func permissions(t *testing.T, dir string) {
	t.Helper()
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
