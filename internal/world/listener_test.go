package world

import (
	"strings"
	"testing"
)

func TestAWildcardListenerServesOnlyNamesBelowIt(t *testing.T) {
	for _, c := range []struct {
		hostname, host string
		want           bool
	}{
		{"", "shop.example.org", true},
		{"shop.example.org", "Shop.Example.org", true},
		{"*.example.org", "shop.example.org", true},
		{"*.example.org", "a.b.example.org", true},
		{"*.example.org", "example.org", false},
		{"*.example.org", "shopexample.org", false},
		{"*.example.org", ".example.org", false},
		{"other.example.org", "shop.example.org", false},
	} {
		if got := (Listener{Hostname: c.hostname}).Serves(c.host); got != c.want {
			t.Errorf("%q serves %q: got %v, want %v", c.hostname, c.host, got, c.want)
		}
	}
}

func TestAListenerAdmitsNamespacesByTheirOwnLabels(t *testing.T) {
	gateway := func(namespaces map[string]any) Listener {
		return Listeners(map[string]any{
			"metadata": map[string]any{"name": "edge", "namespace": "infra"},
			"spec": map[string]any{"listeners": []any{map[string]any{
				"name": "https", "protocol": "HTTPS", "allowedRoutes": map[string]any{"namespaces": namespaces},
			}}},
		})[0]
	}
	selector := map[string]any{"from": "Selector", "selector": map[string]any{"matchLabels": map[string]any{"gate": "open"}}}
	expression := map[string]any{"from": "Selector", "selector": map[string]any{"matchExpressions": []any{
		map[string]any{"key": "tier", "operator": "NotIn", "values": []any{"dev"}}}}}
	namespace := func(labels map[string]any) Object {
		return Object{Ref: NewRef("ns", "", "", "shop"), Fact: Fact{Presence: Present},
			Body: map[string]any{"metadata": map[string]any{"name": "shop", "labels": labels}}}
	}
	for _, c := range []struct {
		name       string
		namespaces map[string]any
		namespace  Object
		want       Answer
		why        string
	}{
		{"all", map[string]any{"from": "All"}, namespace(nil), Holds, ""},
		{"the default is the gateway's own", nil, namespace(nil), DoesNot, "only routes of its own namespace infra"},
		{"own", nil, Object{Ref: NewRef("ns", "", "", "infra")}, Holds, ""},
		{"none", map[string]any{"from": "None"}, namespace(nil), DoesNot, "lets in no namespace"},
		{"label there", selector, namespace(map[string]any{"gate": "open"}), Holds, ""},
		{"label missing", selector, namespace(nil), DoesNot, "label gate=open, shop has none"},
		{"expression met", expression, namespace(nil), Holds, ""},
		{"expression not met", expression, namespace(map[string]any{"tier": "dev"}), DoesNot, "tier NotIn dev"},
		{"labels not readable", selector, Object{Ref: NewRef("ns", "", "", "shop"), Fact: Fact{Presence: Hidden, Why: "forbidden"}}, CantTell, "forbidden"},
		{"no such namespace", selector, Object{Ref: NewRef("ns", "", "", "shop"), Fact: Fact{Presence: Gone}}, DoesNot, "does not exist"},
	} {
		got := gateway(c.namespaces).Admits(c.namespace)
		if got.Answer != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: got %+v, want %s %q", c.name, got, c.want, c.why)
		}
	}
}
