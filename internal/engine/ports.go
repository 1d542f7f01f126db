package engine

import (
	"context"
	"io"
	"os/exec"
	"time"

	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A Shell runs commands that share one session.
type Shell interface {
	Start(ctx context.Context, c Command) (Process, error)
	// Interactive returns a command for the real terminal, and what to call
	// after it has run to keep the session's state.
	Interactive(c Command) (cmd *exec.Cmd, after func(error) Result, err error)
	// Strayed names the variables of [Command.Env] that commands have given
	// another value since: theirs stays until Env has another one.
	Strayed() []string
	// Renew has the next Env win for a variable, whatever commands have made of it.
	Renew(name string)
}

// A Command is one block of a step.
type Command struct {
	Code       string
	Env        []string // added to the session's
	Shell      string   // bash when empty
	Cols, Rows int
	Record     io.Writer // gets every byte of output, redacted
	Background bool
	// Statement is the place of the code among the Of statements of its block
	// that run one after the other, else 0; Before is the exit status of the one
	// before it.
	Statement, Of, Before int
	Timeout               time.Duration // 0 means none
}

// A Process is a command that runs.
type Process interface {
	PID() int
	Changed() <-chan struct{} // a token after the output has changed; closed at the end
	Output() Output
	Type(keys []byte) error
	Resize(cols, rows int)
	// Stop ends the whole tree: terminate, a grace period, kill.
	Stop(ctx context.Context)
	// Wait returns once the process and its output have ended.
	Wait() Result
}

// A Result is how a command ended.
type Result struct {
	Exit   int
	Signal string // "SIGKILL", when one has ended it as far as its exit status tells
	Cut    bool   // a statement has ended its shell, so that in a script nothing behind it would run
	Note   string // session state that was lost, processes that are left; empty when all is well
}

// A Watcher keeps facts of one source coming as [world.Update]s.
type Watcher interface {
	Want(Wanted)
	// Refresh asks everything again now.
	Refresh()
}

// Wanted are the facts that are needed; each watcher takes its own.
type Wanted struct {
	Objects []world.Ref
	Entries []string // Vault entries as mount/path
	Caps    []string // Vault paths
	URLs    []string
}

// Actions carries out the steps that need no shell. What it says on out is
// free of secret values. One whose second try could not tell what the first one
// did foretells what it is about to do, and doesn't do it when that fails.
type Actions interface {
	Do(ctx context.Context, a *steps.Action, out io.Writer, foretell func(Intent) error) error
}

// An Intent is what a rotation is about to write, for who has to tell later
// whether it did.
type Intent struct {
	Block   int
	Version int    // of the entry, that is written on top of; 0 where it has none
	Print   string // fingerprint of the new value
}

// Foretells tells whether an action says what it is about to write.
func Foretells(a *steps.Action) bool { return a != nil && a.Verb == steps.VaultRotate }

// A Surveyor lists what hangs off the things that a step would take away.
type Surveyor interface {
	Survey(ctx context.Context, gone []risk.Touch) []guard.Loss
}

// A Keeper compares protected values without showing them.
type Keeper interface {
	// Foresee compares what a step would give protected keys of Secrets, by the
	// names of what is protected, with what is there.
	Foresee(ctx context.Context, protects []steps.Protect, given map[string][]guard.Given) []guard.Change
	// Mark remembers the values as they are now.
	Mark(ctx context.Context, protects []steps.Protect) error
	// Compare says what became of each since the mark.
	Compare(ctx context.Context, protects []steps.Protect) []guard.Change
}

// A Learner has what commands are about to read hidden, whatever they do with it.
type Learner interface {
	// Learn reads the things, and leaves out what is shown all the time. It says
	// why something could not be read, one text for each.
	Learn(ctx context.Context, read []risk.Touch, shown func(value string) bool) []string
}

// Strays are what earlier processes of the run have left running.
type Strays interface {
	// Running lists those that run now, of what was there when the run went on.
	Running() []Stray
	// Stop ends one with all that it may; it returns what still runs of it.
	Stop(ctx context.Context, pid int) []Stray
}

// A Stray is one of them.
type Stray struct {
	PID     int
	Command string // without secrets
}

// A Journal keeps the record of a run. Every method returns once it is on disk.
type Journal interface {
	Event(steps.Event) error
	Gate(step string, g guard.Gate, a Answer, passed bool) error
	Code(step string, c Code) error
	Intent(step string, i Intent) error
	Ended(step string, b Ended) error
	// Beside records how a command in the background has ended; out is what
	// Output has returned for it, closed.
	Beside(step string, b Beside, out io.Closer) error
	Checks(step string, checks []Check) error
	Changes(step string, changes []guard.Change) error
	Note(step, text string) error
	// Values records that the operator has changed a parameter, and what follows.
	Values(a Amendment) error
	// Edit keeps the operator's text for a block, which may run later.
	Edit(step string, c Code) error
	// Output opens the file that gets everything a block prints.
	Output(step string, block int) (io.WriteCloser, error)
}

// An Amendment is what the operator has changed of a run's values.
type Amendment struct {
	Shifts []steps.Shift
	Turn   steps.Turn
}

// Code is what a block, or one statement of it, is about to run.
type Code struct {
	Block     int
	Text      string
	Document  string // what the document says, where the operator has edited it
	Statement int    // from 1 when the statements run one by one, else 0
	Of        int
	Foretells bool // nothing is written before an intent is
}

// Ended is how a block, or one statement of it, ended.
type Ended struct {
	Block     int
	Exit      int // -1 when it couldn't be carried out; Why says why
	Why       string
	Statement int
	Of        int
}
