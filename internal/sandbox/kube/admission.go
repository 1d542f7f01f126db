package kube

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"runbook/internal/sandbox/kube/store"
)

// admitObject does what the admission plugins that are on by default add to a new object.
func (s *Server) admitObject(r *resource, obj map[string]any) error {
	spec, ok := obj["spec"].(map[string]any)
	if !ok {
		return nil
	}
	switch r.stored {
	case "pods":
		return s.admitPod(r, obj, spec)
	case "persistentvolumeclaims":
		s.admitClaim(obj, spec)
	}
	return nil
}

// admitPod gives a pod the service account that it runs as, refuses one that doesn't exist, and sets
// priority and tolerations.
func (s *Server) admitPod(r *resource, obj, spec map[string]any) error {
	account, _ := spec["serviceAccountName"].(string)
	if account == "" {
		account = "default"
		spec["serviceAccountName"], spec["serviceAccount"] = account, account
	}
	if _, ok := s.store.Read(store.Key{Resource: "serviceaccounts", Namespace: namespaceOf(obj), Name: account}); !ok {
		return apierrors.NewForbidden(r.group(), nameOf(obj), fmt.Errorf("error looking up service account %s/%s: serviceaccount %q not found", namespaceOf(obj), account, account))
	}
	if err := s.admitPriority(r, obj, spec); err != nil {
		return err
	}
	tolerations, _ := spec["tolerations"].([]any)
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		if !tolerates(tolerations, key) {
			tolerations = append(tolerations, map[string]any{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(300)})
		}
	}
	spec["tolerations"] = tolerations
	return nil
}

func tolerates(list []any, key string) bool {
	for _, t := range list {
		k, effect := text(t, "key"), text(t, "effect")
		if (k == key || k == "") && (effect == "NoExecute" || effect == "") {
			return true
		}
	}
	return false
}

func (s *Server) admitPriority(r *resource, obj, spec map[string]any) error {
	name, _ := spec["priorityClassName"].(string)
	priority, policy := int64(0), "PreemptLowerPriority"
	switch name {
	case "":
	case "system-node-critical":
		priority = 2000001000
	case "system-cluster-critical":
		priority = 2000000000
	default:
		class, ok := s.store.Read(store.Key{Resource: "priorityclasses.scheduling.k8s.io", Name: name})
		if !ok {
			return apierrors.NewForbidden(r.group(), nameOf(obj), fmt.Errorf("no PriorityClass with name %s was found", name))
		}
		priority, _ = number(class, "value")
		if p := text(class, "preemptionPolicy"); p != "" {
			policy = p
		}
	}
	spec["priority"] = priority
	if spec["preemptionPolicy"] == nil {
		spec["preemptionPolicy"] = policy
	}
	return nil
}

const defaultClass = "storageclass.kubernetes.io/is-default-class"

// admitClaim gives a claim that names no class the newest default class, if there is one.
func (s *Server) admitClaim(obj, spec map[string]any) {
	if _, named := spec["storageClassName"]; named || text(obj, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class") != "" {
		return
	}
	newest := ""
	for _, class := range s.all("storageclasses.storage.k8s.io", "") {
		at := text(class, "metadata", "creationTimestamp")
		if text(class, "metadata", "annotations", defaultClass) == "true" && at >= newest {
			newest = at
			spec["storageClassName"] = nameOf(class)
		}
	}
}
