package operators

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// recorder writes Events as client-go's recorder does: one object per (object, reason, message), counted up.
type recorder struct {
	client dynamic.Interface
	now    func() time.Time

	mu   sync.Mutex
	seen map[string]*seen
	next int64
}

type seen struct {
	name  string
	count int64
}

func newRecorder(client dynamic.Interface, now func() time.Time) *recorder {
	return &recorder{client: client, now: now, seen: map[string]*seen{}}
}

// about says which object an Event is about; FieldPath names a container as the kubelet does.
type about struct {
	Object    *unstructured.Unstructured
	FieldPath string
}

// emit writes an Event; a failure is dropped as the real recorder drops it, since nothing may depend on Events.
func (r *recorder) emit(ctx context.Context, a about, component, kind, reason, message string) {
	o := a.Object
	id := fmt.Sprintf("%s|%s|%s|%s|%s|%s", o.GetUID(), o.GetKind(), a.FieldPath, kind, reason, message)
	s, fresh := r.count(id, o.GetName())
	namespace := o.GetNamespace()
	if namespace == "" {
		namespace = metav1.NamespaceDefault // where Events about cluster-scoped objects go
	}
	events := r.client.Resource(Events).Namespace(namespace)
	at := stamp(r.now())
	if !fresh {
		patch := fmt.Sprintf(`{"count":%d,"lastTimestamp":%q}`, s.count, at)
		opts := metav1.PatchOptions{FieldManager: component}
		if _, err := events.Patch(ctx, s.name, types.MergePatchType, []byte(patch), opts); err == nil {
			return
		}
	}
	ref := map[string]any{
		"apiVersion": o.GetAPIVersion(), "kind": o.GetKind(), "name": o.GetName(), "uid": string(o.GetUID()),
		"resourceVersion": o.GetResourceVersion(),
	}
	if o.GetNamespace() != "" {
		ref["namespace"] = o.GetNamespace()
	}
	if a.FieldPath != "" {
		ref["fieldPath"] = a.FieldPath
	}
	source := map[string]any{"component": component}
	if component == "kubelet" {
		source["host"] = NodeName
	}
	event := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Event",
		"metadata":       map[string]any{"name": s.name, "namespace": namespace},
		"involvedObject": ref, "type": kind, "reason": reason, "message": message, "source": source,
		"firstTimestamp": at, "lastTimestamp": at, "count": s.count,
		"reportingComponent": component, "reportingInstance": "",
	}}
	_, _ = events.Create(ctx, event, metav1.CreateOptions{FieldManager: component})
}

// count finds the Event that says this already, or names a new one.
func (r *recorder) count(id, object string) (seen, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.seen[id]; ok {
		s.count++
		return *s, false
	}
	r.next++
	s := &seen{name: fmt.Sprintf("%s.%x", object, r.now().UnixNano()+r.next), count: 1}
	r.seen[id] = s
	return *s, true
}

func (c *cluster) normal(ctx context.Context, o *unstructured.Unstructured, component, reason, message string) {
	c.events.emit(ctx, about{Object: o}, component, "Normal", reason, message)
}

func (c *cluster) warn(ctx context.Context, o *unstructured.Unstructured, component, reason, message string) {
	c.events.emit(ctx, about{Object: o}, component, "Warning", reason, message)
}
