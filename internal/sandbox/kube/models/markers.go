package models

// listKind says how a list is merged on server-side apply; no keys and not a set means atomic.
type listKind struct {
	keys []string
	set  bool
}

// listMarkers holds the +listType and +listMapKey comments that differ from what patchStrategy and
// patchMergeKey say, by model and JSON field.
func listMarkers() map[string]listKind {
	const core = "io.k8s.api.core.v1."
	return map[string]listKind{
		core + "Container.ports":                                            {keys: []string{"containerPort", "protocol"}},
		core + "EphemeralContainerCommon.ports":                             {keys: []string{"containerPort", "protocol"}},
		core + "EphemeralContainer.ports":                                   {keys: []string{"containerPort", "protocol"}},
		core + "PodSpec.topologySpreadConstraints":                          {keys: []string{"topologyKey", "whenUnsatisfiable"}},
		core + "ServiceSpec.ports":                                          {keys: []string{"port", "protocol"}},
		core + "ResourceRequirements.claims":                                {keys: []string{"name"}},
		core + "ResourceStatus.resources":                                   {keys: []string{"resourceID"}},
		core + "PodStatus.volumeHealth":                                     {keys: []string{"name"}},
		core + "PodVolumeHealth.healthConditions":                           {keys: []string{"status", "reason"}},
		core + "VolumeHealthStatus.healthConditions":                        {keys: []string{"status", "reason"}},
		core + "VolumeMount.bindMountOptions":                               {set: true},
		core + "NodeAllocatableResourceClaimStatus.containers":              {set: true},
		core + "NodePodPreemptionPolicy.disableResizePreemption":            {set: true},
		core + "PodStatus.hostIPs":                                          {},
		core + "ContainerRestartRuleOnExitCodes.values":                     {set: true},
		"io.k8s.api.batch.v1.JobStatus.conditions":                          {},
		"io.k8s.api.batch.v1.PodFailurePolicyOnExitCodesRequirement.values": {set: true},
		"io.k8s.api.batch.v1.UncountedTerminatedPods.succeeded":             {set: true},
		"io.k8s.api.batch.v1.UncountedTerminatedPods.failed":                {set: true},
		"io.k8s.api.discovery.v1.Endpoint.addresses":                        {set: true},
		"io.k8s.api.storage.v1.CSIDriverSpec.volumeLifecycleModes":          {set: true},
	}
}

// atomicModels are the structs marked +structType=atomic: one owner owns all of such a value.
func atomicModels() map[string]bool {
	out := map[string]bool{
		"io.k8s.api.networking.v1.ServiceBackendPort":                true,
		"io.k8s.api.autoscaling.v1.CrossVersionObjectReference":      true,
		"io.k8s.api.discovery.v1.EndpointPort":                       true,
		"io.k8s.api.rbac.v1.Subject":                                 true,
		"io.k8s.api.rbac.v1.RoleRef":                                 true,
		"io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference":        true,
		"io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector":         true,
		"io.k8s.api.admissionregistration.v1.MatchResources":         true,
		"io.k8s.api.admissionregistration.v1.NamedRuleWithOperation": true,
	}
	for _, name := range []string{
		"EvictionResponder", "SecretReference", "FileKeySelector", "ObjectFieldSelector", "ResourceFieldSelector", "ConfigMapKeySelector",
		"SecretKeySelector", "NodeSelector", "NodeSelectorTerm", "TopologySelectorTerm", "EndpointAddress",
		"EndpointPort", "ObjectReference", "LocalObjectReference", "TypedLocalObjectReference", "ScopeSelector",
	} {
		out["io.k8s.api.core.v1."+name] = true
	}
	return out
}

// mapKinds are the fields marked +mapType or +structType differently from what they hold.
func mapKinds() map[string]string {
	return map[string]string{
		"io.k8s.api.core.v1.PodSpec.nodeSelector":                                  "atomic",
		"io.k8s.api.core.v1.ServiceSpec.selector":                                  "atomic",
		"io.k8s.api.core.v1.PersistentVolumeSpec.claimRef":                         "granular",
		"io.k8s.api.core.v1.PersistentVolumeClaimStatus.allocatedResourceStatuses": "granular",
	}
}

// keyDefaults are the defaults of fields that are part of a list's key: an applied port without a
// protocol has to meet the stored one that has it.
func keyDefaults() map[string]any {
	return map[string]any{
		"io.k8s.api.core.v1.ContainerPort.protocol": "TCP",
		"io.k8s.api.core.v1.ServicePort.protocol":   "TCP",
	}
}
