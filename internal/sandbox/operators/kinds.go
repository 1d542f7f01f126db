package operators

import "k8s.io/apimachinery/pkg/runtime/schema"

// GVR is short for the long name: which list of the API server is meant.
type GVR = schema.GroupVersionResource

// The kinds that controllers here read or write.
var (
	Namespaces      = GVR{Version: "v1", Resource: "namespaces"}
	Nodes           = GVR{Version: "v1", Resource: "nodes"}
	Pods            = GVR{Version: "v1", Resource: "pods"}
	Services        = GVR{Version: "v1", Resource: "services"}
	Secrets         = GVR{Version: "v1", Resource: "secrets"}
	ConfigMaps      = GVR{Version: "v1", Resource: "configmaps"}
	ServiceAccounts = GVR{Version: "v1", Resource: "serviceaccounts"}
	Events          = GVR{Version: "v1", Resource: "events"}
	Claims          = GVR{Version: "v1", Resource: "persistentvolumeclaims"}
	Volumes         = GVR{Version: "v1", Resource: "persistentvolumes"}
	StorageClasses  = GVR{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}
	EndpointSlices  = GVR{Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"}
	Deployments     = GVR{Group: "apps", Version: "v1", Resource: "deployments"}
	ReplicaSets     = GVR{Group: "apps", Version: "v1", Resource: "replicasets"}
	StatefulSets    = GVR{Group: "apps", Version: "v1", Resource: "statefulsets"}
	DaemonSets      = GVR{Group: "apps", Version: "v1", Resource: "daemonsets"}
	Jobs            = GVR{Group: "batch", Version: "v1", Resource: "jobs"}
	Gateways        = GVR{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "gateways"}
	GatewayClasses  = GVR{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "gatewayclasses"}
	HTTPRoutes      = GVR{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "httproutes"}
	ReferenceGrants = GVR{Group: "gateway.networking.k8s.io", Version: "v1beta1", Resource: "referencegrants"}
	ExternalSecrets = GVR{Group: "external-secrets.io", Version: "v1", Resource: "externalsecrets"}
	SecretStores    = GVR{Group: "external-secrets.io", Version: "v1", Resource: "secretstores"}
	ClusterStores   = GVR{Group: "external-secrets.io", Version: "v1", Resource: "clustersecretstores"}
	Clusters        = GVR{Group: "postgresql.cnpg.io", Version: "v1", Resource: "clusters"}
)
