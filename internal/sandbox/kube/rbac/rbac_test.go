package rbac

import (
	"testing"

	rbac "k8s.io/api/rbac/v1"
)

func TestARuleAllowsWhatItNames(t *testing.T) {
	pods := rbac.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get", "list"}}
	named := rbac.PolicyRule{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"get"}, ResourceNames: []string{"a"}}
	scales := rbac.PolicyRule{APIGroups: []string{"*"}, Resources: []string{"*/scale"}, Verbs: []string{"*"}}
	urls := rbac.PolicyRule{NonResourceURLs: []string{"/healthz", "/apis/*"}, Verbs: []string{"get"}}
	tests := []struct {
		name string
		rule rbac.PolicyRule
		req  Request
		want bool
	}{
		{"its verb", pods, Request{Verb: "get", Resource: "pods", Name: "p"}, true},
		{"another verb", pods, Request{Verb: "delete", Resource: "pods"}, false},
		{"another group", pods, Request{Verb: "get", Group: "apps", Resource: "pods"}, false},
		{"a subresource", pods, Request{Verb: "get", Resource: "pods/log"}, false},
		{"a path", pods, Request{Verb: "get", Path: "/healthz"}, false},
		{"its name", named, Request{Verb: "get", Resource: "secrets", Name: "a"}, true},
		{"another name", named, Request{Verb: "get", Resource: "secrets", Name: "b"}, false},
		{"no name", named, Request{Verb: "get", Resource: "secrets"}, false},
		{"any subresource of that name", scales, Request{Verb: "update", Group: "apps", Resource: "deployments/scale"}, true},
		{"another subresource", scales, Request{Verb: "update", Group: "apps", Resource: "deployments/status"}, false},
		{"its path", urls, Request{Verb: "get", Path: "/healthz"}, true},
		{"a path below", urls, Request{Verb: "get", Path: "/apis/apps/v1"}, true},
		{"another path", urls, Request{Verb: "get", Path: "/metrics"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Allows(tt.rule, tt.req); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestASubjectNamesUsersGroupsAndServiceAccounts(t *testing.T) {
	tests := []struct {
		name    string
		subject rbac.Subject
		user    string
		want    bool
	}{
		{"the user", rbac.Subject{Kind: "User", Name: "bob"}, "bob", true},
		{"another user", rbac.Subject{Kind: "User", Name: "bob"}, "eve", false},
		{"a group", rbac.Subject{Kind: "Group", Name: "devs"}, "eve", true},
		{"an account of a namespace", rbac.Subject{Kind: "ServiceAccount", Namespace: "a", Name: "sa"}, "system:serviceaccount:a:sa", true},
		{"an account of the binding's namespace", rbac.Subject{Kind: "ServiceAccount", Name: "sa"}, "system:serviceaccount:ns:sa", true},
		{"an account elsewhere", rbac.Subject{Kind: "ServiceAccount", Namespace: "a", Name: "sa"}, "system:serviceaccount:b:sa", false},
		{"an unknown kind", rbac.Subject{Kind: "Robot", Name: "bob"}, "bob", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Names(tt.subject, "ns", tt.user, []string{"devs"}); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestAViewerReadsNoSecrets(t *testing.T) {
	can := func(role string, r Request) bool {
		for _, cr := range DefaultRoles() {
			if cr.Name != role {
				continue
			}
			for _, rule := range cr.Rules {
				if Allows(rule, r) {
					return true
				}
			}
		}
		return false
	}
	read := Request{Verb: "get", Resource: "secrets"}
	for role, want := range map[string]bool{"view": false, "edit": true, "admin": true, "cluster-admin": true} {
		if got := can(role, read); got != want {
			t.Errorf("%s: got %t, want %t", role, got, want)
		}
	}
	if can("edit", Request{Verb: "create", Group: "rbac.authorization.k8s.io", Resource: "roles"}) {
		t.Error("an editor makes roles")
	}
}
