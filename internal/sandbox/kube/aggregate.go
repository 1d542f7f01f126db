package kube

import (
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"runbook/internal/sandbox/kube/store"
)

const clusterRoles = "clusterroles" + rbacSuffix

// aggregateRoles puts the roles together that are made of others. The caller holds s.writing.
func (s *Server) aggregateRoles() {
	r := s.registry.byStorage(clusterRoles)
	all := s.all(clusterRoles, "")
	for _, obj := range all {
		var role rbacv1.ClusterRole
		if !into(obj, &role) || role.AggregationRule == nil {
			continue
		}
		rules := contributed(all, &role)
		if next, _ := obj["rules"].([]any); equalJSON(map[string]any{"r": next}, map[string]any{"r": rules}) {
			continue
		}
		next := maps.Clone(obj)
		next["rules"] = rules
		s.store.Put(store.Key{Resource: clusterRoles, Name: nameOf(obj)}, next)
		s.afterWrite(r, next)
	}
}

// contributed are the rules of all roles that a role selects, each once.
func contributed(all []map[string]any, role *rbacv1.ClusterRole) []any {
	out := []any{}
	for _, other := range all {
		if nameOf(other) == role.Name {
			continue
		}
		for i := range role.AggregationRule.ClusterRoleSelectors {
			if !selects(&role.AggregationRule.ClusterRoleSelectors[i], other) {
				continue
			}
			rules, _ := other["rules"].([]any)
			for _, rule := range rules {
				if !slices.ContainsFunc(out, func(have any) bool {
					return equalJSON(map[string]any{"r": have}, map[string]any{"r": rule})
				}) {
					out = append(out, rule)
				}
			}
		}
	}
	return out
}
