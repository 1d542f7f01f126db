package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const protobufMedia = "application/vnd.kubernetes.protobuf"

// protobufMagic begins every protobuf body of the API.
var protobufMagic = []byte("k8s\x00")

type protobufMessage interface{ Unmarshal(data []byte) error }

// protobufToJSON reads a body that a typed client has sent. Answers are never protobuf, so this is the
// one direction that is needed: kubectl create sends what it makes itself in this form.
func (s *Server) protobufToJSON(data []byte) ([]byte, error) {
	raw, ok := bytes.CutPrefix(data, protobufMagic)
	if !ok {
		return nil, apierrors.NewBadRequest("provided data does not appear to be a protobuf message, expected prefix \"k8s\\x00\"")
	}
	var envelope runtime.Unknown
	if err := envelope.Unmarshal(raw); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	gvk := schema.FromAPIVersionAndKind(envelope.APIVersion, envelope.Kind)
	t := s.structOf(gvk)
	if t == nil {
		return nil, unsupportedMedia("the body of the request was in an unknown format - accepted media types include: application/json, application/yaml")
	}
	obj := reflect.New(t).Interface()
	msg, ok := obj.(protobufMessage)
	if !ok {
		return nil, unsupportedMedia("the body of the request was in an unknown format - accepted media types include: application/json, application/yaml")
	}
	if err := msg.Unmarshal(envelope.Raw); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if o, ok := obj.(runtime.Object); ok {
		o.GetObjectKind().SetGroupVersionKind(gvk)
	}
	out, err := json.Marshal(obj)
	if err != nil {
		return nil, apierrors.NewInternalError(fmt.Errorf("encode %s: %w", gvk.Kind, err))
	}
	return out, nil
}

// structOf is the Go struct of a kind that can be sent; nil for one that isn't known.
func (s *Server) structOf(gvk schema.GroupVersionKind) reflect.Type {
	for _, r := range s.registry.builtin {
		if r.gvk() == gvk {
			return r.builtin.Type
		}
	}
	for known, t := range reviewTypes() {
		if known == gvk {
			return t
		}
	}
	switch gvk.Kind {
	case "DeleteOptions":
		return reflect.TypeFor[metav1.DeleteOptions]()
	case "Eviction":
		return reflect.TypeFor[policy.Eviction]()
	case "Binding":
		return reflect.TypeFor[core.Binding]()
	case "Scale":
		return scaleType
	}
	return nil
}
