package kube

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/sandbox/kube/kinds/extension"
	"runbook/internal/sandbox/kube/store"
)

const apiServiceResource = "apiservices.apiregistration.k8s.io"

// registerLocal makes the APIService by which the server says that it serves a group and version itself.
// The caller holds s.writing.
func (s *Server) registerLocal(gv schema.GroupVersion) {
	a := &extension.APIService{
		ObjectMeta: metav1.ObjectMeta{Name: gv.Version + "." + gv.Group, Labels: map[string]string{"kube-aggregator.kubernetes.io/automanaged": "true"}},
		Spec:       extension.APIServiceSpec{Group: gv.Group, Version: gv.Version, GroupPriorityMinimum: 1000, VersionPriority: 100},
	}
	a.Status.Conditions = []extension.Condition{{
		Type: "Available", Status: "True", Reason: "Local", Message: "Local APIServices are always available", LastTransitionTime: metav1.NewTime(s.now()),
	}}
	s.ensure(apiServiceResource, a)
}

// unregisterLocal removes it again when nothing of the group and version is left.
func (s *Server) unregisterLocal(gv schema.GroupVersion) {
	if !s.registry.serves(gv) {
		s.store.Remove(store.Key{Resource: apiServiceResource, Name: gv.Version + "." + gv.Group})
	}
}

// judgeAPIServices says of every APIService behind a Service whether there is one with endpoints. Whether
// what answers there is an API server is not looked into.
func (s *Server) judgeAPIServices() {
	r := s.registry.byStorage(apiServiceResource)
	for _, obj := range s.all(apiServiceResource, "") {
		ns, name := text(obj, "spec", "service", "namespace"), text(obj, "spec", "service", "name")
		if name == "" {
			continue
		}
		ok, reason, message := s.reachable(ns, name)
		next := runtime.DeepCopyJSON(obj)
		next["status"] = map[string]any{"conditions": []any{s.condition(obj, "Available", ok, reason, message)}}
		if !unchanged(next, obj) {
			s.store.Put(keyOf(r, next), next)
		}
	}
}

func (s *Server) reachable(ns, name string) (ok bool, reason, message string) {
	if _, exists := s.store.Read(store.Key{Resource: "services", Namespace: ns, Name: name}); !exists {
		return false, "ServiceNotFound", fmt.Sprintf("service/%s in %q is not present", name, ns)
	}
	for _, slice := range s.all("endpointslices.discovery.k8s.io", ns) {
		endpoints, _ := slice["endpoints"].([]any)
		if labelsOf(slice)["kubernetes.io/service-name"] == name && len(endpoints) > 0 {
			return true, "Passed", "all checks passed"
		}
	}
	return false, "MissingEndpoints", fmt.Sprintf("endpointslices for service/%s in %q have no addresses with port name \"\"", name, ns)
}
