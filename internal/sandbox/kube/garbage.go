package kube

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"runbook/internal/sandbox/kube/store"
)

func owners(obj map[string]any) []map[string]any {
	list, _ := dig(obj, "metadata", "ownerReferences").([]any)
	var out []map[string]any
	for _, o := range list {
		if m, ok := o.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func ownedBy(obj map[string]any, uid string) bool {
	return slices.ContainsFunc(owners(obj), func(o map[string]any) bool { return o["uid"] == uid })
}

// each calls f for every object there is.
func (s *Server) each(f func(*resource, map[string]any)) {
	for _, r := range s.registry.storage() {
		for _, obj := range s.all(r.stored, "") {
			f(r, obj)
		}
	}
}

// discard deletes an object on a controller's behalf; a policy of nil is the object's own default.
func (s *Server) discard(r *resource, obj map[string]any, policy *metav1.DeletionPropagation) {
	// A controller's deletion can only be refused for what is protected, and then it stays.
	_, _, _ = s.remove(r, obj, &metav1.DeleteOptions{PropagationPolicy: policy})
}

// collectOrphans deletes what had only the deleted object as its owner.
func (s *Server) collectOrphans(owner map[string]any) {
	uid := uidOf(owner)
	if uid == "" {
		return
	}
	s.each(func(r *resource, obj map[string]any) {
		if ownedBy(obj, uid) && !s.hasOwner(obj) {
			s.discard(r, obj, nil)
		}
	})
}

// collectAbsent deletes a new object whose owners don't exist.
func (s *Server) collectAbsent(e store.Event) {
	if len(owners(e.Object)) == 0 || dig(e.Object, "metadata", "deletionTimestamp") != nil {
		return
	}
	r := s.registry.byStorage(e.Key.Resource)
	now, ok := s.store.Read(e.Key)
	if r != nil && ok && len(owners(now)) > 0 && !s.hasOwner(now) {
		s.discard(r, now, nil)
	}
}

// hasOwner tells whether any owner of an object exists: same kind, name, place and uid.
func (s *Server) hasOwner(obj map[string]any) bool {
	return slices.ContainsFunc(owners(obj), func(o map[string]any) bool {
		for _, r := range s.registry.all() {
			if r.apiVersion() != o["apiVersion"] || r.kind != o["kind"] {
				continue
			}
			if r.namespaced && namespaceOf(obj) == "" {
				// Something in a namespace can't own what is in none; nothing is deleted for it.
				return true
			}
			owner, ok := s.store.Read(r.key(namespaceOf(obj), text(o, "name")))
			return ok && uidOf(owner) == o["uid"]
		}
		// The kind isn't served: whether the owner exists can't be told, so nothing is deleted.
		return true
	})
}

// finishDeletion carries out what a deleted object's propagation policy asks for.
func (s *Server) finishDeletion(e store.Event) {
	obj, ok := s.store.Read(e.Key)
	r := s.registry.byStorage(e.Key.Resource)
	if !ok || r == nil || dig(obj, "metadata", "deletionTimestamp") == nil {
		return
	}
	finalizers := texts(obj, "metadata", "finalizers")
	if slices.Contains(finalizers, metav1.FinalizerOrphanDependents) {
		s.orphan(obj)
		s.dropFinalizer(r, obj, metav1.FinalizerOrphanDependents)
		return
	}
	if slices.Contains(finalizers, metav1.FinalizerDeleteDependents) {
		s.foreground(r, obj)
	}
	s.release(r, obj)
}

// release takes the protection of volumes that nothing uses any more, as the protection controllers do.
func (s *Server) release(r *resource, obj map[string]any) {
	switch r.stored {
	case "persistentvolumeclaims":
		if !s.claimInUse(obj) {
			s.dropFinalizer(r, obj, "kubernetes.io/pvc-protection")
		}
	case "persistentvolumes":
		if text(obj, "status", "phase") != "Bound" {
			s.dropFinalizer(r, obj, "kubernetes.io/pv-protection")
		}
	}
}

func (s *Server) claimInUse(claim map[string]any) bool {
	return slices.ContainsFunc(s.all("pods", namespaceOf(claim)), func(pod map[string]any) bool {
		phase := text(pod, "status", "phase")
		if phase == "Succeeded" || phase == "Failed" {
			return false
		}
		volumes, _ := dig(pod, "spec", "volumes").([]any)
		return slices.ContainsFunc(volumes, func(v any) bool {
			return text(v, "persistentVolumeClaim", "claimName") == nameOf(claim)
		})
	})
}

// orphan takes the deleted object out of its dependents' owners.
func (s *Server) orphan(owner map[string]any) {
	uid := uidOf(owner)
	s.each(func(r *resource, obj map[string]any) {
		if !ownedBy(obj, uid) {
			return
		}
		next := runtime.DeepCopyJSON(obj)
		var left []any
		for _, o := range owners(next) {
			if o["uid"] != uid {
				left = append(left, o)
			}
		}
		if left == nil {
			delete(meta(next), "ownerReferences")
		} else {
			meta(next)["ownerReferences"] = left
		}
		s.commit(r, next)
	})
}

// foreground deletes an object's dependents, and then lets the object go when none is left that blocks it.
func (s *Server) foreground(r *resource, owner map[string]any) {
	uid, blocked := uidOf(owner), false
	policy := metav1.DeletePropagationForeground
	s.each(func(dep *resource, obj map[string]any) {
		if !ownedBy(obj, uid) {
			return
		}
		if dig(obj, "metadata", "deletionTimestamp") == nil {
			s.discard(dep, obj, &policy)
		}
		now, ok := s.store.Read(keyOf(dep, obj))
		blocked = blocked || ok && blocks(now, uid)
	})
	if !blocked {
		s.dropFinalizer(r, owner, metav1.FinalizerDeleteDependents)
	}
}

func blocks(obj map[string]any, uid string) bool {
	return slices.ContainsFunc(owners(obj), func(o map[string]any) bool {
		b, _ := o["blockOwnerDeletion"].(bool)
		return o["uid"] == uid && b
	})
}

// finishOwners looks again at the owners of a deleted object that wait for it, and at what it used.
func (s *Server) finishOwners(gone map[string]any) {
	for _, o := range owners(gone) {
		for _, r := range s.registry.all() {
			if r.apiVersion() == o["apiVersion"] && r.kind == o["kind"] {
				s.finishDeletion(store.Event{Key: r.key(namespaceOf(gone), text(o, "name"))})
			}
		}
	}
	if gone["kind"] == "Pod" {
		for _, claim := range s.all("persistentvolumeclaims", namespaceOf(gone)) {
			s.finishDeletion(store.Event{Key: store.Key{Resource: "persistentvolumeclaims", Namespace: namespaceOf(gone), Name: nameOf(claim)}})
		}
	}
}
