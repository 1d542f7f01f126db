package extension

import (
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	crdModels = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
	apiModels = "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1."
)

// CustomResourceDefinition adds a resource to the API.
type CustomResourceDefinition struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CRDSpec   `json:"spec"`
	Status            CRDStatus `json:"status,omitempty"`
}

// CRDSpec says how the resource is named and what its versions look like.
type CRDSpec struct {
	Group                 string      `json:"group"`
	Names                 CRDNames    `json:"names"`
	Scope                 string      `json:"scope"`
	Versions              []Version   `json:"versions"`
	Conversion            *Conversion `json:"conversion,omitempty"`
	PreserveUnknownFields bool        `json:"preserveUnknownFields,omitempty"`
}

// CRDNames are the names of a custom resource.
type CRDNames struct {
	Plural     string   `json:"plural"`
	Singular   string   `json:"singular,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Kind       string   `json:"kind"`
	ListKind   string   `json:"listKind,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

// Version is one version of a custom resource.
type Version struct {
	Name                     string            `json:"name"`
	Served                   bool              `json:"served"`
	Storage                  bool              `json:"storage"`
	Deprecated               bool              `json:"deprecated,omitempty"`
	DeprecationWarning       *string           `json:"deprecationWarning,omitempty"`
	Schema                   *VersionSchema    `json:"schema,omitempty"`
	Subresources             *Subresources     `json:"subresources,omitempty"`
	AdditionalPrinterColumns []Column          `json:"additionalPrinterColumns,omitempty"`
	SelectableFields         []SelectableField `json:"selectableFields,omitempty"`
}

// VersionSchema wraps the schema of a version. It is kept as it came: package structural reads it.
type VersionSchema struct {
	OpenAPIV3Schema SchemaProps `json:"openAPIV3Schema,omitempty"`
}

// SchemaProps is a JSON schema.
type SchemaProps map[string]any

// Subresources says which subresources a version has.
type Subresources struct {
	Status *StatusSubresource `json:"status,omitempty"`
	Scale  *ScaleSubresource  `json:"scale,omitempty"`
}

// StatusSubresource is present when status is written apart from the rest.
type StatusSubresource struct{}

// ScaleSubresource says where the replica counts are.
type ScaleSubresource struct {
	SpecReplicasPath   string  `json:"specReplicasPath"`
	StatusReplicasPath string  `json:"statusReplicasPath"`
	LabelSelectorPath  *string `json:"labelSelectorPath,omitempty"`
}

// Column is one printed column.
type Column struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Format      string `json:"format,omitempty"`
	Description string `json:"description,omitempty"`
	Priority    int32  `json:"priority,omitempty"`
	JSONPath    string `json:"jsonPath"`
}

// SelectableField is a field that field selectors may use.
type SelectableField struct {
	JSONPath string `json:"jsonPath"`
}

// Conversion says how objects change between versions. Only None is carried out: the version is relabelled.
type Conversion struct {
	Strategy string                `json:"strategy"`
	Webhook  *runtime.RawExtension `json:"webhook,omitempty"`
}

// CRDStatus says whether the resource is served.
type CRDStatus struct {
	ObservedGeneration int64       `json:"observedGeneration,omitempty"`
	Conditions         []Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
	AcceptedNames      CRDNames    `json:"acceptedNames"`
	StoredVersions     []string    `json:"storedVersions"`
}

// Condition is a condition of a CustomResourceDefinition or APIService.
type Condition struct {
	ObservedGeneration int64                `json:"observedGeneration,omitempty"`
	Type               string               `json:"type"`
	Status             core.ConditionStatus `json:"status"`
	LastTransitionTime metav1.Time          `json:"lastTransitionTime,omitempty"`
	Reason             string               `json:"reason,omitempty"`
	Message            string               `json:"message,omitempty"`
}

// DeepCopyObject makes CustomResourceDefinition a runtime.Object.
func (c *CustomResourceDefinition) DeepCopyObject() runtime.Object { return copied(c) }

// OpenAPIModelName names the model as the real API does.
func (CustomResourceDefinition) OpenAPIModelName() string {
	return crdModels + "CustomResourceDefinition"
}

// OpenAPIModelName names the model as the real API does.
func (CRDSpec) OpenAPIModelName() string { return crdModels + "CustomResourceDefinitionSpec" }

// OpenAPIModelName names the model as the real API does.
func (CRDNames) OpenAPIModelName() string { return crdModels + "CustomResourceDefinitionNames" }

// OpenAPIModelName names the model as the real API does.
func (Version) OpenAPIModelName() string { return crdModels + "CustomResourceDefinitionVersion" }

// OpenAPIModelName names the model as the real API does.
func (VersionSchema) OpenAPIModelName() string { return crdModels + "CustomResourceValidation" }

// OpenAPIModelName names the model as the real API does.
func (Subresources) OpenAPIModelName() string { return crdModels + "CustomResourceSubresources" }

// OpenAPIModelName names the model as the real API does.
func (StatusSubresource) OpenAPIModelName() string {
	return crdModels + "CustomResourceSubresourceStatus"
}

// OpenAPIModelName names the model as the real API does.
func (ScaleSubresource) OpenAPIModelName() string {
	return crdModels + "CustomResourceSubresourceScale"
}

// OpenAPIModelName names the model as the real API does.
func (Column) OpenAPIModelName() string { return crdModels + "CustomResourceColumnDefinition" }

// OpenAPIModelName names the model as the real API does.
func (SelectableField) OpenAPIModelName() string { return crdModels + "SelectableField" }

// OpenAPIModelName names the model as the real API does.
func (Conversion) OpenAPIModelName() string { return crdModels + "CustomResourceConversion" }

// OpenAPIModelName names the model as the real API does.
func (CRDStatus) OpenAPIModelName() string { return crdModels + "CustomResourceDefinitionStatus" }

// OpenAPIModelName names the model as the real API does.
func (Condition) OpenAPIModelName() string { return crdModels + "CustomResourceDefinitionCondition" }
