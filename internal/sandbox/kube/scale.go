package kube

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	autoscaling "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func path(dotted string) []string { return strings.Split(strings.TrimPrefix(dotted, "."), ".") }

// scaleOf is an object's replica counts as a Scale.
func (r *resource) scaleOf(obj map[string]any) (map[string]any, error) {
	out := autoscaling.Scale{TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"}}
	m, err := objectMeta(obj)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	out.ObjectMeta = metav1.ObjectMeta{Name: m.Name, Namespace: m.Namespace, UID: m.UID, ResourceVersion: m.ResourceVersion, CreationTimestamp: m.CreationTimestamp}
	want, _ := number(obj, path(r.scale.SpecReplicasPath)...)
	have, _ := number(obj, path(r.scale.StatusReplicasPath)...)
	out.Spec.Replicas, out.Status.Replicas = int32(want), int32(have)
	if p := r.scale.LabelSelectorPath; p != nil {
		switch sel := dig(obj, path(*p)...).(type) {
		case string:
			out.Status.Selector = sel
		case map[string]any:
			var ls metav1.LabelSelector
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(sel, &ls); err == nil {
				out.Status.Selector = metav1.FormatLabelSelector(&ls)
			}
		}
	}
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&out)
	if err == nil {
		dropNullTimes(u)
	}
	return u, err
}

// serveScale reads, replaces or patches the replica count.
func (s *Server) serveScale(q *request) (map[string]any, error) {
	if q.verb == "get" {
		obj, err := s.existing(q)
		if err != nil {
			return nil, err
		}
		return q.res.scaleOf(obj)
	}
	if q.verb != "update" && q.verb != "patch" {
		return nil, errNotAllowed
	}
	data, err := s.body(q)
	if err != nil {
		return nil, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	old, err := s.existing(q)
	if err != nil {
		return nil, err
	}
	if q.verb == "patch" {
		if data, err = q.patchedScale(data, old); err != nil {
			return nil, err
		}
	}
	var want autoscaling.Scale
	if err := decodeInto(data, &want); err != nil {
		return nil, err
	}
	return s.setScale(q, old, want)
}

func (q *request) patchedScale(data []byte, old map[string]any) ([]byte, error) {
	kind, err := q.patchType()
	if err != nil {
		return nil, err
	}
	scale, err := q.res.scaleOf(old)
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(scale)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	switch kind {
	case types.JSONPatchType:
		return jsonPatched(before, data)
	case types.ApplyPatchType:
		if data, err = yamlToJSON(data); err != nil {
			return nil, err
		}
	}
	after, err := jsonpatch.MergePatch(before, data)
	if err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
	}
	return after, nil
}

func (s *Server) setScale(q *request, old map[string]any, want autoscaling.Scale) (map[string]any, error) {
	if want.Spec.Replicas < 0 {
		errs := field.ErrorList{field.Invalid(field.NewPath("spec", "replicas"), want.Spec.Replicas, "must be greater than or equal to 0")}
		return nil, apierrors.NewInvalid(scaleKind.GroupKind(), q.name, errs)
	}
	obj := runtime.DeepCopyJSON(old)
	if rv := want.ResourceVersion; rv != "" {
		meta(obj)["resourceVersion"] = rv
	}
	p := path(q.res.scale.SpecReplicasPath)
	parent, ok := dig(obj, p[:len(p)-1]...).(map[string]any)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("%s has no %s", q.name, q.res.scale.SpecReplicasPath))
	}
	parent[p[len(p)-1]] = int64(want.Spec.Replicas)
	obj, err := s.own(q, q.res.base, "scale", obj, old)
	if err != nil {
		return nil, err
	}
	asObject := *q
	asObject.sub = ""
	if obj, err = s.replace(&asObject, obj, old); err != nil {
		return nil, err
	}
	return q.res.scaleOf(obj)
}
