package extension

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// APIService says who serves a group and version.
type APIService struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              APIServiceSpec   `json:"spec,omitempty"`
	Status            APIServiceStatus `json:"status,omitempty"`
}

// APIServiceSpec names the group, the version and the Service behind it (none: the API server itself).
type APIServiceSpec struct {
	Service               *ServiceReference `json:"service,omitempty"`
	Group                 string            `json:"group,omitempty"`
	Version               string            `json:"version,omitempty"`
	InsecureSkipTLSVerify bool              `json:"insecureSkipTLSVerify,omitempty"`
	CABundle              []byte            `json:"caBundle,omitempty"`
	GroupPriorityMinimum  int32             `json:"groupPriorityMinimum"`
	VersionPriority       int32             `json:"versionPriority"`
}

// ServiceReference points at a Service.
type ServiceReference struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Port      *int32 `json:"port,omitempty"`
}

// APIServiceStatus says whether the group and version can be reached.
type APIServiceStatus struct {
	Conditions []Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

// DeepCopyObject makes APIService a runtime.Object.
func (a *APIService) DeepCopyObject() runtime.Object { return copied(a) }

// OpenAPIModelName names the model as the real API does.
func (APIService) OpenAPIModelName() string { return apiModels + "APIService" }

// OpenAPIModelName names the model as the real API does.
func (APIServiceSpec) OpenAPIModelName() string { return apiModels + "APIServiceSpec" }

// OpenAPIModelName names the model as the real API does.
func (ServiceReference) OpenAPIModelName() string { return apiModels + "ServiceReference" }

// OpenAPIModelName names the model as the real API does.
func (APIServiceStatus) OpenAPIModelName() string { return apiModels + "APIServiceStatus" }

// copied goes by way of JSON: these two kinds are written a few times in a server's life.
func copied[T any](in *T) *T {
	out := new(T)
	data, err := json.Marshal(in)
	if err == nil {
		err = json.Unmarshal(data, out)
	}
	if err != nil {
		panic(fmt.Sprintf("copy %T: %v", in, err))
	}
	return out
}
