package kube_test

import (
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"runbook/internal/sandbox/kube"
)

func (c *cluster) label(name, value string) {
	c.t.Helper()
	body := `{"metadata":{"labels":{"l":"` + value + `"}}}`
	if _, err := c.client.Resource(configMaps).Namespace("default").Patch(c.ctx, name, types.MergePatchType, []byte(body), metav1.PatchOptions{}); err != nil {
		c.t.Fatal(err)
	}
}

// next describes the next event of a watch as "TYPE name".
func next(t *testing.T, w watch.Interface) string {
	t.Helper()
	e, ok := <-w.ResultChan()
	if !ok {
		return "closed"
	}
	switch o := e.Object.(type) {
	case *unstructured.Unstructured:
		return string(e.Type) + " " + o.GetName()
	case *metav1.Status:
		return string(e.Type) + " " + string(o.Reason) + " " + o.Message
	}
	t.Fatalf("got %T", e.Object)
	return ""
}

func TestAWatchGoesOnWhereAListEnded(t *testing.T) {
	c := start(t, kube.Options{})
	api := c.client.Resource(configMaps).Namespace("default")
	list, err := api.List(c.ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}`)
	c.label("x", "1")
	if err := api.Delete(c.ctx, "x", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w := c.watch(configMaps, "default", metav1.ListOptions{ResourceVersion: list.GetResourceVersion()})
	for _, want := range []string{"ADDED x", "MODIFIED x", "DELETED x"} {
		if got := next(t, w); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAWatchWithASelectorSeesObjectsComeAndGo(t *testing.T) {
	c := start(t, kube.Options{})
	made := c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}`)
	w := c.watch(configMaps, "default", metav1.ListOptions{LabelSelector: "l=yes", ResourceVersion: made.GetResourceVersion()})
	c.label("x", "yes")
	c.label("x", "no")
	c.label("x", "yes")
	for _, want := range []string{"ADDED x", "DELETED x", "ADDED x"} {
		if got := next(t, w); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAWatchFromAForgottenRevisionIsToldSo(t *testing.T) {
	c := start(t, kube.Options{})
	made := c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}`)
	c.label("x", "1")
	c.server.Compact()
	w := c.watch(configMaps, "default", metav1.ListOptions{ResourceVersion: made.GetResourceVersion()})
	if got := next(t, w); !strings.HasPrefix(got, "ERROR Expired too old resource version: "+made.GetResourceVersion()) {
		t.Errorf("got %q", got)
	}
	if got := next(t, w); got != "closed" {
		t.Errorf("then got %q", got)
	}
}

func TestInitialEventsEndWithABookmark(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(nss, "", `{apiVersion: v1, kind: Namespace, metadata: {name: ns1}}`)
	yes := true
	w := c.watch(nss, "", metav1.ListOptions{SendInitialEvents: &yes, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan, AllowWatchBookmarks: true, LabelSelector: "kubernetes.io/metadata.name in (ns1,default)"})
	if a, b := next(t, w), next(t, w); a != "ADDED default" || b != "ADDED ns1" {
		t.Errorf("got %q, %q", a, b)
	}
	e := <-w.ResultChan()
	u, ok := e.Object.(*unstructured.Unstructured)
	if !ok || e.Type != watch.Bookmark || u.GetAnnotations()[metav1.InitialEventsAnnotationKey] != "true" || u.GetResourceVersion() == "" {
		t.Errorf("got %v", e)
	}
}

func TestAWatchEndsWhenItsTimeIsOverWithABookmark(t *testing.T) {
	c := start(t, kube.Options{})
	a := c.do("GET", "/api/v1/namespaces?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&fieldSelector=metadata.name%3Ddefault", "")
	lines := strings.Split(strings.TrimSpace(a.body), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"type":"ADDED"`) || !strings.Contains(lines[1], `"type":"BOOKMARK"`) {
		t.Errorf("got %s", a.body)
	}
}

func TestClosingTheServerEndsItsWatches(t *testing.T) {
	c := start(t, kube.Options{})
	w := c.watch(configMaps, "", metav1.ListOptions{ResourceVersion: c.get(nss, "", "default").GetResourceVersion(), FieldSelector: "metadata.name=none"})
	c.server.Close()
	if got := next(t, w); got != "closed" {
		t.Errorf("got %q", got)
	}
}

func TestAWatchCanBeATable(t *testing.T) {
	c := start(t, kube.Options{})
	a := c.do("GET", "/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Ddefault", "", "Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json")
	var e struct {
		Type   string
		Object metav1.Table
	}
	if err := json.Unmarshal([]byte(a.body), &e); err != nil {
		t.Fatal(err)
	}
	if e.Type != "ADDED" || e.Object.Kind != "Table" || len(e.Object.ColumnDefinitions) == 0 || len(e.Object.Rows) != 1 {
		t.Errorf("got %s", a.body)
	}
}
