package operators

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// cluster is what every controller works with: the view to read, and writes whose answers go back into the view.
type cluster struct {
	*view
	now    func() time.Time
	pace   *pace
	events *recorder
}

func (c *cluster) all(kind GVR) []*unstructured.Unstructured { return c.in(kind, "") }

func (c *cluster) in(kind GVR, namespace string) []*unstructured.Unstructured {
	return c.shelves[kind].list(namespace)
}

func (c *cluster) find(kind GVR, namespace, name string) *unstructured.Unstructured {
	return c.shelves[kind].find(namespace, name)
}

// typed reads o as a T. What does not fit is skipped by the callers: the API server is the one that validates.
func typed[T any](o *unstructured.Unstructured) (*T, bool) {
	if o == nil {
		return nil, false
	}
	out := new(T)
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, out)
	return out, err == nil
}

// each does something to every object of a kind, and tells when the next look is due, as do does. What was at work
// already elsewhere hides no other error, and no error keeps the others waiting.
func each[T any](c *cluster, kind GVR, do func(o *unstructured.Unstructured, t *T) (time.Duration, error)) (next time.Duration, failed error) {
	for _, o := range c.all(kind) {
		t, ok := read[T](c, kind, o)
		if !ok {
			continue
		}
		after, err := do(o, t)
		if err != nil && (failed == nil || !passing(err)) {
			failed = err
		}
		next = sooner(next, after)
	}
	return next, failed
}

// going tells whether an object is being deleted.
func going(o *unstructured.Unstructured) bool { return o.GetDeletionTimestamp() != nil }

// read is typed for an object of the view. The result is shared: whoever changes it has to copy it first.
func read[T any](c *cluster, kind GVR, o *unstructured.Unstructured) (*T, bool) {
	if o == nil {
		return nil, false
	}
	t, ok := c.shelves[kind].read(o, func(o *unstructured.Unstructured) any {
		if t, ok := typed[T](o); ok {
			return t
		}
		return nil
	}).(*T)
	return t, ok
}

// list reads every object of kind in namespace ("" for all) as a T.
func list[T any](c *cluster, kind GVR, namespace string) []*T {
	var out []*T
	for _, o := range c.in(kind, namespace) {
		if t, ok := read[T](c, kind, o); ok {
			out = append(out, t)
		}
	}
	return out
}

// untyped turns a typed object or status into the map the dynamic client speaks.
func untyped(v any) map[string]any {
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(v)
	if err != nil {
		panic(fmt.Sprintf("operators: convert %T: %v", v, err)) // only a type without JSON tags can do this
	}
	return m
}

// create makes an object and writes as the controller that the real cluster has for its kind.
func (c *cluster) create(ctx context.Context, kind GVR, apiVersion, kindName string, object any) (*unstructured.Unstructured, error) {
	return c.createAs(ctx, kind, apiVersion, kindName, object, manager(kind))
}

func (c *cluster) createAs(ctx context.Context, kind GVR, apiVersion, kindName string, object any, fieldManager string) (*unstructured.Unstructured, error) {
	m, ok := object.(map[string]any)
	if !ok {
		m = untyped(object)
	}
	delete(m, "status")
	o := &unstructured.Unstructured{Object: m}
	o.SetAPIVersion(apiVersion)
	o.SetKind(kindName)
	made, err := c.client.Resource(kind).Namespace(o.GetNamespace()).Create(ctx, o, metav1.CreateOptions{FieldManager: fieldManager})
	return c.took(kind, made, err, "create", o.GetName())
}

// update writes o whole; o has to be a changed copy of what was read.
func (c *cluster) update(ctx context.Context, kind GVR, o *unstructured.Unstructured, fieldManager string) (*unstructured.Unstructured, error) {
	made, err := c.client.Resource(kind).Namespace(o.GetNamespace()).Update(ctx, o, metav1.UpdateOptions{FieldManager: fieldManager})
	return c.took(kind, made, err, "update", o.GetName())
}

// merge sends a JSON merge patch, to a subresource when one is named.
func (c *cluster) merge(ctx context.Context, kind GVR, o *unstructured.Unstructured, patch map[string]any, sub ...string) error {
	body, err := json.Marshal(patch)
	if err != nil {
		return fmt.Errorf("patch %s %s: %w", kind.Resource, o.GetName(), err)
	}
	return c.mergeRaw(ctx, kind, o, body, sub...)
}

func (c *cluster) mergeRaw(ctx context.Context, kind GVR, o *unstructured.Unstructured, body []byte, sub ...string) error {
	opts := metav1.PatchOptions{FieldManager: manager(kind)}
	made, err := c.client.Resource(kind).Namespace(o.GetNamespace()).Patch(ctx, o.GetName(), types.MergePatchType, body, opts, sub...)
	_, err = c.took(kind, made, err, "patch", o.GetName())
	return err
}

// setStatus makes o's status equal to status and writes nothing when it is already.
func (c *cluster) setStatus(ctx context.Context, kind GVR, o *unstructured.Unstructured, status map[string]any) error {
	before, err := json.Marshal(map[string]any{"status": o.Object["status"]})
	if err != nil {
		return fmt.Errorf("status of %s: %w", o.GetName(), err)
	}
	if o.Object["status"] == nil {
		before = []byte(`{}`)
	}
	after, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return fmt.Errorf("status of %s: %w", o.GetName(), err)
	}
	patch, err := jsonpatch.CreateMergePatch(before, after)
	if err != nil {
		return fmt.Errorf("status of %s: %w", o.GetName(), err)
	}
	if string(patch) == "{}" {
		return nil
	}
	// A status is that of what was seen: not of a namesake that was created in the meantime, nor of the object as somebody
	// has changed it since.
	patch = append([]byte(fmt.Sprintf(`{"metadata":{"uid":%q,"resourceVersion":%q},`, o.GetUID(), o.GetResourceVersion())), patch[1:]...)
	return c.mergeRaw(ctx, kind, o, patch, "status")
}

// remove deletes o if it is still the one that was read. grace < 0 leaves the period to the server.
func (c *cluster) remove(ctx context.Context, kind GVR, o metav1.Object, grace int64) error {
	uid := o.GetUID()
	background := metav1.DeletePropagationBackground // which is not what the API does with a Job's pods when nothing is said
	opts := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}, PropagationPolicy: &background}
	if grace >= 0 {
		opts.GracePeriodSeconds = &grace
	}
	err := c.client.Resource(kind).Namespace(o.GetNamespace()).Delete(ctx, o.GetName(), opts)
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete %s %s: %w", kind.Resource, o.GetName(), err)
	}
	return nil
}

func (c *cluster) took(kind GVR, made *unstructured.Unstructured, err error, verb, name string) (*unstructured.Unstructured, error) {
	if err != nil {
		return nil, fmt.Errorf("%s %s %s: %w", verb, kind.Resource, name, err)
	}
	if s, ok := c.shelves[kind]; ok && made.GetName() != "" && s.put(made) {
		c.ring(kind)
	}
	return made, nil
}

// manager is the field manager under which the real controller of a kind writes.
func manager(kind GVR) string {
	switch kind.Group {
	case Clusters.Group:
		return "manager"
	case ExternalSecrets.Group:
		return "external-secrets"
	case Gateways.Group:
		return "cilium-operator-generic"
	}
	switch kind {
	case Pods, Nodes, Events:
		return "kubelet"
	}
	return "kube-controller-manager"
}

// stamp is a time the way the API writes it, in whole seconds.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
