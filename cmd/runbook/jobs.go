package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// jobs is what the program does about signals. While a step has the real
// terminal, ctrl-c and ctrl-z are typed for the step, and the terminal sends
// them to both: what is meant for the step must not end the program.
type jobs struct{ lent atomic.Bool }

// context ends when the program is asked to end. Stop gives the signals back.
func (j *jobs) context() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range asked {
			if s != os.Interrupt || !j.lent.Load() {
				cancel()
			}
		}
	}()
	return ctx, func() {
		signal.Stop(asked)
		close(asked)
		<-done
		cancel()
	}
}

// Lend is told that a step gets the real terminal, and that it is back.
func (j *jobs) Lend(lent bool) { j.lent.Store(lent) }

// stopTime is how long a process may take to stop itself. One that has not by
// then is not going to: its group has no shell that could wake it.
const stopTime = 300 * time.Millisecond

// errNoShell says that there is nobody who could bring the program back.
var errNoShell = errors.New("no shell is there to go to, and to come back from with fg")

// Suspend stops the program as ctrl-z does other programs, and returns once it
// goes on. The terminal has been given back before.
func (*jobs) Suspend() error {
	woken := make(chan os.Signal, 1)
	signal.Notify(woken, syscall.SIGCONT)
	defer signal.Stop(woken)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-woken:
		return nil
	case <-time.After(stopTime): // has passed also when it was stopped for long
	}
	select {
	case <-woken:
		return nil
	default:
		return errNoShell
	}
}
