package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// abandon makes the test binary one that leaves a server and a folder behind.
const abandon = "RUNBOOK_E2E_ABANDON"

func TestMain(m *testing.M) {
	if os.Getenv(abandon) == "" {
		os.Exit(m.Run())
	}
	dir, _, err := Folder()
	if err != nil {
		panic(err)
	}
	p, err := run("sleeper", dir, exec.Command("sh", "-c", "sleep 1000 & sleep 1000"))
	if err != nil {
		panic(err)
	}
	fmt.Println(p.cmd.Process.Pid, dir)
	if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
		panic(err)
	}
}

func TestNothingIsLeftOfATestThatIsKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), abandon+"=1")
	out, err := cmd.Output()
	var killed *exec.ExitError
	if !errors.As(err, &killed) {
		t.Fatalf("got %v, want it killed", err)
	}
	var pid int
	var dir string
	if _, err := fmt.Sscan(string(out), &pid, &dir); err != nil {
		t.Fatalf("%v: %q", err, out)
	}
	eventually(t, "the server and what it has started are gone", func() bool {
		return errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH)
	})
	eventually(t, "the folder is gone", func() bool {
		_, err := os.Stat(dir)
		return errors.Is(err, os.ErrNotExist)
	})
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick, late := time.NewTicker(10*time.Millisecond), time.NewTimer(30*time.Second)
	defer tick.Stop()
	defer late.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-late.C:
			t.Fatalf("not so: %s", what)
		}
	}
}

func TestAServerThatEndsAtOnceSaysItsLastWords(t *testing.T) {
	p, err := run("fails", t.TempDir(), exec.Command("sh", "-c", "echo no such luck >&2; exit 3"))
	if err != nil {
		t.Fatal(err)
	}
	err = p.until(t.Context(), func(context.Context) error { return errors.New("nobody answers") })
	if err == nil || !strings.Contains(err.Error(), "no such luck") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("got %v, want its exit and its last words", err)
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}
