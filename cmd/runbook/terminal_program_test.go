package main

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"runbook/internal/screen"
)

// whatAPanicHolds stands for a secret in the value of a panic.
const whatAPanicHolds = "hunter2-in-a-panic"

// breakingMain is main that breaks on SIGUSR1, in the way that BREAK names.
func breakingMain() {
	a := ownProcess()
	armed := make(chan os.Signal, 1)
	signal.Notify(armed, syscall.SIGUSR1)
	var inView atomic.Bool
	a.now = func() time.Time {
		if inView.Load() && called("tui.Model.View") {
			panic(errors.New("drawing " + whatAPanicHolds))
		}
		return time.Now()
	}
	go func() {
		<-armed
		switch os.Getenv("BREAK") {
		case "goroutine":
			panic(errors.New("the token is " + whatAPanicHolds + "\nand a second line"))
		case "index":
			_ = make([]byte, 3)[len(os.Args)+7]
		case "fatal":
			var mu sync.Mutex
			mu.Unlock()
		case "view":
			inView.Store(true)
		}
	}()
	os.Exit(int(a.run(os.Args)))
}

// called tells whether a function is among those that have called.
func called(name string) bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, name) {
			return true
		}
		if !more {
			return false
		}
	}
}

// A seat is a person's place in front of the program: a runbook without a
// cluster, and a state folder of its own.
type seat struct {
	*screen.Screen
	t     testing.TB
	dir   string // has runbook.md
	state string
	env   []string
}

const seatWidth, seatHeight = 110, 32

// prepareSeat writes a runbook with one step of the given code.
func prepareSeat(t testing.TB, code string, env ...string) *seat {
	t.Helper()
	s := &seat{t: t, dir: t.TempDir(), state: t.TempDir()}
	text := "# A night shift\n\n## Long work\n\n```sh\n" + code + "\n```\n\n## Another\n\n```sh\necho other\n```\n"
	if err := os.WriteFile(s.dir+"/runbook.md", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.env = append(os.Environ(), "TERM=xterm-256color", "XDG_STATE_HOME="+s.state, "KUBECONFIG="+s.dir+"/none", "VAULT_ADDR=", "HOME="+s.dir, "PS1=shell> ")
	s.env = append(s.env, env...)
	return s
}
