package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var errModified = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// update is PUT on an object or its status.
func (s *Server) update(q *request) (map[string]any, error) {
	data, err := s.body(q)
	if err != nil {
		return nil, err
	}
	obj, err := q.decode(q.res, data)
	if err != nil {
		return nil, err
	}
	if err := q.placeObject(q.res.base, obj); err != nil {
		return nil, err
	}
	switch name := nameOf(obj); {
	case name == "":
		return nil, apierrors.NewBadRequest("name must be provided")
	case name != q.name:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", name, q.name))
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	old, err := s.existing(q)
	if apierrors.IsNotFound(err) && q.sub == "" && q.res.base.upserts() {
		return s.insert(q, obj)
	}
	if err != nil {
		return nil, err
	}
	if obj, err = s.own(q, q.res.base, q.sub, obj, old); err != nil {
		return nil, err
	}
	return s.replace(q, obj, old)
}

func (s *Server) existing(q *request) (map[string]any, error) {
	old, ok := s.store.Read(q.res.key(q.namespace, q.name))
	if !ok {
		return nil, apierrors.NewNotFound(q.res.group(), q.name)
	}
	return old, nil
}

// replace puts a changed object, whose owners are recorded, in the place of an old one. The caller holds
// s.writing.
func (s *Server) replace(q *request, obj, old map[string]any) (map[string]any, error) {
	r := q.res.base
	if err := q.preconditions(r, obj, old); err != nil {
		return nil, err
	}
	obj = r.merged(q.sub, obj, old)
	obj, err := s.checkChange(q, r, obj, old)
	if err != nil {
		return nil, err
	}
	if r.generated() && q.sub != "status" && r.specChanged(obj, old) {
		n, _ := number(old, "metadata", "generation")
		meta(obj)["generation"] = n + 1
	}
	if unchanged(obj, old) {
		return old, nil
	}
	if q.dryRun() {
		return obj, nil
	}
	return s.commit(r, obj), nil
}

// commit keeps a changed object, or removes it when the change took its last finalizer.
func (s *Server) commit(r *resource, obj map[string]any) map[string]any {
	k := keyOf(r, obj)
	if gone(r, obj) {
		s.store.Put(k, obj)
		removed, _ := s.store.Remove(k)
		s.afterRemove(r, removed)
		return removed
	}
	obj = s.store.Put(k, obj)
	s.afterWrite(r, obj)
	return obj
}

// gone tells an object that has been deleted and waits for nothing any more.
func gone(r *resource, obj map[string]any) bool {
	if dig(obj, "metadata", "deletionTimestamp") == nil || len(texts(obj, "metadata", "finalizers")) > 0 {
		return false
	}
	if grace, ok := number(obj, "metadata", "deletionGracePeriodSeconds"); ok && grace > 0 {
		return false
	}
	return r.stored != "namespaces" || len(texts(obj, "spec", "finalizers")) == 0
}

func (q *request) preconditions(r *resource, obj, old map[string]any) error {
	if uid := uidOf(obj); uid != "" && uid != uidOf(old) {
		//lint:ignore ST1005 the real server's words
		return apierrors.NewConflict(r.group(), q.name, fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", uid, uidOf(old)))
	}
	switch rv := revisionOf(obj); {
	case rv == "" && r.needsRevision() && q.verb == "update":
		return r.invalid(obj, field.ErrorList{field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update")})
	case rv != "" && rv != revisionOf(old):
		return apierrors.NewConflict(r.group(), q.name, errModified)
	}
	return nil
}

// needsRevision: what can't be replaced without saying which version was read.
func (r *resource) needsRevision() bool {
	if r.custom != nil {
		return true
	}
	switch r.gvr.Group {
	case "coordination.k8s.io", "policy", "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io":
		return true
	}
	return false
}

// upserts: the kinds that a PUT may create.
func (r *resource) upserts() bool {
	switch r.stored {
	case "leases.coordination.k8s.io", "endpoints", "events", "limitranges", "services":
		return true
	}
	return r.gvr.Group == "rbac.authorization.k8s.io"
}

// merged is the object with the parts of the old one that this write may not touch.
func (r *resource) merged(sub string, obj, old map[string]any) map[string]any {
	if sub == "status" {
		out := runtime.DeepCopyJSON(old)
		meta(out)["managedFields"] = dig(obj, "metadata", "managedFields")
		r.mergeStatusMeta(out, obj)
		if st, ok := obj["status"]; ok {
			out["status"] = st
		} else {
			delete(out, "status")
		}
		return out
	}
	out := maps.Clone(obj)
	m := maps.Clone(meta(obj))
	for _, k := range []string{"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "resourceVersion"} {
		if v := dig(old, "metadata", k); v != nil {
			m[k] = v
		} else {
			delete(m, k)
		}
	}
	out["metadata"] = m
	if r.status {
		if st, ok := old["status"]; ok {
			out["status"] = st
		} else {
			delete(out, "status")
		}
	}
	if r.stored == "namespaces" && sub != "finalize" {
		out["spec"] = old["spec"]
	}
	return out
}

// mergeStatusMeta: of the built-in kinds, those whose status is written by an agent take labels and
// annotations along; deployments and their like, and custom resources, don't.
func (r *resource) mergeStatusMeta(out, obj map[string]any) {
	switch r.stored {
	case "pods", "nodes", "persistentvolumeclaims", "persistentvolumes", "services", "namespaces":
		for _, k := range []string{"labels", "annotations"} {
			if v := dig(obj, "metadata", k); v != nil {
				meta(out)[k] = v
			} else {
				delete(meta(out), k)
			}
		}
	}
}

// checkChange normalises a changed object and tells what of it isn't allowed.
func (s *Server) checkChange(q *request, r *resource, obj, old map[string]any) (map[string]any, error) {
	errs := r.metaChangeErrors(obj, old)
	if r.custom != nil {
		r.custom.schema.Default(obj)
		return obj, r.invalid(obj, append(errs, r.custom.schema.Validate(obj)...))
	}
	typed, err := r.typed(obj)
	if err != nil {
		return nil, err
	}
	before, err := r.typed(old)
	if err != nil {
		return nil, err
	}
	r.builtin.Default(typed)
	if q.sub != "status" {
		s.keepAllocated(typed, before)
		if err := s.allocate(typed); err != nil {
			return nil, err
		}
		errs = append(errs, r.builtin.Validate(typed)...)
		if q.sub == "" {
			errs = append(errs, r.builtin.ValidateUpdate(typed, before)...)
		}
	}
	if err := r.invalid(obj, errs); err != nil {
		return nil, err
	}
	return r.untyped(typed)
}

func (r *resource) metaChangeErrors(obj, old map[string]any) field.ErrorList {
	m, err := objectMeta(obj)
	if err != nil {
		return field.ErrorList{field.Invalid(field.NewPath("metadata"), "", err.Error())}
	}
	before, err := objectMeta(old)
	if err != nil {
		return field.ErrorList{field.Invalid(field.NewPath("metadata"), "", err.Error())}
	}
	return apivalidation.ValidateObjectMetaAccessorUpdate(m, before, field.NewPath("metadata"))
}

// specChanged tells whether the generation has to grow: anything but metadata and, where it is a
// subresource, status has changed.
func (r *resource) specChanged(obj, old map[string]any) bool {
	strip := func(o map[string]any) map[string]any {
		o = maps.Clone(o)
		for _, k := range []string{"metadata", "apiVersion", "kind"} {
			delete(o, k)
		}
		if r.status {
			delete(o, "status")
		}
		return o
	}
	// A Deployment's annotations are copied to its ReplicaSets, so they count as what is wanted of it.
	if r.stored == "deployments.apps" && !equalJSON(annotationsOf(obj), annotationsOf(old)) {
		return true
	}
	return !equalJSON(strip(obj), strip(old))
}

func annotationsOf(obj map[string]any) map[string]any {
	out, _ := dig(obj, "metadata", "annotations").(map[string]any)
	return out
}

// unchanged compares two objects without the times in their managed fields: a write that changes nothing
// else makes no new version.
func unchanged(obj, old map[string]any) bool {
	return equalJSON(untimed(obj), untimed(old))
}

func untimed(obj map[string]any) map[string]any {
	out := maps.Clone(obj)
	m := maps.Clone(meta(obj))
	list := entries(obj)
	clean := make([]any, len(list))
	for i, e := range list {
		e = maps.Clone(e)
		delete(e, "time")
		clean[i] = e
	}
	m["managedFields"] = clean
	out["metadata"] = m
	return out
}

func equalJSON(a, b map[string]any) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	// Numbers and nil lists may differ in Go and not on the wire.
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && string(x) == string(y)
}
