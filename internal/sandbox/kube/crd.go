package kube

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/util/jsonpath"

	"runbook/internal/sandbox/kube/kinds/extension"
	"runbook/internal/sandbox/kube/structural"
)

// versionsOf makes the resources that a definition adds.
func versionsOf(c *extension.CustomResourceDefinition) ([]*resource, error) {
	var out []*resource
	for _, v := range c.Spec.Versions {
		r, err := versionOf(c, v)
		if err != nil {
			return nil, err
		}
		if v.Served {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b *resource) int {
		return -version.CompareKubeAwareVersionStrings(a.gvr.Version, b.gvr.Version)
	})
	for i, r := range out {
		r.base, r.custom.rank = r, i
	}
	return out, nil
}

func versionOf(c *extension.CustomResourceDefinition, v extension.Version) (*resource, error) {
	n := c.Spec.Names
	r := &resource{
		gvr:  schema.GroupVersionResource{Group: c.Spec.Group, Version: v.Name, Resource: n.Plural},
		kind: n.Kind, listKind: n.ListKind, singular: n.Singular, short: n.ShortNames, categories: n.Categories,
		namespaced: c.Spec.Scope == "Namespaced", stored: c.Name,
	}
	raw := map[string]any{"type": "object"}
	if v.Schema != nil {
		raw = v.Schema.OpenAPIV3Schema
	}
	s, err := structural.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("read version %s of %s: %w", v.Name, c.Name, err)
	}
	r.custom = &customVersion{schema: s}
	if v.Subresources != nil {
		r.status, r.scale = v.Subresources.Status != nil, v.Subresources.Scale
	}
	if v.Deprecated {
		r.custom.deprecated = fmt.Sprintf("%s/%s %s is deprecated", c.Spec.Group, v.Name, n.Kind)
		if v.DeprecationWarning != nil {
			r.custom.deprecated = *v.DeprecationWarning
		}
	}
	for _, f := range v.SelectableFields {
		r.custom.selectable = append(r.custom.selectable, f.JSONPath)
	}
	r.custom.columns, err = columnsOf(v.AdditionalPrinterColumns)
	return r, err
}

func columnsOf(list []extension.Column) ([]column, error) {
	if len(list) == 0 {
		list = []extension.Column{{Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp"}}
	}
	var out []column
	for _, c := range list {
		p := jsonpath.New(c.Name).AllowMissingKeys(true)
		if err := p.Parse("{" + c.JSONPath + "}"); err != nil {
			return nil, fmt.Errorf("read column %s: %w", c.Name, err)
		}
		out = append(out, column{path: p, TableColumnDefinition: metav1.TableColumnDefinition{
			Name: c.Name, Type: c.Type, Format: c.Format, Description: c.Description, Priority: c.Priority,
		}})
	}
	return out, nil
}

// firstStatus is what a definition has before anybody has looked at it.
func firstStatus(obj map[string]any) {
	stored := []any{}
	versions, _ := dig(obj, "spec", "versions").([]any)
	for _, v := range versions {
		if yes, _ := dig(v, "storage").(bool); yes {
			stored = append(stored, text(v, "name"))
		}
	}
	obj["status"] = map[string]any{"conditions": nil, "acceptedNames": map[string]any{"plural": "", "kind": ""}, "storedVersions": stored}
}

// crdFinalizer holds a definition until its objects are gone.
const crdFinalizer = "customresourcecleanup.apiextensions.k8s.io"

func appendOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// define makes a definition take effect and says so in its status.
func (s *Server) define(obj map[string]any) {
	var c extension.CustomResourceDefinition
	if !into(obj, &c) || c.DeletionTimestamp != nil {
		return
	}
	versions, err := versionsOf(&c)
	if err != nil {
		s.setDefinition(obj, &c, "False", "Invalid", err.Error())
		return
	}
	if s.redefines(c.Name, c.Generation) {
		for _, r := range versions {
			r.custom.since, r.custom.generation = s.now(), c.Generation
		}
		s.registry.setCustom(c.Name, versions)
		for _, r := range versions {
			s.registerLocal(r.gvr.GroupVersion())
		}
	}
	s.setDefinition(obj, &c, "True", "", "")
}

// redefines tells whether a definition's spec is new: writing its status changes nothing.
func (s *Server) redefines(name string, generation int64) bool {
	r := s.registry.byStorage(name)
	return r == nil || r.custom == nil || r.custom.generation != generation
}

func (s *Server) setDefinition(obj map[string]any, c *extension.CustomResourceDefinition, ok, reason, message string) {
	now := s.now().UTC().Format("2006-01-02T15:04:05Z")
	condition := func(kind, reason, message string) map[string]any {
		out := map[string]any{"type": kind, "status": ok, "lastTransitionTime": now, "reason": reason, "message": message}
		for _, old := range conditions(obj) {
			if old["type"] == kind && old["status"] == ok {
				out["lastTransitionTime"] = old["lastTransitionTime"]
			}
		}
		return out
	}
	accepted, established := condition("NamesAccepted", "NoConflicts", "no conflicts found"), condition("Established", "InitialNamesAccepted", "the initial names have been accepted")
	if ok != "True" {
		accepted, established = condition("NamesAccepted", reason, message), condition("Established", "NotAccepted", message)
	}
	stored := texts(obj, "status", "storedVersions")
	for _, v := range c.Spec.Versions {
		if v.Storage && !slices.Contains(stored, v.Name) {
			stored = append(stored, v.Name)
		}
	}
	st := map[string]any{"conditions": []any{accepted, established}, "acceptedNames": dig(obj, "spec", "names")}
	setTexts(st, "storedVersions", stored)
	if equalJSON(map[string]any{"s": st}, map[string]any{"s": obj["status"]}) {
		return
	}
	next, m := maps.Clone(obj), maps.Clone(meta(obj))
	setTexts(m, "finalizers", appendOnce(texts(obj, "metadata", "finalizers"), crdFinalizer))
	next["metadata"], next["status"] = m, st
	s.store.Put(keyOf(s.registry.byStorage(crdResource), next), next)
}

func conditions(obj map[string]any) []map[string]any {
	list, _ := dig(obj, "status", "conditions").([]any)
	var out []map[string]any
	for _, c := range list {
		if m, ok := c.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// undefine removes what a definition has added; open watches end.
func (s *Server) undefine(name string) {
	versions := s.registry.versions(name)
	s.registry.setCustom(name, nil)
	s.store.Drop(name)
	for _, r := range versions {
		s.unregisterLocal(r.gvr.GroupVersion())
	}
}
