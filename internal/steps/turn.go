package steps

import (
	"maps"
	"slices"
	"time"
)

// A Turn is what new values mean for the steps of a run that is under way.
type Turn struct {
	// Taken belong to the choice now, and didn't before.
	Taken []string `json:"taken,omitempty"`
	// NotTaken belong to another choice now, and why. What has run isn't among
	// them: it has happened.
	NotTaken map[string]string `json:"notTaken,omitempty"`
	// Reopened were settled by what held already, which says nothing about the
	// new values.
	Reopened []string `json:"reopened,omitempty"`
}

// NewTurn compares two plans of one runbook. Moved tells that objects without a
// namespace are meant elsewhere now.
func NewTurn(r Run, old, next *Plan, moved bool) Turn {
	t := Turn{NotTaken: map[string]string{}}
	for i := range next.Steps {
		s := &next.Steps[i]
		state, was := r.Steps[s.ID], old.Step(s.ID)
		held := state.Status == Satisfied && state.Tries == 0 // nothing was run
		switch {
		case s.Taken && state.Status == NotTaken:
			t.Taken = append(t.Taken, s.ID)
		case !s.Taken && state.Status != NotTaken && (!state.Status.Settled() || held):
			t.NotTaken[s.ID] = s.WhyNot
		case !s.Taken && state.Status == NotTaken && s.WhyNot != state.Why:
			t.NotTaken[s.ID] = s.WhyNot
		case held && s.Done != nil && (moved || was == nil || was.Done == nil || was.Done.Text != s.Done.Text):
			t.Reopened = append(t.Reopened, s.ID)
		}
	}
	return t
}

// Turned returns the run after a turn. Steps that it doesn't know are passed over.
func (r Run) Turned(t Turn, at time.Time) Run {
	steps := maps.Clone(r.Steps)
	set := func(id string, to Status, why string) {
		s, ok := steps[id]
		if !ok {
			return
		}
		s.Status, s.Why, s.Ended = to, why, at
		if to == NotTaken {
			s.Ended = time.Time{}
		}
		steps[id] = s
	}
	for _, id := range slices.Concat(t.Taken, t.Reopened) {
		set(id, Pending, "")
	}
	for id, why := range t.NotTaken {
		set(id, NotTaken, why)
	}
	return Run{Order: r.Order, Steps: steps}
}
