package sandbox

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"runbook/internal/sandbox/operators"
)

func TestASandboxGoesBackToWhatItWas(t *testing.T) {
	s, err := Start(t.Context(), Options{Dir: t.TempDir(), Speed: 20})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	client, err := dynamic.NewForConfig(s.Rest())
	if err != nil {
		t.Fatal(err)
	}
	kept := s.Snapshot()
	namespaces := client.Resource(operators.Namespaces)
	made, err := namespaces.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "later"},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	later := s.Snapshot()
	if later.Same(kept) {
		t.Error("a namespace more is no difference")
	}
	s.Restore(kept)
	if _, err := namespaces.Get(t.Context(), "later", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the namespace of later: got %v, want that it is gone", err)
	}
	s.Restore(later)
	back, err := namespaces.Get(t.Context(), "later", metav1.GetOptions{})
	if err != nil || back.GetUID() != made.GetUID() {
		t.Errorf("got %v, want the namespace with its uid back", err)
	}
}
