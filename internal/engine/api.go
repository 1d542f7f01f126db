package engine

import "runbook/internal/guard"

// An Answer is what an operator gave to a gate.
type Answer struct {
	Fingerprint string // of the gate that was shown
	Words       string // as typed
	Accepted    bool   // --accept-risk names the step: stands for the words
}

// GateError says that a step didn't pass its gate; Gate is the one in force
// now, to be shown again.
type GateError struct {
	Gate guard.Gate
	Why  string // "the words don't match", "the world has changed since", …
}

func (e *GateError) Error() string { return "step " + e.Gate.Step + ": " + e.Why }
