package operators

import (
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// verdict is what becomes of a route at one of its parents: the listeners it is attached to, or why to none.
type verdict struct {
	listeners       []string
	reason, message string
}

func (v verdict) accepted() bool { return len(v.listeners) > 0 }

// attach decides at which listeners of g the route r is accepted through parent p. The checks are the specification's,
// in its order: is there such a listener, does it admit the namespace, do the host names meet.
func (c *cluster) attach(g *Gateway, r *Route, p Parent) verdict {
	var chosen, admitted []Listener
	for _, l := range g.Spec.Listeners {
		if (p.SectionName == "" || p.SectionName == l.Name) && (p.Port == 0 || p.Port == l.Port) && (l.Protocol == "HTTP" || l.Protocol == "HTTPS") {
			chosen = append(chosen, l)
		}
	}
	if len(chosen) == 0 {
		return verdict{reason: "NoMatchingParent", message: "No matching listener with sectionName " + p.SectionName}
	}
	for _, l := range chosen {
		if c.admitsRoutes(g, l, r.Namespace) {
			admitted = append(admitted, l)
		}
	}
	if len(admitted) == 0 {
		return verdict{reason: "NotAllowedByListeners", message: "HTTPRoute is not allowed to attach to this Gateway due to namespace restrictions"}
	}
	v := verdict{reason: "NoMatchingListenerHostname", message: "No matching listener hostname"}
	for _, l := range admitted {
		if meets(l.Hostname, r.Spec.Hostnames) {
			v.listeners = append(v.listeners, l.Name)
		}
	}
	if v.accepted() {
		v.reason, v.message = "Accepted", "Accepted HTTPRoute"
	}
	return v
}

// admitsRoutes matches allowedRoutes against the namespace and its labels; the route's own labels never matter.
func (c *cluster) admitsRoutes(g *Gateway, l Listener, namespace string) bool {
	from := "Same"
	var selector map[string]any
	if l.Allowed != nil && l.Allowed.Namespaces != nil {
		if n := l.Allowed.Namespaces; n.From != "" {
			from, selector = n.From, n.Selector
		}
	}
	switch from {
	case "All":
		return true
	case "Selector":
		ns := c.find(Namespaces, "", namespace)
		return ns != nil && selects(selector, labels.Set(ns.GetLabels()))
	case "Same":
		return namespace == g.Namespace
	}
	return false
}

// meets reports whether a listener's host name and a route's have one in common.
func meets(listener string, hosts []string) bool {
	if listener == "" || len(hosts) == 0 {
		return true
	}
	for _, h := range hosts {
		if Covers(listener, h) || Covers(h, listener) {
			return true
		}
	}
	return false
}

// Covers reports whether pattern, which may begin with "*.", stands for host. The star stands for one label or more.
func Covers(pattern, host string) bool {
	pattern, host = strings.ToLower(pattern), strings.ToLower(host)
	if tail, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(host, tail) && len(host) > len(tail)
	}
	return pattern == host
}
