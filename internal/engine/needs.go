package engine

import (
	"slices"

	"runbook/internal/expect"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

func (w Wanted) and(o Wanted) Wanted {
	return Wanted{
		Objects: union(w.Objects, o.Objects),
		Entries: union(w.Entries, o.Entries),
		Caps:    union(w.Caps, o.Caps),
		URLs:    union(w.URLs, o.URLs),
	}
}

func union[T comparable](a, b []T) []T {
	a = slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// needs are the facts that a step's expectations, watches and commands depend on.
func (e *Engine) needs(s binding) Wanted {
	var w Wanted
	for _, c := range e.expectations(s) {
		for _, n := range expect.Needs(c.Expect, s.namespace) {
			w = w.and(wanted(n))
		}
	}
	for _, item := range e.live(s) {
		w = w.and(subjectWanted(item.Subject, s.namespace))
	}
	return w.and(e.protectsWanted(s))
}

func wanted(n expect.Need) Wanted {
	var w Wanted
	if n.Object != nil {
		w.Objects = []world.Ref{*n.Object}
	}
	if n.Entry != "" {
		w.Entries = []string{n.Entry}
	}
	if n.Caps != "" {
		w.Caps = []string{n.Caps}
	}
	if n.URL != "" {
		w.URLs = []string{n.URL}
	}
	return w
}

func subjectWanted(s steps.Subject, namespace string) Wanted {
	var w Wanted
	switch s.Source {
	case steps.Kube:
		w.Objects = []world.Ref{expect.Ref(s, namespace)}
	case steps.Vault:
		if s.Entry != "" && s.Entry != "token" {
			w.Entries = []string{s.Entry}
		}
	case steps.HTTP:
		w.URLs = []string{s.URL}
	}
	return w
}

// Live lists the things whose state belongs beside a step: what its
// expectations name, what its author watches, and what its commands touch.
func (e *Engine) Live(step string) []LiveItem {
	b, ok := e.step(step)
	if !ok {
		return nil
	}
	return e.live(b)
}

func (e *Engine) live(s binding) []LiveItem {
	var items []LiveItem
	add := func(subject steps.Subject, from string) {
		if subject.Source == steps.Output || subject.Source == steps.CEL {
			return
		}
		if subject.Source == steps.Kube && subject.Namespace == "" {
			subject.Namespace = expect.Ref(subject, s.namespace).Namespace
		}
		known := func(i LiveItem) bool { return sameSubject(i.Subject, subject) }
		if !slices.ContainsFunc(items, known) {
			items = append(items, LiveItem{Subject: subject, From: from})
		}
	}
	for _, c := range e.expectations(s) {
		add(c.Expect.Subject, "expect")
	}
	for _, w := range s.Watch {
		add(w, "watch")
	}
	for _, t := range e.touches(s) {
		if subject, ok := touched(t); ok {
			add(subject, "command")
		}
	}
	return items
}

func sameSubject(a, b steps.Subject) bool {
	if a.Source != b.Source {
		return false
	}
	if a.Source == steps.Kube {
		x, y := expect.Ref(a, ""), expect.Ref(b, "")
		return x.Kind == y.Kind && x.Name == y.Name && x.Namespace == y.Namespace
	}
	return a == b
}

// touched is the subject that a command acts on, when it names one.
func touched(t risk.Touch) (steps.Subject, bool) {
	switch {
	case t.Vault != "":
		return steps.Subject{Source: steps.Vault, Entry: t.Vault}, true
	case t.Kind != "" && t.Name != "":
		return steps.Subject{Source: steps.Kube, Kind: t.Kind, Group: t.Group, Name: t.Name, Namespace: t.Namespace}, true
	}
	return steps.Subject{}, false
}

// protectsWanted are the facts that tell where protected values live and, before
// a step that changes something, who uses them.
func (e *Engine) protectsWanted(s binding) Wanted {
	var w Wanted
	for _, p := range e.Plan().Protects {
		w = w.and(Wanted{Objects: guard.Facts(p, e.assess(s).Class > risk.Read)})
		if p.Vault != "" {
			w = w.and(Wanted{Entries: []string{p.Vault}})
		}
	}
	return w
}
