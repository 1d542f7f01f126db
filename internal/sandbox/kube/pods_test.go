package kube_test

import (
	"context"
	"io"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/sandbox/kube"
)

const onePod = `{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b}}, spec: {initContainers: [{name: i, image: x}], containers: [{name: c, image: x}, {name: d, image: x}]}}`

// placedPod is one that a kubelet looks after: only those have logs.
var placedPod = strings.Replace(onePod, "spec: {", "spec: {nodeName: here, ", 1)

// followed is a log that never ends until its context does; it says when it is asked for.
type followed struct{ asked chan struct{} }

func (f followed) Logs(ctx context.Context, _, _, container string, o kube.LogOptions) (io.ReadCloser, error) {
	if !o.Follow {
		return nil, apierrors.NewBadRequest(`previous terminated container "` + container + `" in pod "p" not found`)
	}
	r, w := io.Pipe()
	close(f.asked)
	go func() {
		_, _ = io.WriteString(w, "first line\n")
		<-ctx.Done()
		_ = w.Close()
	}()
	return r, nil
}

func TestAFollowedLogArrivesAsItGrowsAndEndsWithTheServer(t *testing.T) {
	f := followed{make(chan struct{})}
	c := start(t, kube.Options{Logs: f})
	c.create(pods, "default", placedPod)
	done := make(chan answer, 1)
	go func() { done <- c.do("GET", "/api/v1/namespaces/default/pods/p/log?container=c&follow=true", "") }()
	<-f.asked
	c.server.Close()
	if a := <-done; a.code != 200 || a.body != "first line\n" {
		t.Errorf("got %d %q", a.code, a.body)
	}
}

func TestALogNeedsAContainer(t *testing.T) {
	c := start(t, kube.Options{Logs: followed{}})
	c.create(pods, "default", placedPod)
	for query, want := range map[string]string{
		"":                         "a container name must be specified for pod p, choose one of: [i c d]",
		"?container=x":             "container x is not valid for pod p",
		"?container=c":             `previous terminated container "c" in pod "p" not found`,
		"?container=c&tailLines=x": `strconv.ParseInt: parsing "x": invalid syntax`,
	} {
		a := c.do("GET", "/api/v1/namespaces/default/pods/p/log"+query, "")
		if got := a.object(t)["message"]; a.code != 400 || got != want {
			t.Errorf("%q: got %d %v, want %s", query, a.code, got, want)
		}
	}
}

func TestAPodIsBoundOnce(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(pods, "default", onePod)
	body := `{"apiVersion":"v1","kind":"Binding","metadata":{"name":"p"},"target":{"kind":"Node","name":"node1"}}`
	if a := c.do("POST", "/api/v1/namespaces/default/pods/p/binding", body); a.code != 201 {
		t.Fatalf("got %d %s", a.code, a.body)
	}
	p := c.get(pods, "default", "p")
	equal(t, "node", field(p, "spec", "nodeName"), "node1")
	if a := c.do("POST", "/api/v1/namespaces/default/pods/p/binding", body); a.code != 409 || !strings.Contains(a.body, `is already assigned to node \"node1\"`) {
		t.Errorf("again: got %d %s", a.code, a.body)
	}
}

func TestAnEvictionSpendsTheBudget(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(pods, "default", onePod)
	status := `{"status":{"phase":"Running"}}`
	if a := c.do("PATCH", "/api/v1/namespaces/default/pods/p/status", status, "Content-Type: application/merge-patch+json"); a.code != 200 {
		t.Fatal(a.body)
	}
	pdb := schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}
	c.create(pdb, "default", `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}}`)
	evict := func() answer {
		return c.do("POST", "/api/v1/namespaces/default/pods/p/eviction", `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`)
	}
	if a := evict(); a.code != 429 || a.object(t)["message"] != "Cannot evict pod as it would violate the pod's disruption budget." {
		t.Errorf("got %d %s", a.code, a.body)
	}
	if a := c.do("PATCH", "/apis/policy/v1/namespaces/default/poddisruptionbudgets/b/status", `{"status":{"disruptionsAllowed":1}}`, "Content-Type: application/merge-patch+json"); a.code != 200 {
		t.Fatal(a.body)
	}
	if a := evict(); a.code != 201 {
		t.Errorf("got %d %s", a.code, a.body)
	}
	if c.exists(pods, "default", "p") {
		t.Error("the evicted pod is still there")
	}
	equal(t, "left", field(c.get(pdb, "default", "b"), "status", "disruptionsAllowed"), 0)
}

func TestAServiceAccountsTokenIsItsOwn(t *testing.T) {
	c := start(t, kube.Options{})
	a := c.do("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", `{}`)
	if a.code != 201 {
		t.Fatalf("got %d %s", a.code, a.body)
	}
	token, _ := a.object(t)["status"].(map[string]any)["token"].(string)
	_, err := c.as(token).Resource(secrets).Namespace("default").List(c.ctx, metav1.ListOptions{})
	want := `secrets is forbidden: User "system:serviceaccount:default:default" cannot list resource "secrets" in API group "" in the namespace "default"`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestAnAPIServiceWithoutAServiceIsNotAvailable(t *testing.T) {
	c := start(t, kube.Options{})
	api := schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}
	made := c.create(api, "", `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.metrics.k8s.io}, spec: {group: metrics.k8s.io, version: v1, groupPriorityMinimum: 1, versionPriority: 1, service: {name: m, namespace: default}}}`)
	w := c.watch(api, "", metav1.ListOptions{FieldSelector: "metadata.name=v1.metrics.k8s.io", ResourceVersion: made.GetResourceVersion()})
	if got := next(t, w); got != "MODIFIED v1.metrics.k8s.io" {
		t.Fatal(got)
	}
	list, _ := field(c.get(api, "", "v1.metrics.k8s.io"), "status", "conditions").([]any)
	first := list[0].(map[string]any)
	equal(t, "condition", []any{first["type"], first["status"], first["reason"], first["message"]}, []any{"Available", "False", "ServiceNotFound", `service/m in "default" is not present`})
}
