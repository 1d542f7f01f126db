package kube

import (
	"context"
	"fmt"
	"net/http"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"runbook/internal/sandbox/kube/rbac"
)

// bootstrap makes what every cluster has from its first second.
func (s *Server) bootstrap() {
	for _, name := range []string{"kube-system", "default", "kube-public", "kube-node-lease"} {
		s.make("namespaces", &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	for _, role := range rbac.DefaultRoles() {
		s.make("clusterroles"+rbacSuffix, &role)
	}
	for _, binding := range rbac.DefaultBindings() {
		s.make("clusterrolebindings"+rbacSuffix, &binding)
	}
	s.writing.Lock()
	for _, gv := range s.groupVersions() {
		s.registerLocal(gv)
	}
	s.writing.Unlock()
	s.make("services", &core.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "kubernetes", Namespace: "default", Labels: map[string]string{"component": "apiserver", "provider": "kubernetes"}},
		Spec:       core.ServiceSpec{ClusterIP: "10.96.0.1", Ports: []core.ServicePort{{Name: "https", Port: 443}}},
	})
}

// make creates an object of the server's own. What the server writes itself is right or the program is
// wrong.
func (s *Server) make(stored string, obj runtime.Object) {
	if err := s.tryMake(stored, obj); err != nil {
		panic(fmt.Sprintf("kube: make %s: %v", stored, err))
	}
}

func (s *Server) tryMake(stored string, obj runtime.Object) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	r := s.registry.byStorage(stored)
	r.builtin.Default(obj)
	u, err := r.untyped(obj)
	if err != nil {
		return err
	}
	q := s.internal(r, namespaceOf(u))
	_, err = s.insert(q, u)
	return err
}

// internal is a request of the server to itself.
func (s *Server) internal(r *resource, namespace string) *request {
	// A constant method and path always make a request.
	h, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, "/", nil)
	h.Header.Set("User-Agent", "kube-apiserver/"+s.options.Version)
	return &request{http: h, gvr: r.gvr, res: r, namespace: namespace, verb: "create", user: User{Name: "system:apiserver", Groups: []string{masters}}}
}
