package kube

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"runbook/internal/sandbox/kube/kinds"
	"runbook/internal/sandbox/kube/models"
)

// deriveBuiltin makes the schemas of all built-in kinds.
func deriveBuiltin() models.Schemas {
	var out []models.Kind
	for _, k := range kinds.All() {
		out = append(out, models.Kind{GVKs: []schema.GroupVersionKind{k.GVK}, Type: k.Type})
	}
	return models.Derive(append(out, extraModels()...))
}

// modelName is the name of the resource's schema.
func (r *resource) modelName() string {
	if r.builtin != nil {
		return models.Name(r.builtin.Type)
	}
	parts := strings.Split(r.gvr.Group, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "." + r.gvr.Version + "." + r.kind
}

// published is a custom resource's schema with the parts that every object has.
func (r *resource) published() *spec.Schema {
	s := *r.custom.schema.OpenAPI()
	s.Properties = maps.Clone(s.Properties)
	if s.Properties == nil {
		s.Properties = map[string]spec.Schema{}
	}
	s.Type = spec.StringOrArray{"object"}
	s.Properties["apiVersion"] = spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"string"}, Description: "APIVersion defines the versioned schema of this representation of an object."}}
	s.Properties["kind"] = spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"string"}, Description: "Kind is a string value representing the REST resource this object represents."}}
	s.Properties["metadata"] = spec.Schema{SchemaProps: spec.SchemaProps{AllOf: []spec.Schema{models.Ref(objectMetaModel)}, Description: "Standard object's metadata."}}
	s.VendorExtensible.Extensions = maps.Clone(s.Extensions)
	models.MarkKind(&s, r.gvk())
	return &s
}

// openAPI answers the index, one group and version, or the old document, which is empty: every client
// that knows version 3 asks for that first.
func (s *Server) openAPI(w http.ResponseWriter, r *http.Request, path string) {
	switch {
	case path == "/openapi/v2":
		writeOpenAPIv2(w, r)
	case path == "/openapi/v3":
		s.openAPIIndex(w)
	default:
		gv, ok := openAPIVersion(strings.TrimPrefix(path, "/openapi/v3/"))
		if !ok || len(s.entries(gv)) == 0 {
			notFoundPath(w)
			return
		}
		w.Header().Set("Etag", `"`+s.openAPIHash(gv)+`"`)
		writeJSON(w, http.StatusOK, s.document(gv))
	}
}

func openAPIVersion(path string) (schema.GroupVersion, bool) {
	parts := strings.Split(path, "/")
	switch {
	case len(parts) == 2 && parts[0] == "api":
		return schema.GroupVersion{Version: parts[1]}, true
	case len(parts) == 3 && parts[0] == "apis":
		return schema.GroupVersion{Group: parts[1], Version: parts[2]}, true
	}
	return schema.GroupVersion{}, false
}

func groupPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api/" + gv.Version
	}
	return "apis/" + gv.Group + "/" + gv.Version
}

func (s *Server) openAPIIndex(w http.ResponseWriter) {
	paths := map[string]any{}
	for _, gv := range s.groupVersions() {
		p := groupPath(gv)
		paths[p] = map[string]any{"serverRelativeURL": "/openapi/v3/" + p + "?hash=" + s.openAPIHash(gv)}
	}
	writeJSON(w, http.StatusOK, map[string]any{"paths": paths})
}

// openAPIHash changes when the document does: built-in ones never, others with their definitions.
func (s *Server) openAPIHash(gv schema.GroupVersion) string {
	h := fnv.New64a()
	fmt.Fprint(h, s.options.Version, gv)
	for _, r := range s.registry.all() {
		if r.custom != nil && r.gvr.GroupVersion() == gv {
			data, err := json.Marshal(r.custom.schema.OpenAPI())
			fmt.Fprint(h, r.gvr, string(data), err)
		}
	}
	return fmt.Sprintf("%016X", h.Sum64())
}

func (s *Server) document(gv schema.GroupVersion) map[string]any {
	paths, names := map[string]any{}, []string{deleteOptionsModel, statusModel}
	custom := models.Schemas{}
	for _, r := range s.registry.all() {
		if r.gvr.GroupVersion() != gv {
			continue
		}
		r.paths(paths)
		names = append(names, r.modelName())
		if r.custom != nil {
			custom[r.modelName()] = r.published()
			names = append(names, objectMetaModel)
		}
	}
	if len(names) == 2 {
		names = append(names, reviewModels(gv)...)
	}
	all := maps.Clone(s.models())
	maps.Copy(all, custom)
	components := all.Reachable(names...)
	return map[string]any{
		"openapi": "3.0.0", "info": map[string]any{"title": "Kubernetes", "version": s.options.Version},
		"paths": paths, "components": map[string]any{"schemas": components},
	}
}

// paths describes a resource's operations, as far as clients look: which kind, and which options.
func (r *resource) paths(out map[string]any) {
	base := "/" + groupPath(r.gvr.GroupVersion()) + "/"
	if r.namespaced {
		base += "namespaces/{namespace}/"
	}
	base += r.gvr.Resource
	out[base] = map[string]any{
		"get": r.operation("list", "get"), "post": r.operation("post", "create"), "delete": r.operation("deletecollection", "deletecollection"),
	}
	object := map[string]any{
		"get": r.operation("get", "get"), "put": r.operation("put", "update"), "patch": r.operation("patch", "patch"), "delete": r.operation("delete", "delete"),
	}
	out[base+"/{name}"] = object
	if r.status {
		out[base+"/{name}/status"] = map[string]any{
			"get": r.operation("get", "get"), "put": r.operation("put", "update"), "patch": r.operation("patch", "patch"),
		}
	}
}

func (r *resource) operation(action, verb string) map[string]any {
	var params []any
	add := func(names ...string) {
		for _, n := range names {
			params = append(params, map[string]any{"name": n, "in": "query", "schema": map[string]any{"type": "string", "uniqueItems": true}})
		}
	}
	body := models.Ref(r.modelName())
	media := "application/json"
	switch verb {
	case "create", "update":
		add("dryRun", "fieldManager", "fieldValidation", "pretty")
	case "patch":
		add("dryRun", "fieldManager", "fieldValidation", "force", "pretty")
		media = "application/apply-patch+yaml"
	case "delete":
		add("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy")
		body = models.Ref(deleteOptionsModel)
	}
	op := map[string]any{
		"operationId": action + r.gvr.Version + r.kind, "tags": []string{strings.ReplaceAll(groupPath(r.gvr.GroupVersion()), "/", "_")},
		"x-kubernetes-action":             action,
		"x-kubernetes-group-version-kind": map[string]any{"group": r.gvr.Group, "version": r.gvr.Version, "kind": r.kind},
		"responses": map[string]any{"200": map[string]any{"description": "OK", "content": map[string]any{
			"application/json": map[string]any{"schema": models.Ref(r.modelName())},
		}}},
	}
	if params != nil {
		op["parameters"] = params
		op["requestBody"] = map[string]any{"content": map[string]any{media: map[string]any{"schema": body}}}
	}
	return op
}

// writeOpenAPIv2 answers with a document without paths, in protobuf when that is what is accepted: its
// three fields are written out by hand.
func writeOpenAPIv2(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept"), "protobuf") {
		writeJSON(w, http.StatusOK, map[string]any{
			"swagger": "2.0", "info": map[string]any{"title": "Kubernetes", "version": "unversioned"}, "paths": map[string]any{}, "definitions": map[string]any{},
		})
		return
	}
	w.Header().Set("Content-Type", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf")
	info := protoString(1, "Kubernetes") + protoString(2, "unversioned")
	_, _ = w.Write([]byte(protoString(1, "2.0") + protoString(2, info) + protoString(8, "")))
}

// protoString is a length-delimited field of fewer than 128 bytes.
func protoString(field byte, s string) string {
	return string([]byte{field<<3 | 2, byte(len(s))}) + s
}
