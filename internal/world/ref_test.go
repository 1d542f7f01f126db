package world

import "testing"

func TestOneObjectHasOneNameHoweverItIsWritten(t *testing.T) {
	for _, c := range []struct {
		kind, group, namespace string
		want                   Ref
	}{
		{"deploy", "", "n", Ref{Kind: "deployment", Namespace: "n", Name: "x"}},
		{"Deployments", "apps", "n", Ref{Kind: "deployment", Namespace: "n", Name: "x"}},
		{"deployments.v1.apps", "", "n", Ref{Kind: "deployment", Namespace: "n", Name: "x"}},
		{"deployment", "example.org", "n", Ref{Kind: "deployment", Group: "example.org", Namespace: "n", Name: "x"}},
		{"PVC", "", "n", Ref{Kind: "persistentvolumeclaim", Namespace: "n", Name: "x"}},
		{"ns", "", "n", Ref{Kind: "namespace", Name: "x"}},
		{"ingresses", "", "n", Ref{Kind: "ingress", Namespace: "n", Name: "x"}},
		{"es", "", "n", Ref{Kind: "externalsecret", Namespace: "n", Name: "x"}},
		{"css", "external-secrets.io", "n", Ref{Kind: "clustersecretstore", Group: "external-secrets.io", Name: "x"}},
		{"certs", "", "n", Ref{Kind: "certs", Namespace: "n", Name: "x"}},
		{"cert", "", "n", Ref{Kind: "certificate", Namespace: "n", Name: "x"}},
		{"service", "serving.knative.dev", "n", Ref{Kind: "service", Group: "serving.knative.dev", Namespace: "n", Name: "x"}},
		{"Widget", "Example.org", "n", Ref{Kind: "widget", Group: "example.org", Namespace: "n", Name: "x"}},
	} {
		if got := NewRef(c.kind, c.group, c.namespace, "x"); got != c.want {
			t.Errorf("%s in group %q: got %+v, want %+v", c.kind, c.group, got, c.want)
		}
	}
}

func TestARefIsShownAsItIsTyped(t *testing.T) {
	for _, c := range []struct {
		ref  Ref
		want string
	}{
		{NewRef("persistentvolumeclaim", "", "n", "data-0"), "pvc/data-0"},
		{NewRef("widget", "example.org", "n", "w"), "widget/w"},
		{NewRef("pods", "", "n", ""), "po"},
		{Ref{Kind: "pod", Selector: "app=web"}, "po -l app=web"},
	} {
		if got := c.ref.Short(); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.ref, got, c.want)
		}
	}
}

func TestNoTwoKindsShareAName(t *testing.T) {
	owner := map[string]string{}
	for _, k := range kindNames {
		for _, a := range append([]string{k.kind, k.kind + "s", k.short}, k.aliases...) {
			if other, taken := owner[a]; taken && other != k.kind {
				t.Errorf("%q names %s and %s", a, other, k.kind)
			}
			owner[a] = k.kind
		}
	}
}
