package plain

import (
	"encoding/json"
	"io"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/redact"
	"runbook/internal/risk"
	"runbook/internal/steps"
)

// JSON prints a walk as one JSON object a line; every object has an "event".
type JSON struct {
	out  io.Writer
	err  error // the first of out; nothing is printed behind it
	open unsettled
}

// NewJSON returns a printer of JSON lines.
func NewJSON(out io.Writer) *JSON { return &JSON{out: out} }

type object map[string]any

// Err is why nothing can be printed any more, or nil.
func (j *JSON) Err() error { return j.err }

func (j *JSON) put(o object) {
	if j.err != nil {
		return
	}
	text, err := json.Marshal(o)
	if err == nil {
		_, err = j.out.Write(append(redact.JSON(text), '\n'))
	}
	j.err = err
}

// Started opens the stream.
func (j *JSON) Started(p *steps.Plan, w guard.Where) {
	not := []object{}
	for _, s := range p.Steps {
		if !s.Taken {
			not = append(not, object{"step": s.ID, "n": s.N, "why": s.WhyNot})
		}
	}
	j.put(object{"event": "run-started", "title": p.Runbook.Title, "path": p.Runbook.Path,
		"context": w.Context, "server": w.Server, "namespace": w.Namespace, "vault": w.Vault, "note": w.Note, "notTaken": not})
}

// StepStarted names the step, and what of it isn't run.
func (j *JSON) StepStarted(s *steps.BoundStep, a engine.Assessment) {
	j.open = nil
	not := []object{}
	for _, l := range leftOuts(s) {
		not = append(not, object{"line": l.line, "lang": l.lang, "why": l.why, "detail": l.text})
	}
	j.put(object{"event": "step-started", "step": s.ID, "n": s.N, "title": s.Title, "risk": a.Class, "notOffered": not})
}

// Settled names a step that needs nothing.
func (j *JSON) Settled(s *steps.BoundStep, state steps.StepState) {
	j.put(object{"event": "step-settled", "step": s.ID, "n": s.N, "status": state.Status, "why": state.Why})
}

// Output has lines of a step's output.
func (j *JSON) Output(step string, lines []string) {
	for _, l := range lines {
		j.put(object{"event": "output", "step": step, "line": l})
	}
}

func verdicts(checks []engine.Check) []object {
	out := []object{}
	for _, c := range checks {
		out = append(out, object{"role": c.Role, "text": c.Expect.Text, "answer": c.Verdict.Answer, "why": c.Verdict.Why})
	}
	return out
}

// Waiting has the expectations that don't hold, whenever a reason is new.
func (j *JSON) Waiting(step string, checks []engine.Check) {
	news, open := j.open.news(checks)
	j.open = open
	if len(news) > 0 {
		j.put(object{"event": "waiting", "step": step, "checks": verdicts(news)})
	}
}

// Gate has all that would have been asked.
func (j *JSON) Gate(g guard.Gate) {
	o := object{"event": "gate", "step": g.Step, "decision": g.Decision, "risk": g.Class, "reasons": append([]risk.Reason{}, g.Reasons...),
		"warnings": warnings(g), "losses": losses(g), "blockers": blockers(g), "cost": g.Cost}
	if g.Where.Drift != "" {
		o["drift"] = g.Where.Drift
	}
	if len(g.Beside) > 0 {
		o["beside"] = g.Beside
	}
	j.put(o)
}

func warnings(g guard.Gate) []object {
	out := []object{}
	for _, w := range g.Warnings {
		out = append(out, object{"protects": w.Protects, "layer": w.Layer, "text": w.Text, "undo": w.Undo})
	}
	return out
}

func losses(g guard.Gate) []object {
	out := []object{}
	for _, l := range g.Losses {
		out = append(out, object{"what": l.What, "why": l.Why, "irrecoverable": l.Irrecoverable, "unknown": l.Unknown})
	}
	return out
}

func blockers(g guard.Gate) []object {
	out := []object{}
	for _, b := range g.Blockers {
		out = append(out, object{"what": b.What, "why": b.Why, "next": b.Next})
	}
	return out
}

// Noticed has what belongs to no step's output.
func (j *JSON) Noticed(n engine.Noticed) {
	j.put(object{"event": "notice", "step": n.Step, "text": n.Text, "bad": n.Bad})
}

// Changed has the values that are others now; of a secret the name only.
func (j *JSON) Changed(e engine.ValuesChanged) {
	turn := e.Meaning.Turn
	j.put(object{"event": "values-changed", "set": e.Meaning.Shifts, "namespace": e.Where.Namespace,
		"taken": turn.Taken, "notTaken": turn.NotTaken, "reopened": turn.Reopened})
}

// StepEnded says how a step ended.
func (j *JSON) StepEnded(s *steps.BoundStep, state steps.StepState, checks []engine.Check) {
	j.put(object{"event": "step-ended", "step": s.ID, "n": s.N, "status": state.Status, "why": state.Why,
		"exit": state.Exit, "seconds": state.Ended.Sub(state.Started).Seconds(), "checks": verdicts(checks)})
}

// Finished closes the stream.
func (j *JSON) Finished(settled, taken int) {
	j.put(object{"event": "run-finished", "settled": settled, "taken": taken})
}
