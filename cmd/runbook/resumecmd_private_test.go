package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A program that is killed can't remove its private folder. Its watcher does,
// unless something of the run goes on, which may need the kubeconfig in it.
func TestTheCredentialsOfAKilledProgramAreClearedAwayUnlessSomethingUsesThem(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("who uses a folder can't be seen here")
	}
	for name, c := range map[string]struct {
		code string
		kept bool
	}{
		"nothing goes on": {"echo $$ > began; sleep 1000", false},
		// It says itself that it has begun: before it is in its own session it ends with the step.
		"something goes on": {"setsid sh -c 'echo $$ > began; exec sleep 1000' >/dev/null 2>&1 </dev/null & sleep 1000", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bare(t, "# Killed\n\n## First\n\n```sh\n"+c.code+"\n```\n")
			cmd := exec.Command("runbook", "run", "hand.md", "--accept-risk", "first")
			cmd.Env, cmd.Dir = b.env, b.dir
			said, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			awaitFile(t, filepath.Join(b.dir, "began"))
			dir, err := os.ReadFile(filepath.Join(b.record().Dir, privateNote))
			if err != nil || !isPrivate(string(dir)) {
				t.Fatalf("no private folder %q: %v", dir, err)
			}
			if c.kept {
				t.Cleanup(func() {
					for _, l := range b.left() {
						_ = syscall.Kill(l.PID, syscall.SIGKILL)
					}
				})
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(said) // ends with the watcher, who is the last that has it
			if err != nil || !strings.Contains(string(text), "it was killed; to go on: runbook resume") {
				t.Errorf("said %q, %v", text, err)
			}
			_ = cmd.Wait() // killed
			if got := isPrivate(string(dir)); got != c.kept {
				t.Errorf("the private folder is there: %v, want %v", got, c.kept)
			}
		})
	}
}
