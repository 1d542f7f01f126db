package world

import (
	"fmt"
	"time"

	"runbook/internal/dig"
)

const gatewayGroup = "gateway.networking.k8s.io"

// A parent is one parentRef of a route with the defaults filled in.
type parent struct {
	group, kind, namespace, name, section string
	port                                  int64
}

func parentOf(ref any, home string) parent {
	p := parent{
		group: gatewayGroup, kind: orElse(dig.Text(ref, "kind"), "Gateway"),
		namespace: orElse(dig.Text(ref, "namespace"), home), name: dig.Text(ref, "name"),
		section: dig.Text(ref, "sectionName"), port: dig.Int(ref, "port"),
	}
	// An empty group is a choice (core), a missing one the default.
	if g, ok := dig.At(ref, "group").(string); ok {
		p.group = g
	}
	return p
}

func (p parent) String() string {
	text := fmt.Sprintf("%s/%s in %s", kindWord(p.kind), p.name, p.namespace)
	if p.section != "" {
		text += " (listener " + p.section + ")"
	}
	return text
}

func kindWord(kind string) string { return NewRef(kind, "", "", "").Kind }

// Parents are the Gateways that a route names, as references.
func Parents(route map[string]any) []Ref {
	var out []Ref
	for _, r := range dig.List(route, "spec", "parentRefs") {
		p := parentOf(r, dig.Text(route, "metadata", "namespace"))
		if p.kind == "Gateway" && p.group == gatewayGroup {
			out = append(out, NewRef("gateway", gatewayGroup, p.namespace, p.name))
		}
	}
	return out
}

// routeReady resolves every parentRef itself: controllers differ in what they
// write for a parent that can't be attached to, and many write nothing.
func routeReady(s subject) Verdict {
	return eachParent(s, func(p parent) Verdict {
		if v := answered(s, p, "Accepted", "ResolvedRefs"); v.Answer != Holds {
			return v
		}
		return carries(s, p)
	})
}

// RouteAccepted says whether every parent of a route has accepted it, whatever
// its backends are.
func RouteAccepted(o Object, now time.Time) Verdict {
	s := newSubject(o, now)
	return eachParent(s, func(p parent) Verdict { return answered(s, p, "Accepted") })
}

func eachParent(s subject, judge func(parent) Verdict) Verdict {
	refs := dig.List(s.Body, "spec", "parentRefs")
	if len(refs) == 0 {
		return fails("it names no parent")
	}
	worst := holds()
	for _, r := range refs {
		v := judge(parentOf(r, s.namespace()))
		if worse(v, worst) || (worst.Why == "" && v.Answer == worst.Answer) {
			worst = v
		}
	}
	return worst
}

// answered looks for the parent's entry in the status and its conditions.
func answered(s subject, p parent, kinds ...string) Verdict {
	entry, ok := parentStatus(s, p)
	if !ok {
		if why := unattachable(s, p); why != "" {
			return fails("%s", why)
		}
		return waitsOrFails(s.young(), "no controller has answered for %s", p)
	}
	conditions := dig.List(entry, "conditions")
	for _, kind := range kinds {
		c, ok := conditionIn(conditions, kind)
		switch {
		case !ok || (c.Observed != 0 && c.Observed < s.generation()):
			return waits("%s: %s is not known for generation %d", p, kind, s.generation())
		case c.is("False") && unattachable(s, p) != "":
			return fails("%s", unattachable(s, p))
		case !c.is("True"):
			return waitsOrFails(c.is("Unknown"), "%s: %s", p, orElse(c.text(), kind+" is "+c.Status))
		}
	}
	if c, ok := conditionIn(conditions, "PartiallyInvalid"); ok && c.is("True") {
		return fails("%s: partially invalid: %s", p, c.text())
	}
	return holds()
}

func parentStatus(s subject, want parent) (entry any, ok bool) {
	for _, e := range dig.List(s.Body, "status", "parents") {
		if parentOf(dig.At(e, "parentRef"), s.namespace()) == want {
			return e, true
		}
	}
	return nil, false
}

// unattachable says what is wrong with the parent itself, as far as its
// Gateway is known.
func unattachable(s subject, p parent) string {
	if p.kind != "Gateway" || p.group != gatewayGroup {
		return ""
	}
	gateway := s.related("gateway", p.namespace, p.name)
	if gateway.Presence == Gone {
		text := fmt.Sprintf("there is no gateway %s in namespace %s", p.name, p.namespace)
		if p.namespace == s.namespace() {
			text += " (a parentRef without a namespace means the route's own)"
		}
		return text
	}
	if gateway.Presence != Present || p.section == "" {
		return ""
	}
	for _, l := range Listeners(gateway.Body) {
		if l.Name == p.section {
			return ""
		}
	}
	return fmt.Sprintf("gateway %s has no listener %q", p.name, p.section)
}

// carries wants the Gateway to count at least one attached route.
func carries(s subject, p parent) Verdict {
	if p.kind != "Gateway" || p.group != gatewayGroup {
		return holds()
	}
	gateway := s.related("gateway", p.namespace, p.name)
	if v, unknown := Unknown(gateway); unknown {
		return unsure("accepted, but gateway %s in %s: %s", p.name, p.namespace, v.Why)
	}
	var n int64
	for _, l := range Listeners(gateway.Body) {
		if p.section == "" || p.section == l.Name {
			n += l.Attached
		}
	}
	if n == 0 {
		return waitsOrFails(s.young(), "accepted, but %s counts no attached route", p)
	}
	return holds()
}
