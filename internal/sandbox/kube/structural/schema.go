package structural

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

const (
	preserveUnknown  = "x-kubernetes-preserve-unknown-fields"
	embeddedResource = "x-kubernetes-embedded-resource"
	intOrString      = "x-kubernetes-int-or-string"
)

// Schema is the schema of one version of a custom resource.
type Schema struct {
	spec      *spec.Schema
	validator *validate.SchemaValidator
}

// Parse reads an openAPIV3Schema.
func Parse(raw map[string]any) (*Schema, error) {
	s, err := read(raw)
	if err != nil {
		return nil, err
	}
	loose, err := read(raw)
	if err != nil {
		return nil, err
	}
	allowIntOrString(loose)
	return &Schema{spec: s, validator: validate.NewSchemaValidator(loose, nil, "", strfmt.Default)}, nil
}

func read(raw map[string]any) (*spec.Schema, error) {
	data, err := json.Marshal(raw)
	if err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	s := &spec.Schema{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return s, nil
}

// OpenAPI is the schema as it is published. It is shared: copy before changing it.
func (s *Schema) OpenAPI() *spec.Schema { return s.spec }

// allowIntOrString spells the extension out for a validator that doesn't know it.
func allowIntOrString(s *spec.Schema) {
	if on(s, intOrString) && len(s.Type) == 0 {
		s.Type = spec.StringOrArray{"integer", "string"}
		s.AnyOf = nil
	}
	for name, p := range s.Properties {
		allowIntOrString(&p)
		s.Properties[name] = p
	}
	if s.Items != nil && s.Items.Schema != nil {
		allowIntOrString(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		allowIntOrString(s.AdditionalProperties.Schema)
	}
}

func on(s *spec.Schema, extension string) bool {
	v, _ := s.Extensions[extension].(bool)
	return v
}

// Prune removes from the object what the schema doesn't know and names it ("spec.replica").
func (s *Schema) Prune(obj map[string]any) []string {
	var unknown []string
	prune(obj, s.spec, "", true, &unknown)
	return unknown
}

func prune(v any, s *spec.Schema, at string, resource bool, unknown *[]string) {
	switch v := v.(type) {
	case []any:
		if s.Items == nil || s.Items.Schema == nil {
			return
		}
		for i, e := range v {
			prune(e, s.Items.Schema, fmt.Sprintf("%s[%d]", at, i), on(s.Items.Schema, embeddedResource), unknown)
		}
	case map[string]any:
		for name, e := range v {
			if resource && (name == "apiVersion" || name == "kind" || name == "metadata") {
				continue
			}
			p, known := s.Properties[name]
			switch {
			case known:
				prune(e, &p, join(at, name), on(&p, embeddedResource), unknown)
			case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
				prune(e, s.AdditionalProperties.Schema, join(at, name), on(s.AdditionalProperties.Schema, embeddedResource), unknown)
			case s.AdditionalProperties != nil && s.AdditionalProperties.Allows:
			case !on(s, preserveUnknown):
				*unknown = append(*unknown, join(at, name))
				delete(v, name)
			}
		}
	}
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// Default fills in what the schema gives a default for.
func (s *Schema) Default(obj map[string]any) { fill(obj, s.spec) }

func fill(v any, s *spec.Schema) {
	switch v := v.(type) {
	case []any:
		if s.Items != nil && s.Items.Schema != nil {
			for _, e := range v {
				fill(e, s.Items.Schema)
			}
		}
	case map[string]any:
		for name, p := range s.Properties {
			if have, ok := v[name]; p.Default != nil && (!ok || have == nil && !p.Nullable) {
				v[name] = runtime.DeepCopyJSONValue(integers(p.Default))
			}
			if e, ok := v[name]; ok {
				fill(e, &p)
			}
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			for name, e := range v {
				if _, known := s.Properties[name]; !known {
					fill(e, s.AdditionalProperties.Schema)
				}
			}
		}
	}
}

// integers turns whole floats into integers, as they would have been read from an object.
func integers(v any) any {
	switch v := v.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = integers(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = integers(e)
		}
		return out
	}
	return v
}

// Validate tells what is wrong with an object.
func (s *Schema) Validate(obj map[string]any) field.ErrorList {
	var errs field.ErrorList
	for _, err := range s.validator.Validate(obj).Errors {
		v, ok := err.(*errors.Validation)
		if !ok {
			errs = append(errs, field.Invalid(nil, "", err.Error()))
			continue
		}
		errs = append(errs, fieldError(v))
	}
	return errs
}

func fieldError(v *errors.Validation) *field.Error {
	path := field.NewPath(strings.TrimPrefix(v.Name, "."))
	if v.Name == "" || v.Name == "." {
		path = nil
	}
	value := v.Value
	switch v.Code() {
	case errors.RequiredFailCode:
		return field.Required(path, "")
	case errors.EnumFailCode:
		allowed := make([]string, len(v.Values))
		for i, a := range v.Values {
			allowed[i] = fmt.Sprint(a)
		}
		return field.NotSupported(path, value, allowed)
	case errors.InvalidTypeCode:
		return field.TypeInvalid(path, value, v.Error())
	case errors.TooLongFailCode:
		if limit, ok := v.Valid.(int64); ok {
			return field.TooLong(path, value, int(limit))
		}
	case errors.MaxItemsFailCode:
		if items, ok := value.(int64); ok {
			if limit, ok := v.Valid.(int64); ok {
				return field.TooMany(path, int(items), int(limit))
			}
		}
	}
	return field.Invalid(path, value, v.Error())
}
