package e2e

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// complete adds what an API server insists on and no verdict looks at: the fixtures say only what matters to them.
func complete(o *unstructured.Unstructured) *unstructured.Unstructured {
	full := o.DeepCopy()
	if _, said := o.Object["spec"]; !said && o.GetKind() == "Gateway" {
		full.Object["spec"] = object{"listeners": []any{object{"name": "https"}}}
	}
	under(full.Object, needs(full.GetKind()))
	inner(full)
	meta := full.Object["metadata"].(map[string]any)
	for _, servers := range []string{"creationTimestamp", "generation", "deletionTimestamp", "uid", "resourceVersion"} {
		delete(meta, servers)
	}
	if status, ok := full.Object["status"].(map[string]any); ok {
		statusNeeds(full.GetKind(), status)
	}
	return full
}

// inner completes lists, whose elements have no place in needs.
func inner(o *unstructured.Unstructured) {
	switch o.GetKind() {
	case "Ingress":
		rules, _, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "rules")
		list, _ := rules.([]any)
		for _, r := range list {
			paths, _, _ := unstructured.NestedFieldNoCopy(r.(object), "http", "paths")
			each(paths, object{"pathType": "Prefix", "path": "/", "backend": object{"service": object{"port": object{"number": int64(80)}}}})
		}
	case "Gateway":
		listeners, _, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "listeners")
		each(listeners, object{"port": int64(80), "protocol": "HTTP"})
	case "EndpointSlice":
		each(o.Object["endpoints"], object{"addresses": []any{"10.0.0.1"}})
	}
}

// under puts the values of base where o has none.
func under(o, base map[string]any) {
	for k, v := range base {
		have, ok := o[k]
		if !ok {
			o[k] = v
			continue
		}
		if inner, ok := have.(map[string]any); ok {
			if more, ok := v.(map[string]any); ok {
				under(inner, more)
			}
		}
	}
}

// conditions fills in what the definitions of Gateway API and CloudNativePG require of each, wherever they stand.
func conditions(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if list, ok := inner.([]any); ok && k == "conditions" {
				each(list, object{"lastTransitionTime": "2026-08-22T10:00:00Z", "reason": "Unsaid", "message": ""})
				continue
			}
			conditions(inner)
		}
	case []any:
		for _, inner := range v {
			conditions(inner)
		}
	}
}

// each puts base under all objects of a list.
func each(list any, base object) {
	all, _ := list.([]any)
	for _, v := range all {
		if o, ok := v.(object); ok {
			under(o, base)
		}
	}
}

type object = map[string]any

func template(labels object) object {
	return object{"metadata": object{"labels": labels}, "spec": object{"containers": []any{object{"name": "app", "image": "app:1"}}}}
}

// needs is a valid spec of a kind.
func needs(kind string) object {
	labels := object{"app": "web"}
	workload := object{"spec": object{"selector": object{"matchLabels": labels}, "template": template(labels)}}
	switch kind {
	case "Pod":
		return object{"spec": object{"containers": []any{object{"name": "app", "image": "app:1"}}}}
	case "Deployment", "ReplicaSet", "DaemonSet":
		return workload
	case "StatefulSet":
		under(workload["spec"].(object), object{"serviceName": "web"})
		return workload
	case "Job", "CronJob":
		return job(kind)
	case "PersistentVolumeClaim":
		return object{"spec": object{"accessModes": []any{"ReadWriteOnce"}, "resources": object{"requests": object{"storage": "1Gi"}}}}
	case "PersistentVolume":
		return object{"spec": object{"accessModes": []any{"ReadWriteOnce"}, "capacity": object{"storage": "1Gi"}, "hostPath": object{"path": "/x"}}}
	case "Service":
		return object{"spec": object{"ports": []any{object{"port": int64(80)}}}}
	case "Ingress":
		return object{"spec": object{"defaultBackend": object{"service": object{"name": "web", "port": object{"number": int64(80)}}}}}
	}
	return custom(kind)
}

func job(kind string) object {
	one := object{"template": object{"spec": object{"restartPolicy": "Never", "containers": []any{object{"name": "app", "image": "app:1"}}}}}
	if kind == "Job" {
		return object{"spec": one}
	}
	return object{"spec": object{"schedule": "0 3 * * *", "jobTemplate": object{"spec": one}}}
}

// custom is a valid spec of a kind that a definition makes.
func custom(kind string) object {
	issuer := object{"selfSigned": object{}}
	switch kind {
	case "ExternalSecret":
		return object{"spec": object{"secretStoreRef": object{"name": "v"}}}
	case "SecretStore", "ClusterSecretStore":
		return object{"spec": object{"provider": object{"vault": object{"server": "http://vault.example", "path": "x"}}}}
	case "Certificate":
		return object{"spec": object{"secretName": "tls", "issuerRef": object{"name": "ca"}, "dnsNames": []any{"a.example.org"}}}
	case "Issuer", "ClusterIssuer":
		return object{"spec": issuer}
	case "Order":
		return object{"spec": object{"request": "AA==", "issuerRef": object{"name": "ca"}, "dnsNames": []any{"a.example.org"}}}
	case "Challenge":
		return object{"spec": object{
			"authorizationURL": "https://acme.example/a", "dnsName": "a.example.org", "issuerRef": object{"name": "ca"}, "key": "k",
			"solver": object{"http01": object{"ingress": object{}}}, "token": "t", "type": "HTTP-01", "url": "https://acme.example/c"}}
	case "Cluster":
		return object{"spec": object{"instances": int64(1), "storage": object{"size": "1Gi"}}}
	case "Application":
		return object{"spec": object{"project": "default", "destination": object{"namespace": "shop"}, "source": object{"repoURL": "https://git.example/x", "path": "."}}}
	case "Gateway":
		return object{"spec": object{"gatewayClassName": "cilium"}}
	case "GatewayClass":
		return object{"spec": object{"controllerName": "example.org/gateway"}}
	case "CustomResourceDefinition":
		return object{"spec": object{"group": "example.org", "scope": "Namespaced", "names": object{"plural": "x", "singular": "x", "kind": "X"}, "versions": []any{
			object{"name": "v1", "served": true, "storage": true, "schema": object{"openAPIV3Schema": object{"type": "object"}}}}}}
	case "APIService":
		return object{"spec": object{"group": "metrics.k8s.io", "version": "v1beta1", "groupPriorityMinimum": int64(100), "versionPriority": int64(100),
			"service": object{"name": "metrics-server", "namespace": "kube-system"}}}
	case "EndpointSlice":
		return object{"addressType": "IPv4"}
	}
	return object{}
}

// statusNeeds adds to a status what makes it whole for its kind.
func statusNeeds(kind string, status object) {
	switch kind {
	case "Job":
		under(status, object{"startTime": "2026-08-22T10:00:00Z"})
		if list, ok := status["conditions"].([]any); ok && len(list) > 0 && list[0].(object)["type"] == "Complete" {
			status["conditions"] = append(list, object{"type": "SuccessCriteriaMet", "status": "True"})
			under(status, object{"completionTime": "2026-08-22T10:05:00Z"})
		}
	case "Deployment":
		if n, ok := status["availableReplicas"]; ok {
			under(status, object{"readyReplicas": n})
		}
	case "Application":
		if state, ok := status["operationState"].(object); ok {
			under(state, object{"operation": object{}, "startedAt": "2026-08-22T10:00:00Z"})
		}
	case "HTTPRoute":
		each(status["parents"], object{"controllerName": "io.cilium/gateway-controller"})
		conditions(status)
	case "Gateway":
		each(status["listeners"], object{"supportedKinds": []any{}, "attachedRoutes": int64(0), "conditions": []any{}})
		conditions(status)
	case "GatewayClass", "Cluster":
		conditions(status)
	}
}
