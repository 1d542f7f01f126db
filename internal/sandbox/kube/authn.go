package kube

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"runbook/internal/sandbox/kube/rbac"
)

const (
	anonymous = "system:anonymous"
	masters   = "system:masters"
)

// tokenTable says who bears which token.
type tokenTable struct {
	mu      sync.RWMutex
	users   map[string]User
	guarded bool
}

func (t *tokenTable) fill(users map[string]User) {
	t.users, t.guarded = maps.Clone(users), len(users) > 0
	if t.users == nil {
		t.users = map[string]User{}
	}
}

func (t *tokenTable) set(token string, u User) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.users[token] = u
}

func (t *tokenTable) find(token string) (User, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	u, ok := t.users[token]
	return u, ok
}

// SetToken lets the bearer of a token in as a user, from now until the user's Expires.
func (s *Server) SetToken(token string, u User) { s.tokens.set(token, u) }

// authenticate tells who a request comes from, before any impersonation.
func (s *Server) authenticate(r *http.Request) (User, error) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " ")
	if !strings.EqualFold(scheme, "bearer") || strings.TrimSpace(token) == "" {
		if s.tokens.guarded {
			return User{Name: anonymous, Groups: []string{"system:unauthenticated"}}, nil
		}
		return User{Name: "kubernetes-admin", Groups: []string{masters, "system:authenticated"}}, nil
	}
	u, ok := s.tokens.find(strings.TrimSpace(token))
	if !ok || !u.Expires.IsZero() && !s.now().Before(u.Expires) {
		return User{}, apierrors.NewUnauthorized("Unauthorized")
	}
	return withGroup(u, "system:authenticated"), nil
}

func withGroup(u User, group string) User {
	if !slices.Contains(u.Groups, group) {
		u.Groups = append(slices.Clone(u.Groups), group)
	}
	return u
}

// impersonate lets those who may act as somebody else do so.
func (s *Server) impersonate(u User, h http.Header) (User, error) {
	name, groups := h.Get("Impersonate-User"), h.Values("Impersonate-Group")
	if name == "" {
		if len(groups) > 0 {
			return u, apierrors.NewInternalError(fmt.Errorf("requested [{%s %s  authentication.k8s.io/v1  }] without impersonating a user", "Group", groups[0]))
		}
		return u, nil
	}
	as := User{Name: name, Groups: groups}
	want := []rbac.Request{{Verb: "impersonate", Resource: "users", Name: name}}
	if parts := strings.Split(name, ":"); strings.HasPrefix(name, "system:serviceaccount:") && len(parts) == 4 {
		want[0] = rbac.Request{Verb: "impersonate", Resource: "serviceaccounts", Namespace: parts[2], Name: parts[3]}
		as.Groups = append(as.Groups, "system:serviceaccounts", "system:serviceaccounts:"+parts[2])
	}
	for _, g := range groups {
		want = append(want, rbac.Request{Verb: "impersonate", Resource: "groups", Name: g})
	}
	for _, r := range want {
		if !s.allowed(u, r) {
			return u, forbidden(u, r)
		}
	}
	if name == anonymous {
		return withGroup(as, "system:unauthenticated"), nil
	}
	return withGroup(as, "system:authenticated"), nil
}
