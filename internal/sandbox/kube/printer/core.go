package printer

import (
	"fmt"
	"sort"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func cores() map[string]Printer {
	return map[string]Printer{
		"configmaps":             of(configMap, "Data", "Age"),
		"secrets":                of(secret, "Type", "Data", "Age"),
		"namespaces":             of(namespace, "Status", "Age"),
		"services":               of(service, "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "+Selector"),
		"endpoints":              of(endpoints, "Endpoints", "Age"),
		"events":                 nameless(event, "Last Seen", "Type", "Reason", "Object", "+Subobject", "+Source", "Message", "+First Seen", "+Count", "+Name"),
		"nodes":                  of(node, "Status", "Roles", "Age", "Version", "+Internal-IP", "+External-IP", "+OS-Image", "+Kernel-Version", "+Container-Runtime"),
		"persistentvolumeclaims": of(claim, "Status", "Volume", "Capacity", "Access Modes", "StorageClass", "VolumeAttributesClass", "Age", "+VolumeMode"),
		"persistentvolumes":      of(volume, "Capacity", "Access Modes", "Reclaim Policy", "Status", "Claim", "StorageClass", "VolumeAttributesClass", "Reason", "Age", "+VolumeMode"),
		"serviceaccounts":        of(serviceAccount, "Age"),
		"resourcequotas":         of(quota, "Request", "Limit", "Age"),
		"limitranges": of(func(l *core.LimitRange, _ time.Time) []any {
			return []any{l.Name, l.CreationTimestamp.UTC().Format(time.RFC3339)}
		}, "Created At"),
	}
}

func configMap(c *core.ConfigMap, now time.Time) []any {
	return []any{c.Name, int64(len(c.Data) + len(c.BinaryData)), age(c.CreationTimestamp, now)}
}

func secret(s *core.Secret, now time.Time) []any {
	return []any{s.Name, string(s.Type), int64(len(s.Data)), age(s.CreationTimestamp, now)}
}

func namespace(n *core.Namespace, now time.Time) []any {
	return []any{n.Name, string(n.Status.Phase), age(n.CreationTimestamp, now)}
}

func serviceAccount(s *core.ServiceAccount, now time.Time) []any {
	return []any{s.Name, age(s.CreationTimestamp, now)}
}

func service(s *core.Service, now time.Time) []any {
	var ports []string
	for _, p := range s.Spec.Ports {
		shown := fmt.Sprintf("%d/%s", p.Port, p.Protocol)
		if p.NodePort > 0 {
			shown = fmt.Sprintf("%d:%d/%s", p.Port, p.NodePort, p.Protocol)
		}
		ports = append(ports, shown)
	}
	return []any{s.Name, string(s.Spec.Type), none(s.Spec.ClusterIP), externalIP(s), none(strings.Join(ports, ",")), age(s.CreationTimestamp, now), pairs(s.Spec.Selector)}
}

func externalIP(s *core.Service) string {
	ips := append([]string{}, s.Spec.ExternalIPs...)
	switch s.Spec.Type {
	case core.ServiceTypeExternalName:
		return s.Spec.ExternalName
	case core.ServiceTypeLoadBalancer:
		for _, i := range s.Status.LoadBalancer.Ingress {
			ips = append(ips, or(i.IP, i.Hostname))
		}
		return or(strings.Join(ips, ","), "<pending>")
	}
	return none(strings.Join(ips, ","))
}

//lint:ignore SA1019 the kind is deprecated and still served
func endpoints(e *core.Endpoints, now time.Time) []any {
	var list []string
	for _, s := range e.Subsets {
		for _, a := range s.Addresses {
			for _, p := range s.Ports {
				list = append(list, fmt.Sprintf("%s:%d", a.IP, p.Port))
			}
			if len(s.Ports) == 0 {
				list = append(list, a.IP)
			}
		}
	}
	if len(list) > 3 {
		list = append(list[:3:3], fmt.Sprintf("+ %d more...", len(list)-3))
		return []any{e.Name, strings.Join(list[:3], ",") + " " + list[3], age(e.CreationTimestamp, now)}
	}
	return []any{e.Name, none(strings.Join(list, ",")), age(e.CreationTimestamp, now)}
}

func event(e *core.Event, now time.Time) []any {
	first, last, count := e.FirstTimestamp, e.LastTimestamp, e.Count
	if first.IsZero() {
		first = metav1.Time{Time: e.EventTime.Time}
	}
	if e.Series != nil {
		last, count = metav1.Time{Time: e.Series.LastObservedTime.Time}, e.Series.Count
	} else if count == 0 {
		count = 1
	}
	if last.IsZero() {
		last = first
	}
	object := strings.ToLower(e.InvolvedObject.Kind)
	if e.InvolvedObject.Name != "" {
		object += "/" + e.InvolvedObject.Name
	}
	source := or(e.Source.Component, e.ReportingController)
	if e.Source.Host != "" {
		source += ", " + e.Source.Host
	}
	return []any{age(last, now), e.Type, e.Reason, object, e.InvolvedObject.FieldPath, source, strings.TrimSpace(e.Message), age(first, now), int64(count), e.Name}
}

func node(n *core.Node, now time.Time) []any {
	status := "Unknown"
	for _, c := range n.Status.Conditions {
		if c.Type == core.NodeReady {
			status = "Ready"
			if c.Status != core.ConditionTrue {
				status = "NotReady"
			}
		}
	}
	if n.Spec.Unschedulable {
		status += ",SchedulingDisabled"
	}
	var roles []string
	for k := range n.Labels {
		if r, ok := strings.CutPrefix(k, "node-role.kubernetes.io/"); ok && r != "" {
			roles = append(roles, r)
		}
	}
	sort.Strings(roles)
	info := n.Status.NodeInfo
	return []any{n.Name, status, none(strings.Join(roles, ",")), age(n.CreationTimestamp, now), info.KubeletVersion,
		nodeIP(n, core.NodeInternalIP), nodeIP(n, core.NodeExternalIP), or(info.OSImage, "<unknown>"), or(info.KernelVersion, "<unknown>"), or(info.ContainerRuntimeVersion, "<unknown>")}
}

func nodeIP(n *core.Node, kind core.NodeAddressType) string {
	for _, a := range n.Status.Addresses {
		if a.Type == kind {
			return a.Address
		}
	}
	return "<none>"
}

func accessModes(modes []core.PersistentVolumeAccessMode) string {
	abbreviated := map[core.PersistentVolumeAccessMode]string{
		core.ReadWriteOnce: "RWO", core.ReadOnlyMany: "ROX", core.ReadWriteMany: "RWX", core.ReadWriteOncePod: "RWOP",
	}
	var out []string
	for _, m := range modes {
		out = append(out, abbreviated[m])
	}
	return strings.Join(out, ",")
}

func claim(c *core.PersistentVolumeClaim, now time.Time) []any {
	phase := string(c.Status.Phase)
	if c.DeletionTimestamp != nil {
		phase = "Terminating"
	}
	capacity, modes := "", ""
	if c.Spec.VolumeName != "" {
		modes = accessModes(c.Status.AccessModes)
		q := c.Status.Capacity[core.ResourceStorage]
		capacity = q.String()
	}
	class := or(c.Annotations[core.BetaStorageClassAnnotation], value(c.Spec.StorageClassName))
	return []any{c.Name, phase, c.Spec.VolumeName, capacity, modes, class, or(value(c.Spec.VolumeAttributesClassName), "<unset>"), age(c.CreationTimestamp, now), or(string(value(c.Spec.VolumeMode)), "<unset>")}
}

func volume(v *core.PersistentVolume, now time.Time) []any {
	owner := ""
	if r := v.Spec.ClaimRef; r != nil {
		owner = r.Namespace + "/" + r.Name
	}
	phase := string(v.Status.Phase)
	if v.DeletionTimestamp != nil {
		phase = "Terminating"
	}
	size := v.Spec.Capacity[core.ResourceStorage]
	return []any{v.Name, size.String(), accessModes(v.Spec.AccessModes), string(v.Spec.PersistentVolumeReclaimPolicy), phase, owner, v.Spec.StorageClassName,
		or(value(v.Spec.VolumeAttributesClassName), "<unset>"), v.Status.Reason, age(v.CreationTimestamp, now), or(string(value(v.Spec.VolumeMode)), "<unset>")}
}

func quota(q *core.ResourceQuota, now time.Time) []any {
	var requests, limits []string
	for name, hard := range q.Status.Hard {
		used := q.Status.Used[name]
		shown := fmt.Sprintf("%s: %s/%s", name, used.String(), hard.String())
		if strings.HasPrefix(string(name), "limits") {
			limits = append(limits, shown)
		} else {
			requests = append(requests, shown)
		}
	}
	sort.Strings(requests)
	sort.Strings(limits)
	return []any{q.Name, strings.Join(requests, ", "), strings.Join(limits, ", "), age(q.CreationTimestamp, now)}
}
