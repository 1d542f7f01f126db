package models

import (
	"reflect"
	"slices"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

func derived() Schemas {
	return Derive([]Kind{
		{Type: reflect.TypeFor[apps.Deployment](), GVKs: []schema.GroupVersionKind{apps.SchemeGroupVersion.WithKind("Deployment")}},
		{Type: reflect.TypeFor[core.Service](), GVKs: []schema.GroupVersionKind{core.SchemeGroupVersion.WithKind("Service")}},
	})
}

func TestListsCarryTheirMergeRules(t *testing.T) {
	s := derived()
	tests := []struct {
		model, field string
		want         map[string]any
	}{
		{"PodSpec", "containers", map[string]any{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"name"}, "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}},
		{"Container", "ports", map[string]any{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"containerPort", "protocol"}, "x-kubernetes-patch-merge-key": "containerPort", "x-kubernetes-patch-strategy": "merge"}},
		{"Container", "command", map[string]any{"x-kubernetes-list-type": "atomic"}},
		{"PodSpec", "nodeSelector", map[string]any{"x-kubernetes-map-type": "atomic"}},
		{"PodSpec", "volumes", map[string]any{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"name"}, "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge,retainKeys"}},
	}
	for _, tt := range tests {
		t.Run(tt.model+"."+tt.field, func(t *testing.T) {
			got := map[string]any(s["io.k8s.api.core.v1."+tt.model].Properties[tt.field].Extensions)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestFieldsAreDescribedAndRequired(t *testing.T) {
	s := derived()
	c := s["io.k8s.api.core.v1.Container"]
	if want := []string{"name"}; !slices.Equal(c.Required, want) {
		t.Errorf("required: got %v, want %v", c.Required, want)
	}
	if c.Description == "" || c.Properties["image"].Description == "" {
		t.Error("no descriptions")
	}
	if want := []string{"spec"}; !slices.Equal(s["io.k8s.api.apps.v1.Deployment"].Required, want) {
		t.Errorf("deployment: got %v, want %v", s["io.k8s.api.apps.v1.Deployment"].Required, want)
	}
	if got := s["io.k8s.apimachinery.pkg.apis.meta.v1.Time"]; got.Type[0] != "string" || got.Format != "date-time" {
		t.Errorf("time: got %v %v", got.Type, got.Format)
	}
}

func TestWhatIsReachableIsComplete(t *testing.T) {
	s := derived().Reachable("io.k8s.api.core.v1.Service")
	if s["io.k8s.api.core.v1.PodSpec"] != nil {
		t.Error("a service reaches pods")
	}
	for name, m := range s {
		for _, r := range refs(m) {
			if s[r] == nil {
				t.Errorf("%s refers to %s, which is missing", name, r)
			}
		}
	}
}

func TestTheSchemasMakeATypeConverter(t *testing.T) {
	if _, err := managedfields.NewTypeConverter(derived(), false); err != nil {
		t.Error(err)
	}
}
