package operators

import (
	"encoding/pem"
	"net/http/httptest"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"runbook/internal/sandbox/kube"
)

// A controller sees the world a little late. What it concludes from what it
// saw must not be written to what has become of that since.
func TestAStatusIsOnlyWrittenToWhatWasSeen(t *testing.T) {
	s := kube.New(kube.Options{Tokens: map[string]kube.User{"admin": {Name: "admin", Groups: []string{"system:masters"}}}})
	h := httptest.NewTLSServer(s)
	t.Cleanup(func() { s.Close(); h.Close() })
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw})
	client, err := dynamic.NewForConfig(&rest.Config{Host: h.URL, BearerToken: "admin", TLSClientConfig: rest.TLSClientConfig{CAData: ca}})
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{view: newView(client, []GVR{Volumes})}
	seen, err := c.create(t.Context(), Volumes, "v1", "PersistentVolume", map[string]any{
		"metadata": map[string]any{"name": "a"},
		"spec": map[string]any{"capacity": map[string]any{"storage": "1Gi"}, "accessModes": []any{"ReadWriteOnce"},
			"hostPath": map[string]any{"path": "/a"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.merge(t.Context(), Volumes, seen, map[string]any{"metadata": map[string]any{"labels": map[string]any{"by": "another"}}}); err != nil {
		t.Fatal(err)
	}
	if err := c.setStatus(t.Context(), Volumes, seen, map[string]any{"phase": "Released"}); !apierrors.IsConflict(err) {
		t.Errorf("of what has changed since: got %v, want a conflict", err)
	}
	now := c.find(Volumes, "", "a")
	if err := c.setStatus(t.Context(), Volumes, now, map[string]any{"phase": "Released"}); err != nil {
		t.Errorf("of what is: %v", err)
	}
	got, err := client.Resource(Volumes).Get(t.Context(), "a", metav1.GetOptions{})
	if phase, _, _ := unstructured.NestedString(got.Object, "status", "phase"); err != nil || phase != "Released" {
		t.Errorf("got %q, %v", phase, err)
	}
}
