package cluster

import (
	"context"
	"encoding/base64"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/world"
)

// SecretKey hands the value of one key of a Secret to use and keeps nothing of
// it. A Secret or a key that isn't there is a fact and no error: then use isn't
// called and there is false.
func (c *Client) SecretKey(ctx context.Context, namespace, name, key string, use func(value []byte)) (there bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	ref := world.NewRef("secret", "", namespace, name)
	o, err := c.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", ref, c.plain(err))
	}
	text, there, err := unstructured.NestedString(o.Object, "data", key)
	if err != nil || !there {
		return false, nil // a Secret without data has no key
	}
	value, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return false, fmt.Errorf("read %s: key %s is not base64", ref, key) // the decoder's own error quotes the value
	}
	use(value)
	clear(value)
	return true, nil
}
