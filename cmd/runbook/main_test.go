package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the program: scripts call it as runbook, and
// stories run it on a terminal.
func TestMain(m *testing.M) {
	testscript.Main(tidied{m}, map[string]func(){"runbook": main, "runbook-that-dies": dyingMain, "runbook-that-is-full": fullMain, "runbook-that-waits": waitingMain, "runbook-that-breaks": breakingMain})
}

// soaked tells that all is done that a plain test run does some of: make kill, make
// leaks and make floods say so.
var soaked = os.Getenv("RUNBOOK_SOAK") != ""

// size is that of a plain test run, or with RUNBOOK_SOAK the full one.
func size(small, full int) int {
	if soaked {
		return full
	}
	return small
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
	together()
	code := t.m.Run()
	if err := removed(dir); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "left behind:", err)
		return max(code, 1)
	}
	return code
}

// together lets twice as many tests run at once as there are processors, if
// nobody says how many: they wait most of the time, for a program on a terminal.
func together() {
	const name = "test.parallel"
	flag.Parse()
	said := slowed // the race detector has more than enough to do
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == name })
	if !said {
		_ = flag.Set(name, strconv.Itoa(2*runtime.GOMAXPROCS(0))) // a number: it is taken
	}
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
