package cluster

import (
	"cmp"
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

// mostSecrets bounds what is read of a namespace at once.
const mostSecrets = 500

// SecretValues hands what a Secret holds to use, or what all Secrets of the
// namespace hold if name is "", of all namespaces if that is "" as well, and
// keeps nothing of it. One that isn't there holds nothing. Of very many, it
// reads some, and says so.
func (c *Client) SecretValues(ctx context.Context, namespace, name string, use func(key string, value []byte)) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	secrets := c.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace(namespace)
	if name == "" {
		l, err := secrets.List(ctx, metav1.ListOptions{Limit: mostSecrets})
		if err != nil {
			return fmt.Errorf("read secrets in %s: %w", cmp.Or(namespace, "all namespaces"), c.plain(err))
		}
		for _, o := range l.Items {
			eachValue(o.Object, use)
		}
		if l.GetContinue() != "" {
			return fmt.Errorf("read secrets in %s: only the first %d were read", cmp.Or(namespace, "all namespaces"), mostSecrets)
		}
		return nil
	}
	o, err := secrets.Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", world.NewRef("secret", "", namespace, name), c.plain(err))
	}
	eachValue(o.Object, use)
	return nil
}

func eachValue(secret map[string]any, use func(key string, value []byte)) {
	data, _, _ := unstructured.NestedStringMap(secret, "data") // without any it holds nothing
	for key, text := range data {
		if value, err := base64.StdEncoding.DecodeString(text); err == nil { // else nobody can decode it
			use(key, value)
			clear(value)
		}
	}
}
