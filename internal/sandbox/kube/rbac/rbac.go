package rbac

import (
	"slices"
	"strings"

	rbac "k8s.io/api/rbac/v1"
)

// Request is what somebody wants to do.
type Request struct {
	Verb      string
	Group     string
	Resource  string // with the subresource: "pods/log"
	Namespace string
	Name      string
	// Path is set instead of the above for what is not a resource.
	Path string
}

// Allows tells whether a rule covers a request.
func Allows(rule rbac.PolicyRule, r Request) bool {
	if !has(rule.Verbs, r.Verb) {
		return false
	}
	if r.Path != "" {
		return slices.ContainsFunc(rule.NonResourceURLs, func(u string) bool {
			return u == "*" || u == r.Path || strings.HasSuffix(u, "*") && strings.HasPrefix(r.Path, strings.TrimSuffix(u, "*"))
		})
	}
	return has(rule.APIGroups, r.Group) && hasResource(rule.Resources, r.Resource) &&
		(len(rule.ResourceNames) == 0 || r.Name != "" && slices.Contains(rule.ResourceNames, r.Name))
}

func has(list []string, s string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, s)
}

func hasResource(list []string, resource string) bool {
	if has(list, resource) {
		return true
	}
	_, sub, ok := strings.Cut(resource, "/")
	return ok && slices.Contains(list, "*/"+sub)
}

// Names tells whether a binding's subject is this user.
func Names(s rbac.Subject, namespace, user string, groups []string) bool {
	switch s.Kind {
	case rbac.UserKind:
		return s.Name == user
	case rbac.GroupKind:
		return slices.Contains(groups, s.Name)
	case rbac.ServiceAccountKind:
		if s.Namespace != "" {
			namespace = s.Namespace
		}
		return namespace != "" && user == "system:serviceaccount:"+namespace+":"+s.Name
	}
	return false
}
