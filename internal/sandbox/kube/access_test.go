package kube_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/sandbox/kube"
)

func TestWithoutTokensWhoeverComesIsAnAdministrator(t *testing.T) {
	s := kube.New(kube.Options{})
	t.Cleanup(s.Close)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/secrets", nil))
	if w.Code != http.StatusOK {
		t.Errorf("got %d", w.Code)
	}
}

func TestARightTakenAwayDoesNotEndAnOpenWatch(t *testing.T) {
	c := start(t, kube.Options{Tokens: map[string]kube.User{"bob": {Name: "bob"}}})
	roles := schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"}
	c.create(roles, "default", `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: bob}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: bob}]}`)
	bob := c.as("bob").Resource(configMaps).Namespace("default")
	list, err := bob.List(c.ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := bob.Watch(c.ctx, metav1.ListOptions{ResourceVersion: list.GetResourceVersion()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	c.delete(roles, "default", "bob", metav1.DeleteOptions{})
	if _, err := bob.List(c.ctx, metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("a list: got %v", err)
	}
	c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}`)
	if got := next(t, w); got != "ADDED x" {
		t.Errorf("the watch: got %q", got)
	}
}

func TestActingAsSomebodyNeedsTheRightTo(t *testing.T) {
	c := start(t, kube.Options{Tokens: map[string]kube.User{"bob": {Name: "bob"}}})
	a := c.do("GET", "/api/v1/namespaces", "", "Authorization: Bearer bob", "Impersonate-User: eve")
	if got, want := a.object(t)["message"], `users "eve" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope`; a.code != 403 || got != want {
		t.Errorf("got %d %v, want %s", a.code, got, want)
	}
}
