package kube_test

import (
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"runbook/internal/sandbox/kube"
)

const widgetDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, default: 1}
              names: {type: array, items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

func TestADefinitionServesItsResourceAtOnce(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(crds, "", widgetDefinition)
	crd := c.get(crds, "", "widgets.example.com")
	list, _ := field(crd, "status", "conditions").([]any)
	for _, x := range list {
		if m := x.(map[string]any); m["status"] != "True" {
			t.Errorf("condition: got %v", m)
		}
	}
	equal(t, "names", field(crd, "status", "acceptedNames", "listKind"), "WidgetList")
	equal(t, "stored versions", field(crd, "status", "storedVersions"), []string{"v1"})
	w := c.create(widgets, "default", `{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {bogus: 1}, status: {a: b}}`)
	equal(t, "defaulted, pruned", field(w, "spec"), map[string]any{"size": 1})
	equal(t, "status of a new object", field(w, "status"), nil)
	beta := schema.GroupVersionResource{Group: "example.com", Version: "v1beta1", Resource: "widgets"}
	equal(t, "another version", c.get(beta, "default", "w").GetAPIVersion(), "example.com/v1beta1")
	a := c.do("GET", "/apis/example.com/v1beta1/namespaces/default/widgets/w", "")
	equal(t, "warning", a.header.Get("Warning"), `299 - "example.com/v1beta1 Widget is deprecated"`)
}

func TestAReplacementOfACustomResourceSaysWhatItRead(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(crds, "", widgetDefinition)
	w := c.create(widgets, "default", `{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {}}`)
	api := c.client.Resource(widgets).Namespace("default")
	w.SetResourceVersion("")
	_, err := api.Update(c.ctx, w, metav1.UpdateOptions{})
	if want := "metadata.resourceVersion: Invalid value: 0: must be specified for an update"; !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

func TestACustomListIsMergedByItsKeys(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(crds, "", widgetDefinition)
	api := c.client.Resource(widgets).Namespace("default")
	for manager, name := range map[string]string{"one": "a", "two": "b"} {
		w := object(t, `{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {names: [{name: `+name+`}]}}`)
		if _, err := api.Apply(c.ctx, "w", w, metav1.ApplyOptions{FieldManager: manager}); err != nil {
			t.Fatal(err)
		}
	}
	names, _ := field(c.get(widgets, "default", "w"), "spec", "names").([]any)
	if len(names) != 2 {
		t.Errorf("got %v", names)
	}
	_, err := api.Apply(c.ctx, "w", object(t, `{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {bogus: 1}}`), metav1.ApplyOptions{FieldManager: "one"})
	if want := "failed to create typed patch object (default/w; example.com/v1, Kind=Widget): .spec.bogus: field not declared in schema"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = api.Patch(c.ctx, "w", types.StrategicMergePatchType, []byte(`{}`), metav1.PatchOptions{})
	if !apierrors.IsUnsupportedMediaType(err) {
		t.Errorf("strategic: got %v, want 415", err)
	}
}

func TestRemovingADefinitionDeletesItsObjectsAndEndsWatchesCleanly(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(crds, "", widgetDefinition)
	for _, name := range []string{"a", "b"} {
		c.create(widgets, "default", `{apiVersion: example.com/v1, kind: Widget, metadata: {name: `+name+`}, spec: {}}`)
	}
	w := c.watch(widgets, "default", metav1.ListOptions{})
	for _, want := range []string{"ADDED a", "ADDED b"} {
		if got := next(t, w); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	c.delete(crds, "", "widgets.example.com", metav1.DeleteOptions{})
	for _, want := range []string{"DELETED a", "DELETED b", "closed"} {
		if got := next(t, w); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	a := c.do("GET", "/apis/example.com/v1/widgets", "")
	if a.code != 404 || a.body != "404 page not found\n" {
		t.Errorf("got %d %q", a.code, a.body)
	}
}

func TestADefinitionWaitsForAHeldObject(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(crds, "", widgetDefinition)
	c.create(widgets, "default", `{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, finalizers: [example.com/hold]}, spec: {}}`)
	c.delete(crds, "", "widgets.example.com", metav1.DeleteOptions{})
	_, err := c.client.Resource(widgets).Namespace("default").Create(c.ctx, object(t, `{apiVersion: example.com/v1, kind: Widget, metadata: {name: late}, spec: {}}`), metav1.CreateOptions{})
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "create not allowed while custom resource definition is terminating") {
		t.Errorf("got %v", err)
	}
	c.merge(widgets, "default", "w", `{"metadata":{"finalizers":null}}`)
	c.untilGone(crds, "", "widgets.example.com")
}

func TestANewDefinitionMayAnswer429ForAWhile(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	c := start(t, kube.Options{Now: func() time.Time { return now }, Initializing: time.Second})
	c.create(crds, "", widgetDefinition)
	a := c.do("GET", "/apis/example.com/v1/widgets", "")
	st := a.object(t)
	if a.code != 429 || st["message"] != "storage is (re)initializing" || a.header.Get("Retry-After") != "1" {
		t.Errorf("got %d %s", a.code, a.body)
	}
	now = now.Add(time.Second)
	if a := c.do("GET", "/apis/example.com/v1/widgets", ""); a.code != 200 {
		t.Errorf("then got %d", a.code)
	}
}
