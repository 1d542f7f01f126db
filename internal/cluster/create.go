package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"runbook/internal/world"
)

// Manager is the field manager of everything that this program writes.
const Manager = "runbook"

// An ExistsError says that what was to be created is there already. Nothing
// was written.
type ExistsError struct {
	Ref     world.Ref
	Owner   string    // controller that owns it, or else who wrote it first; "" when unknown
	Created time.Time // by the server's clock
	Age     time.Duration
	// Annotations of what is there; nil when it may not be read.
	Annotations map[string]string
}

func (e *ExistsError) Error() string {
	text := fmt.Sprintf("create %s in %s: it exists already", e.Ref, e.Ref.Namespace)
	if e.Created.IsZero() {
		return text + ", and may not be read"
	}
	text += ", made " + world.Span(e.Age) + " ago"
	if e.Owner != "" {
		text += " by " + e.Owner
	}
	return text
}

// Create makes an object that isn't there yet, and never touches one that is:
// then the error is an [*ExistsError]. With dryRun the server only checks.
func (c *Client) Create(ctx context.Context, o *unstructured.Unstructured, dryRun bool) error {
	at, ref, err := c.home(ctx, o)
	if err != nil {
		return fmt.Errorf("create %s: %w", ref, err)
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	_, err = at.Create(ctx, o, metav1.CreateOptions{FieldManager: Manager, DryRun: dry(dryRun)})
	if apierrors.IsAlreadyExists(err) {
		return c.exists(ctx, at, ref)
	}
	if err != nil {
		return fmt.Errorf("create %s: %w", ref, c.plain(err))
	}
	return nil
}

func dry(run bool) []string {
	if run {
		return []string{metav1.DryRunAll}
	}
	return nil
}

// home is where an object lives, and its name for messages.
func (c *Client) home(ctx context.Context, o *unstructured.Unstructured) (dynamic.ResourceInterface, world.Ref, error) {
	gvk := o.GroupVersionKind()
	ref := world.NewRef(gvk.Kind, gvk.Group, o.GetNamespace(), o.GetName())
	r, _, err := c.catalog.exact(ctx, gvk.Group, gvk.Version, gvk.Kind)
	var missing *noKindError
	if errors.As(err, &missing) {
		c.catalog.forget(ctx) // the step before may have installed it a moment ago
		r, _, err = c.catalog.exact(ctx, gvk.Group, gvk.Version, gvk.Kind)
	}
	if err != nil {
		return nil, ref, c.plain(err)
	}
	if !r.namespaced {
		ref.Namespace = ""
		return c.dynamic.Resource(r.gvr), ref, nil
	}
	return c.dynamic.Resource(r.gvr).Namespace(o.GetNamespace()), ref, nil
}

// plainError has the reason of an API error as its text and the error itself
// for those who ask what it is.
type plainError struct {
	text string
	err  error
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.err }

func (c *Client) plain(err error) error {
	return &plainError{text: c.why(err), err: err}
}

func (c *Client) exists(ctx context.Context, at dynamic.ResourceInterface, ref world.Ref) error {
	e := &ExistsError{Ref: ref}
	o, err := at.Get(ctx, ref.Name, metav1.GetOptions{})
	if err != nil {
		return e // it exists, and may not be read
	}
	strip(o.Object)
	e.Created, e.Annotations = o.GetCreationTimestamp().Time, o.GetAnnotations()
	e.Age = c.clock.at(time.Now()).Sub(e.Created)
	if owner := metav1.GetControllerOf(o); owner != nil {
		e.Owner = owner.Kind + " " + owner.Name
		return e
	}
	var first metav1.ManagedFieldsEntry
	for _, m := range o.GetManagedFields() {
		if m.Time != nil && (first.Time == nil || m.Time.Before(first.Time)) {
			first = m
		}
	}
	e.Owner = first.Manager
	return e
}
