package journal

import (
	"encoding/json"
	"maps"

	"runbook/internal/steps"
)

// Amended is the kind of a line about changed values.
const Amended Kind = "values"

// ValuesData is the data of a values line: what an operator has changed, and
// what that meant for the steps.
type ValuesData struct {
	Operator string        `json:"operator"`
	Set      []steps.Shift `json:"set"` // of secrets the names only
	steps.Turn
}

// Values records that the operator has given parameters other values.
func (w *Writer) Values(d ValuesData) error {
	set := make([]steps.Shift, len(d.Set))
	for i, s := range d.Set {
		if s.Secret || w.redact.Text(s.Old) != s.Old || w.redact.Text(s.New) != s.New {
			s.Secret, s.Old, s.New = true, "", ""
		}
		set[i] = s
	}
	d.Set = set
	return w.append(Amended, "", d)
}

// amendment is the data of a values line; ok is false for every other line.
func amendment(l Line) (d ValuesData, ok bool) {
	if l.Kind != Amended || json.Unmarshal(l.Data, &d) != nil {
		return ValuesData{}, false
	}
	return d, true
}

// Amended tells whether a value was changed while the run was under way.
func (r *Record) Amended() bool {
	for _, l := range r.Lines {
		if l.Kind == Amended {
			return true
		}
	}
	return false
}

// Params are the parameters of the run as they were at its end.
func (r *Record) Params() map[string]Param {
	params := maps.Clone(r.Header.Params)
	if params == nil {
		params = map[string]Param{}
	}
	for _, l := range r.Lines {
		d, _ := amendment(l)
		for _, s := range d.Set {
			params[s.Name] = Param{Value: s.New, Source: s.Source, Secret: s.Secret}
		}
	}
	return params
}

// Shifts are the changes of values since a step was last started or settled,
// each parameter once: from what it was then to what it is at the end.
func (r *Record) Shifts(step string) []steps.Shift {
	var out []steps.Shift
	for _, l := range r.Lines {
		if l.Step == step && stands(l) {
			out = nil
		}
		d, _ := amendment(l)
		for _, s := range d.Set {
			out = follow(out, s)
		}
	}
	return out
}

// follow puts a shift behind those that were before it.
func follow(shifts []steps.Shift, s steps.Shift) []steps.Shift {
	for i := range shifts {
		if shifts[i].Name == s.Name {
			shifts[i].New, shifts[i].Source = s.New, s.Source
			shifts[i].Secret = shifts[i].Secret || s.Secret
			return shifts
		}
	}
	return append(shifts, s)
}

// stands tells whether a line is a fact from which on a step stands on the
// values of that moment.
func stands(l Line) bool {
	var e steps.Event
	if l.Kind != Fact || json.Unmarshal(l.Data, &e) != nil {
		return false
	}
	switch e.Kind {
	case steps.StepStarted, steps.StepSatisfied, steps.StepTicked, steps.StepSkipped:
		return true
	}
	return false
}
