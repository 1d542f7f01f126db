package kube

import (
	"fmt"
	"strings"

	"runbook/internal/sandbox/kube/kinds"
)

// dig follows keys into nested objects.
func dig(v any, path ...string) any {
	for _, k := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

func text(v any, path ...string) string {
	s, _ := dig(v, path...).(string)
	return s
}

func number(v any, path ...string) (int64, bool) {
	switch n := dig(v, path...).(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), true
	}
	return 0, false
}

func texts(v any, path ...string) []string {
	list, _ := dig(v, path...).([]any)
	out := make([]string, 0, len(list))
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func meta(obj map[string]any) map[string]any {
	m, ok := obj["metadata"].(map[string]any)
	if !ok {
		m = map[string]any{}
		obj["metadata"] = m
	}
	return m
}

func nameOf(obj map[string]any) string      { return text(obj, "metadata", "name") }
func namespaceOf(obj map[string]any) string { return text(obj, "metadata", "namespace") }
func uidOf(obj map[string]any) string       { return text(obj, "metadata", "uid") }
func revisionOf(obj map[string]any) string  { return text(obj, "metadata", "resourceVersion") }

func labelsOf(obj map[string]any) map[string]string {
	raw, _ := dig(obj, "metadata", "labels").(map[string]any)
	out := make(map[string]string, len(raw))
	for k, v := range raw {
		out[k], _ = v.(string)
	}
	return out
}

// fieldName is a selectable field by the name that it has in the stored form.
func (r *resource) fieldName(name string) string {
	if rest, ok := strings.CutPrefix(name, "regarding."); ok && r.isEventsAlias() {
		return "involvedObject." + rest
	}
	return name
}

// refusesField explains why a field selector can't be used, or is empty.
func (r *resource) refusesField(name string) string {
	if name == "metadata.name" || name == "metadata.namespace" && r.namespaced {
		return ""
	}
	if r.custom != nil {
		for _, f := range r.custom.selectable {
			if "."+name == f {
				return ""
			}
		}
	} else if _, ok := kinds.SelectableFields(r.stored)[r.fieldName(name)]; ok {
		return ""
	} else if name == "metadata.namespace" || kinds.SelectableFields(r.stored) != nil {
		return "field label not supported: " + name
	}
	return fmt.Sprintf(`%q is not a known field selector: only "metadata.name", "metadata.namespace"`, name)
}

// fieldSet shows an object's selectable fields to a field selector.
type fieldSet struct {
	res *resource
	obj map[string]any
}

// Has is part of fields.Fields.
func (f fieldSet) Has(name string) bool { return true }

// Get is part of fields.Fields.
func (f fieldSet) Get(name string) string {
	path := strings.Split(name, ".")
	if f.res.builtin != nil {
		if alias := kinds.SelectableFields(f.res.stored)[f.res.fieldName(name)]; alias != nil {
			path = alias
		}
	}
	switch v := dig(f.obj, path...).(type) {
	case nil:
		return f.absent(name)
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// absent is what a field counts as when the object doesn't have it.
func (f fieldSet) absent(name string) string {
	switch {
	case name == "status.successful":
		return "0"
	case name == "spec.unschedulable" || name == "spec.hostNetwork":
		return "false"
	case name == "source" && f.res.stored == "events":
		return text(f.obj, "reportingComponent")
	}
	return ""
}
