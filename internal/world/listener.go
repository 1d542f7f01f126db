package world

import (
	"slices"
	"strings"

	"runbook/internal/dig"
)

// A Listener is one door of a Gateway: what its spec opens and what its status
// says of it.
type Listener struct {
	Name     string
	Protocol string // HTTP, HTTPS, TLS, TCP, UDP
	Hostname string // "" means every host
	Attached int64  // routes that were accepted
	home     string // namespace of the Gateway
	allowed  any    // spec.allowedRoutes.namespaces
	status   any    // nil when the controller reports nothing of it
	gen      int64  // of the Gateway
}

// Listeners are those of a Gateway's spec, in its order.
func Listeners(gateway map[string]any) []Listener {
	var out []Listener
	for _, l := range dig.List(gateway, "spec", "listeners") {
		listener := Listener{
			Name: dig.Text(l, "name"), Protocol: dig.Text(l, "protocol"), Hostname: dig.Text(l, "hostname"),
			home: dig.Text(gateway, "metadata", "namespace"), allowed: dig.At(l, "allowedRoutes", "namespaces"),
			gen: dig.Int(gateway, "metadata", "generation"),
		}
		for _, st := range dig.List(gateway, "status", "listeners") {
			if dig.Text(st, "name") == listener.Name {
				listener.status, listener.Attached = st, dig.Int(st, "attachedRoutes")
			}
		}
		out = append(out, listener)
	}
	return out
}

// TLS reports whether the listener speaks TLS.
func (l Listener) TLS() bool { return l.Protocol == "HTTPS" || l.Protocol == "TLS" }

// Serves reports whether the listener's hostname covers host. A wildcard stands
// for one or more labels and never for none, as the Gateway API has it.
func (l Listener) Serves(host string) bool {
	have, host := strings.ToLower(l.Hostname), strings.ToLower(host)
	if have == "" || have == host {
		return true
	}
	suffix, wild := strings.CutPrefix(have, "*")
	return wild && strings.HasSuffix(host, suffix) && len(host) > len(suffix)
}

// Ready says whether the listener takes traffic.
func (l Listener) Ready() Verdict {
	if l.status == nil {
		return waits("the controller reports nothing of listener %s", l.Name)
	}
	conditions := dig.List(l.status, "conditions")
	if c, ok := conditionIn(conditions, "Conflicted"); ok && c.is("True") {
		return fails("listener %s: %s", l.Name, c.text())
	}
	// ResolvedRefs goes first: a missing certificate is why it isn't programmed.
	for _, kind := range []string{"ResolvedRefs", "Accepted", "Programmed"} {
		c, ok := conditionIn(conditions, kind)
		switch {
		case !ok || c.is("Unknown"):
			return waits("listener %s: %s is not known yet", l.Name, kind)
		case c.Observed != 0 && c.Observed < l.gen:
			return waits("listener %s: its controller has seen generation %d of %d", l.Name, c.Observed, l.gen)
		case c.is("False"):
			return fails("listener %s: %s", l.Name, c.text())
		}
	}
	return holds()
}

// Admits says whether routes of the namespace may attach. A selector is matched
// against the labels of the Namespace, never those of a route.
func (l Listener) Admits(namespace Object) Verdict {
	switch from := orElse(dig.Text(l.allowed, "from"), "Same"); from {
	case "All":
		return holds()
	case "Same":
		if namespace.Ref.Name == l.home {
			return holds()
		}
		return fails("listener %s lets in only routes of its own namespace %s", l.Name, l.home)
	case "Selector":
		return l.selects(namespace)
	default:
		return fails("listener %s lets in no namespace (from: %s)", l.Name, from)
	}
}

func (l Listener) selects(namespace Object) Verdict {
	if v, unknown := Unknown(namespace); unknown {
		return unsure("the labels of namespace %s: %s", namespace.Ref.Name, v.Why)
	}
	if namespace.Presence != Present {
		return fails("namespace %s does not exist", namespace.Ref.Name)
	}
	labels, _ := dig.At(namespace.Body, "metadata", "labels").(map[string]any)
	for k, want := range labelMap(dig.At(l.allowed, "selector", "matchLabels")) {
		if have, _ := labels[k].(string); have != want {
			return fails("listener %s lets in namespaces with label %s=%s, %s has %s", l.Name, k, want, namespace.Ref.Name, orElse(have, "none"))
		}
	}
	for _, e := range dig.List(l.allowed, "selector", "matchExpressions") {
		if !meets(labels, e) {
			return fails("listener %s selects namespaces by %s %s %s, %s doesn't match", l.Name,
				dig.Text(e, "key"), dig.Text(e, "operator"), strings.Join(strs(e, "values"), ","), namespace.Ref.Name)
		}
	}
	return holds()
}

func labelMap(v any) map[string]string {
	m, _ := v.(map[string]any)
	out := map[string]string{}
	for k, e := range m {
		out[k], _ = e.(string)
	}
	return out
}

// meets evaluates one requirement of a label selector.
func meets(labels map[string]any, requirement any) bool {
	have, there := labels[dig.Text(requirement, "key")]
	text, _ := have.(string)
	in := slices.Contains(strs(requirement, "values"), text)
	switch dig.Text(requirement, "operator") {
	case "In":
		return there && in
	case "NotIn":
		return !there || !in
	case "Exists":
		return there
	case "DoesNotExist":
		return !there
	}
	return false
}
