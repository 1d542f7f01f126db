package extension

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Default fills in the names that follow from the kind.
func Default(c *CustomResourceDefinition) {
	n := &c.Spec.Names
	if n.Singular == "" {
		n.Singular = strings.ToLower(n.Kind)
	}
	if n.ListKind == "" && n.Kind != "" {
		n.ListKind = n.Kind + "List"
	}
	if c.Spec.Conversion == nil {
		c.Spec.Conversion = &Conversion{Strategy: "None"}
	}
	if c.Status.StoredVersions == nil {
		c.Status.StoredVersions = []string{}
	}
}

// Validate tells what is wrong with a definition.
func Validate(c *CustomResourceDefinition) field.ErrorList {
	var errs field.ErrorList
	spec := field.NewPath("spec")
	if want := c.Spec.Names.Plural + "." + c.Spec.Group; c.Name != want {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), c.Name, "must be spec.names.plural+\".\"+spec.group"))
	}
	if c.Spec.Group == "" {
		errs = append(errs, field.Required(spec.Child("group"), ""))
	}
	if c.Spec.Scope != "Namespaced" && c.Spec.Scope != "Cluster" {
		errs = append(errs, field.NotSupported(spec.Child("scope"), c.Spec.Scope, []string{"Cluster", "Namespaced"}))
	}
	if c.Spec.Names.Kind == "" {
		errs = append(errs, field.Required(spec.Child("names", "kind"), ""))
	}
	if len(c.Spec.Versions) == 0 {
		errs = append(errs, field.Required(spec.Child("versions"), ""))
	}
	stored := 0
	for i, v := range c.Spec.Versions {
		at := spec.Child("versions").Index(i)
		if v.Storage {
			stored++
		}
		if v.Schema == nil || len(v.Schema.OpenAPIV3Schema) == 0 {
			errs = append(errs, field.Required(at.Child("schema", "openAPIV3Schema"), "schemas are required"))
		}
	}
	if stored != 1 {
		errs = append(errs, field.Invalid(spec.Child("versions"), c.Spec.Versions, "must have exactly one version marked as storage version"))
	}
	return errs
}
