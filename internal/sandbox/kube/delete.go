package kube

import (
	"fmt"
	"io"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
)

// deleteOptions come in the body or, from old clients, in the query.
func (s *Server) deleteOptions(q *request) (*metav1.DeleteOptions, error) {
	data, err := io.ReadAll(io.LimitReader(q.http.Body, maxBody))
	if err != nil {
		return nil, apierrors.NewBadRequest("unable to read body: " + err.Error())
	}
	o := &metav1.DeleteOptions{}
	if q.http.Header.Get("Content-Type") == protobufMedia && len(data) > 0 {
		if data, err = s.protobufToJSON(data); err != nil {
			return nil, err
		}
	}
	if err := decodeInto(data, o); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		if q.query.Get("gracePeriodSeconds") != "" {
			n, err := q.int("gracePeriodSeconds")
			if err != nil {
				return nil, err
			}
			o.GracePeriodSeconds = &n
		}
		if p := q.query.Get("propagationPolicy"); p != "" {
			policy := metav1.DeletionPropagation(p)
			o.PropagationPolicy = &policy
		}
		o.DryRun = q.query["dryRun"]
	}
	if errs := metavalidation.ValidateDeleteOptions(o); len(errs) > 0 {
		return nil, apierrors.NewInvalid(metaKind("DeleteOptions"), "", errs)
	}
	return o, nil
}

// delete is DELETE on one object. It tells whether the object is gone; if not, it waits for something.
func (s *Server) delete(q *request) (obj map[string]any, removed bool, err error) {
	o, err := s.deleteOptions(q)
	if err != nil {
		return nil, false, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	old, err := s.existing(q)
	if err != nil {
		return nil, false, err
	}
	return s.remove(q.res.base, old, o)
}

// remove carries a deletion out as far as it can go now. The caller holds s.writing.
func (s *Server) remove(r *resource, old map[string]any, o *metav1.DeleteOptions) (map[string]any, bool, error) {
	if err := r.deletable(old, o); err != nil {
		return nil, false, err
	}
	obj := runtime.DeepCopyJSON(old)
	m := meta(obj)
	finalizers := withPolicy(texts(obj, "metadata", "finalizers"), o)
	setTexts(m, "finalizers", finalizers)
	grace := r.grace(obj, o)
	already := m["deletionTimestamp"] != nil
	waits := len(finalizers) > 0 || grace > 0 || r.stored == "namespaces" && len(texts(obj, "spec", "finalizers")) > 0
	if len(o.DryRun) > 0 {
		return obj, !waits, nil
	}
	if !waits {
		gone, _ := s.store.Remove(keyOf(r, obj))
		s.afterRemove(r, gone)
		return gone, true, nil
	}
	s.markDeleted(m, grace, already)
	if r.stored == "namespaces" {
		delete(m, "deletionGracePeriodSeconds")
		obj["status"] = map[string]any{"phase": "Terminating"}
		if st, ok := dig(old, "status").(map[string]any); ok && already {
			obj["status"] = st
		}
	}
	if unchanged(obj, old) {
		return old, false, nil
	}
	obj = s.store.Put(keyOf(r, obj), obj)
	s.afterWrite(r, obj)
	return obj, false, nil
}

// markDeleted sets when the object is to be gone; a second deletion can only shorten that.
func (s *Server) markDeleted(m map[string]any, grace int64, already bool) {
	now := s.now().UTC()
	if !already {
		m["deletionTimestamp"] = now.Add(time.Duration(grace) * time.Second).Format(time.RFC3339)
		m["deletionGracePeriodSeconds"] = grace
		if n, ok := m["generation"].(int64); ok && n > 0 {
			m["generation"] = n + 1
		}
		return
	}
	if was, ok := number(m, "deletionGracePeriodSeconds"); ok && grace < was {
		m["deletionTimestamp"] = now.Add(time.Duration(grace) * time.Second).Format(time.RFC3339)
		m["deletionGracePeriodSeconds"] = grace
	}
}

// grace is how many seconds an object may take to end. Only pods take any, and only those that a node
// may be running.
func (r *resource) grace(obj map[string]any, o *metav1.DeleteOptions) int64 {
	if r.stored != "pods" {
		return 0
	}
	period := int64(30)
	if n, ok := number(obj, "spec", "terminationGracePeriodSeconds"); ok {
		period = n
	}
	if o.GracePeriodSeconds != nil {
		period = *o.GracePeriodSeconds
	}
	phase := text(obj, "status", "phase")
	if text(obj, "spec", "nodeName") == "" || phase == "Failed" || phase == "Succeeded" {
		return 0
	}
	return max(period, 0)
}

// withPolicy adds the finalizers by which the garbage collector learns of a propagation policy. Without
// one the object's own finalizers stay as they are.
func withPolicy(have []string, o *metav1.DeleteOptions) []string {
	//lint:ignore SA1019 clients may still send it, and the real server still heeds it
	orphaning := o.OrphanDependents
	if o.PropagationPolicy == nil && orphaning == nil {
		return have
	}
	orphan := orphaning != nil && *orphaning
	foreground := false
	if o.PropagationPolicy != nil {
		orphan = *o.PropagationPolicy == metav1.DeletePropagationOrphan
		foreground = *o.PropagationPolicy == metav1.DeletePropagationForeground
	}
	out := slices.DeleteFunc(slices.Clone(have), func(f string) bool {
		return f == metav1.FinalizerOrphanDependents || f == metav1.FinalizerDeleteDependents
	})
	if orphan {
		out = append(out, metav1.FinalizerOrphanDependents)
	}
	if foreground {
		out = append(out, metav1.FinalizerDeleteDependents)
	}
	return out
}

func setTexts(m map[string]any, key string, list []string) {
	if len(list) == 0 {
		delete(m, key)
		return
	}
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	m[key] = out
}

func (r *resource) deletable(obj map[string]any, o *metav1.DeleteOptions) error {
	if p := o.Preconditions; p != nil {
		if p.UID != nil && string(*p.UID) != uidOf(obj) {
			return apierrors.NewConflict(r.group(), nameOf(obj), fmt.Errorf("the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated", *p.UID, uidOf(obj)))
		}
		if p.ResourceVersion != nil && *p.ResourceVersion != revisionOf(obj) {
			return apierrors.NewConflict(r.group(), nameOf(obj), fmt.Errorf("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified", *p.ResourceVersion, revisionOf(obj)))
		}
	}
	if r.stored != "namespaces" {
		return nil
	}
	switch nameOf(obj) {
	case "default", "kube-system", "kube-public":
		return apierrors.NewForbidden(r.group(), nameOf(obj), fmt.Errorf("this namespace may not be deleted"))
	}
	return nil
}

// deleteCollection deletes what a selector picks and answers with what it picked.
func (s *Server) deleteCollection(q *request) (map[string]any, error) {
	o, err := s.deleteOptions(q)
	if err != nil {
		return nil, err
	}
	sel, err := q.selection()
	if err != nil {
		return nil, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	items, rev := s.store.List(q.res.stored, q.namespace)
	var picked []any
	for _, obj := range items {
		if !sel.matches(obj) {
			continue
		}
		if _, _, err := s.remove(q.res.base, obj, o); err != nil {
			return nil, err
		}
		picked = append(picked, q.res.shown(obj))
	}
	return q.list(picked, rev, "", 0), nil
}

// deletedStatus is the answer for an object that is gone.
func deletedStatus(r *resource, obj map[string]any) map[string]any {
	details := map[string]any{"name": nameOf(obj), "uid": uidOf(obj), "kind": r.gvr.Resource}
	if r.gvr.Group != "" {
		details["group"] = r.gvr.Group
	}
	return map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Success", "details": details}
}
