package kube

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
)

// patch is PATCH on an object or its status. It tells whether it created the object.
func (s *Server) patch(q *request) (map[string]any, bool, error) {
	data, err := s.body(q)
	if err != nil {
		return nil, false, err
	}
	kind, err := q.patchType()
	if err != nil {
		return nil, false, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if kind == types.ApplyPatchType {
		return s.apply(q, data)
	}
	old, err := s.existing(q)
	if err != nil {
		return nil, false, err
	}
	obj, err := q.patched(kind, data, old)
	if err != nil {
		return nil, false, err
	}
	if obj, err = s.own(q, q.res.base, q.sub, obj, old); err != nil {
		return nil, false, err
	}
	obj, err = s.replace(q, obj, old)
	return obj, false, err
}

func (q *request) patchType() (types.PatchType, error) {
	media, _, err := mime.ParseMediaType(q.http.Header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	known := []string{string(types.JSONPatchType), string(types.MergePatchType)}
	if q.res.custom == nil {
		known = append(known, string(types.StrategicMergePatchType))
	}
	known = append(known, string(types.ApplyYAMLPatchType))
	for _, k := range known {
		if media == k {
			return types.PatchType(media), nil
		}
	}
	if q.res.custom == nil {
		return "", routed(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType, "415: Unsupported Media Type")
	}
	return "", unsupportedMedia("the body of the request was in an unknown format - accepted media types include: " + strings.Join(known, ", "))
}

// patched applies a patch to the object as the client sees it and reads the result like any body.
func (q *request) patched(kind types.PatchType, data []byte, old map[string]any) (map[string]any, error) {
	before, err := json.Marshal(q.res.shown(old))
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	var after []byte
	switch kind {
	case types.JSONPatchType:
		after, err = jsonPatched(before, data)
	case types.MergePatchType:
		var probe map[string]any
		if err := json.Unmarshal(data, &probe); err != nil {
			return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
		}
		after, err = jsonpatch.MergePatch(before, data)
	default:
		after, err = q.strategic(before, data)
	}
	if err != nil {
		return nil, err
	}
	obj, strict, err := q.res.read(after)
	if err != nil {
		return nil, err
	}
	if len(strict) > 0 && q.query.Get("fieldValidation") == "Strict" {
		return nil, apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
			field.Invalid(field.NewPath("patch"), string(data), "strict decoding error: "+strings.Join(strict, ", "))})
	}
	if err := q.complain(q.res, strict); err != nil {
		return nil, err
	}
	if q.res.isEventsAlias() {
		obj = eventToCore(obj)
	}
	if nameOf(obj) != q.name {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", nameOf(obj), q.name))
	}
	return obj, nil
}

func jsonPatched(before, data []byte) ([]byte, error) {
	p, err := jsonpatch.DecodePatch(data)
	if err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
	}
	after, err := p.Apply(before)
	if err != nil {
		return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", noResource, "", err.Error(), 0, false)
	}
	return after, nil
}

func (q *request) strategic(before, data []byte) ([]byte, error) {
	var p map[string]any
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
	}
	after, err := strategicpatch.StrategicMergePatch(before, data, q.res.builtin.New())
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return after, nil
}

// apply is a server-side apply. The caller holds s.writing.
func (s *Server) apply(q *request, data []byte) (map[string]any, bool, error) {
	applied, err := q.applied(data)
	if err != nil {
		return nil, false, err
	}
	r := q.res.base
	old, exists := s.store.Read(q.res.key(q.namespace, q.name))
	if !exists {
		if q.sub != "" {
			return nil, false, apierrors.NewNotFound(r.group(), q.name)
		}
		obj, err := s.applyNew(q, r, applied)
		return obj, true, err
	}
	if rv := revisionOf(applied.Object); rv != "" && rv != revisionOf(old) {
		return nil, false, apierrors.NewConflict(r.group(), q.name, errModified)
	}
	live := &unstructured.Unstructured{Object: relabelled(r, runtime.DeepCopyJSON(old))}
	obj, err := s.applyOn(q, r, live, applied, old)
	if err != nil {
		return nil, false, err
	}
	obj, err = s.replace(q, obj, old)
	return obj, false, err
}

func (s *Server) applyNew(q *request, r *resource, applied *unstructured.Unstructured) (map[string]any, error) {
	if uid := uidOf(applied.Object); uid != "" {
		return nil, apierrors.NewConflict(r.group(), q.name, fmt.Errorf("uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if rv := revisionOf(applied.Object); rv != "" {
		return nil, apierrors.NewConflict(r.group(), q.name, fmt.Errorf("the object with resource version %s was not found", rv))
	}
	live := &unstructured.Unstructured{Object: map[string]any{"apiVersion": r.apiVersion(), "kind": r.kind}}
	obj, err := s.applyOn(q, r, live, applied, nil)
	if err != nil {
		return nil, err
	}
	if err := q.placeObject(r, obj); err != nil {
		return nil, err
	}
	if err := s.admitCreate(r, obj); err != nil {
		return nil, err
	}
	return s.keepNew(q, r, obj)
}

func (s *Server) applyOn(q *request, r *resource, live, applied *unstructured.Unstructured, old map[string]any) (map[string]any, error) {
	m, err := s.owner(r, q.sub)
	if err != nil {
		return nil, err
	}
	out, err := m.Apply(live, applied, q.query.Get("fieldManager"), q.bool("force"))
	if err != nil {
		return nil, err
	}
	u, ok := out.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("apply %s: got %T", r.group(), out)
	}
	s.stampOwners(u.Object, old)
	return r.defaulted(u.Object)
}

// defaulted fills in the defaults of a merged object.
func (r *resource) defaulted(obj map[string]any) (map[string]any, error) {
	if r.custom != nil {
		r.custom.schema.Default(obj)
		return obj, nil
	}
	typed, err := r.typed(obj)
	if err != nil {
		return nil, err
	}
	r.builtin.Default(typed)
	return r.untyped(typed)
}

// applied reads what a server-side apply wants, without defaults: these belong to nobody.
func (q *request) applied(data []byte) (*unstructured.Unstructured, error) {
	if q.query.Get("fieldManager") == "" {
		return nil, optionError("PatchOptions", "fieldManager", "Required value: is required for apply patch")
	}
	js, err := yamlToJSON(data)
	if err != nil {
		return nil, err
	}
	var raw map[string]any
	strict, err := kjson.UnmarshalStrict(js, &raw, kjson.DisallowDuplicateFields)
	if err != nil || raw == nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding YAML: %v", err))
	}
	if err := q.complain(q.res, messages(strict)); err != nil {
		return nil, err
	}
	if text(raw, "apiVersion") != q.res.apiVersion() || text(raw, "kind") != q.res.kind {
		if err := q.res.checkKind(raw); err != nil {
			return nil, err
		}
		relabelled(q.res, raw)
	}
	if name := nameOf(raw); name != "" && name != q.name {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", name, q.name))
	}
	if ns := namespaceOf(raw); ns != "" && ns != q.namespace {
		return nil, apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if list, ok := dig(raw, "metadata", "managedFields").([]any); ok && len(list) > 0 {
		return nil, apierrors.NewBadRequest("metadata.managedFields must be nil")
	}
	m := meta(raw)
	m["name"] = q.name
	if q.res.namespaced {
		m["namespace"] = q.namespace
	}
	return &unstructured.Unstructured{Object: raw}, nil
}

func optionError(kind, option, message string) error {
	st := apierrors.NewInvalid(metaKind(kind), "", nil)
	st.ErrStatus.Message = fmt.Sprintf("%s.meta.k8s.io \"\" is invalid: %s: %s", kind, option, message)
	st.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueRequired, Message: message, Field: option}}
	return st
}
