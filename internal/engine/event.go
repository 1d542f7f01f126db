package engine

import (
	"context"
	"os/exec"

	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// An Event is something that happened; the types below are all there are.
// Events that only say "look again" (OutputChanged, WorldChanged, BesideChanged) are merged
// while nobody reads.
type Event interface{ event() }

// RunChanged: a fact changed the state of the run.
type RunChanged struct {
	Run  steps.Run
	Fact steps.Event
}

// WorldChanged: something is known now that wasn't, or is older than it should be.
type WorldChanged struct{ World world.World }

// OutputChanged: the step has printed something; see [Engine.Output].
type OutputChanged struct{ Step string }

// TerminalWanted: an interactive step needs the real terminal. The front end
// runs Cmd on it and then calls Done, once.
type TerminalWanted struct {
	Step string
	Cmd  *exec.Cmd
	Done func(error)
}

// Noticed: something the operator should read, not tied to a key press.
type Noticed struct {
	Step string // may be empty
	Text string
	Bad  bool
}

// Offered: something that can be done about what was found, and isn't unless
// the operator says so.
type Offered struct {
	Title string
	Text  string
	Does  string // "stop them"
	// Do does it and says what came of it; it may take a while.
	Do func(ctx context.Context) string
}

// Paused: a step that is walked by statements waits before the next of them.
type Paused struct {
	Step string
	Next Pause
}

// ValuesChanged: the operator has given a parameter another value.
type ValuesChanged struct {
	Plan    *steps.Plan // as [Engine.Plan] has it from now on
	Run     steps.Run
	Where   guard.Where
	Meaning Meaning
}

func (ValuesChanged) event() {}

// Drifted: the operator's configuration names another target than the run's by
// now (see [guard.Where.Drift]), or the same again.
type Drifted struct{ Where guard.Where }

func (Drifted) event() {}

// BesideChanged: a command in the background has printed something, was started
// or has ended; see [Engine.Beside].
type BesideChanged struct{}

func (BesideChanged) event()  {}
func (RunChanged) event()     {}
func (WorldChanged) event()   {}
func (OutputChanged) event()  {}
func (TerminalWanted) event() {}
func (Noticed) event()        {}
func (Offered) event()        {}
func (Paused) event()         {}
