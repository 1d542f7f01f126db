package guard

import (
	"slices"
	"time"

	"runbook/internal/risk"
)

// A Decision is what stands between an operator and a step.
type Decision string

// The decisions.
const (
	Allow   Decision = "allow"   // run it at a key press
	Confirm Decision = "confirm" // show the gate and ask for its words
	Refuse  Decision = "refuse"  // may not run; Gate.Blockers says why and what to do
)

// A Gate is the answer to "may this step run now", with all that must be shown.
type Gate struct {
	Step     string
	Title    string
	Decision Decision
	Class    risk.Class
	Reasons  []risk.Reason
	// Words must be typed, exactly, to pass a gate that is to be confirmed:
	// the name of what is destroyed, or "rotate session key". Never empty for
	// one, and only what a keyboard has.
	Words    string
	Where    Where
	Cost     string // the author's words
	Losses   []Loss // what would be gone; what can't be brought back first
	Warnings []Warning
	Blockers []Blocker
	// Beside says what runs beside the step from before, and what was to run in
	// the background and has ended.
	Beside []string
	// Fingerprint changes when anything above changes; an answer carries the
	// fingerprint of the gate that it answers.
	Fingerprint string
}

// Where is the pinned target of a run.
type Where struct {
	Context   string
	Server    string
	Namespace string
	UID       string // of kube-system; tells clusters apart
	Vault     string // address
	// VaultNamespace is the namespace of Vault, "" for the root.
	VaultNamespace string
	Verified       time.Time
	// Note is what the operator must know of this target first: never seen
	// before, or not the cluster it was in the last run.
	Note string
	// Drift is what the operator's own kubeconfig says by now, where that is
	// something else than the run was pinned to; empty when it isn't.
	Drift string
}

// A Loss is one thing, or a group of things, that a step would take away.
type Loss struct {
	What          string // "persistentvolumeclaim/data-1 (8Gi)"
	Why           string // "in namespace x", "owned by cluster/y"
	Irrecoverable bool
	Unknown       bool // could not be listed; Why says why
}

// SortLosses puts first what can't be brought back, then what isn't known, and
// keeps the order of what is alike.
func SortLosses(losses []Loss) {
	rank := func(l Loss) int {
		switch {
		case l.Irrecoverable:
			return 0
		case l.Unknown:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(losses, func(a, b Loss) int { return rank(a) - rank(b) })
}

// A Warning is shown before everything else, with the name of what it protects.
type Warning struct {
	Protects string // "session key"; empty for others
	Layer    Layer  // where the protected value changes; empty for others
	Text     string
	Undo     string // what takes it back, or that nothing does
}

// A Layer is one of the four places that a protected value passes through. A
// change in one is latent until it reaches the next; only the last one cuts
// anybody off.
type Layer string

// The layers, in the order in which a value passes them.
const (
	VaultEntry     Layer = "Vault entry"
	ExternalSecret Layer = "ExternalSecret"
	Secret         Layer = "Secret"
	Process        Layer = "process"
)

// A Blocker is why a step may not run now.
type Blocker struct {
	What string
	Why  string
	Next string // what to do
}

// String says what stands in the way, and why.
func (b Blocker) String() string {
	if b.What == "" || b.Why == "" {
		return b.What + b.Why
	}
	return b.What + ": " + b.Why
}
