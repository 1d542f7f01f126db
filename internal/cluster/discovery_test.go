package cluster

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"runbook/internal/world"
)

// old is a server from before aggregated discovery, one of whose groups fails.
func old(t *testing.T) *Client {
	answers := map[string]string{
		"/api":                      `{"kind":"APIVersions","versions":["v1"]}`,
		"/api/v1":                   `{"kind":"APIResourceList","resources":[{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list","watch"],"shortNames":["po"]},{"name":"pods/log","kind":"Pod","namespaced":true}]}`,
		"/apis":                     `{"kind":"APIGroupList","groups":[{"name":"example.org","versions":[{"version":"v1beta1"},{"version":"v1"}],"preferredVersion":{"version":"v1"}},{"name":"metrics.k8s.io","versions":[{"version":"v1beta1"}],"preferredVersion":{"version":"v1beta1"}}]}`,
		"/apis/example.org/v1":      `{"kind":"APIResourceList","resources":[{"name":"widgets","singularName":"widget","namespaced":true,"kind":"Widget","verbs":["list"],"shortNames":["wd"]}]}`,
		"/apis/example.org/v1beta1": `{"kind":"APIResourceList","resources":[{"name":"widgets","kind":"Widget","verbs":["list"]},{"name":"gadgets","kind":"Gadget","namespaced":true,"verbs":["list"]}]}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := answers[r.URL.Path]
		if !ok {
			http.Error(w, "the server is currently unable to handle the request", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	c, err := Connect(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAKindIsFoundByAnyOfItsNames(t *testing.T) {
	b := newBench(t)
	b.apply(definition("Widget", "widgets", "example.org", true))
	b.resource("Widget", "example.org") // waits until it is served
	for name, c := range map[string]*Client{"aggregated": b.admin, "legacy": old(t)} {
		for _, kind := range []string{"widget", "widgets", "pod", "pods", "po"} {
			r, _, err := c.catalog.find(t.Context(), kind, "")
			if err != nil || r.kind != "Widget" && r.kind != "Pod" || !r.namespaced || r.gvr.Version != "v1" {
				t.Errorf("%s: %s is %+v, %v", name, kind, r, err)
			}
		}
	}
}

func TestAnOldServerOffersEveryVersionsKinds(t *testing.T) {
	r, _, err := old(t).catalog.find(t.Context(), "gadget", "example.org")
	if err != nil || r.gvr.String() != "example.org/v1beta1, Resource=gadgets" {
		t.Errorf("got %v, %v", r.gvr, err)
	}
}

func TestAGroupThatCantBeAskedIsNotTakenForEmpty(t *testing.T) {
	c := old(t)
	_, _, err := c.catalog.find(t.Context(), "podmetrics", "metrics.k8s.io")
	if _, missing := err.(*noKindError); err == nil || missing || !strings.Contains(err.Error(), "group metrics.k8s.io") {
		t.Errorf("in the failing group: got %v", err)
	}
	_, _, err = c.catalog.find(t.Context(), "anything", "")
	if _, missing := err.(*noKindError); err == nil || missing {
		t.Errorf("in any group: got %v", err)
	}
	for _, ref := range []world.Ref{world.NewRef("thing", "example.org", "", ""), world.NewRef("externalsecret", "", "", "")} {
		_, _, err = c.catalog.find(t.Context(), ref.Kind, ref.Group)
		if _, missing := err.(*noKindError); !missing {
			t.Errorf("%s, whose group has answered: got %v", ref, err)
		}
	}
}
