package journal

import (
	"io"
	"slices"

	"runbook/internal/steps"
)

// Event records a fact about a step.
func (w *Writer) Event(e steps.Event) error {
	e.Why = w.redact.Sentence(e.Why)
	return w.append(Fact, e.Step, e)
}

// Gate records a question and whether it was passed.
func (w *Writer) Gate(step string, g GateData) error {
	g.Reasons, g.Warnings, g.Losses = w.clean(g.Reasons), w.clean(g.Warnings), w.clean(g.Losses)
	g.Words = w.redact.Text(g.Words)
	return w.append(Gate, step, g)
}

// clean returns the sentences as they may be kept; the caller's stay as they are.
func (w *Writer) clean(lines []string) []string {
	out := slices.Clone(lines)
	for i := range out {
		out[i] = w.redact.Sentence(out[i])
	}
	return out
}

// Code records what a block is about to run; [CodeData.Output] is filled in
// here and names the file that [Writer.Output] opens.
func (w *Writer) Code(step string, c CodeData) error {
	c.Code, c.Document = w.redact.Text(c.Code), w.redact.Text(c.Document)
	w.mu.Lock()
	key := outputKey(step, c.Block)
	w.outputs[key]++
	c.Output = outputName(step, c.Block, w.outputs[key])
	w.mu.Unlock()
	return w.append(Code, step, c)
}

// Intent records what a rotation is about to write.
func (w *Writer) Intent(step string, i IntentData) error { return w.append(Intent, step, i) }

// Ended records how a block ended; a block with a code line and no ended line
// was running when the record ends.
func (w *Writer) Ended(step string, e EndData) error {
	e.Why = w.redact.Sentence(e.Why)
	w.mu.Lock()
	e.Sum = w.sums[outputKey(step, e.Block)]
	w.mu.Unlock()
	return w.append(Ended, step, e)
}

// Beside records how a command in the background ended. The output is what
// [Writer.Output] returned for it, closed: another try of its block may have
// opened one since.
func (w *Writer) Beside(step string, d BesideData, out io.Closer) error {
	d.Code = w.redact.Text(d.Code)
	if o, ok := out.(*output); ok {
		d.Output, d.Sum = o.name, o.total
	}
	return w.append(Beside, step, d)
}

// Checks records what could be said of the expectations when a step began or
// ended.
func (w *Writer) Checks(step string, checks []CheckData) error {
	out := slices.Clone(checks)
	for i := range out {
		out[i].Text, out[i].Why = w.redact.Sentence(out[i].Text), w.redact.Sentence(out[i].Why)
	}
	return w.append(Checked, step, out)
}

// Changes records what became of protected values.
func (w *Writer) Changes(step string, changes []ChangeData) error {
	out := slices.Clone(changes)
	for i := range out {
		out[i].Protects, out[i].Why = w.redact.Sentence(out[i].Protects), w.redact.Sentence(out[i].Why)
	}
	return w.append(Changed, step, out)
}

// Note records the operator's words.
func (w *Writer) Note(step, text string) error {
	return w.append(Noted, step, w.redact.Sentence(text))
}

// Edit records the operator's text for a block, whether or not it will run.
func (w *Writer) Edit(step string, e EditData) error {
	clean := w.redact.Text(e.Code)
	e.Withheld = clean != e.Code
	e.Code, e.Document = clean, w.redact.Text(e.Document)
	return w.append(Edited, step, e)
}
