package kube

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"runbook/internal/sandbox/kube/store"
)

func (r *resource) key(namespace, name string) store.Key {
	if !r.namespaced {
		namespace = ""
	}
	return store.Key{Resource: r.stored, Namespace: namespace, Name: name}
}

func keyOf(r *resource, obj map[string]any) store.Key { return r.key(namespaceOf(obj), nameOf(obj)) }

// create is POST on a collection.
func (s *Server) create(q *request) (map[string]any, error) {
	data, err := s.body(q)
	if err != nil {
		return nil, err
	}
	obj, err := q.decode(q.res, data)
	if err != nil {
		return nil, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.insert(q, obj)
}

// insert gives a decoded object what only the server gives, checks it and keeps it. The caller holds s.writing.
func (s *Server) insert(q *request, obj map[string]any) (map[string]any, error) {
	r := q.res.base
	if revisionOf(obj) != "" {
		return nil, errors.New("resourceVersion should not be set on objects to be created")
	}
	if err := q.placeObject(r, obj); err != nil {
		return nil, err
	}
	obj, err := s.own(q, r, "", obj, nil)
	if err != nil {
		return nil, err
	}
	// Admission comes after: what it adds belongs to nobody.
	if err := s.admitCreate(r, obj); err != nil {
		return nil, err
	}
	return s.keepNew(q, r, obj)
}

// keepNew is the last part of a creation, when owners are recorded.
func (s *Server) keepNew(q *request, r *resource, obj map[string]any) (map[string]any, error) {
	generated := s.stampNew(r, obj)
	obj, err := s.prepareNew(r, obj)
	if err != nil {
		return nil, err
	}
	if _, exists := s.store.Read(keyOf(r, obj)); exists {
		if generated {
			return nil, apierrors.NewGenerateNameConflict(r.group(), nameOf(obj), 1)
		}
		return nil, apierrors.NewAlreadyExists(r.group(), nameOf(obj))
	}
	if q.dryRun() {
		return obj, nil
	}
	obj = s.store.Put(keyOf(r, obj), obj)
	s.afterWrite(r, obj)
	return obj, nil
}

// stampNew sets uid, time and generation, and tells whether it made up the name.
func (s *Server) stampNew(r *resource, obj map[string]any) (generated bool) {
	m := meta(obj)
	for _, k := range []string{"resourceVersion", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"} {
		delete(m, k)
	}
	if prefix, _ := m["generateName"].(string); nameOf(obj) == "" && prefix != "" {
		m["name"] = prefix + suffix()
		generated = true
	}
	m["uid"] = string(uuid.NewUUID())
	m["creationTimestamp"] = s.now().UTC().Format(time.RFC3339)
	if r.generated() {
		m["generation"] = int64(1)
	}
	if r.status && r.custom != nil {
		delete(obj, "status")
	}
	return generated
}

// suffix is five characters that can't spell a word, as generated names have them.
func suffix() string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	var raw [5]byte
	// crypto/rand.Read never fails.
	_, _ = rand.Read(raw[:])
	for i, b := range raw {
		raw[i] = letters[int(b)%len(letters)]
	}
	return string(raw[:])
}

// prepareNew sets what follows from the object and validates it.
func (s *Server) prepareNew(r *resource, obj map[string]any) (map[string]any, error) {
	if r.custom != nil {
		r.custom.schema.Default(obj)
		return obj, r.invalid(obj, append(r.metaErrors(obj), r.custom.schema.Validate(obj)...))
	}
	typed, err := r.typed(obj)
	if err != nil {
		return nil, err
	}
	r.builtin.Default(typed)
	r.builtin.Create(typed)
	if err := s.allocate(typed); err != nil {
		return nil, err
	}
	if obj, err = r.untyped(typed); err != nil {
		return nil, err
	}
	if r.status && r.clearsStatus() {
		delete(obj, "status")
		if typed, err = r.typed(obj); err != nil {
			return nil, err
		}
		if obj, err = r.untyped(typed); err != nil {
			return nil, err
		}
	}
	if r.defines() {
		firstStatus(obj)
	}
	return obj, r.invalid(obj, append(r.metaErrors(obj), r.builtin.Validate(typed)...))
}

// clearsStatus: a new object's status is what its Create hook says, and nothing of what was sent. Nodes
// register themselves with their status.
func (r *resource) clearsStatus() bool {
	switch r.stored {
	case "pods", "services", "namespaces", "persistentvolumeclaims", "persistentvolumes", "nodes", "jobs.batch", "apiservices.apiregistration.k8s.io":
		return false
	}
	return true
}

func (r *resource) metaErrors(obj map[string]any) field.ErrorList {
	m, err := objectMeta(obj)
	if err != nil {
		return field.ErrorList{field.Invalid(field.NewPath("metadata"), "", err.Error())}
	}
	rule := apivalidation.NameIsDNSSubdomain
	if r.builtin != nil {
		rule = r.builtin.NameRule()
	}
	errs := apivalidation.ValidateObjectMeta(m, r.namespaced, rule, field.NewPath("metadata"))
	return append(errs, r.finalizerErrors(m.Finalizers)...)
}

// finalizerErrors: on built-in kinds a finalizer without a domain has to be one of the API's own.
func (r *resource) finalizerErrors(names []string) (errs field.ErrorList) {
	standard := []string{"kubernetes", metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents}
	for _, name := range names {
		if r.builtin != nil && !strings.Contains(name, "/") && !slices.Contains(standard, name) {
			errs = append(errs, field.Invalid(field.NewPath("metadata", "finalizers"), name, "name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

// invalid is nil when there are no errors.
func (r *resource) invalid(obj map[string]any, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(r.groupKind(), nameOf(obj), errs)
}

func objectMeta(obj map[string]any) (*metav1.ObjectMeta, error) {
	out := &metav1.ObjectMeta{}
	raw, _ := obj["metadata"].(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(raw, out); err != nil {
		return nil, fmt.Errorf("read metadata: %w", err)
	}
	return out, nil
}

// placeObject makes the object's name and namespace agree with the path.
func (q *request) placeObject(r *resource, obj map[string]any) error {
	m := meta(obj)
	ns, _ := m["namespace"].(string)
	switch {
	case !r.namespaced && ns != "":
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	case !r.namespaced:
		return nil
	case ns == "":
		m["namespace"] = q.namespace
	case ns != q.namespace:
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return nil
}

// admitCreate refuses new objects in namespaces that are absent, or where something they need is on its
// way out.
func (s *Server) admitCreate(r *resource, obj map[string]any) error {
	if r.custom != nil {
		if crd, ok := s.store.Read(store.Key{Resource: crdResource, Name: r.stored}); ok && dig(crd, "metadata", "deletionTimestamp") != nil {
			return apierrors.NewForbidden(r.group(), nameOf(obj), errors.New("create not allowed while custom resource definition is terminating"))
		}
	}
	if !r.namespaced {
		return nil
	}
	ns := namespaceOf(obj)
	have, ok := s.store.Read(store.Key{Resource: "namespaces", Name: ns})
	if !ok {
		return apierrors.NewNotFound(namespaces, ns)
	}
	if dig(have, "metadata", "deletionTimestamp") == nil {
		return s.admitObject(r, obj)
	}
	err := apierrors.NewForbidden(r.group(), nameOf(obj), fmt.Errorf("unable to create new content in namespace %s because it is being terminated", ns))
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type: "NamespaceTerminating", Message: fmt.Sprintf("namespace %s is being terminated", ns), Field: "metadata.namespace",
	})
	return err
}
