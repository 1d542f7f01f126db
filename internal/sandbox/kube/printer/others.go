package printer

import (
	"fmt"
	"strings"
	"time"

	admission "k8s.io/api/admissionregistration/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	coordination "k8s.io/api/coordination/v1"
	discovery "k8s.io/api/discovery/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"

	"runbook/internal/sandbox/kube/kinds/extension"
)

func others() map[string]Printer {
	return map[string]Printer{
		"ingresses.networking.k8s.io":          of(ingress, "Class", "Hosts", "Address", "Ports", "Age"),
		"ingressclasses.networking.k8s.io":     of(ingressClass, "Controller", "Parameters", "Age"),
		"networkpolicies.networking.k8s.io":    of(networkPolicy, "Pod-Selector", "Age"),
		"endpointslices.discovery.k8s.io":      of(endpointSlice, "AddressType", "Ports", "Endpoints", "Age"),
		"poddisruptionbudgets.policy":          of(budget, "Min Available", "Max Unavailable", "#Allowed Disruptions", "Age"),
		"leases.coordination.k8s.io":           of(lease, "Holder", "Age"),
		"horizontalpodautoscalers.autoscaling": of(autoscaler, "Reference", "Targets", "MinPods", "MaxPods", "Replicas", "Age"),
		"storageclasses.storage.k8s.io":        of(storageClass, "Provisioner", "ReclaimPolicy", "VolumeBindingMode", "AllowVolumeExpansion", "Age"),
		"priorityclasses.scheduling.k8s.io":    of(priorityClass, "#Value", "?Global-Default", "Age", "PreemptionPolicy"),
		"roles.rbac.authorization.k8s.io": of(func(r *rbac.Role, _ time.Time) []any {
			return []any{r.Name, r.CreationTimestamp.UTC().Format(time.RFC3339)}
		}, "Created At"),
		"clusterroles.rbac.authorization.k8s.io": of(func(r *rbac.ClusterRole, _ time.Time) []any {
			return []any{r.Name, r.CreationTimestamp.UTC().Format(time.RFC3339)}
		}, "Created At"),
		"rolebindings.rbac.authorization.k8s.io":                       of(roleBinding, "Role", "Age", "+Users", "+Groups", "+ServiceAccounts"),
		"clusterrolebindings.rbac.authorization.k8s.io":                of(clusterRoleBinding, "Role", "Age", "+Users", "+Groups", "+ServiceAccounts"),
		"customresourcedefinitions.apiextensions.k8s.io":               of(definition, "Created At"),
		"apiservices.apiregistration.k8s.io":                           of(apiService, "Service", "Available", "Age"),
		"mutatingwebhookconfigurations.admissionregistration.k8s.io":   of(mutating, "#Webhooks", "Age"),
		"validatingwebhookconfigurations.admissionregistration.k8s.io": of(validating, "#Webhooks", "Age"),
	}
}

func ingress(i *networking.Ingress, now time.Time) []any {
	var hosts, addresses []string
	for _, r := range i.Spec.Rules {
		if r.Host != "" {
			hosts = append(hosts, r.Host)
		}
	}
	if len(hosts) > 3 {
		hosts = append(hosts[:2:2], fmt.Sprintf("%s + %d more...", hosts[2], len(hosts)-3))
	}
	for _, a := range i.Status.LoadBalancer.Ingress {
		addresses = append(addresses, or(a.IP, a.Hostname))
	}
	ports := "80"
	if len(i.Spec.TLS) > 0 {
		ports = "80, 443"
	}
	return []any{i.Name, none(value(i.Spec.IngressClassName)), or(strings.Join(hosts, ","), "*"), strings.Join(addresses, ","), ports, age(i.CreationTimestamp, now)}
}

func ingressClass(i *networking.IngressClass, now time.Time) []any {
	parameters := "<none>"
	if p := i.Spec.Parameters; p != nil {
		parameters = p.Kind
		if p.APIGroup != nil {
			parameters += "." + *p.APIGroup
		}
		parameters += "/" + p.Name
	}
	return []any{i.Name, i.Spec.Controller, parameters, age(i.CreationTimestamp, now)}
}

func networkPolicy(n *networking.NetworkPolicy, now time.Time) []any {
	return []any{n.Name, selector(&n.Spec.PodSelector), age(n.CreationTimestamp, now)}
}

func endpointSlice(e *discovery.EndpointSlice, now time.Time) []any {
	var ports, addresses []string
	for _, p := range e.Ports {
		if p.Port != nil {
			ports = append(ports, fmt.Sprint(*p.Port))
		}
	}
	for _, ep := range e.Endpoints {
		addresses = append(addresses, ep.Addresses...)
	}
	if n := len(addresses); n > 3 {
		addresses = append(addresses[:2:2], fmt.Sprintf("%s + %d more...", addresses[2], n-3))
	}
	return []any{e.Name, string(e.AddressType), or(strings.Join(ports, ","), "<unset>"), or(strings.Join(addresses, ","), "<unset>"), age(e.CreationTimestamp, now)}
}

func budget(p *policy.PodDisruptionBudget, now time.Time) []any {
	least, most := "N/A", "N/A"
	if p.Spec.MinAvailable != nil {
		least = p.Spec.MinAvailable.String()
	} else if p.Spec.MaxUnavailable != nil {
		most = p.Spec.MaxUnavailable.String()
	}
	return []any{p.Name, least, most, int64(p.Status.DisruptionsAllowed), age(p.CreationTimestamp, now)}
}

func lease(l *coordination.Lease, now time.Time) []any {
	return []any{l.Name, value(l.Spec.HolderIdentity), age(l.CreationTimestamp, now)}
}

func autoscaler(h *autoscaling.HorizontalPodAutoscaler, now time.Time) []any {
	ref := h.Spec.ScaleTargetRef
	least := "<unset>"
	if h.Spec.MinReplicas != nil {
		least = fmt.Sprint(*h.Spec.MinReplicas)
	}
	return []any{h.Name, ref.Kind + "/" + ref.Name, targets(h), least, int64(h.Spec.MaxReplicas), int64(h.Status.CurrentReplicas), age(h.CreationTimestamp, now)}
}

func targets(h *autoscaling.HorizontalPodAutoscaler) string {
	var out []string
	for i, m := range h.Spec.Metrics {
		if m.Resource == nil {
			out = append(out, "<unknown>/<auto>")
			continue
		}
		current, want := "<unknown>", "<auto>"
		if m.Resource.Target.AverageUtilization != nil {
			want = fmt.Sprintf("%d%%", *m.Resource.Target.AverageUtilization)
		} else if m.Resource.Target.AverageValue != nil {
			want = m.Resource.Target.AverageValue.String()
		}
		if i < len(h.Status.CurrentMetrics) && h.Status.CurrentMetrics[i].Resource != nil {
			if u := h.Status.CurrentMetrics[i].Resource.Current.AverageUtilization; u != nil {
				current = fmt.Sprintf("%d%%", *u)
			}
		}
		out = append(out, fmt.Sprintf("%s: %s/%s", m.Resource.Name, current, want))
	}
	return none(strings.Join(out, ", "))
}

func storageClass(s *storage.StorageClass, now time.Time) []any {
	name := s.Name
	if s.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" {
		name += " (default)"
	}
	return []any{name, s.Provisioner, or(string(value(s.ReclaimPolicy)), "Delete"), or(string(value(s.VolumeBindingMode)), "<unset>"), value(s.AllowVolumeExpansion), age(s.CreationTimestamp, now)}
}

func priorityClass(p *scheduling.PriorityClass, now time.Time) []any {
	return []any{p.Name, int64(p.Value), p.GlobalDefault, age(p.CreationTimestamp, now), or(string(value(p.PreemptionPolicy)), "PreemptLowerPriority")}
}

func subjects(list []rbac.Subject) (users, groups, accounts string) {
	var u, g, a []string
	for _, s := range list {
		switch s.Kind {
		case rbac.UserKind:
			u = append(u, s.Name)
		case rbac.GroupKind:
			g = append(g, s.Name)
		case rbac.ServiceAccountKind:
			a = append(a, s.Namespace+"/"+s.Name)
		}
	}
	return strings.Join(u, ", "), strings.Join(g, ", "), strings.Join(a, ", ")
}

func roleBinding(b *rbac.RoleBinding, now time.Time) []any {
	u, g, a := subjects(b.Subjects)
	return []any{b.Name, b.RoleRef.Kind + "/" + b.RoleRef.Name, age(b.CreationTimestamp, now), u, g, a}
}

func clusterRoleBinding(b *rbac.ClusterRoleBinding, now time.Time) []any {
	u, g, a := subjects(b.Subjects)
	return []any{b.Name, b.RoleRef.Kind + "/" + b.RoleRef.Name, age(b.CreationTimestamp, now), u, g, a}
}

func definition(c *extension.CustomResourceDefinition, _ time.Time) []any {
	return []any{c.Name, c.CreationTimestamp.UTC().Format(time.RFC3339)}
}

func apiService(a *extension.APIService, now time.Time) []any {
	service, available := "Local", "Unknown"
	if r := a.Spec.Service; r != nil {
		service = r.Namespace + "/" + r.Name
	}
	for _, c := range a.Status.Conditions {
		if c.Type == "Available" {
			available = string(c.Status)
			if c.Status != "True" && c.Reason != "" {
				available += " (" + c.Reason + ")"
			}
		}
	}
	return []any{a.Name, service, available, age(a.CreationTimestamp, now)}
}

func mutating(w *admission.MutatingWebhookConfiguration, now time.Time) []any {
	return []any{w.Name, int64(len(w.Webhooks)), age(w.CreationTimestamp, now)}
}

func validating(w *admission.ValidatingWebhookConfiguration, now time.Time) []any {
	return []any{w.Name, int64(len(w.Webhooks)), age(w.CreationTimestamp, now)}
}
