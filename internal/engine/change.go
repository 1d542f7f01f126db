package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"runbook/internal/risk"
	"runbook/internal/steps"
)

// A Meaning is what another value of a parameter would mean for a run.
type Meaning struct {
	Shifts []steps.Shift // the parameter, and those that are made from it; none when it has this value
	Turn   steps.Turn    // which steps are taken now, which no longer, and which are open again
	// Ran are the steps that ran with the old value and have to do with it.
	Ran []string
	// Stranded are those that ran, and wouldn't be taken with the new value.
	Stranded []string
	// Edited are the steps whose commands the operator has edited: the text
	// stays as it was typed.
	Edited []string
	// Beside are the steps whose commands go on in the background with the old value.
	Beside []string
	// Strayed are the parameters among Shifts that a step has set itself: its
	// value in the session gives way.
	Strayed []string
	// Protects says of each protected value that is another one then, which.
	Protects []string
	// Namespace is where objects without one are meant from then on, when that
	// is another one.
	Namespace string
}

// A ChangeError says why a value can't change now.
type ChangeError struct{ Param, Why, Next string }

func (e *ChangeError) Error() string { return "change " + e.Param + ": " + e.Why }

// Hint says what to do next.
func (e *ChangeError) Hint() string { return e.Next }

// ErrMeaning says that a change means something else than what was shown.
var ErrMeaning = errors.New("what it would mean has changed since it was shown")

// Consider says what another value of a parameter would mean; nothing changes.
func (e *Engine) Consider(name, text string) (Meaning, error) {
	m, _, err := e.consider(name, text)
	return m, err
}

// consider is Consider, with the footing that the run would have.
func (e *Engine) consider(name, text string) (Meaning, footing, error) {
	e.mu.Lock()
	run, foot, busy, edits := e.run, e.foot, e.busy, slices.Sorted(maps.Keys(e.edits))
	beside := e.besideRunning()
	e.mu.Unlock()
	if busy != nil {
		return Meaning{}, footing{}, &ChangeError{Param: name, Why: "step " + busy.step.ID + " is running, and must end with the values that it began with", Next: "wait for it, or stop it"}
	}
	book := foot.fresh.Runbook
	values, err := book.Amend(foot.fresh.Values, name, text)
	if err != nil {
		return Meaning{}, footing{}, err
	}
	m := Meaning{Shifts: shownShifts(e.cfg.Hide, book.Shifts(foot.fresh.Values, values))}
	strayed := e.cfg.Shell.Strayed()
	if len(m.Shifts) == 0 && slices.Contains(strayed, name) {
		m.Shifts = []steps.Shift{e.again(foot, name)} // the value that the session has lost
	}
	if len(m.Shifts) == 0 {
		return m, footing{}, nil
	}
	plan, err := book.Bind(values)
	if err != nil {
		return Meaning{}, footing{}, &ChangeError{Param: name, Why: err.Error(), Next: "give it another value"}
	}
	next := footing{gen: foot.gen + 1, fresh: plan, where: foot.where, old: map[string]binding{}}
	next.where.Namespace = namespaceOf(e.cfg, values, foot.where.Namespace)
	next.where = shownWhere(e.cfg.Hide, next.where)
	if next.where.Namespace != foot.where.Namespace {
		m.Namespace = next.where.Namespace
	}
	m.Turn = steps.NewTurn(run, foot.shown, plan, m.Namespace != "")
	for id := range m.Turn.NotTaken {
		if run.Steps[id].Status == steps.Unsure {
			return Meaning{}, footing{}, &ChangeError{Param: name, Why: "step " + id + " was cut off, it isn't known what it did, and it would no longer be taken",
				Next: "run it, tick it off or skip it first"}
		}
	}
	e.affected(&m, run.Turned(m.Turn, e.cfg.Now()), foot, &next)
	for _, s := range m.Shifts {
		if slices.Contains(strayed, s.Name) {
			m.Strayed = append(m.Strayed, s.Name)
		}
	}
	for _, id := range edits {
		if b, ok := foot.present(id); ok && !run.Steps[id].Status.Settled() && len(e.concerns(b, m.Shifts)) > 0 {
			m.Edited = append(m.Edited, id)
		}
	}
	m.Beside = beside
	for _, text := range guarded(foot.fresh.Protects, plan.Protects) {
		m.Protects = append(m.Protects, e.cfg.Hide.Sentence(text))
	}
	return m, next.drawn(), nil
}

// guarded says which protected values are others under new values.
func guarded(old, now []steps.Protect) []string {
	place := func(p steps.Protect) string {
		var at []string
		if p.Secret != "" {
			at = append(at, "secret "+p.Secret+" "+p.Key)
		}
		if p.Vault != "" {
			at = append(at, "vault "+p.Vault+" "+p.Property)
		}
		return strings.Join(at, ", ")
	}
	var out []string
	for i := range min(len(old), len(now)) {
		if was, is := place(old[i]), place(now[i]); was != is {
			out = append(out, now[i].Name+": "+is+" is protected then, and no longer "+was)
		}
	}
	return out
}

// Strayed are the parameters that a step has given another value in the session.
func (e *Engine) Strayed() []string { return e.cfg.Shell.Strayed() }

// again is the shift of a parameter to the value that it has already.
func (e *Engine) again(foot footing, name string) steps.Shift {
	v := foot.fresh.Values[name]
	s := steps.Shift{Name: name, Had: true, Secret: v.Secret, Source: v.Source}
	if !v.Secret {
		s.Old, s.New = v.Text, v.Text
	}
	return s
}

// affected finds the steps that keep the old values, and what that means.
func (e *Engine) affected(m *Meaning, after steps.Run, foot footing, next *footing) {
	for _, id := range after.Order {
		b, ok := foot.asShown(id)
		state := after.Steps[id]
		if !ok || !kept(state.Status) {
			continue
		}
		if len(next.fresh.Runbook.Shifts(b.values, next.fresh.Values)) == 0 {
			continue // back to what it stands on
		}
		b.old = true
		next.old[id] = b
		if state.Status == steps.Skipped || state.Tries == 0 && state.Status != steps.Ticked {
			continue
		}
		if len(e.concerns(b, m.Shifts)) > 0 {
			m.Ran = append(m.Ran, id)
		}
		if s := next.fresh.Step(id); s != nil && !s.Taken && b.Taken {
			m.Stranded = append(m.Stranded, id)
		}
	}
}

// concerns are the shifts that a step has to do with: its text names the
// parameter, or it can't be told what its commands read.
func (e *Engine) concerns(b binding, shifts []steps.Shift) []steps.Shift {
	if e.assess(b).Class == risk.Unknown {
		return shifts
	}
	text := string(e.footing().fresh.Runbook.Text(b.Step))
	for w := b.When; w != nil; w = w.Outer {
		text += " " + w.Param
	}
	return slices.DeleteFunc(slices.Clone(shifts), func(s steps.Shift) bool { return !names(text, s.Name) })
}

// names tells whether a text holds a name as a word; placeholders are written
// in any case and with dashes.
func names(text, name string) bool {
	fold := func(s string) string { return strings.ReplaceAll(strings.ToUpper(s), "-", "_") }
	word := func(c byte) bool { return c == '_' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }
	text, name = fold(text), fold(name)
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		if (from == 0 || !word(text[from-1])) && (to == len(text) || !word(text[to])) {
			return true
		}
		at = from + 1
	}
}

// Change gives a parameter another value. What was shown of its meaning must
// still be so, else the error is [ErrMeaning]. Steps that have run keep what
// they ran with; all others follow.
func (e *Engine) Change(ctx context.Context, name, text string, shown Meaning) error {
	_, next, err := e.consider(name, text)
	if err != nil {
		return err
	}
	if next.fresh != nil && e.cfg.Admit != nil {
		if err := e.cfg.Admit(ctx, next.fresh); err != nil {
			return fmt.Errorf("change %s: %w", name, err)
		}
	}
	e.facts.Lock()
	changed, err := e.change(name, text, shown)
	e.facts.Unlock()
	if err != nil || !changed {
		return err
	}
	e.want()
	e.settleIfSatisfied()
	return nil
}

// change is the part of Change during which no step can start or move;
// e.facts is held.
func (e *Engine) change(name, text string, shown Meaning) (changed bool, err error) {
	m, next, err := e.consider(name, text)
	switch {
	case err != nil:
		return false, err
	case !reflect.DeepEqual(m, shown):
		return false, ErrMeaning
	case len(m.Shifts) == 0:
		return false, nil
	}
	if err := e.cfg.Journal.Values(Amendment{Shifts: m.Shifts, Turn: m.Turn}); err != nil {
		return false, fmt.Errorf("change %s: %w", name, err)
	}
	for _, s := range m.Shifts {
		e.cfg.Shell.Renew(s.Name)
	}
	e.mu.Lock()
	e.foot, e.run = next, e.run.Turned(m.Turn, e.cfg.Now())
	clear(e.judged)
	for id, p := range e.past {
		p.Edited = true // what was started isn't what would run now
		e.past[id] = p
	}
	run := e.run
	e.wake()
	e.mu.Unlock()
	e.events.put(ValuesChanged{Plan: next.shown, Run: run, Where: next.where, Meaning: m})
	return true, nil
}
