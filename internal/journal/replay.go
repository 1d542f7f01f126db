package journal

import (
	"encoding/json"
	"time"

	"runbook/internal/steps"
)

// Replay returns the run that a record leaves: a step that was on its way when
// a process ended is unsure. Facts about steps that the plan no longer has are
// returned as strangers.
func (r *Record) Replay(p *steps.Plan) (run steps.Run, strangers []steps.Event) {
	run = steps.NewRun(p)
	if !r.Amended() {
		return r.replay(run)
	}
	// The plan has the values of the end: which steps were taken at the
	// beginning is in the header, and what became of that in the lines.
	for id := range r.Header.Steps {
		if s, ok := run.Steps[id]; ok {
			s.Status, s.Why = steps.Pending, ""
			if why, other := r.Header.NotTaken[id]; other {
				s.Status, s.Why = steps.NotTaken, why
			}
			run.Steps[id] = s
		}
	}
	run, strangers = r.replay(run)
	// Its `when` may have been edited since: what hasn't run follows the plan.
	turn := steps.NewTurn(run, p, p, false)
	return run.Turned(turn, r.Last()), strangers
}

// Run is Replay for who doesn't have the runbook: the steps are those that the
// header names.
func (r *Record) Run() steps.Run {
	run := steps.Run{Order: r.Header.Order, Steps: map[string]steps.StepState{}}
	for _, id := range r.Header.Order {
		state := steps.StepState{Status: steps.Pending}
		if why, other := r.Header.NotTaken[id]; other {
			state = steps.StepState{Status: steps.NotTaken, Why: why}
		}
		run.Steps[id] = state
	}
	run, _ = r.replay(run)
	return run
}

func (r *Record) replay(run steps.Run) (_ steps.Run, strangers []steps.Event) {
	before := r.Lines[0]
	for _, l := range r.Lines {
		switch l.Kind {
		case Resumed: // whatever ran before it ran in a process that is gone
			run = lost(run, before)
		case Fact:
			var e steps.Event
			if json.Unmarshal(l.Data, &e) != nil {
				continue
			}
			next, err := run.Apply(e)
			if err != nil {
				strangers = append(strangers, e)
				continue
			}
			run = next
		case Amended:
			if d, ok := amendment(l); ok {
				run = run.Turned(d.Turn, l.At)
			}
		}
		before = l
	}
	return lost(run, before), strangers
}

// lost says of every step that is on its way that it was so on the last line.
func lost(run steps.Run, last Line) steps.Run {
	for _, id := range run.Order {
		e := steps.Event{Kind: steps.StepLost, Step: id, At: last.At, Why: "the record ends while it was running"}
		if next, err := run.Apply(e); err == nil {
			run = next
		}
	}
	return run
}

// A Trace is what a record tells of the last try of a step, and of the tries
// before it that were cut off by the end of a process.
type Trace struct {
	// Began are the blocks whose code was started, and Ended those of them that
	// ended, with their exit codes: -1 for one that couldn't be carried out. A
	// block in Began only was running when the record ends: what it did can't be
	// known.
	Began map[int]bool
	Ended map[int]int
	// Edited are the blocks that ran the operator's text and not the document's,
	// with that text; "" where it ran in pieces.
	Edited map[int]string
	// Starts are when the code of a block was begun, each time.
	Starts map[int][]time.Time
	// Foretells are the blocks that write nothing before they have an intent, and
	// Intents what they were about to write, the last try last.
	Foretells map[int]bool
	Intents   map[int][]IntentData
	// Before are the answers of the expectations when nothing had been started.
	Before []CheckData

	open bool // the try has no end so far
}

// Trace returns what is known of the last try of a step.
func (r *Record) Trace(step string) Trace {
	t := newTrace()
	for _, l := range r.Lines {
		if l.Step == step {
			t.take(l)
		}
	}
	return t
}

func newTrace() Trace {
	return Trace{Began: map[int]bool{}, Ended: map[int]int{}, Edited: map[int]string{}, Starts: map[int][]time.Time{}, Foretells: map[int]bool{}, Intents: map[int][]IntentData{}}
}

func (t *Trace) edited(c CodeData) {
	t.Edited[c.Block] = c.Code
	if c.Of > 0 {
		t.Edited[c.Block] = ""
	}
}

func (t *Trace) take(l Line) {
	switch l.Kind {
	case Fact:
		var e steps.Event
		if json.Unmarshal(l.Data, &e) == nil {
			t.fact(e)
		}
	case Code:
		var c CodeData
		if json.Unmarshal(l.Data, &c) == nil {
			t.Began[c.Block] = true
			t.Starts[c.Block] = append(t.Starts[c.Block], l.At)
			t.Foretells[c.Block] = c.Foretells
			if c.Edited {
				t.edited(c)
			}
			delete(t.Ended, c.Block)
		}
	case Intent:
		var i IntentData
		if json.Unmarshal(l.Data, &i) == nil {
			t.Intents[i.Block] = append(t.Intents[i.Block], i)
		}
	case Ended:
		var e EndData
		// A statement in the middle of a block doesn't end it.
		if json.Unmarshal(l.Data, &e) == nil && (e.Exit != 0 || e.Statement == e.Of) {
			t.Ended[e.Block] = e.Exit
		}
	case Checked:
		var c []CheckData
		if len(t.Began) == 0 && json.Unmarshal(l.Data, &c) == nil {
			t.Before = c
		}
	}
}

func (t *Trace) fact(e steps.Event) {
	switch e.Kind {
	case steps.StepStarted:
		if !t.open { // the try before has an end of its own
			*t = newTrace()
		}
		t.open = true
	case steps.StepExited:
		t.open = e.Exit == 0
	default:
		t.open = false
	}
}
