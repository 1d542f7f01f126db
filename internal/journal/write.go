package journal

import "runbook/internal/steps"

// Event records a fact about a step.
func (w *Writer) Event(e steps.Event) error {
	e.Why = w.redact.Text(e.Why)
	return w.append(Fact, e.Step, e)
}

// Gate records a question and whether it was passed.
func (w *Writer) Gate(step string, g GateData) error {
	for _, list := range [][]string{g.Reasons, g.Warnings, g.Losses} {
		for i := range list {
			list[i] = w.redact.Text(list[i])
		}
	}
	return w.append(Gate, step, g)
}

// Code records what a block is about to run, and where its output goes.
func (w *Writer) Code(step string, block int, code string, edited bool) error {
	w.mu.Lock()
	key := outputKey(step, block)
	w.outputs[key]++
	name := outputName(step, block, w.outputs[key])
	w.mu.Unlock()
	return w.append(Code, step, CodeData{Block: block, Code: w.redact.Text(code), Edited: edited, Output: name})
}

// Checks records what could be said of the expectations when a step ended.
func (w *Writer) Checks(step string, checks []CheckData) error {
	for i := range checks {
		checks[i].Why = w.redact.Text(checks[i].Why)
	}
	return w.append(Checked, step, checks)
}

// Changes records what became of protected values.
func (w *Writer) Changes(step string, changes []ChangeData) error {
	return w.append(Changed, step, changes)
}

// Note records the operator's words.
func (w *Writer) Note(step, text string) error {
	return w.append(Noted, step, w.redact.Text(text))
}
