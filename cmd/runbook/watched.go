package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/rescue"
)

// A brokenError says that the program itself broke; the watcher has said the
// rest already.
type brokenError struct{ cause error }

func (e *brokenError) Error() string { return "the program broke" }
func (e *brokenError) Unwrap() error { return e.cause }

// watched does f while a watcher stands by, who gives the terminal back and
// says what happened however the process ends.
func (a *app) watched(f func() error) error {
	if !a.process || a.watcher != nil {
		return f()
	}
	root, err := a.stateRoot()
	if err != nil {
		return err
	}
	o := rescue.Options{Folder: root, Program: fmt.Sprintf("runbook %s %s/%s", version(), runtime.GOOS, runtime.GOARCH)}
	if a.terminal {
		o.Terminal = os.Stdout
	}
	if a.watcher, err = rescue.Start(o); err != nil {
		return err
	}
	err = f()
	if errors.Is(err, tea.ErrProgramPanic) {
		a.watcher.Broke()
		err = &brokenError{cause: err}
	}
	a.watcher.Close()
	a.watcher = nil
	return err
}

// resumable has the watcher name the run, should the program not come to its
// end. What is tried out on a sandbox of its own ends with that.
func (a *app) resumable(run string) {
	if !a.demonstrates {
		a.watcher.Run("runbook resume " + run)
	}
}
