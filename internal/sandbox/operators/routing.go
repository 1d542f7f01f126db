package operators

import (
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Hop is where the gateway sends a request.
type Hop struct {
	Listening bool   // some programmed Gateway has a listener for the port and the host
	Route     string // the accepted HTTPRoute that matched, as namespace/name; "" for none
	// Scheme and Status are set for a redirect.
	Scheme string
	Status int
	Broken bool // the rule names no Service that is there
	// Pod answers when there is one that is ready and speaks HTTP.
	Pod http.Handler
}

// Hop decides as the data plane would. It goes by what the controller has accepted, not by what a route asks for.
func (o *Operators) Hop(host, method, path string, port int64) Hop {
	var hop Hop
	best := match{}
	for _, g := range o.cluster.gateways() {
		if !holds(g.object, "Programmed") {
			continue
		}
		l, ok := listenerFor(g, host, port)
		if !ok {
			continue
		}
		hop.Listening = true
		for _, r := range o.cluster.routes() {
			if o.cluster.carries(g, l, r) {
				best = better(best, r, host, method, path)
			}
		}
	}
	if best.rule == nil {
		return hop
	}
	hop.Route = best.route.Namespace + "/" + best.route.Name
	for _, f := range best.rule.Filters {
		if f.Redirect != nil {
			hop.Scheme, hop.Status = f.Redirect.Scheme, f.Redirect.Status
			if hop.Status == 0 {
				hop.Status = http.StatusFound
			}
			return hop
		}
	}
	hop.Pod, hop.Broken = o.pod(best)
	return hop
}

// listenerFor picks the most specific programmed listener of g for a host on a port.
func listenerFor(g *Gateway, host string, port int64) (Listener, bool) {
	var best Listener
	found := false
	status := conditionsOf(g.object.Object, "status", "listeners")
	for _, l := range g.Spec.Listeners {
		up := pick(pickListener(status, l.Name), "Programmed")
		if l.Port != port || up == nil || up["status"] != "True" || (l.Hostname != "" && !Covers(l.Hostname, host)) {
			continue
		}
		if !found || len(l.Hostname) > len(best.Hostname) {
			best, found = l, true
		}
	}
	return best, found
}

// carries reports whether listener l of g serves route r: attached, and accepted in the route's status.
func (c *cluster) carries(g *Gateway, l Listener, r *Route) bool {
	status := conditionsOf(r.object.Object, "status", "parents")
	refs, _, _ := unstructured.NestedSlice(r.object.Object, "spec", "parentRefs")
	for i, p := range r.Spec.Parents {
		if ns := p.Namespace; !p.gateway() || p.Name != g.Name || (ns != g.Namespace && (ns != "" || r.Namespace != g.Namespace)) {
			continue
		}
		accepted := pick(entryFor(status, refs[i]), "Accepted")
		if accepted != nil && accepted["status"] == "True" && slices.Contains(c.attach(g, r, p).listeners, l.Name) {
			return true
		}
	}
	return false
}

// match is a rule that fits a request, and how well.
type match struct {
	route      *Route
	rule       *Rule
	host, path int
}

// better returns the better of best and what r has for the request: the longer host name wins, then the longer path.
func better(best match, r *Route, host, method, path string) match {
	hostLen := -1
	if len(r.Spec.Hostnames) == 0 {
		hostLen = 0
	}
	for _, h := range r.Spec.Hostnames {
		if Covers(h, host) {
			hostLen = max(hostLen, len(h))
		}
	}
	if hostLen < 0 {
		return best
	}
	for i := range r.Spec.Rules {
		rule := &r.Spec.Rules[i]
		pathLen := rule.fits(method, path)
		if pathLen < 0 {
			continue
		}
		if best.rule == nil || hostLen > best.host || (hostLen == best.host && pathLen > best.path) {
			best = match{r, rule, hostLen, pathLen}
		}
	}
	return best
}

// fits returns how many characters of path the rule names, -1 when it doesn't match.
func (r *Rule) fits(method, path string) int {
	if len(r.Matches) == 0 {
		return 1
	}
	longest := -1
	for _, m := range r.Matches {
		if m.Method != "" && m.Method != method {
			continue
		}
		kind, value := "PathPrefix", "/"
		if m.Path != nil {
			value = m.Path.Value
			if m.Path.Type != "" {
				kind = m.Path.Type
			}
		}
		prefix := strings.TrimSuffix(value, "/")
		if path == value || (kind == "PathPrefix" && (path == prefix || strings.HasPrefix(path, prefix+"/"))) {
			longest = max(longest, len(value))
		}
	}
	return longest
}

// pod finds a ready pod behind the rule's backends, and reports whether not even a Service is there.
func (o *Operators) pod(m match) (pod http.Handler, broken bool) {
	broken = true
	for _, b := range m.rule.Backends {
		if b.Weight != nil && *b.Weight == 0 {
			continue
		}
		ns := b.Namespace
		if ns == "" {
			ns = m.route.Namespace
		}
		if o.cluster.find(Services, ns, b.Name) == nil {
			continue
		}
		broken = false
		for _, name := range o.kubelet.network().ready(ns, b.Name) {
			if h := o.Handler(ns, name); h != nil {
				return h, false
			}
		}
	}
	return nil, broken
}

// Certificate returns the PEM certificate and key that the gateway presents for a host on a TLS port.
func (o *Operators) Certificate(host string, port int64) (certificate, key []byte, ok bool) {
	for _, g := range o.cluster.gateways() {
		l, found := listenerFor(g, host, port)
		if !found || l.TLS == nil {
			continue
		}
		for _, ref := range l.TLS.Certificates {
			ns := ref.Namespace
			if ns == "" {
				ns = g.Namespace
			}
			if data := contents(Secrets, o.cluster.find(Secrets, ns, ref.Name)); data != nil {
				return []byte(data["tls.crt"]), []byte(data["tls.key"]), true
			}
		}
	}
	return nil, nil, false
}
