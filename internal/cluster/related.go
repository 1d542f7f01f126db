package cluster

import (
	"maps"
	"slices"
	"strings"

	"runbook/internal/dig"
	"runbook/internal/world"
)

// relatives are the queries for the objects that the verdict on o depends on,
// or that say why it isn't ready.
func relatives(o world.Object) []query {
	namespace, name := dig.Text(o.Body, "metadata", "namespace"), dig.Text(o.Body, "metadata", "name")
	pods := func(labels string) []query {
		if labels == "" {
			return nil
		}
		return []query{{kind: "pod", namespace: namespace, labels: labels}}
	}
	secret := func(name string) query { return query{kind: "secret", namespace: namespace, name: name} }
	slices := func(service string) query {
		return query{kind: "endpointslice", namespace: namespace, labels: "kubernetes.io/service-name=" + service}
	}
	switch o.Kind + "." + o.Group {
	case "Deployment.apps", "ReplicaSet.apps", "StatefulSet.apps", "DaemonSet.apps":
		return pods(selector(dig.At(o.Body, "spec", "selector")))
	case "Job.batch":
		return pods("job-name=" + name)
	case "Cluster.postgresql.cnpg.io":
		return pods("cnpg.io/cluster=" + name)
	case "ExternalSecret.external-secrets.io":
		return storeAndTarget(o, namespace)
	case "Certificate.cert-manager.io":
		return certificate(o, namespace)
	case "HTTPRoute.gateway.networking.k8s.io":
		return parents(o)
	case "PersistentVolumeClaim.":
		if v := dig.Text(o.Body, "spec", "volumeName"); v != "" {
			return []query{{kind: "persistentvolume", name: v}}
		}
	case "Service.":
		if dig.Text(o.Body, "spec", "type") != "ExternalName" {
			return []query{slices(name)}
		}
	case "Ingress.networking.k8s.io":
		var out []query
		for _, s := range world.IngressServices(o.Body) {
			out = append(out, slices(s))
		}
		tls, _ := dig.At(o.Body, "spec", "tls").([]any)
		for _, t := range tls {
			if s := dig.Text(t, "secretName"); s != "" {
				out = append(out, secret(s))
			}
		}
		return out
	}
	return nil
}

// certificate asks for the challenges only while there is something to issue.
func certificate(o world.Object, namespace string) []query {
	var out []query
	if s := dig.Text(o.Body, "spec", "secretName"); s != "" {
		out = append(out, query{kind: "secret", namespace: namespace, name: s})
	}
	if world.JudgeCondition(o, o.Seen, "Ready", "").Answer != world.Holds {
		out = append(out, query{kind: "challenge", group: "acme.cert-manager.io", namespace: namespace})
	}
	return out
}

func storeAndTarget(o world.Object, namespace string) []query {
	var out []query
	if dig.Text(o.Body, "spec", "target", "creationPolicy") != "None" {
		out = append(out, query{kind: "secret", namespace: namespace, name: world.TargetSecret(o.Body)})
	}
	kind, name := world.StoreOf(o.Body)
	if name == "" {
		return out
	}
	store := query{kind: kind, group: "external-secrets.io", name: name}
	if kind == "secretstore" {
		store.namespace = namespace
	}
	return append(out, store)
}

func parents(o world.Object) []query {
	var out []query
	for _, r := range world.Parents(o.Body) {
		q := query{kind: r.Kind, group: r.Group, namespace: r.Namespace, name: r.Name}
		if !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// belongs leaves out pods that a selector catches although another controller
// owns them.
func belongs(o, pod world.Object) bool {
	if pod.Ref.Kind != "pod" {
		return true
	}
	owners, _ := dig.At(pod.Body, "metadata", "ownerReferences").([]any)
	for _, owner := range owners {
		if dig.At(owner, "controller") != true {
			continue
		}
		kind, name := dig.Text(owner, "kind"), dig.Text(owner, "name")
		switch o.Kind {
		case "Deployment":
			return kind == "ReplicaSet" && strings.HasPrefix(name, dig.Text(o.Body, "metadata", "name")+"-")
		case "ReplicaSet", "StatefulSet", "DaemonSet":
			return kind == o.Kind && name == dig.Text(o.Body, "metadata", "name")
		}
	}
	return true
}

// selector writes a label selector the way a query has it.
func selector(v any) string {
	labels, _ := dig.At(v, "matchLabels").(map[string]any)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		value, _ := labels[k].(string)
		out = append(out, k+"="+value)
	}
	expressions, _ := dig.At(v, "matchExpressions").([]any)
	for _, e := range expressions {
		key := dig.Text(e, "key")
		var values []string
		all, _ := dig.At(e, "values").([]any)
		for _, v := range all {
			s, _ := v.(string)
			values = append(values, s)
		}
		in := " (" + strings.Join(values, ",") + ")"
		switch dig.Text(e, "operator") {
		case "In":
			out = append(out, key+" in"+in)
		case "NotIn":
			out = append(out, key+" notin"+in)
		case "Exists":
			out = append(out, key)
		case "DoesNotExist":
			out = append(out, "!"+key)
		}
	}
	return strings.Join(out, ",")
}
