package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/engine"
	"runbook/internal/journal"
	"runbook/internal/plain"
	"runbook/internal/steps"
	"runbook/internal/vault"
)

// An exitCode is what the process ends with; exitHelp is its documentation.
type exitCode int

const (
	exitDone        exitCode = 0
	exitFailed      exitCode = 1
	exitUsage       exitCode = 2
	exitStopped     exitCode = 3
	exitRefused     exitCode = 4
	exitUnreachable exitCode = 5
	exitInterrupted exitCode = 130

	// exitBroke is what the Go runtime ends a panic with, caught or not.
	exitBroke = exitUsage
)

const exitHelp = `Exit status:
  0    done
  1    a step, check or expectation failed
  2    usage, or the runbook is invalid; or the program itself broke
  3    stopped by the operator, can be resumed
  4    refused: a risk was not accepted, a guard said no
  5    the cluster or Vault could not be asked
  130  interrupted`

// A usageError says what is wrong with a command line, and what to do.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what }

// Hint says what to do next.
func (e *usageError) Hint() string { return e.hint }

// A unreachableError says that the cluster or Vault could not be asked.
type unreachableError struct {
	cause error
	hint  string
}

func (e *unreachableError) Error() string { return e.cause.Error() }
func (e *unreachableError) Unwrap() error { return e.cause }

// Hint says what to do next.
func (e *unreachableError) Hint() string { return e.hint }

// A stoppedError says that the operator left before the end.
type stoppedError struct{ settled, taken int }

func (e *stoppedError) Error() string {
	return fmt.Sprintf("stopped: %d of %d done", e.settled, e.taken)
}

// A interruptedError says that a signal ended the program.
type interruptedError struct{ cause error }

func (e *interruptedError) Error() string { return "interrupted" }
func (e *interruptedError) Unwrap() error { return e.cause }

// codeOf is the only table of exit codes.
func codeOf(err error) exitCode {
	switch {
	case err == nil:
		return exitDone
	case is[*brokenError](err):
		return exitBroke
	case is[*interruptedError](err), errors.Is(err, context.Canceled):
		return exitInterrupted
	case is[*stoppedError](err), is[*plain.PersonError](err), is[*plain.UnheardError](err):
		return exitStopped
	case is[*otherTargetError](err), is[*plain.RefusedError](err), is[*engine.GateError](err), errors.Is(err, journal.ErrInUse), errors.Is(err, journal.ErrOther):
		return exitRefused
	case is[*unreachableError](err), is[*cluster.TargetError](err), is[*vault.Error](err):
		return exitUnreachable
	case is[*plain.FailedError](err), is[*engine.UnrecordedError](err), is[*engine.UnwritableError](err), is[*journal.BrokenError](err), is[*changedError](err), is[*lintError](err):
		return exitFailed
	}
	return exitUsage // everything else is wrong before a step has run
}

func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// report says what went wrong and what to do next, never twice.
func report(w io.Writer, err error) {
	if err == nil || is[*brokenError](err) {
		return
	}
	var invalid *steps.InvalidError
	if errors.As(err, &invalid) {
		for _, d := range invalid.Diagnostics {
			say(w, "%s", d.Error())
			if d.Hint != "" {
				say(w, "  hint: %s", d.Hint)
			}
		}
		return
	}
	say(w, "runbook: %s", strings.TrimSpace(err.Error()))
	if hint := hintOf(err); hint != "" {
		say(w, "runbook: hint: %s", hint)
	}
}

func say(w io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(w, format+"\n", args...) // there is nobody to tell that standard error is closed
}

// hintOf is the next step that an error knows.
func hintOf(err error) string {
	var hinted interface{ Hint() string }
	var refused *plain.RefusedError
	var person *plain.PersonError
	var unheard *plain.UnheardError
	var where *cluster.TargetError
	var refusedByVault *vault.Error
	switch {
	case errors.As(err, &hinted):
		return hinted.Hint()
	case errors.As(err, &refused):
		return refused.Next
	case errors.As(err, &person):
		return person.Next
	case errors.As(err, &unheard):
		return unheard.Next
	case errors.As(err, &where):
		return where.Hint
	case errors.As(err, &refusedByVault):
		return refusedByVault.Next()
	}
	return ""
}
