package steps

import (
	"errors"
	"fmt"
	"maps"
)

// Admit tells whether text is an answer where the parameter is asked for:
// nothing is one only where the runbook itself has thought of it.
func (q Param) Admit(text string) error {
	if text == "" && !q.HasDefault {
		return errors.New("a value is needed")
	}
	return q.Validate(text)
}

// Amend returns the values with another one for a parameter. Defaults that are
// made from others are made anew; one that comes out wrong is an error, as is
// a value that the parameter can't have.
func (r *Runbook) Amend(v Values, name, text string) (Values, error) {
	q := r.Param(name)
	if q == nil {
		return nil, &ValueError{Param: name, Source: FromChanged, Text: "the runbook has no such parameter"}
	}
	if err := q.Admit(text); err != nil {
		return nil, &ValueError{Param: name, Source: FromChanged, Text: err.Error()}
	}
	next := maps.Clone(v)
	if next == nil {
		next = Values{}
	}
	next[name] = Value{Text: text, Source: FromChanged, Secret: q.Secret}
	for _, p := range r.Params {
		if p.Name != name && p.derived() && next[p.Name].Source == FromDefault {
			delete(next, p.Name)
		}
	}
	r.complete(next)
	for _, p := range r.Params {
		if _, ok := next[p.Name]; ok || !p.derived() || !known(p.Default, next) {
			continue
		}
		made := fill(p.Default, next, nil)
		return nil, &ValueError{Param: p.Name, Source: FromChanged, Hint: "change " + p.Name + " first",
			Text: fmt.Sprintf("it is made from %s, and would be wrong: %v", name, p.Validate(made))}
	}
	return next, nil
}

// Text is what the document says of a step, before anything is filled in.
func (r *Runbook) Text(s Step) []byte {
	last := len(r.lines) - 1
	if last < 0 {
		return nil
	}
	return r.Source[r.lines[min(max(s.Line-1, 0), last)]:r.lines[min(max(s.End, 0), last)]]
}

// A Shift is a parameter that has another value than before. Of a secret it
// tells only that.
type Shift struct {
	Name   string      `json:"name"`
	Old    string      `json:"old,omitempty"`
	New    string      `json:"new,omitempty"`
	Had    bool        `json:"had,omitempty"` // it had a value before
	Secret bool        `json:"secret,omitempty"`
	Source ValueSource `json:"source"` // of the new one: changed, or default for one that is made from it
}

// String says the change in words.
func (s Shift) String() string {
	switch {
	case s.Secret:
		return s.Name + " (a secret) was changed"
	case !s.Had:
		return s.Name + " was set to " + quoted(s.New)
	}
	return s.Name + " was changed from " + quoted(s.Old) + " to " + quoted(s.New)
}

// Shifts are the parameters that differ, in the order of the runbook.
func (r *Runbook) Shifts(from, to Values) []Shift {
	var out []Shift
	for _, q := range r.Params {
		old, had := from[q.Name]
		now, has := to[q.Name]
		if had == has && old.Text == now.Text && (old.Source == FromNone) == (now.Source == FromNone) {
			continue
		}
		s := Shift{Name: q.Name, Had: had, Secret: q.Secret || old.Secret || now.Secret, Source: now.Source}
		if !s.Secret {
			s.Old, s.New = old.Text, now.Text
		}
		out = append(out, s)
	}
	return out
}

// Undone are the values as they were before the shifts. What a secret was isn't
// known any more: its source is [FromNone].
func (v Values) Undone(shifts []Shift) Values {
	out := maps.Clone(v)
	for _, s := range shifts {
		switch {
		case s.Secret:
			out[s.Name] = Value{Secret: true, Source: FromNone}
		case !s.Had:
			delete(out, s.Name)
		default:
			out[s.Name] = Value{Text: s.Old, Source: FromSet}
		}
	}
	return out
}
