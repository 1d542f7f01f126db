package models

// optionalFields are marked +optional although their tag doesn't leave them out when empty.
func optionalFields() map[string][]string {
	return map[string][]string{
		"io.k8s.api.apps.v1.ControllerRevision":                                                   {"revision"},
		"io.k8s.api.apps.v1.DaemonSetCondition":                                                   {"status", "type"},
		"io.k8s.api.apps.v1.DeploymentCondition":                                                  {"status", "type"},
		"io.k8s.api.apps.v1.ReplicaSetCondition":                                                  {"status", "type"},
		"io.k8s.api.apps.v1.StatefulSetCondition":                                                 {"status", "type"},
		"io.k8s.api.apps.v1.StatefulSetOrdinals":                                                  {"start"},
		"io.k8s.api.apps.v1.StatefulSetSpec":                                                      {"serviceName"},
		"io.k8s.api.apps.v1.StatefulSetStatus":                                                    {"availableReplicas"},
		"io.k8s.api.authentication.v1.TokenRequest":                                               {"spec"},
		"io.k8s.api.authentication.v1.TokenRequestSpec":                                           {"audiences", "boundObjectRef", "expirationSeconds"},
		"io.k8s.api.authentication.v1.TokenRequestStatus":                                         {"expirationTimestamp", "token"},
		"io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus":                                 {"currentMetrics"},
		"io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern":                              {"status"},
		"io.k8s.api.core.v1.AzureFilePersistentVolumeSource":                                      {"secretNamespace"},
		"io.k8s.api.core.v1.ContainerImage":                                                       {"names"},
		"io.k8s.api.core.v1.Event":                                                                {"reportingComponent", "reportingInstance"},
		"io.k8s.api.core.v1.GRPCAction":                                                           {"service"},
		"io.k8s.api.core.v1.NodeRuntimeHandler":                                                   {"name"},
		"io.k8s.api.core.v1.ProjectedVolumeSource":                                                {"sources"},
		"io.k8s.api.core.v1.TypedLocalObjectReference":                                            {"apiGroup"},
		"io.k8s.api.core.v1.TypedObjectReference":                                                 {"apiGroup"},
		"io.k8s.api.discovery.v1.EndpointSlice":                                                   {"endpoints", "ports"},
		"io.k8s.api.events.v1.Event":                                                              {"metadata"},
		"io.k8s.api.networking.v1.IngressClassParametersReference":                                {"scope"},
		"io.k8s.api.networking.v1.NetworkPolicySpec":                                              {"podSelector"},
		"io.k8s.api.policy.v1.PodDisruptionBudgetStatus":                                          {"currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods"},
		"io.k8s.api.rbac.v1.ClusterRole":                                                          {"rules"},
		"io.k8s.api.rbac.v1.Role":                                                                 {"rules"},
		"io.k8s.api.rbac.v1.RoleRef":                                                              {"apiGroup"},
		"io.k8s.api.scheduling.v1.PriorityClass":                                                  {"value"},
		"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus": {"acceptedNames", "storedVersions"},
	}
}

// requiredFields are marked +required although their tag leaves them out when empty.
func requiredFields() map[string][]string {
	return map[string][]string{
		"io.k8s.api.apps.v1.DaemonSet":                       {"spec"},
		"io.k8s.api.apps.v1.Deployment":                      {"spec"},
		"io.k8s.api.apps.v1.ReplicaSet":                      {"spec"},
		"io.k8s.api.apps.v1.StatefulSet":                     {"spec"},
		"io.k8s.api.authentication.v1.TokenReviewSpec":       {"token"},
		"io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler":  {"spec"},
		"io.k8s.api.batch.v1.CronJob":                        {"spec"},
		"io.k8s.api.core.v1.ContainerRestartRule":            {"action"},
		"io.k8s.api.core.v1.ContainerRestartRuleOnExitCodes": {"operator"},
		"io.k8s.api.core.v1.ImageVolumeStatus":               {"imageRef"},
		"io.k8s.api.core.v1.PodCertificateProjection":        {"keyType", "signerName"},
	}
}
