package kinds

import (
	"slices"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"

	"runbook/internal/sandbox/kube/kinds/extension"
)

// All makes the list of built-in kinds, in the order in which discovery shows them.
func All() []*Kind {
	return slices.Concat(coreKinds(), workloadKinds(), networkKinds(), accessKinds(), clusterKinds())
}

func coreKinds() []*Kind {
	return []*Kind{
		kind[core.ConfigMap]("v1", "configmaps", short("cm"), valid(validConfigMap), fixed(fixedConfigMap)),
		//lint:ignore SA1019 the kind is deprecated and still served
		kind[core.Endpoints]("v1", "endpoints", short("ep"), func(k *Kind) { k.Singular = "endpoints" }),
		kind[core.Event]("v1", "events", short("ev"), valid(validEvent)),
		kind[core.LimitRange]("v1", "limitranges", short("limits")),
		kind[core.Namespace]("v1", "namespaces", short("ns"), cluster(), status(), defaults(defaultNamespace), created(createNamespace)),
		kind[core.Node]("v1", "nodes", short("no"), cluster(), status()),
		kind[core.PersistentVolumeClaim]("v1", "persistentvolumeclaims", short("pvc"), status(),
			defaults(defaultClaim), created(createClaim), valid(validClaim), fixed(fixedClaim)),
		kind[core.PersistentVolume]("v1", "persistentvolumes", short("pv"), cluster(), status(),
			defaults(defaultVolume), created(createVolume), valid(validVolume)),
		kind[core.Pod]("v1", "pods", short("po"), all(), status(), counted(),
			defaults(defaultPod), created(createPod), valid(validPod), fixed(fixedPod)),
		kind[core.ResourceQuota]("v1", "resourcequotas", short("quota"), status()),
		kind[core.Secret]("v1", "secrets", defaults(defaultSecret), valid(validSecret), fixed(fixedSecret)),
		kind[core.ServiceAccount]("v1", "serviceaccounts", short("sa")),
		kind[core.Service]("v1", "services", short("svc"), all(), status(), defaults(defaultService), created(createService), valid(validService), fixed(fixedService)),
	}
}

func workloadKinds() []*Kind {
	return []*Kind{
		kind[apps.DaemonSet]("apps/v1", "daemonsets", short("ds"), all(), status(), counted(),
			defaults(defaultDaemonSet), valid(validDaemonSet), fixed(fixedDaemonSet)),
		kind[apps.Deployment]("apps/v1", "deployments", short("deploy"), all(), status(), scale(), counted(),
			defaults(defaultDeployment), valid(validDeployment), fixed(fixedDeployment)),
		kind[apps.ReplicaSet]("apps/v1", "replicasets", short("rs"), all(), status(), scale(), counted(),
			defaults(defaultReplicaSet), valid(validReplicaSet), fixed(fixedReplicaSet)),
		kind[apps.StatefulSet]("apps/v1", "statefulsets", short("sts"), all(), status(), scale(), counted(),
			defaults(defaultStatefulSet), valid(validStatefulSet), fixed(fixedStatefulSet)),
		kind[apps.ControllerRevision]("apps/v1", "controllerrevisions"),
		kind[batch.CronJob]("batch/v1", "cronjobs", short("cj"), all(), status(), counted(), defaults(defaultCronJob), valid(validCronJob)),
		kind[batch.Job]("batch/v1", "jobs", all(), status(), counted(),
			defaults(defaultJob), created(createJob), valid(validJob), fixed(fixedJob)),
		kind[autoscaling.HorizontalPodAutoscaler]("autoscaling/v2", "horizontalpodautoscalers", short("hpa"), all(), status(), counted(), defaults(defaultAutoscaler)),
		kind[policy.PodDisruptionBudget]("policy/v1", "poddisruptionbudgets", short("pdb"), status(), counted()),
	}
}

func networkKinds() []*Kind {
	return []*Kind{
		kind[networking.IngressClass]("networking.k8s.io/v1", "ingressclasses", cluster(), counted()),
		kind[networking.Ingress]("networking.k8s.io/v1", "ingresses", short("ing"), status(), counted(), valid(validIngress)),
		kind[networking.NetworkPolicy]("networking.k8s.io/v1", "networkpolicies", short("netpol"), counted(), defaults(defaultNetworkPolicy)),
		kind[discovery.EndpointSlice]("discovery.k8s.io/v1", "endpointslices", counted()),
		kind[events.Event]("events.k8s.io/v1", "events", short("ev"), storedAs("events")),
	}
}

func accessKinds() []*Kind {
	return []*Kind{
		kind[rbac.ClusterRoleBinding]("rbac.authorization.k8s.io/v1", "clusterrolebindings", cluster(),
			defaults(defaultClusterRoleBinding), valid(validClusterRoleBinding), fixed(fixedClusterRoleBinding)),
		kind[rbac.ClusterRole]("rbac.authorization.k8s.io/v1", "clusterroles", cluster(), valid(validClusterRole)),
		kind[rbac.RoleBinding]("rbac.authorization.k8s.io/v1", "rolebindings",
			defaults(defaultRoleBinding), valid(validRoleBinding), fixed(fixedRoleBinding)),
		kind[rbac.Role]("rbac.authorization.k8s.io/v1", "roles", valid(validRole)),
	}
}

func clusterKinds() []*Kind {
	return []*Kind{
		kind[storage.StorageClass]("storage.k8s.io/v1", "storageclasses", short("sc"), cluster(), defaults(defaultStorageClass), valid(validStorageClass)),
		kind[scheduling.PriorityClass]("scheduling.k8s.io/v1", "priorityclasses", short("pc"), cluster(), counted()),
		kind[coordination.Lease]("coordination.k8s.io/v1", "leases"),
		kind[admissionregistration.MutatingWebhookConfiguration]("admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations", extensions(), cluster(), counted(), defaults(defaultMutating)),
		kind[admissionregistration.ValidatingWebhookConfiguration]("admissionregistration.k8s.io/v1", "validatingwebhookconfigurations", extensions(), cluster(), counted(), defaults(defaultValidating)),
		kind[extension.APIService]("apiregistration.k8s.io/v1", "apiservices", extensions(), cluster(), status()),
		kind[extension.CustomResourceDefinition]("apiextensions.k8s.io/v1", "customresourcedefinitions", short("crd", "crds"), extensions(), cluster(), status(), counted(),
			defaults(extension.Default), valid(extension.Validate)),
	}
}
