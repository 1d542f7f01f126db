package plain

import (
	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/steps"
)

// A Printer puts what happens in a walk on paper.
type Printer interface {
	Started(p *steps.Plan, w guard.Where)
	StepStarted(s *steps.BoundStep, a engine.Assessment)
	Settled(s *steps.BoundStep, state steps.StepState) // nothing had to be run
	Output(step string, lines []string)
	Waiting(step string, checks []engine.Check)
	Gate(g guard.Gate)
	Noticed(n engine.Noticed)
	Changed(e engine.ValuesChanged) // a parameter has another value now
	StepEnded(s *steps.BoundStep, state steps.StepState, checks []engine.Check)
	Finished(settled, taken int)
	Err() error // why nothing can be printed any more
}
