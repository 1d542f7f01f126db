package tui

import (
	"context"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// An Engine carries out one run. The methods of the first group look at
// something in memory, or take note of it, and return at once: they are called
// between two key presses. Those of the others may take their time.
type Engine interface {
	// Events delivers what happens until the run is over, and is then closed.
	Events() <-chan engine.Event
	Plan() *steps.Plan
	Run() steps.Run
	World() world.World
	Checks(step string) []engine.Check
	Live(step string) []engine.LiveItem
	Output(step string) engine.Output
	Where() guard.Where
	// Shown is a sentence about the world without what must not be seen.
	Shown(sentence string) string
	// Since says which values have changed since a step ran, as far as it has to
	// do with them.
	Since(step string) []steps.Shift
	// Strayed are the parameters that a step has given another value in the session.
	Strayed() []string
	// Beside lists what runs, or ran, in the background.
	Beside() []engine.Beside
	BesideOutput(id int) engine.Output
	// Resize tells the size of the terminal that commands run on, in cells.
	Resize(cols, rows int)

	// Focus names the step whose live state is wanted.
	Focus(step string)
	// Assess judges what a step would run; Checks and Live of the step are
	// looked at only afterwards.
	Assess(step string) engine.Assessment
	// Code has for each block of a step what would run, edits included.
	Code(step string) []string
	// Refresh asks again for everything that is shown.
	Refresh()

	// Gate says what must be shown, asked or refused before a step.
	Gate(ctx context.Context, step string) (guard.Gate, error)
	// Do starts a step. When its gate isn't passed the error is an
	// [engine.GateError] with the gate in force.
	Do(ctx context.Context, step string, a engine.Answer) error
	// DoNext is Do for the next statement only; the step then pauses. While it
	// does, DoNext runs one more and Do all that are left, without another gate.
	DoNext(ctx context.Context, step string, a engine.Answer) error
	Skip(step, reason string) error
	Tick(step, reason string) error
	Note(step, text string) error
	Edit(step string, block int, code string) error
	Stop(step string) error
	Type(step string, keys []byte) error
	// Consider says what another value of a parameter would mean, or why it
	// can't have it.
	Consider(name, text string) (engine.Meaning, error)
	// Change gives a parameter another value, if that means what was shown.
	Change(ctx context.Context, name, text string, shown engine.Meaning) error
	// StopBeside ends a command in the background.
	StopBeside(ctx context.Context, id int) error
}
