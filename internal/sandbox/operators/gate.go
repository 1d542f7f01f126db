package operators

import (
	appsv1 "k8s.io/api/apps/v1"
)

// installed reports whether an operator is at work: a Deployment that carries its name as label has an available
// replica. Without one, its objects are left alone, as they would be on a cluster without it.
func (c *cluster) installed(name string) bool {
	for _, d := range list[appsv1.Deployment](c, Deployments, "") {
		if d.Labels["app.kubernetes.io/name"] == name && d.Status.AvailableReplicas > 0 && d.DeletionTimestamp == nil {
			return true
		}
	}
	return false
}

// The values of app.kubernetes.io/name by which operators are found.
const (
	PostgresOperator = "cloudnative-pg"
	SecretsOperator  = "external-secrets"
	GatewayOperator  = "cilium-operator"
)
