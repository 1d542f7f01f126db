package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"runbook/internal/engine"
)

// jobs is what the program does about signals. While a step has the real
// terminal, ctrl-c and ctrl-z are typed for the step, and the terminal sends
// them to both: what is meant for the step must not end the program.
type jobs struct {
	lent atomic.Bool

	mu    sync.Mutex     // held while the program is stopped
	heard chan os.Signal // that it was stopped or woken; nil while no screen is drawn
}

// context ends when the program is asked to end. Stop gives the signals back.
func (j *jobs) context() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range asked {
			switch {
			case s != os.Interrupt: // the operator's own key is no cause that has to be told
				cancel(&engine.EndedError{By: unix.SignalName(s.(syscall.Signal))})
			case !j.lent.Load():
				cancel(nil)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(asked)
		close(asked)
		<-done
		cancel(nil)
	}
}

// Lend is told that a step gets the real terminal, and that it is back.
func (j *jobs) Lend(lent bool) { j.lent.Store(lent) }

// errNoShell says that there is nobody who could bring the program back.
var errNoShell = errors.New("no shell is there to go to, and to come back from with fg")

// Suspend stops the program as ctrl-z does other programs, with all that its
// shell has started beside it, and returns once it goes on. The terminal has been
// given back before, or a step has it, which is stopped too: it would go on to
// read what is typed for the shell.
func (j *jobs) Suspend() error {
	if err := suspendable(); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.heard != nil { // what is heard of this stop is heard here
		signal.Stop(j.heard)
		defer signal.Notify(j.heard, syscall.SIGTSTP, syscall.SIGCONT)
	}
	own, woken := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(own, syscall.SIGTSTP)
	defer signal.Stop(own)
	signal.Notify(woken, syscall.SIGCONT)
	defer signal.Stop(woken)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	// SIGTSTP has no effect any more once a Go program has asked to be told of it.
	if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
		return err
	}
	<-woken
	return nil
}

// suspendable says why nobody could bring the program back.
func suspendable() error {
	if orphaned() {
		return errNoShell
	}
	return nil
}

// orphaned tells whether no shell looks after the program: whether none of those
// that it was started by is in its session, and outside its group. Such a
// program (the only one of a tmux window, of ssh -t, of a container) isn't
// stopped by the terminal either.
func orphaned() bool {
	group := syscall.Getpgrp()
	session, err := unix.Getsid(0)
	for pid := os.Getppid(); err == nil && pid > 0; pid = parent(pid) {
		if its, err := unix.Getsid(pid); err != nil || its != session {
			return true
		}
		if its, err := unix.Getpgid(pid); err == nil && its != group {
			return false
		}
	}
	return true
}

// parent is who has started a process; 0 when that isn't known.
func parent(pid int) int {
	out, err := exec.Command("ps", "-o", "ppid=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(out))) // 0 for what isn't one
	return n
}
