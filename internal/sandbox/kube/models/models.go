package models

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const refPrefix = "#/components/schemas/"

// Schemas holds schemas by model name.
type Schemas map[string]*spec.Schema

// Kind is a Go struct that is the wire form of one or more kinds.
type Kind struct {
	GVKs []schema.GroupVersionKind
	Type reflect.Type
}

// Derive makes the schemas of the kinds and of all that they refer to.
func Derive(kinds []Kind) Schemas {
	b := builder{
		out: Schemas{}, lists: listMarkers(), atomicModels: atomicModels(), mapKinds: mapKinds(), defaults: keyDefaults(), required: requiredFields(), optional: optionalFields(),
	}
	for _, k := range kinds {
		name := b.model(k.Type)
		for _, gvk := range k.GVKs {
			MarkKind(b.out[name], gvk)
		}
	}
	return b.out
}

// MarkKind records in a schema that it describes a kind.
func MarkKind(s *spec.Schema, gvk schema.GroupVersionKind) {
	const key = "x-kubernetes-group-version-kind"
	have, _ := s.Extensions[key].([]any)
	s.AddExtension(key, append(have, map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}))
}

// Reachable picks the schemas of the named models and of all that these refer to.
func (s Schemas) Reachable(names ...string) Schemas {
	out := Schemas{}
	for len(names) > 0 {
		name := names[len(names)-1]
		names = names[:len(names)-1]
		if m := s[name]; m != nil && out[name] == nil {
			out[name] = m
			names = append(names, refs(m)...)
		}
	}
	return out
}

// Name is the model name of a Go struct.
func Name(t reflect.Type) string {
	if m, ok := reflect.Zero(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		return m.OpenAPIModelName()
	}
	return strings.NewReplacer("k8s.io/", "io.k8s.", "/", ".").Replace(t.PkgPath()) + "." + t.Name()
}

func refs(s *spec.Schema) []string {
	var out []string
	if r := s.Ref.String(); r != "" {
		out = append(out, strings.TrimPrefix(r, refPrefix))
	}
	for _, p := range s.Properties {
		out = append(out, refs(&p)...)
	}
	for i := range s.AllOf {
		out = append(out, refs(&s.AllOf[i])...)
	}
	if s.Items != nil && s.Items.Schema != nil {
		out = append(out, refs(s.Items.Schema)...)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		out = append(out, refs(s.AdditionalProperties.Schema)...)
	}
	return out
}

type builder struct {
	out          Schemas
	lists        map[string]listKind
	atomicModels map[string]bool
	mapKinds     map[string]string
	defaults     map[string]any
	required     map[string][]string
	optional     map[string][]string
}

// described is what types with a wire form of their own (times, quantities, int-or-string) implement.
type described interface {
	OpenAPISchemaType() []string
	OpenAPISchemaFormat() string
}

func (b *builder) model(t reflect.Type) string {
	name := Name(t)
	if b.out[name] != nil {
		return name
	}
	s := &spec.Schema{}
	b.out[name] = s
	doc := swaggerDoc(t)
	s.Description = doc[""]
	if d, ok := reflect.Zero(t).Interface().(described); ok {
		b.scalar(s, d)
		return name
	}
	s.Type = spec.StringOrArray{"object"}
	if t.NumField() == 0 || isOpaque(t) {
		return name
	}
	s.Properties = map[string]spec.Schema{}
	b.fields(name, t, s, doc)
	s.Required = slices.DeleteFunc(append(s.Required, b.required[name]...), func(f string) bool { return slices.Contains(b.optional[name], f) })
	slices.Sort(s.Required)
	if b.atomicModels[name] {
		s.AddExtension("x-kubernetes-map-type", "atomic")
	}
	return name
}

// scalar describes a type that may be written in more than one way as either of them.
func (b *builder) scalar(s *spec.Schema, d described) {
	s.Format = d.OpenAPISchemaFormat()
	types := d.OpenAPISchemaType()
	if v3, ok := d.(interface{ OpenAPIV3OneOfTypes() []string }); ok {
		for _, t := range v3.OpenAPIV3OneOfTypes() {
			s.OneOf = append(s.OneOf, primitive(t, ""))
		}
		return
	}
	s.Type = types
}

// isOpaque tells the structs that marshal themselves into any object.
func isOpaque(t reflect.Type) bool {
	switch t.PkgPath() + "." + t.Name() {
	case "k8s.io/apimachinery/pkg/runtime.RawExtension", "k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":
		return true
	}
	return false
}

func (b *builder) fields(owner string, t reflect.Type, s *spec.Schema, doc map[string]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case name == "" && (f.Anonymous || strings.Contains(opts, "inline")):
			b.fields(owner, f.Type, s, swaggerDoc(f.Type))
		case name != "":
			s.Properties[name] = b.field(owner, name, f, doc[name])
			if !strings.Contains(opts, "omitempty") && !strings.Contains(opts, "omitzero") {
				s.Required = append(s.Required, name)
			}
		}
	}
}

func (b *builder) field(owner, name string, f reflect.StructField, doc string) spec.Schema {
	p := b.value(f.Type)
	if p.Ref.String() != "" {
		p = spec.Schema{SchemaProps: spec.SchemaProps{AllOf: []spec.Schema{p}, Default: map[string]any{}}}
		if f.Type.Kind() == reflect.Pointer {
			p.Default = nil
		}
	}
	p.Description = doc
	at := owner + "." + name
	if d, ok := b.defaults[at]; ok {
		p.Default = d
	}
	b.mergeTags(&p, at, f)
	return p
}

func (b *builder) mergeTags(p *spec.Schema, at string, f reflect.StructField) {
	strategy, key := f.Tag.Get("patchStrategy"), f.Tag.Get("patchMergeKey")
	if strategy != "" {
		p.AddExtension("x-kubernetes-patch-strategy", strategy)
	}
	if key != "" {
		p.AddExtension("x-kubernetes-patch-merge-key", key)
	}
	if kind := b.mapKinds[at]; kind != "" {
		p.AddExtension("x-kubernetes-map-type", kind)
	}
	if !p.Type.Contains("array") {
		return
	}
	lk, ok := b.lists[at]
	if !ok && strings.Contains(strategy, "merge") {
		lk = listKind{set: key == ""}
		if key != "" {
			lk.keys = []string{key}
		}
	}
	switch {
	case lk.set:
		p.AddExtension("x-kubernetes-list-type", "set")
	case len(lk.keys) > 0:
		p.AddExtension("x-kubernetes-list-type", "map")
		p.AddExtension("x-kubernetes-list-map-keys", anySlice(lk.keys))
	default:
		p.AddExtension("x-kubernetes-list-type", "atomic")
	}
}

func (b *builder) value(t reflect.Type) spec.Schema {
	switch t.Kind() {
	case reflect.Pointer:
		return b.value(t.Elem())
	case reflect.Struct:
		return Ref(b.model(t))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return primitive("string", "byte")
		}
		e := b.value(t.Elem())
		s := primitive("array", "")
		s.Items = &spec.SchemaOrArray{Schema: &e}
		return s
	case reflect.Map:
		e := b.value(t.Elem())
		s := primitive("object", "")
		s.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: &e}
		return s
	case reflect.Bool:
		return primitive("boolean", "")
	case reflect.Int, reflect.Int32:
		return primitive("integer", "int32")
	case reflect.Int64:
		return primitive("integer", "int64")
	case reflect.Float64:
		return primitive("number", "double")
	case reflect.String:
		return primitive("string", "")
	case reflect.Interface:
		s := spec.Schema{}
		s.AddExtension("x-kubernetes-preserve-unknown-fields", true)
		return s
	default:
		panic(fmt.Sprintf("models: a field of kind %s has no schema", t.Kind()))
	}
}

// Ref refers to a model.
func Ref(name string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Ref: spec.MustCreateRef(refPrefix + name)}}
}

func primitive(typ, format string) spec.Schema {
	return spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{typ}, Format: format}}
}

func swaggerDoc(t reflect.Type) map[string]string {
	if t.Kind() == reflect.Struct {
		if d, ok := reflect.Zero(t).Interface().(interface{ SwaggerDoc() map[string]string }); ok {
			return d.SwaggerDoc()
		}
	}
	return nil
}

func anySlice(in []string) []any {
	out := make([]any, len(in))
	for i, s := range in {
		out[i] = s
	}
	return out
}
