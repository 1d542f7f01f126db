package shell

import (
	"io"
	"syscall"
	"time"
)

// A Command is what one step says, and how to run it.
type Command struct {
	Code  string   // run byte for byte
	Env   []string // NAME=value, set before the code; a later change by the code wins until the value here changes
	Shell string   // bash, sh or zsh; the session's own if empty

	// Statement is the place of the code among the Of statements of a block that
	// run one after the other, from 1; both are 0 when the code is all there is.
	// Before is what the statement before it ended with, for $?.
	Statement, Of, Before int

	// Cols and Rows are the size of the terminal in cells; 0 means 80×24.
	Cols, Rows int

	// Pipe runs the command without any terminal, for output that is data:
	// programs that would ask for a password fail at once.
	Pipe bool

	// Isolated sees the session's state and leaves it as it is. Such a command
	// may run beside a step.
	Isolated bool

	// Background keeps running beside later steps until the session is closed.
	// It is isolated.
	Background bool

	// Record gets the whole output, redacted, while the command runs. It is not
	// written to after Wait has returned.
	Record io.Writer

	// Stdout gets what a piped command writes to its standard output as it
	// comes, secrets included. It must never be stored.
	Stdout io.Writer

	// Grace is how long a stopped command may take to end by itself; 0 means
	// five seconds.
	Grace time.Duration
}

// goesOn reports whether more of the same block comes after this code.
func (c Command) goesOn() bool { return c.Statement < c.Of }

// A Result says how a command ended.
type Result struct {
	Exit           int            // as the shell reports it: 128+n for signal n; -1 when that is not known
	Signal         syscall.Signal // what ended the command, as far as its exit status tells, or 0
	Started, Ended time.Time
	Cut            bool     // a statement has ended its shell, as exit and set -e do: in a script nothing after it would run
	StateLost      string   // why the session is as it was before the command; empty if it was saved
	Gone           []string // what the command has set that ended with its shell: arguments, open files, some traps
	Strangers      bool     // it spoke of the jobs of its shell, and what earlier ones have left is none of them
	PutBack        []string // names of pinned variables that the command has changed: for itself only
	Left           []Left   // what still runs
	Bytes          int64    // output as the command wrote it
	Err            error    // the output could not be recorded in full
}

// Left is a process that a command started and that outlives it.
type Left struct {
	PID      int
	Command  string // redacted
	Detached bool   // it has left the terminal of its step (setsid, a daemon)

	started uint64 // tells it from a later one with the same pid; 0 when it isn't known
}
