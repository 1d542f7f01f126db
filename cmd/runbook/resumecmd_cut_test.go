package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// once is a runbook whose first step must not run twice by itself.
const once = "# Once\n\n## First\n\n```sh\n./do-it >> did\n```\n\n## Second\n\n```sh\necho second\n```\n"

// cutOff leaves a run that was cut off while its first step ran.
func cutOff(t *testing.T) *ascent {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"once.md": once, "do-it": "#!/bin/sh\necho it\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b := &ascent{t: t, dir: dir, state: t.TempDir()}
	b.env = append(os.Environ(), "HOME="+dir, "KUBECONFIG="+filepath.Join(dir, "none"), "XDG_STATE_HOME="+b.state)
	// The calls are gate, started, checks, code, output, ended.
	if out, err := b.run([]string{"DIE=before", "DIE_AT=6"}, "runbook-that-dies", "run", "once.md", "--accept-risk", "first"); err == nil {
		t.Fatalf("it came to its end:\n%s", out)
	}
	return b
}

// did is how often the first step did what it does.
func (b *ascent) did() int {
	text, err := os.ReadFile(filepath.Join(b.dir, "did"))
	if err != nil {
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
