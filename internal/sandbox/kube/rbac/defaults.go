package rbac

import (
	"maps"
	"slices"

	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func role(name string, rules ...rbac.PolicyRule) rbac.ClusterRole {
	return rbac.ClusterRole{
		TypeMeta: metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole"},
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"kubernetes.io/bootstrapping": "rbac-defaults"},
			Annotations: map[string]string{"rbac.authorization.kubernetes.io/autoupdate": "true"},
		},
		Rules: rules,
	}
}

func on(groups, resources, verbs []string) rbac.PolicyRule {
	return rbac.PolicyRule{APIGroups: groups, Resources: resources, Verbs: verbs}
}

func paths(verb string, urls ...string) rbac.PolicyRule {
	return rbac.PolicyRule{NonResourceURLs: urls, Verbs: []string{verb}}
}

// aggregated are a role that is put together from others, and the first of those. It has their rules from the beginning.
func aggregated(name string, rules ...rbac.PolicyRule) []rbac.ClusterRole {
	label := map[string]string{"rbac.authorization.k8s.io/aggregate-to-" + name: "true"}
	whole, part := role(name, rules...), role("system:aggregate-to-"+name, rules...)
	whole.AggregationRule = &rbac.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: label}}}
	maps.Copy(part.Labels, label)
	return []rbac.ClusterRole{whole, part}
}

// DefaultRoles are the cluster roles of a fresh cluster that people bind to. The three for namespaces (admin, edit, view)
// grow with what others contribute to them.
func DefaultRoles() []rbac.ClusterRole {
	read, write := []string{"get", "list", "watch"}, []string{"create", "delete", "deletecollection", "patch", "update"}
	core := []string{
		"configmaps", "endpoints", "persistentvolumeclaims", "persistentvolumeclaims/status", "pods", "pods/log", "pods/status",
		"serviceaccounts", "services", "services/status", "events", "limitranges", "namespaces", "namespaces/status", "resourcequotas", "resourcequotas/status",
	}
	apps := []string{
		"controllerrevisions", "daemonsets", "daemonsets/status", "deployments", "deployments/scale", "deployments/status",
		"replicasets", "replicasets/scale", "replicasets/status", "statefulsets", "statefulsets/scale", "statefulsets/status",
	}
	view := []rbac.PolicyRule{
		on([]string{""}, core, read), on([]string{"apps"}, apps, read),
		on([]string{"autoscaling"}, []string{"horizontalpodautoscalers", "horizontalpodautoscalers/status"}, read),
		on([]string{"batch"}, []string{"cronjobs", "cronjobs/status", "jobs", "jobs/status"}, read),
		on([]string{"networking.k8s.io"}, []string{"ingresses", "ingresses/status", "networkpolicies"}, read),
		on([]string{"policy"}, []string{"poddisruptionbudgets", "poddisruptionbudgets/status"}, read),
		on([]string{"discovery.k8s.io"}, []string{"endpointslices"}, read),
	}
	edit := append(append([]rbac.PolicyRule{}, view...),
		on([]string{""}, []string{"secrets", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "services/proxy"}, read),
		on([]string{""}, []string{"configmaps", "events", "persistentvolumeclaims", "secrets", "serviceaccounts", "services", "services/proxy", "pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"}, write),
		on([]string{""}, []string{"pods/eviction", "serviceaccounts/token"}, []string{"create"}),
		on([]string{""}, []string{"serviceaccounts"}, []string{"impersonate"}),
		on([]string{"apps"}, []string{"daemonsets", "deployments", "deployments/rollback", "deployments/scale", "replicasets", "replicasets/scale", "statefulsets", "statefulsets/scale"}, write),
		on([]string{"autoscaling"}, []string{"horizontalpodautoscalers"}, write),
		on([]string{"batch"}, []string{"cronjobs", "jobs"}, write),
		on([]string{"networking.k8s.io"}, []string{"ingresses", "networkpolicies"}, write),
		on([]string{"policy"}, []string{"poddisruptionbudgets"}, write),
		on([]string{"coordination.k8s.io"}, []string{"leases"}, append(append([]string{}, read...), write...)),
	)
	admin := append(append([]rbac.PolicyRule{}, edit...),
		on([]string{"rbac.authorization.k8s.io"}, []string{"rolebindings", "roles"}, append(append([]string{}, read...), write...)),
		on([]string{"authorization.k8s.io"}, []string{"localsubjectaccessreviews"}, []string{"create"}),
	)
	all := []string{"*"}
	return append(slices.Concat(aggregated("admin", admin...), aggregated("edit", edit...), aggregated("view", view...)),
		role("cluster-admin", on(all, all, all), paths("*", "*")),
		role("system:basic-user", on([]string{"authorization.k8s.io"}, []string{"selfsubjectaccessreviews", "selfsubjectrulesreviews"}, []string{"create"}),
			on([]string{"authentication.k8s.io"}, []string{"selfsubjectreviews"}, []string{"create"})),
		role("system:discovery", paths("get", "/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*", "/readyz", "/version", "/version/")),
		role("system:public-info-viewer", paths("get", "/healthz", "/livez", "/readyz", "/version", "/version/")),
	)
}

// DefaultBindings bind the default roles.
func DefaultBindings() []rbac.ClusterRoleBinding {
	bind := func(name string, groups ...string) rbac.ClusterRoleBinding {
		r := role(name)
		b := rbac.ClusterRoleBinding{ObjectMeta: r.ObjectMeta, RoleRef: rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "ClusterRole", Name: name}}
		b.TypeMeta = metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRoleBinding"}
		for _, g := range groups {
			b.Subjects = append(b.Subjects, rbac.Subject{APIGroup: rbac.GroupName, Kind: rbac.GroupKind, Name: g})
		}
		return b
	}
	return []rbac.ClusterRoleBinding{
		bind("cluster-admin", "system:masters"),
		bind("system:basic-user", "system:authenticated"),
		bind("system:discovery", "system:authenticated"),
		bind("system:public-info-viewer", "system:authenticated", "system:unauthenticated"),
	}
}
