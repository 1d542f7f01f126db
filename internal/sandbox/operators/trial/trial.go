// Package trial drives a cluster from a test: it applies YAML, waits for what the operators make of it, and fails the
// test with what it saw last. Waiting is done on watches, never by sleeping.
package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// patience is after how long a story that doesn't move is given up. No assertion depends on it.
const patience = 2 * time.Minute

// Object is what the API speaks.
type Object = *unstructured.Unstructured

// World is a cluster in a test.
type World struct {
	t      testing.TB
	ctx    context.Context
	client dynamic.Interface
}

// New connects to the API server at c.
func New(t testing.TB, c *rest.Config) *World {
	t.Helper()
	client, err := dynamic.NewForConfig(c)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	return (&World{client: client}).For(t)
}

// For is the same world for a subtest.
func (w *World) For(t testing.TB) *World {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return &World{t, ctx, w.client}
}

// In is the resource of a kind in a namespace ("" for one that has none).
func (w *World) In(r schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return w.client.Resource(r)
	}
	return w.client.Resource(r).Namespace(namespace)
}

// Apply creates every document of a manifest; the plural of a kind is guessed as the API machinery does.
func (w *World) Apply(manifest string) {
	w.t.Helper()
	docs := yaml.NewYAMLOrJSONDecoder(strings.NewReader(manifest), 4096)
	for {
		o := &unstructured.Unstructured{}
		err := docs.Decode(&o.Object)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			w.t.Fatalf("apply: %v", err)
		}
		if len(o.Object) == 0 {
			continue
		}
		gv, err := schema.ParseGroupVersion(o.GetAPIVersion())
		if err != nil {
			w.t.Fatalf("apply %s: %v", o.GetName(), err)
		}
		r := gv.WithResource(plural(o.GetKind()))
		if _, err := w.In(r, o.GetNamespace()).Create(w.ctx, o, metav1.CreateOptions{}); err != nil {
			w.t.Fatalf("apply %s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
}

func plural(kind string) string {
	k := strings.ToLower(kind)
	if strings.HasSuffix(k, "class") {
		return k + "es"
	}
	return k + "s"
}

// Patch sends a JSON merge patch.
func (w *World) Patch(r schema.GroupVersionResource, namespace, name, patch string) {
	w.t.Helper()
	if _, err := w.In(r, namespace).Patch(w.ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		w.t.Fatalf("patch %s %s: %v", r.Resource, name, err)
	}
}

// Delete deletes an object and does not wait.
func (w *World) Delete(r schema.GroupVersionResource, namespace, name string) {
	w.t.Helper()
	if err := w.In(r, namespace).Delete(w.ctx, name, metav1.DeleteOptions{}); err != nil {
		w.t.Fatalf("delete %s %s: %v", r.Resource, name, err)
	}
}

// Get reads an object that has to be there.
func (w *World) Get(r schema.GroupVersionResource, namespace, name string) Object {
	w.t.Helper()
	o, err := w.In(r, namespace).Get(w.ctx, name, metav1.GetOptions{})
	if err != nil {
		w.t.Fatalf("get %s %s: %v", r.Resource, name, err)
	}
	return o
}

// List reads every object of a namespace.
func (w *World) List(r schema.GroupVersionResource, namespace string) []unstructured.Unstructured {
	w.t.Helper()
	list, err := w.In(r, namespace).List(w.ctx, metav1.ListOptions{})
	if err != nil {
		w.t.Fatalf("list %s: %v", r.Resource, err)
	}
	return list.Items
}

// Await waits until ok holds of an object, and returns it.
func (w *World) Await(r schema.GroupVersionResource, namespace, name, what string, ok func(Object) bool) Object {
	w.t.Helper()
	o := w.watch(r, namespace, name, func(o Object) bool { return o != nil && ok(o) })
	if o == nil {
		w.t.Fatalf("%s %s/%s: never %s", r.Resource, namespace, name, what)
	}
	return o
}

// Saw waits for a state that o went through at any time since it was read, even if it was over at once.
func (w *World) Saw(r schema.GroupVersionResource, o Object, what string, ok func(Object) bool) {
	w.t.Helper()
	last := o
	opts := metav1.ListOptions{
		FieldSelector: fields.OneTermEqualSelector("metadata.name", o.GetName()).String(), ResourceVersion: o.GetResourceVersion()}
	if _, done := w.changes(r, o.GetNamespace(), opts, func(o Object) bool { return o != nil && ok(o) }, &last); !done {
		w.t.Fatalf("%s %s: was never %s; last seen: %s", r.Resource, o.GetName(), what, Show(last))
	}
}

// Gone waits until there is no object of that name.
func (w *World) Gone(r schema.GroupVersionResource, namespace, name string) {
	w.t.Helper()
	w.watch(r, namespace, name, func(o Object) bool { return o == nil })
}

// Find waits until ok holds of some object of the namespace, and returns it.
func (w *World) Find(r schema.GroupVersionResource, namespace, what string, ok func(Object) bool) Object {
	w.t.Helper()
	o := w.watch(r, namespace, "", func(o Object) bool { return o != nil && ok(o) })
	if o == nil {
		w.t.Fatalf("%s in %s: never one that %s", r.Resource, namespace, what)
	}
	return o
}

// Event waits for an Event about an object with a reason and a piece of its message.
func (w *World) Event(namespace, about, reason, words string) Object {
	w.t.Helper()
	events := schema.GroupVersionResource{Version: "v1", Resource: "events"}
	return w.Find(events, namespace, fmt.Sprintf("is about %s, %s: %s", about, reason, words), func(e Object) bool {
		return String(e, "involvedObject", "name") == about && e.Object["reason"] == reason && strings.Contains(String(e, "message"), words)
	})
}

// watch looks at the present state and then at every change. ok(nil) asks whether absence is what is waited for.
func (w *World) watch(r schema.GroupVersionResource, namespace, name string, ok func(Object) bool) Object {
	w.t.Helper()
	opts := metav1.ListOptions{}
	if name != "" {
		opts.FieldSelector = fields.OneTermEqualSelector("metadata.name", name).String()
	}
	var last Object
	for w.ctx.Err() == nil {
		list, err := w.In(r, namespace).List(w.ctx, opts)
		if err != nil {
			if apierrors.IsNotFound(err) || apierrors.IsTooManyRequests(err) {
				continue
			}
			w.t.Fatalf("list %s: %v", r.Resource, err)
		}
		if len(list.Items) == 0 && ok(nil) {
			return nil
		}
		for i := range list.Items {
			if last = &list.Items[i]; ok(last) {
				return last
			}
		}
		opts.ResourceVersion = list.GetResourceVersion()
		if o, done := w.changes(r, namespace, opts, ok, &last); done {
			return o
		}
		opts.ResourceVersion = ""
	}
	w.t.Fatalf("wait for %s %s/%s: gave up; last seen: %s", r.Resource, namespace, name, Show(last))
	return nil
}

func (w *World) changes(r schema.GroupVersionResource, namespace string, opts metav1.ListOptions, ok func(Object) bool, last *Object) (Object, bool) {
	watcher, err := w.In(r, namespace).Watch(w.ctx, opts)
	if err != nil {
		return nil, false
	}
	defer watcher.Stop()
	for e := range watcher.ResultChan() {
		o, is := e.Object.(*unstructured.Unstructured)
		switch {
		case !is:
			return nil, false
		case e.Type == "DELETED":
			if ok(nil) {
				return nil, true
			}
		case e.Type == "ADDED" || e.Type == "MODIFIED":
			if *last = o; ok(o) {
				return o, true
			}
		}
	}
	return nil, false
}

// Show is an object's status, for a message.
func Show(o Object) string {
	if o == nil {
		return "nothing"
	}
	status := unstructured.Unstructured{Object: map[string]any{"kind": o.GetKind(), "name": o.GetName(), "status": o.Object["status"]}}
	raw, err := status.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// String is a field of o as text, "" when it isn't there.
func String(o Object, path ...string) string {
	s, _, _ := unstructured.NestedString(o.Object, path...)
	return s
}

// Int is a number in o, 0 when it isn't there.
func Int(o Object, path ...string) int64 {
	n, _, _ := unstructured.NestedInt64(o.Object, path...)
	return n
}

// Condition is a condition's status, reason and message, joined by "|".
func Condition(o Object, kind string) string {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	return FromList(list, kind)
}

// FromList is Condition for a list of conditions that stands elsewhere.
func FromList(list []any, kind string) string {
	for _, raw := range list {
		if m, ok := raw.(map[string]any); ok && m["type"] == kind {
			return fmt.Sprintf("%v|%v|%v", m["status"], m["reason"], m["message"])
		}
	}
	return ""
}

// Ready reports whether the condition Ready is True.
func Ready(o Object) bool { return strings.HasPrefix(Condition(o, "Ready"), "True|") }

// Available reports whether a Deployment has an available replica.
func Available(o Object) bool { return Int(o, "status", "availableReplicas") > 0 }

// Waiting is reason and message of the first container of a pod that waits, init containers first.
func Waiting(o Object) string {
	for _, field := range []string{"initContainerStatuses", "containerStatuses"} {
		list, _, _ := unstructured.NestedSlice(o.Object, "status", field)
		for _, raw := range list {
			m, _ := raw.(map[string]any)
			if reason, ok, _ := unstructured.NestedString(m, "state", "waiting", "reason"); ok {
				message, _, _ := unstructured.NestedString(m, "state", "waiting", "message")
				return reason + "|" + message
			}
		}
	}
	return ""
}
