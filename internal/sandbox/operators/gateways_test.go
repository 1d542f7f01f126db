package operators_test

import (
	"fmt"
	"strings"
	"testing"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
)

func gateway(name, listeners string) string {
	return fmt.Sprintf(`
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: %s, namespace: default}
spec: {gatewayClassName: cilium, listeners: [%s]}
`, name, listeners)
}

func route(ns, name, parents, hosts, backends string) string {
	return fmt.Sprintf(`
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: %s, namespace: %s}
spec:
  parentRefs: [%s]
  hostnames: [%s]
  rules: [{backendRefs: [%s]}]
`, name, ns, parents, hosts, backends)
}

// parent is a condition of a route at its i-th status entry.
func parent(o trial.Object, i int, kind string) string {
	status, _ := o.Object["status"].(map[string]any)
	list, _ := status["parents"].([]any)
	if i >= len(list) {
		return ""
	}
	conditions, _ := list[i].(map[string]any)["conditions"].([]any)
	text := trial.FromList(conditions, kind)
	return text[:strings.LastIndex(text, "|")+1]
}

func listener(o trial.Object, name string) map[string]any {
	status, _ := o.Object["status"].(map[string]any)
	list, _ := status["listeners"].([]any)
	for _, raw := range list {
		if m, _ := raw.(map[string]any); m["name"] == name {
			return m
		}
	}
	return map[string]any{}
}

func TestGatewaysAndRoutes(t *testing.T) {
	w := world(t, sandbox.Options{}).world
	namespace(w, "app")
	w.Apply(`{apiVersion: v1, kind: Service, metadata: {name: web, namespace: app}, spec: {selector: {a: b}, ports: [{port: 80}]}}`)
	w.Apply(`{apiVersion: v1, kind: Service, metadata: {name: web, namespace: default}, spec: {selector: {a: b}, ports: [{port: 80}]}}`)
	w.Apply(gateway("closed", `{name: http, protocol: HTTP, port: 80}`))
	w.Apply(gateway("picky", `{name: http, protocol: HTTP, port: 80, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {exposed: "yes"}}}}}`))
	const web = "{name: web, port: 80}"
	const open = "{name: cilium-gateway, namespace: default"
	for _, c := range []struct{ name, parent, host, backend, accepted, resolved string }{
		{"accepted", open + "}", "a.cicd-test2.sandbox.example", web, "True|Accepted|", "True|ResolvedRefs|"},
		{"same", "{name: closed, namespace: default}", "a.example.org", web, "False|NotAllowedByListeners|", "True|ResolvedRefs|"},
		{"foreign-host", open + "}", "a.example.org", web, "False|NoMatchingListenerHostname|", "True|ResolvedRefs|"},
		{"section", open + ", sectionName: web}", "a.cicd-test2.sandbox.example", web, "False|NoMatchingParent|", "True|ResolvedRefs|"},
		{"backend", open + "}", "a.cicd-test2.sandbox.example", "{name: nothing, port: 80}", "True|Accepted|", "False|BackendNotFound|"},
		{"across", open + "}", "a.cicd-test2.sandbox.example", "{name: web, namespace: default, port: 80}", "True|Accepted|", "False|RefNotPermitted|"},
		{"selector", "{name: picky, namespace: default}", "a.example.org", web, "False|NotAllowedByListeners|", "True|ResolvedRefs|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := w.For(t)
			w.Apply(route("app", c.name, c.parent, c.host, c.backend))
			o := w.Await(operators.HTTPRoutes, "app", c.name, "answered", func(o trial.Object) bool { return parent(o, 0, "Accepted") != "" })
			want(t, "Accepted", c.accepted, parent(o, 0, "Accepted"))
			want(t, "ResolvedRefs", c.resolved, parent(o, 0, "ResolvedRefs"))
		})
	}

	t.Run("labels of the namespace count, the route's don't", func(t *testing.T) {
		w := w.For(t)
		w.Patch(operators.HTTPRoutes, "app", "selector", `{"metadata":{"labels":{"exposed":"yes"}}}`)
		want(t, "with the route labelled", "False|NotAllowedByListeners|", parent(w.Get(operators.HTTPRoutes, "app", "selector"), 0, "Accepted"))
		w.Patch(operators.Namespaces, "", "app", `{"metadata":{"labels":{"exposed":"yes"}}}`)
		w.Await(operators.HTTPRoutes, "app", "selector", "accepted", func(o trial.Object) bool { return parent(o, 0, "Accepted") == "True|Accepted|" })
	})

	t.Run("a grant opens the other namespace's Service", func(t *testing.T) {
		w := w.For(t)
		w.Apply(`
apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata: {name: app, namespace: default}
spec:
  from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: app}]
  to: [{group: "", kind: Service}]
`)
		w.Await(operators.HTTPRoutes, "app", "across", "resolved", func(o trial.Object) bool { return parent(o, 0, "ResolvedRefs") == "True|ResolvedRefs|" })
	})

	t.Run("only accepted routes are counted", func(t *testing.T) {
		w := w.For(t)
		w.Await(operators.Gateways, "default", "cilium-gateway", "counted", func(o trial.Object) bool { return listener(o, "https")["attachedRoutes"] == int64(3) })
		want(t, "closed", int64(0), listener(w.Get(operators.Gateways, "default", "closed"), "http")["attachedRoutes"])
	})

	t.Run("one of two parents is missing", func(t *testing.T) {
		w := w.For(t)
		w.Apply(route("app", "half", open+"}, {name: nowhere}", "a.cicd-test2.sandbox.example", web))
		o := w.Await(operators.HTTPRoutes, "app", "half", "answered", func(o trial.Object) bool { return parent(o, 0, "Accepted") != "" })
		want(t, "second entry", "", parent(o, 1, "Accepted"))
	})

	t.Run("a listener without its certificate, under a Gateway that is programmed", func(t *testing.T) {
		w := w.For(t)
		w.Apply(gateway("nocert", `{name: https, protocol: HTTPS, port: 443, tls: {certificateRefs: [{name: wildcard-tls-missing}]}}`))
		o := w.Await(operators.Gateways, "default", "nocert", "programmed", func(o trial.Object) bool { return strings.HasPrefix(trial.Condition(o, "Programmed"), "True|") })
		l, _ := listener(o, "https")["conditions"].([]any)
		want(t, "ResolvedRefs", "False|InvalidCertificateRef|secret wildcard-tls-missing not found", trial.FromList(l, "ResolvedRefs"))
		want(t, "Programmed", "False|Invalid|Listener Not Ready", trial.FromList(l, "Programmed"))
	})

	t.Run("a Gateway of a class nobody answers for keeps waiting", func(t *testing.T) {
		w := w.For(t)
		w.Apply(strings.Replace(gateway("orphan", `{name: http, protocol: HTTP, port: 80}`), "gatewayClassName: cilium", "gatewayClassName: none", 1))
		want(t, "Programmed", "Unknown|Pending|Waiting for controller", trial.Condition(w.Get(operators.Gateways, "default", "orphan"), "Programmed"))
	})
}

func TestAControllerThatReportsMissingParents(t *testing.T) {
	w := world(t, sandbox.Options{ReportMissingParents: true}).world
	namespace(w, "app")
	w.Apply(route("app", "lost", "{name: cilium-gateway}", "a.cicd-test2.sandbox.example", "{name: web, port: 80}"))
	o := w.Await(operators.HTTPRoutes, "app", "lost", "answered", func(o trial.Object) bool { return parent(o, 0, "Accepted") != "" })
	conditions := o.Object["status"].(map[string]any)["parents"].([]any)[0].(map[string]any)["conditions"].([]any)
	want(t, "Accepted", `False|InvalidHTTPRoute|gateways.gateway.networking.k8s.io "cilium-gateway" not found`, trial.FromList(conditions, "Accepted"))
}

func TestAStarStandsForOneLabelOrMore(t *testing.T) {
	for _, c := range []struct {
		pattern, host string
		want          bool
	}{
		{"*.example.org", "a.example.org", true},
		{"*.example.org", "a.b.example.org", true},
		{"*.example.org", "example.org", false},
		{"*.example.org", "aexample.org", false},
		{"A.example.org", "a.Example.org", true},
		{"a.example.org", "b.example.org", false},
	} {
		if got := operators.Covers(c.pattern, c.host); got != c.want {
			t.Errorf("Covers(%q, %q): want %v, got %v", c.pattern, c.host, c.want, got)
		}
	}
}
