package engine

import (
	"maps"
	"slices"

	"runbook/internal/guard"
	"runbook/internal/steps"
)

// A footing is what a run stands on: its values, and where it happens. It is
// replaced as a whole when a value changes, and never changed itself.
type footing struct {
	gen   int         // counts the changes
	fresh *steps.Plan // every step with the values in force
	shown *steps.Plan // settled steps as they were when they were settled
	where guard.Where
	old   map[string]binding // settled steps that stand on other values
}

// A binding is a step with the values that it stands on.
type binding struct {
	*steps.BoundStep
	values    steps.Values
	namespace string // where objects without one are meant
	old       bool   // the values have changed since
}

// present is a step as it would run now; ok is false when there is none.
func (f footing) present(id string) (b binding, ok bool) {
	s := f.fresh.Step(id)
	return binding{BoundStep: s, values: f.fresh.Values, namespace: f.where.Namespace}, s != nil
}

// asShown is a step as it is shown: of a settled one, as it was.
func (f footing) asShown(id string) (b binding, ok bool) {
	if b, ok := f.old[id]; ok {
		return b, true
	}
	return f.present(id)
}

// without is the footing on which steps stand on the values in force again.
func (f footing) without(ids ...string) footing {
	if !slices.ContainsFunc(ids, func(id string) bool { _, ok := f.old[id]; return ok }) {
		return f
	}
	f.old = maps.Clone(f.old)
	for _, id := range ids {
		delete(f.old, id)
	}
	return f.drawn()
}

// drawn brings the plan that is shown up to date.
func (f footing) drawn() footing {
	f.shown = f.fresh
	if len(f.old) == 0 {
		return f
	}
	plan := *f.fresh
	plan.Steps = slices.Clone(plan.Steps)
	for i, s := range plan.Steps {
		if b, ok := f.old[s.ID]; ok {
			plan.Steps[i] = *b.BoundStep
		}
	}
	f.shown = &plan
	return f
}

// firstFooting is that of a run which begins, or goes on with what its record
// tells of the values that its steps were settled with.
func firstFooting(cfg Config) footing {
	f := footing{fresh: cfg.Plan, where: cfg.Where, old: map[string]binding{}}
	for id, values := range cfg.With {
		if !kept(cfg.Run.Steps[id].Status) || len(cfg.Plan.Runbook.Shifts(values, cfg.Plan.Values)) == 0 {
			continue
		}
		plan, _ := cfg.Plan.Runbook.Bind(values) // what can't be bound any more isn't offered; it has run
		if s := plan.Step(id); s != nil {
			f.old[id] = binding{BoundStep: s, values: values, namespace: namespaceOf(cfg, values, f.where.Namespace), old: true}
		}
	}
	return f.drawn()
}

func namespaceOf(cfg Config, v steps.Values, now string) string {
	if cfg.Namespace == nil {
		return now
	}
	return cfg.Namespace(v)
}

// kept tells whether a step of this status keeps the values that it has.
func kept(s steps.Status) bool { return s.Settled() && s != steps.NotTaken }

func (e *Engine) footing() footing {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.foot
}

// step is a step as it is shown.
func (e *Engine) step(id string) (binding, bool) { return e.footing().asShown(id) }

// stands notes what a step stands on from this fact on; e.mu is held.
func (e *Engine) stands(ev steps.Event) {
	switch ev.Kind {
	case steps.StepStarted, steps.StepSatisfied, steps.StepTicked, steps.StepSkipped:
		e.with[ev.Step] = e.foot.fresh.Values
	case steps.StepReopened:
	default:
		return
	}
	e.foot = e.foot.without(ev.Step)
}

// Since says which parameters have another value than when a step was last
// tried or settled, as far as the step has to do with them.
func (e *Engine) Since(step string) []steps.Shift {
	e.mu.Lock()
	foot, with, status := e.foot, e.with[step], e.run.Steps[step].Status
	e.mu.Unlock()
	if with == nil || status == steps.Pending || status == steps.NotTaken || status == steps.Skipped {
		return nil
	}
	before, ok := foot.asShown(step)
	if !ok {
		return nil
	}
	if !before.old { // a step that failed: what it ran with, as it would run now
		before.values = with
	}
	return e.concerns(before, shownShifts(e.cfg.Hide, foot.fresh.Runbook.Shifts(with, foot.fresh.Values)))
}
