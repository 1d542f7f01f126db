package cluster

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/dig"
	"runbook/internal/world"
)

var reviews = schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "selfsubjectaccessreviews"}

// MayI asks whether this user may do exactly that (verb as in RBAC, subresource
// "" or like status) to exactly that object; why is the server's reason, which
// is often empty. An error means that it could not be asked.
func (c *Client) MayI(ctx context.Context, verb string, ref world.Ref, subresource string) (may bool, why string, err error) {
	r, _, err := c.catalog.find(ctx, ref.Kind, ref.Group)
	if err != nil {
		return false, "", fmt.Errorf("ask whether %s of %s is allowed: %w", verb, ref, c.plain(err))
	}
	what := map[string]any{"verb": verb, "group": r.gvr.Group, "version": r.gvr.Version, "resource": r.gvr.Resource, "name": ref.Name}
	if r.namespaced {
		what["namespace"] = ref.Namespace
	}
	if subresource != "" {
		what["subresource"] = subresource
	}
	review := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
		"spec": map[string]any{"resourceAttributes": what},
	}}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	answer, err := c.dynamic.Resource(reviews).Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return false, "", fmt.Errorf("ask whether %s of %s is allowed: %w", verb, ref, c.plain(err))
	}
	may, _ = dig.At(answer.Object, "status", "allowed").(bool)
	return may, world.Clean(dig.Text(answer.Object, "status", "reason")), nil
}
