package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the program: scripts call it as runbook, and
// stories run it on a terminal.
func TestMain(m *testing.M) {
	testscript.Main(tidied{m}, map[string]func(){"runbook": main, "runbook-that-dies": dyingMain, "runbook-that-is-full": fullMain, "runbook-that-waits": waitingMain, "runbook-that-breaks": breakingMain})
}

// tidied runs the tests with a folder for temporary files of their own: a
// program that is killed leaves there what only a later run of the same
// operator would remove, and the operators of tests have no later run.
type tidied struct{ m *testing.M }

func (t tidied) Run() int {
	dir, err := os.MkdirTemp("", "rb") // short: sockets below it have room for about 100 bytes
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := t.m.Run()
	if err := removed(dir); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "left behind:", err)
		return max(code, 1)
	}
	return code
}

// removed removes a folder, which what is ending at this moment may still write to.
func removed(dir string) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for hung := time.After(10 * time.Second); ; {
		err := os.RemoveAll(dir)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-hung:
			return err
		}
	}
}
