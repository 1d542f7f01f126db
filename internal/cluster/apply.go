package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"runbook/internal/dig"
	"runbook/internal/world"
)

// An Outcome is what an apply did, or would do, to one object.
type Outcome string

// The outcomes.
const (
	Created    Outcome = "created"
	Configured Outcome = "configured"
	Unchanged  Outcome = "unchanged"
	Failed     Outcome = "failed"
)

// An Applied is the result for one object.
type Applied struct {
	Ref     world.Ref
	Outcome Outcome
	Changes []Change // by path; values of a Secret are never in it
	Note    string   // what a dry run could not check
	Err     error    // with Failed
}

// establishing is how long a kind may take to be served after its definition
// was applied in the same step.
const establishing = 10 * time.Second

// Apply applies the objects server-side in their order, as [Manager], and says
// what it did to each; with dryRun the server only computes it. Fields that
// somebody else manages are a conflict and not taken over. It goes on after a
// failure, except when ctx ends. Objects of namespaced kinds that don't say
// their namespace go to namespace.
func (c *Client) Apply(ctx context.Context, objects []*unstructured.Unstructured, namespace string, dryRun bool) []Applied {
	var out []Applied
	for i, o := range objects {
		if ctx.Err() != nil {
			out = append(out, Applied{Ref: refOf(o), Outcome: Failed, Err: ctx.Err()})
			continue
		}
		out = append(out, c.apply(ctx, c.placed(ctx, o, namespace), objects[:i], dryRun))
	}
	return out
}

// placed returns o, or a copy in namespace when it must be in one and says
// none. A kind that isn't served yet is taken to be in one.
func (c *Client) placed(ctx context.Context, o *unstructured.Unstructured, namespace string) *unstructured.Unstructured {
	if o.GetNamespace() != "" {
		return o
	}
	gvk := o.GroupVersionKind()
	r, _, err := c.catalog.exact(ctx, gvk.Group, gvk.Version, gvk.Kind)
	if err == nil && !r.namespaced {
		return o
	}
	o = o.DeepCopy()
	o.SetNamespace(namespace)
	return o
}

func refOf(o *unstructured.Unstructured) world.Ref {
	gvk := o.GroupVersionKind()
	return world.NewRef(gvk.Kind, gvk.Group, o.GetNamespace(), o.GetName())
}

func (c *Client) apply(ctx context.Context, o *unstructured.Unstructured, before []*unstructured.Unstructured, dryRun bool) Applied {
	a := Applied{Ref: refOf(o), Outcome: Failed}
	at, ref, err := c.home(ctx, o)
	var missing *noKindError
	if errors.As(err, &missing) && defines(before, o) {
		if dryRun {
			a.Outcome, a.Note = Created, "not checked: its kind is defined in the same step"
			return a
		}
		at, ref, err = c.established(ctx, o)
	}
	a.Ref = ref
	if err != nil {
		a.Err = fmt.Errorf("apply %s: %w", a.Ref, err)
		return a
	}
	return c.applyAt(ctx, at, o, before, dryRun, a)
}

func (c *Client) applyAt(ctx context.Context, at dynamic.ResourceInterface, o *unstructured.Unstructured, before []*unstructured.Unstructured, dryRun bool, a Applied) Applied {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	old, err := at.Get(ctx, o.GetName(), metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsForbidden(err) {
		a.Err = fmt.Errorf("read %s: %w", a.Ref, c.plain(err))
		return a
	}
	if err != nil {
		old = nil
	}
	unread := apierrors.IsForbidden(err)
	if a.Ref.Namespace == "" {
		o = o.DeepCopy()
		o.SetNamespace("") // placed could not know that the kind has none
	}
	now, err := at.Apply(ctx, o.GetName(), o, metav1.ApplyOptions{FieldManager: Manager, DryRun: dry(dryRun)})
	switch {
	case apierrors.IsNotFound(err) && dryRun && makesNamespace(before, o.GetNamespace()):
		a.Outcome, a.Note = Created, "not checked: its namespace is made in the same step"
		return a
	case err != nil:
		a.Err = fmt.Errorf("apply %s: %w", a.Ref, c.plain(err))
		return a
	case unread:
		a.Outcome, a.Note = Configured, "what changes can't be told: it may be written, but not read"
		return a
	case old == nil:
		a.Outcome = Created
	}
	a.Changes = differences(old, now)
	if old != nil {
		a.Outcome = Configured
		if len(a.Changes) == 0 {
			a.Outcome = Unchanged
		}
	}
	return a
}

// established waits until a kind that was just defined is served.
func (c *Client) established(ctx context.Context, o *unstructured.Unstructured) (dynamic.ResourceInterface, world.Ref, error) {
	ctx, cancel := context.WithTimeout(ctx, establishing)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		at, ref, err := c.home(ctx, o)
		if err == nil {
			return at, ref, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ref, err
		}
	}
}

// defines reports whether an earlier object is the definition of o's kind.
func defines(before []*unstructured.Unstructured, o *unstructured.Unstructured) bool {
	return slices.ContainsFunc(before, func(b *unstructured.Unstructured) bool {
		return b.GetKind() == "CustomResourceDefinition" && dig.Text(b.Object, "spec", "group") == o.GroupVersionKind().Group &&
			dig.Text(b.Object, "spec", "names", "kind") == o.GetKind()
	})
}

func makesNamespace(before []*unstructured.Unstructured, name string) bool {
	return slices.ContainsFunc(before, func(b *unstructured.Unstructured) bool {
		return b.GetKind() == "Namespace" && b.GetName() == name
	})
}
