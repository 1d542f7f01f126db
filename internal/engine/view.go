package engine

import (
	"time"

	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// An Output is what a step has printed so far, redacted and with no terminal
// escape but colour.
type Output struct {
	Lines   []string // the newest; the record has all
	Dropped int      // lines before those that are only in the record
	Open    bool     // the last line isn't finished
	Bytes   int64
	Running bool
	Secret  bool // the program reads without echo: a password prompt
	Exit    int
	Note    string // "session state lost: …", "still running: sleep (pid 12)"
}

// A Role says what an expectation is for.
type Role string

// The roles.
const (
	DoneRole   Role = "done"
	BeforeRole Role = "before"
	ExpectRole Role = "expect"
)

// A Check is an expectation of a step with what can be said of it now.
type Check struct {
	Role    Role
	Expect  steps.Expectation
	Verdict world.Verdict
	Implied bool // worked out from the commands, not written by the author
	// Seen is when the oldest fact behind the verdict was last known to be true.
	// It is set where a check is recorded; zero when no fact is behind it.
	Seen time.Time
}

// A LiveItem is a thing whose state is shown beside a step.
type LiveItem struct {
	Subject steps.Subject
	From    string // "expect", "watch", "command"
}

// An Assessment is what is known of a step's commands before they run.
type Assessment struct {
	Class   risk.Class // the step's: the worst of its blocks and of what its author says
	Blocks  []risk.Result
	Endless bool // some command never ends by itself
}
