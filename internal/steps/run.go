package steps

import (
	"fmt"
	"maps"
	"time"
)

// A Status is where a step stands in a run.
type Status string

// The statuses of a step.
const (
	Pending   Status = "pending"
	NotTaken  Status = "not taken" // belongs to a choice that wasn't made
	Running   Status = "running"
	Waiting   Status = "waiting"   // the commands are through; the expectations don't hold yet
	Done      Status = "done"      // ran, and the expectations hold
	Satisfied Status = "satisfied" // held already; nothing was run
	Ticked    Status = "ticked"    // done elsewhere, says the operator
	Skipped   Status = "skipped"
	Failed    Status = "failed"
	Unsure    Status = "unsure" // was running when the record ended
)

// Settled tells whether the run may go on behind a step of this status.
func (s Status) Settled() bool {
	switch s {
	case NotTaken, Done, Satisfied, Ticked, Skipped:
		return true
	}
	return false
}

// An EventKind names a fact about a step, in the past tense.
type EventKind string

// The facts that change a run.
const (
	StepStarted   EventKind = "started"
	StepExited    EventKind = "exited"    // Exit tells how
	StepHeld      EventKind = "held"      // all expectations hold
	StepUnmet     EventKind = "unmet"     // an expectation can't hold any more, or the time is over
	StepSatisfied EventKind = "satisfied" // its done expectation held before it ran
	StepTicked    EventKind = "ticked"
	StepSkipped   EventKind = "skipped"
	StepCancelled EventKind = "cancelled" // stopped by the operator while running or waiting
	StepLost      EventKind = "lost"      // the record ends while it was running
	StepReopened  EventKind = "reopened"  // what it had reached holds no longer
	StepFailed    EventKind = "failed"    // couldn't be started or carried out at all
)

// An Event is a fact about one step of a run.
type Event struct {
	Kind EventKind `json:"kind"`
	Step string    `json:"step"`
	At   time.Time `json:"at"`
	Exit int       `json:"exit,omitempty"`
	Why  string    `json:"why,omitempty"`
}

// A StepState is what a run knows of one step.
type StepState struct {
	Status  Status
	Why     string // behind Failed, Skipped, NotTaken, Unsure
	Exit    int
	Started time.Time
	Ended   time.Time
	Tries   int // how often its commands were started
}

// A Run is the state of all steps of a walked runbook; a value that only
// [Run.Apply] changes.
type Run struct {
	Order []string
	Steps map[string]StepState
}

// NewRun returns the run of a plan in which nothing has happened.
func NewRun(p *Plan) Run {
	r := Run{Steps: map[string]StepState{}}
	for _, s := range p.Steps {
		r.Order = append(r.Order, s.ID)
		state := StepState{Status: Pending}
		if !s.Taken {
			state = StepState{Status: NotTaken, Why: s.WhyNot}
		}
		r.Steps[s.ID] = state
	}
	return r
}

// Apply returns the run after e. An event that can't follow from where its
// step stands is an error, and leaves the run as it was.
func (r Run) Apply(e Event) (Run, error) {
	s, ok := r.Steps[e.Step]
	if !ok {
		return r, fmt.Errorf("apply %s: no step %q", e.Kind, e.Step)
	}
	next, ok := after(s, e)
	if !ok {
		return r, fmt.Errorf("apply %s: step %q is %s", e.Kind, e.Step, s.Status)
	}
	steps := maps.Clone(r.Steps)
	steps[e.Step] = next
	return Run{Order: r.Order, Steps: steps}, nil
}

// after is the transition table.
func after(s StepState, e Event) (StepState, bool) {
	busy := s.Status == Running || s.Status == Waiting
	switch e.Kind {
	case StepStarted:
		return StepState{Status: Running, Started: e.At, Tries: s.Tries + 1}, !busy && s.Status != NotTaken
	case StepExited:
		return exited(s, e), s.Status == Running
	case StepHeld:
		return settled(s, e, Done), s.Status == Waiting
	case StepUnmet:
		return settled(s, e, Failed), s.Status == Waiting
	case StepCancelled, StepFailed:
		return settled(s, e, Failed), busy
	case StepLost:
		return settled(s, e, Unsure), busy
	case StepSatisfied:
		return settled(s, e, Satisfied), !busy && s.Status != NotTaken
	case StepTicked:
		return settled(s, e, Ticked), !busy && s.Status != NotTaken
	case StepSkipped:
		return settled(s, e, Skipped), !busy && s.Status != NotTaken
	case StepReopened:
		return settled(s, e, Pending), s.Status.Settled() && s.Status != NotTaken
	}
	return s, false
}

func exited(s StepState, e Event) StepState {
	s.Exit = e.Exit
	if e.Exit != 0 {
		return settled(s, e, Failed)
	}
	s.Status = Waiting
	return s
}

func settled(s StepState, e Event, to Status) StepState {
	s.Status, s.Why, s.Ended = to, e.Why, e.At
	if e.Kind == StepCancelled && s.Why == "" {
		s.Why = "stopped by the operator; what it has begun elsewhere may go on"
	}
	return s
}

// Next returns the first step that isn't settled, or "" when all are.
func (r Run) Next() string {
	for _, id := range r.Order {
		if !r.Steps[id].Status.Settled() {
			return id
		}
	}
	return ""
}

// Count returns how many of the steps that are taken are settled.
func (r Run) Count() (settled, taken int) {
	for _, s := range r.Steps {
		if s.Status == NotTaken {
			continue
		}
		taken++
		if s.Status.Settled() {
			settled++
		}
	}
	return settled, taken
}
