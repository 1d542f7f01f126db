package operators

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	vault "github.com/hashicorp/vault/api"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// vaults opens the Vault behind a store.
type vaults struct{ *cluster }

// errNoEntry is what External Secrets says about an entry that is not there, whatever the reason.
//
//lint:ignore ST1005 the words of its Event
var errNoEntry = errors.New("Secret does not exist")

// open logs in to the Vault of store; credentials without a namespace are looked for in namespace.
func (v *vaults) open(ctx context.Context, store *unstructured.Unstructured, namespace string) (*vault.Client, error) {
	spec, ok, _ := unstructured.NestedMap(store.Object, "spec", "provider", "vault")
	if !ok {
		return nil, errors.New("store has no provider this cluster knows")
	}
	cfg := vault.DefaultConfig()
	cfg.Address, _ = spec["server"].(string)
	cfg.MaxRetries = 0 // the controller has its own back-off
	client, err := vault.NewClient(cfg)
	if err != nil {
		return nil, fmt.Errorf("cannot setup new vault client: %w", err)
	}
	client.ClearToken()
	if ns, _ := spec["namespace"].(string); ns != "" {
		client.SetNamespace(ns)
	}
	auth, _ := spec["auth"].(map[string]any)
	token, err := v.token(ctx, client, auth, namespace)
	if err != nil {
		return nil, err
	}
	client.SetToken(token)
	return client, nil
}

func (v *vaults) token(ctx context.Context, client *vault.Client, auth map[string]any, namespace string) (string, error) {
	if ref, ok := auth["tokenSecretRef"].(map[string]any); ok {
		return v.secret(ref, namespace, "token")
	}
	if k, ok := auth["kubernetes"].(map[string]any); ok {
		return v.kubernetes(ctx, client, k, namespace)
	}
	return "", errors.New("cannot initialize Vault client: no valid auth method specified")
}

func (v *vaults) secret(ref map[string]any, namespace, fallback string) (string, error) {
	if ns, _ := ref["namespace"].(string); ns != "" {
		namespace = ns
	}
	name, _ := ref["name"].(string)
	key, _ := ref["key"].(string)
	if key == "" {
		key = fallback
	}
	o := v.find(Secrets, namespace, name)
	if o == nil {
		return "", fmt.Errorf("cannot get Kubernetes secret %q from namespace %q: secrets %q not found", name, namespace, name)
	}
	value, ok := contents(Secrets, o)[key]
	if !ok {
		return "", fmt.Errorf("cannot find secret data for key: %q", key)
	}
	return value, nil
}

// kubernetes logs in with a token of a ServiceAccount under a role.
func (v *vaults) kubernetes(ctx context.Context, client *vault.Client, k map[string]any, namespace string) (string, error) {
	ref, _ := k["serviceAccountRef"].(map[string]any)
	if ns, _ := ref["namespace"].(string); ns != "" {
		namespace = ns
	}
	name, _ := ref["name"].(string)
	request := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"spec":     map[string]any{"audiences": []any{}, "expirationSeconds": int64(600)},
	}}
	made, err := v.client.Resource(ServiceAccounts).Namespace(namespace).Create(ctx, request, metav1.CreateOptions{}, "token")
	if err != nil {
		return "", fmt.Errorf("cannot get Kubernetes service account %q: %w", name, err)
	}
	jwt, _, _ := unstructured.NestedString(made.Object, "status", "token")
	mount, _ := k["mountPath"].(string)
	role, _ := k["role"].(string)
	answer, err := client.Logical().WriteWithContext(ctx, "auth/"+strings.Trim(mount, "/")+"/login", map[string]any{"role": role, "jwt": jwt})
	if err != nil {
		return "", fmt.Errorf("unable to log in with Kubernetes auth: %w", err)
	}
	if answer == nil || answer.Auth == nil {
		return "", errors.New("unable to log in with Kubernetes auth: no token in the answer")
	}
	return answer.Auth.ClientToken, nil
}

// read fetches an entry through store the way the provider does: the mount is the store's, the key is what follows it.
func (v *vaults) read(ctx context.Context, client *vault.Client, store *unstructured.Unstructured, key, version string) (map[string]any, error) {
	spec, _, _ := unstructured.NestedMap(store.Object, "spec", "provider", "vault")
	v2 := spec["version"] != "v1"
	mount, _ := spec["path"].(string)
	path := entryPath(mount, key, v2)
	var query map[string][]string
	if v2 && version != "" {
		query = map[string][]string{"version": {version}}
	}
	answer, err := client.Logical().ReadWithDataWithContext(ctx, path, query)
	var response *vault.ResponseError
	if errors.As(err, &response) && response.StatusCode == http.StatusNotFound {
		return nil, errNoEntry
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read secret data from Vault: %w", err)
	}
	if answer == nil {
		return nil, errNoEntry
	}
	if !v2 {
		return answer.Data, nil
	}
	data, ok := answer.Data["data"].(map[string]any)
	if !ok {
		return nil, errNoEntry // a deleted version, or a v1 engine asked the v2 way
	}
	return data, nil
}

// entryPath composes <mount>/data/<key>. A key that names the mount itself is stripped of it first, and of "data/" after
// it; without a mount the first segment of the key is one.
func entryPath(mount, key string, v2 bool) string {
	mount = strings.Trim(mount, "/")
	if mount == "" {
		mount, key, _ = strings.Cut(key, "/")
	} else {
		key = strings.TrimPrefix(key, mount+"/")
	}
	if !v2 {
		return mount + "/" + key
	}
	return mount + "/data/" + strings.TrimPrefix(key, "data/")
}

// property picks one value out of an entry; an empty name means the whole entry as JSON, dots descend.
func property(data map[string]any, name string) (string, error) {
	if name == "" {
		raw, err := json.Marshal(data)
		return string(raw), err
	}
	if v, ok := data[name]; ok {
		return text(v), nil
	}
	var at any = data
	for part := range strings.SplitSeq(name, ".") {
		m, ok := at.(map[string]any)
		if at = m[part]; !ok || at == nil {
			return "", fmt.Errorf("cannot find secret data for key: %q", name)
		}
	}
	return text(at), nil
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	raw, _ := json.Marshal(v) // came from JSON, so it goes back
	return string(raw)
}
