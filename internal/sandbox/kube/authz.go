package kube

import (
	"fmt"
	"net/http"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/sandbox/kube/rbac"
	"runbook/internal/sandbox/kube/store"
)

const rbacSuffix = ".rbac.authorization.k8s.io"

// allowed asks the role bindings.
func (s *Server) allowed(u User, r rbac.Request) bool {
	if slices.Contains(u.Groups, masters) {
		return true
	}
	return slices.ContainsFunc(s.rules(u, r.Namespace), func(rule rbacv1.PolicyRule) bool { return rbac.Allows(rule, r) })
}

// rules are those of every role that is bound to a user in the cluster and in one namespace.
func (s *Server) rules(u User, namespace string) []rbacv1.PolicyRule {
	var out []rbacv1.PolicyRule
	for _, obj := range s.all("clusterrolebindings"+rbacSuffix, "") {
		var b rbacv1.ClusterRoleBinding
		if into(obj, &b) && bound(b.Subjects, "", u) {
			out = append(out, s.rulesOf(b.RoleRef, "")...)
		}
	}
	if namespace == "" {
		return out
	}
	for _, obj := range s.all("rolebindings"+rbacSuffix, namespace) {
		var b rbacv1.RoleBinding
		if into(obj, &b) && bound(b.Subjects, namespace, u) {
			out = append(out, s.rulesOf(b.RoleRef, namespace)...)
		}
	}
	return out
}

func bound(subjects []rbacv1.Subject, namespace string, u User) bool {
	return slices.ContainsFunc(subjects, func(s rbacv1.Subject) bool { return rbac.Names(s, namespace, u.Name, u.Groups) })
}

func (s *Server) rulesOf(ref rbacv1.RoleRef, namespace string) []rbacv1.PolicyRule {
	k := store.Key{Resource: "clusterroles" + rbacSuffix, Name: ref.Name}
	if ref.Kind == "Role" {
		k = store.Key{Resource: "roles" + rbacSuffix, Namespace: namespace, Name: ref.Name}
	}
	obj, ok := s.store.Read(k)
	// Role and ClusterRole have their rules in the same place.
	var role rbacv1.Role
	if !ok || !into(obj, &role) {
		return nil
	}
	return role.Rules
}

func (s *Server) all(stored, namespace string) []map[string]any {
	items, _ := s.store.List(stored, namespace)
	return items
}

func into(obj map[string]any, out any) bool {
	return runtime.DefaultUnstructuredConverter.FromUnstructured(obj, out) == nil
}

// attributes of a request as the authorizer sees them.
func (q *request) attributes() rbac.Request {
	r := rbac.Request{Verb: q.verb, Group: q.gvr.Group, Resource: q.gvr.Resource, Namespace: q.namespace, Name: q.named()}
	if q.sub != "" {
		r.Resource += "/" + q.sub
	}
	return r
}

// forbidden is the refusal in kube-apiserver's words.
func forbidden(u User, r rbac.Request) error {
	if r.Path != "" {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Details: &metav1.StatusDetails{},
			Message: fmt.Sprintf("forbidden: User %q cannot %s path %q", u.Name, r.Verb, r.Path),
		}}
	}
	where := "at the cluster scope"
	if r.Namespace != "" {
		where = fmt.Sprintf("in the namespace %q", r.Namespace)
	}
	resource, _, _ := cutResource(r.Resource)
	why := fmt.Errorf("User %q cannot %s resource %q in API group %q %s", u.Name, r.Verb, r.Resource, r.Group, where)
	return apierrors.NewForbidden(schema.GroupResource{Group: r.Group, Resource: resource}, r.Name, why)
}
