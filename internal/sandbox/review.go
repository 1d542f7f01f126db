package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"runbook/internal/sandbox/vault"
)

// reviewing is how long the Vault waits for the API server's word about a token.
const reviewing = 5 * time.Second

// review asks the API server whose token a login at the Vault presents, as Vault's Kubernetes method does.
func (s *Sandbox) review(jwt string) (vault.ServiceAccount, error) {
	client, err := dynamic.NewForConfig(s.Rest())
	if err != nil {
		return vault.ServiceAccount{}, fmt.Errorf("review token: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), reviewing)
	defer cancel()
	reviews := client.Resource(schema.GroupVersionResource{Group: "authentication.k8s.io", Version: "v1", Resource: "tokenreviews"})
	made, err := reviews.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": map[string]any{"token": jwt}}}, metav1.CreateOptions{})
	if err != nil {
		return vault.ServiceAccount{}, fmt.Errorf("review token: %w", err)
	}
	ok, _, _ := unstructured.NestedBool(made.Object, "status", "authenticated")
	name, _, _ := unstructured.NestedString(made.Object, "status", "user", "username")
	parts := strings.Split(name, ":") // system:serviceaccount:<namespace>:<name>
	if !ok || len(parts) != 4 || parts[1] != "serviceaccount" {
		return vault.ServiceAccount{}, errors.New("review token: belongs to no service account")
	}
	uid, _, _ := unstructured.NestedString(made.Object, "status", "user", "uid")
	return vault.ServiceAccount{Namespace: parts[2], Name: parts[3], UID: uid}, nil
}
