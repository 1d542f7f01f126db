package operators

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// controllerName is under which name this controller answers for GatewayClasses and routes.
const controllerName = "io.cilium/gateway-controller"

// gatewayAddress is where the gateway would be reached from outside; the block is reserved for documentation.
const gatewayAddress = "192.0.2.80"

// gatewayController accepts classes, programs Gateways and attaches routes.
type gatewayController struct {
	*cluster
	reportMissing bool
}

func newGateways(c *cluster, reportMissing bool) controller {
	g := &gatewayController{c, reportMissing}
	return controller{"gateways", []GVR{GatewayClasses, Gateways, HTTPRoutes, ReferenceGrants, Namespaces, Services, Secrets, Deployments}, g.pass}
}

func (g *gatewayController) pass(ctx context.Context) (time.Duration, error) {
	if !g.installed(GatewayOperator) {
		return 0, nil
	}
	ours := map[string]bool{}
	for _, o := range g.all(GatewayClasses) {
		if name, _, _ := unstructured.NestedString(o.Object, "spec", "controllerName"); name != controllerName {
			continue
		}
		ours[o.GetName()] = true
		status := map[string]any{"conditions": merged(nil, g.now(), cond{
			kind: "Accepted", status: "True", reason: "Accepted", message: "Valid GatewayClass", generation: o.GetGeneration()})}
		if !holds(o, "Accepted") {
			if err := g.setStatus(ctx, GatewayClasses, o, status); err != nil {
				return 0, err
			}
		}
	}
	gateways := map[string]*Gateway{}
	for _, gw := range g.gateways() {
		if ours[gw.Spec.Class] {
			gateways[gw.Namespace+"/"+gw.Name] = gw
		}
	}
	attached := map[string]int64{}
	var failed error
	for _, r := range g.routes() {
		if err := g.route(ctx, r, gateways, attached); err != nil {
			failed = err
		}
	}
	for _, gw := range gateways {
		if err := g.gateway(ctx, gw, attached); err != nil {
			failed = err
		}
	}
	return 0, failed
}

func (g *gatewayController) gateway(ctx context.Context, gw *Gateway, attached map[string]int64) error {
	var listeners []any
	before := conditionsOf(gw.object.Object, "status", "listeners")
	healthy := len(gw.Spec.Listeners) > 0
	for _, l := range gw.Spec.Listeners {
		st, ok := g.listener(gw, l, pickListener(before, l.Name))
		st["attachedRoutes"] = attached[gw.Namespace+"/"+gw.Name+"/"+l.Name]
		listeners = append(listeners, st)
		healthy = healthy && ok
	}
	accepted := cond{kind: "Accepted", status: "True", reason: "Accepted", message: "Gateway successfully scheduled", generation: gw.Generation}
	if !healthy {
		accepted.reason = "ListenersNotValid"
	}
	programmed := cond{kind: "Programmed", status: "True", reason: "Programmed", message: "Gateway successfully reconciled", generation: gw.Generation}
	return g.setStatus(ctx, Gateways, gw.object, map[string]any{
		"addresses":  []any{map[string]any{"type": "IPAddress", "value": gatewayAddress}},
		"conditions": merged(conditionsOf(gw.object.Object, "status", "conditions"), g.now(), accepted, programmed),
		"listeners":  listeners,
	})
}

func pickListener(all []any, name string) []any {
	for _, raw := range all {
		if m, ok := raw.(map[string]any); ok && m["name"] == name {
			return conditionsOf(m, "conditions")
		}
	}
	return nil
}

// listener writes what one listener is. The Gateway as a whole may be programmed while one of its listeners is not.
func (g *gatewayController) listener(gw *Gateway, l Listener, before []any) (map[string]any, bool) {
	problem := g.certificates(gw, l)
	ok := problem == ""
	refs := cond{kind: "ResolvedRefs", status: "True", reason: "ResolvedRefs", message: "Resolved Refs", generation: gw.Generation}
	programmed := cond{kind: "Programmed", status: "True", reason: "Programmed", message: "Listener Programmed", generation: gw.Generation}
	if !ok {
		refs.status, refs.reason, refs.message = "False", "InvalidCertificateRef", problem
		programmed.status, programmed.reason, programmed.message = "False", "Invalid", "Listener Not Ready"
	}
	accepted := cond{kind: "Accepted", status: "True", reason: "Accepted", message: "Listener Accepted", generation: gw.Generation}
	kinds := []any{map[string]any{"group": Gateways.Group, "kind": "HTTPRoute"}}
	return map[string]any{
		"name": l.Name, "supportedKinds": kinds, "conditions": merged(before, g.now(), programmed, accepted, refs),
	}, ok
}

// certificates reports what is wrong with a listener's certificates, nothing for one without TLS.
func (g *gatewayController) certificates(gw *Gateway, l Listener) string {
	if l.TLS == nil {
		return ""
	}
	for _, ref := range l.TLS.Certificates {
		ns := ref.Namespace
		if ns == "" {
			ns = gw.Namespace
		}
		s := g.find(Secrets, ns, ref.Name)
		if s == nil {
			return fmt.Sprintf("secret %s not found", ref.Name)
		}
		if data := contents(Secrets, s); data["tls.crt"] == "" || data["tls.key"] == "" {
			return fmt.Sprintf("secret %s is no TLS certificate", ref.Name)
		}
	}
	return ""
}

// route writes one status entry per parent that is a Gateway of ours, and counts the listeners it is attached to.
func (g *gatewayController) route(ctx context.Context, r *Route, gateways map[string]*Gateway, attached map[string]int64) error {
	before := conditionsOf(r.object.Object, "status", "parents")
	parents := []any{}
	for _, raw := range before {
		if m, _ := raw.(map[string]any); m["controllerName"] != controllerName {
			parents = append(parents, raw) // another controller's entry is not ours to touch
		}
	}
	refs, _, _ := unstructured.NestedSlice(r.object.Object, "spec", "parentRefs")
	for i, p := range r.Spec.Parents {
		if !p.gateway() {
			continue
		}
		entry := g.parent(r, p, gateways, attached, entryFor(before, refs[i]))
		if entry != nil {
			entry["parentRef"], entry["controllerName"] = refs[i], controllerName
			parents = append(parents, entry)
		}
	}
	if len(parents) == 0 && len(before) == 0 {
		return nil // nobody to answer for: the status stays as empty as it is
	}
	return g.setStatus(ctx, HTTPRoutes, r.object, map[string]any{"parents": parents})
}

func entryFor(all []any, ref any) []any {
	for _, raw := range all {
		if m, ok := raw.(map[string]any); ok && m["controllerName"] == controllerName && same(m["parentRef"], ref) {
			return conditionsOf(m, "conditions")
		}
	}
	return nil
}

// parent is the status entry of r at p, nil when there is nothing to say.
func (g *gatewayController) parent(r *Route, p Parent, gateways map[string]*Gateway, attached map[string]int64, before []any) map[string]any {
	ns := p.Namespace
	if ns == "" {
		ns = r.Namespace
	}
	gw := gateways[ns+"/"+p.Name]
	accepted := cond{kind: "Accepted", status: "False", generation: r.Generation}
	switch {
	case gw != nil:
		v := g.attach(gw, r, p)
		accepted.status, accepted.reason, accepted.message = isStatus(v.accepted()), v.reason, v.message
		for _, l := range v.listeners {
			attached[ns+"/"+p.Name+"/"+l]++
		}
	case g.reportMissing && g.find(Gateways, ns, p.Name) == nil:
		accepted.reason = "InvalidHTTPRoute"
		accepted.message = fmt.Sprintf("gateways.gateway.networking.k8s.io %q not found", p.Name)
	default:
		return nil
	}
	refs := cond{kind: "ResolvedRefs", status: "True", reason: "ResolvedRefs", message: "Service reference is valid", generation: r.Generation}
	if reason, message := g.backends(r); reason != "" {
		refs.status, refs.reason, refs.message = "False", reason, message
	}
	return map[string]any{"conditions": merged(before, g.now(), accepted, refs)}
}

// backends reports the first backend of r that can't be used, and why.
func (g *gatewayController) backends(r *Route) (reason, message string) {
	for _, rule := range r.Spec.Rules {
		for _, b := range rule.Backends {
			if (b.Kind != "" && b.Kind != "Service") || b.Group != "" {
				return "InvalidKind", "Unsupported backend kind " + b.Kind
			}
			ns := b.Namespace
			if ns == "" {
				ns = r.Namespace
			}
			if ns != r.Namespace && !g.granted(r.Namespace, ns, b.Name) {
				return "RefNotPermitted", "Cross namespace references are not allowed"
			}
			if g.find(Services, ns, b.Name) == nil {
				return "BackendNotFound", fmt.Sprintf("Service %q not found", b.Name)
			}
		}
	}
	return "", ""
}

// granted reports whether a ReferenceGrant in the Service's namespace lets routes from another one use it.
func (g *gatewayController) granted(from, to, service string) bool {
	for _, grant := range g.in(ReferenceGrants, to) {
		if listed(grant, "from", func(m map[string]any) bool {
			return m["group"] == Gateways.Group && m["kind"] == "HTTPRoute" && m["namespace"] == from
		}) && listed(grant, "to", func(m map[string]any) bool {
			return str(m, "group") == "" && m["kind"] == "Service" && (m["name"] == nil || m["name"] == service)
		}) {
			return true
		}
	}
	return false
}

func listed(o *unstructured.Unstructured, field string, match func(map[string]any) bool) bool {
	list, _, _ := unstructured.NestedSlice(o.Object, "spec", field)
	for _, raw := range list {
		if m, ok := raw.(map[string]any); ok && match(m) {
			return true
		}
	}
	return false
}
