package kube

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"runbook/internal/sandbox/kube/store"
)

// provision gives a living namespace the account and the trust bundle that pods expect.
func (s *Server) provision(namespace string) {
	ns, ok := s.store.Read(store.Key{Resource: "namespaces", Name: namespace})
	if !ok || dig(ns, "metadata", "deletionTimestamp") != nil {
		return
	}
	s.ensure("serviceaccounts", &core.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: namespace}})
	s.ensure("configmaps", &core.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name: "kube-root-ca.crt", Namespace: namespace,
			Annotations: map[string]string{"kubernetes.io/description": "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."},
		},
		Data: map[string]string{"ca.crt": ""},
	})
}

// ensure creates an object unless it exists. The caller holds s.writing.
func (s *Server) ensure(stored string, obj runtime.Object) {
	r := s.registry.byStorage(stored)
	u, err := r.untyped(obj)
	if err != nil {
		return
	}
	if _, exists := s.store.Read(keyOf(r, u)); exists {
		return
	}
	// The namespace may have begun to end meanwhile; then it needs nothing.
	_, _ = s.insert(s.internal(r, namespaceOf(u)), u)
}

// touchNamespace empties a namespace that is being deleted as far as it can be, writes down what is
// left, and lets it go when nothing is.
func (s *Server) touchNamespace(name string) {
	ns, ok := s.store.Read(store.Key{Resource: "namespaces", Name: name})
	if !ok || dig(ns, "metadata", "deletionTimestamp") == nil {
		return
	}
	left := map[*resource][]map[string]any{}
	for _, r := range s.registry.storage() {
		if !r.namespaced {
			continue
		}
		for _, obj := range s.all(r.stored, name) {
			if dig(obj, "metadata", "deletionTimestamp") == nil {
				policy := metav1.DeletePropagationBackground
				s.discard(r, obj, &policy)
			}
			if now, ok := s.store.Read(keyOf(r, obj)); ok {
				left[r] = append(left[r], now)
			}
		}
	}
	next := runtime.DeepCopyJSON(ns)
	next["status"] = map[string]any{"phase": "Terminating", "conditions": s.namespaceConditions(ns, left)}
	if len(left) == 0 {
		spec, _ := next["spec"].(map[string]any)
		if spec != nil {
			setTexts(spec, "finalizers", slices.DeleteFunc(texts(ns, "spec", "finalizers"), func(f string) bool { return f == "kubernetes" }))
		}
	}
	if !unchanged(next, ns) {
		s.commit(s.registry.byStorage("namespaces"), next)
	}
}

// namespaceConditions say what a namespace that is being deleted waits for; True is bad.
func (s *Server) namespaceConditions(ns map[string]any, left map[*resource][]map[string]any) []any {
	counts, finalizers := map[string]int{}, map[string]int{}
	for r, objs := range left {
		counts[r.gvr.Resource+"."+r.gvr.Group] = len(objs)
		for _, obj := range objs {
			for _, f := range texts(obj, "metadata", "finalizers") {
				finalizers[f]++
			}
		}
	}
	remaining, holding := "All content successfully removed", "All content-preserving finalizers finished"
	remainingReason, holdingReason := "ContentRemoved", "ContentHasNoFinalizers"
	if len(counts) > 0 {
		remainingReason = "SomeResourcesRemain"
		remaining = "Some resources are remaining: " + describe(counts, "%s has %d resource instances")
	}
	if len(finalizers) > 0 {
		holdingReason = "SomeFinalizersRemain"
		holding = "Some content in the namespace has finalizers remaining: " + describe(finalizers, "%s in %d resource instances")
	}
	return []any{
		s.condition(ns, "NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered", "All resources successfully discovered"),
		s.condition(ns, "NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions", "All legacy kube types successfully parsed"),
		s.condition(ns, "NamespaceDeletionContentFailure", false, "ContentDeleted", "All content successfully deleted, may be waiting on finalization"),
		s.condition(ns, "NamespaceContentRemaining", len(counts) > 0, remainingReason, remaining),
		s.condition(ns, "NamespaceFinalizersRemaining", len(finalizers) > 0, holdingReason, holding),
	}
}

func describe(counts map[string]int, format string) string {
	names := slices.Collect(maps.Keys(counts))
	sort.Strings(names)
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = fmt.Sprintf(format, n, counts[n])
	}
	return strings.Join(parts, ", ")
}

// condition keeps the transition time of a condition whose status stays.
func (s *Server) condition(obj map[string]any, kind string, is bool, reason, message string) map[string]any {
	st := "False"
	if is {
		st = "True"
	}
	at := s.now().UTC().Format(time.RFC3339)
	for _, c := range conditions(obj) {
		if c["type"] == kind && c["status"] == st {
			at = text(c, "lastTransitionTime")
		}
	}
	return map[string]any{"type": kind, "status": st, "lastTransitionTime": at, "reason": reason, "message": message}
}
