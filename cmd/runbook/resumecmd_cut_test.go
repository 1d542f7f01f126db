package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/guard"
	"runbook/internal/journal"
)

// once is a runbook whose first step must not run twice by itself.
const once = "# Once\n\n## First\n\n```sh\n./do-it >> did\n```\n\n## Second\n\n```sh\necho second\n```\n"

// cutOff leaves a run that was cut off while its first step ran.
func cutOff(t *testing.T) *ascent {
	t.Helper()
	b := bare(t, once)
	if err := os.WriteFile(filepath.Join(b.dir, "do-it"), []byte("#!/bin/sh\necho it\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	// The calls are gate, started, checks, code, output, ended.
	if out, err := b.run([]string{"DIE=before", "DIE_AT=6"}, "runbook-that-dies", "run", "hand.md", "--accept-risk", "first"); err == nil {
		t.Fatalf("it came to its end:\n%s", out)
	}
	return b
}

// did is how often the first step did what it does.
func (b *ascent) did() int {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, "did"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
	return strings.Count(string(text), "it")
}

func exitOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

func TestOffATerminalAStepThatWasCutOffIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := cutOff(t)
	for range 2 {
		out, err := b.run(nil, "runbook", "resume")
		if got := exitOf(err); got != int(exitStopped) {
			t.Fatalf("exit status %d, want 3:\n%s", got, out)
		}
		for _, want := range []string{"it was cut off while it ran ./do-it >> did", "--accept-risk first", "--from second"} {
			if !strings.Contains(out, want) {
				t.Errorf("it doesn't say %q:\n%s", want, out)
			}
		}
		if got := b.did(); got != 1 {
			t.Fatalf("it was done %d times", got)
		}
	}
	if out, err := b.run(nil, "runbook", "runs"); err != nil || !strings.Contains(out, "0/2") {
		t.Errorf("runs: %v\n%s", err, out)
	}
}

func TestWhatAKilledRunLeftInItsPrivateFolderIsRemovedByTheNext(t *testing.T) {
	t.Parallel()
	b := cutOff(t)
	left := func() []os.DirEntry {
		entries, err := os.ReadDir(b.temp)
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
	if len(left()) == 0 {
		t.Fatal("the killed run left nothing: there is nothing to see here")
	}
	// Whatever no note names is somebody else's.
	other := filepath.Join(b.temp, "runbook-of-somebody")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := b.run(nil, "runbook", "run", "hand.md", "--from", "second"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := left(); len(got) != 1 || got[0].Name() != filepath.Base(other) {
		t.Errorf("left: %v", got)
	}
}

func TestOnlyAPrivateFolderIsTakenForOne(t *testing.T) {
	dir := t.TempDir()
	folder := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := filepath.Join(dir, "runbook-link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		folder("runbook-1", 0o700): true, folder("runbook-2", 0o755): false, folder("other", 0o700): false,
		link: false, "/": false, "": false, filepath.Join(dir, "runbook-none"): false,
	} {
		if got := isPrivate(path); got != want {
			t.Errorf("%q: got %v, want %v", path, got, want)
		}
	}
}

func TestAStepThatWasCutOffRunsAgainWhenItsRiskIsAccepted(t *testing.T) {
	t.Parallel()
	b := cutOff(t)
	if out, err := b.run(nil, "runbook", "resume", "--accept-risk", "first"); err != nil || !strings.Contains(out, "2 of 2 done") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := b.did(); got != 2 {
		t.Errorf("it was done %d times, want twice", got)
	}
}

func TestTheRunGoesOnBehindAStepThatWasCutOff(t *testing.T) {
	t.Parallel()
	b := cutOff(t)
	if out, err := b.run(nil, "runbook", "resume", "--from", "second"); err != nil || !strings.Contains(out, "1 of 2 done") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := b.did(); got != 1 {
		t.Errorf("it was done %d times", got)
	}
}

func TestASecondProcessOnTheSameRunIsRefused(t *testing.T) {
	t.Parallel()
	b := cutOff(t)
	hold := exec.Command("sh", "-c", `exec 9<"$0"; flock -x 9; echo held; cat >/dev/null`, filepath.Join(b.record().Dir, "run.jsonl"))
	in, err := hold.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := hold.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := hold.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 4)); err != nil {
		t.Skipf("flock is not on the path: %v", err)
	}
	text, err := b.run(nil, "runbook", "resume", b.record().Header.Run)
	if got := exitOf(err); got != int(exitRefused) || !strings.Contains(text, "another process is walking this run") {
		t.Errorf("exit status %d, want 4:\n%s", got, text)
	}
	if text, err := b.run(nil, "runbook", "runs"); err != nil || !strings.Contains(text, "in use") {
		t.Errorf("runs: %v\n%s", err, text)
	}
	if err := errors.Join(in.Close(), hold.Wait()); err != nil {
		t.Error(err)
	}
}

func TestARunDoesNotGoOnSomewhereElse(t *testing.T) {
	t.Parallel()
	b, other := newAscent(t, "ordinary-secrets"), newAscent(t, "ordinary-secrets")
	if out, err := b.run([]string{"DIE=after", "DIE_AT=9"}, "runbook-that-dies", "run", bringUpFile); err == nil {
		t.Fatalf("it came to its end:\n%s", out)
	}
	lines := len(b.record().Lines)
	other.state = b.state
	other.env = append(other.env, "XDG_STATE_HOME="+b.state)
	out, err := other.run(nil, "runbook", "resume")
	if got := exitOf(err); got != int(exitRefused) || !strings.Contains(out, "a run goes on where it began") {
		t.Errorf("exit status %d, want 4:\n%s", got, out)
	}
	if got := len(b.record().Lines); got != lines {
		t.Errorf("the record has %d lines, had %d: it was written to before it was refused", got, lines)
	}
}

func TestOnlyTheTargetOfARecordIsItsTarget(t *testing.T) {
	past := &journal.Record{Header: journal.Header{Run: "r", Context: "prod", Server: "https://a", UID: "1", Vault: "https://v"}}
	same := guard.Where{Context: "prod", Server: "https://a", UID: "1", Vault: "https://v"}
	for name, tc := range map[string]struct {
		change func(*guard.Where)
		want   bool
	}{
		"the same":               {func(*guard.Where) {}, true},
		"by another address":     {func(w *guard.Where) { w.Server = "https://b" }, true},
		"another context":        {func(w *guard.Where) { w.Context = "test" }, false},
		"no cluster":             {func(w *guard.Where) { *w = guard.Where{Vault: w.Vault} }, false},
		"rebuilt under its name": {func(w *guard.Where) { w.UID = "2" }, false},
		"another Vault":          {func(w *guard.Where) { w.Vault = "https://w" }, false},
		"no Vault":               {func(w *guard.Where) { w.Vault = "" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := same
			tc.change(&w)
			if err := sameTarget(past, w); (err == nil) != tc.want {
				t.Errorf("got %v, want allowed %v", err, tc.want)
			}
		})
	}
}
