package operators

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"
	"strings"
	"text/template"

	vault "github.com/hashicorp/vault/api"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// target is spec.target of an ExternalSecret with its defaults.
type target struct {
	name, creation, deletion string
	immutable                bool
	template                 map[string]any
}

func targetOf(o *unstructured.Unstructured) target {
	t := target{name: o.GetName(), creation: "Owner", deletion: "Retain"}
	m, _, _ := unstructured.NestedMap(o.Object, "spec", "target")
	for key, field := range map[string]*string{"name": &t.name, "creationPolicy": &t.creation, "deletionPolicy": &t.deletion} {
		if v := str(m, key); v != "" {
			*field = v
		}
	}
	t.immutable, _ = m["immutable"].(bool)
	t.template, _ = m["template"].(map[string]any)
	return t
}

// value reads one remoteRef and decodes it as its strategy says.
func (e *externalSecrets) value(ctx context.Context, client *vault.Client, store *unstructured.Unstructured, ref map[string]any) (string, error) {
	data, err := e.vaults.read(ctx, client, store, str(ref, "key"), str(ref, "version"))
	if err != nil {
		return "", err
	}
	value, err := property(data, str(ref, "property"))
	if err != nil {
		return "", err
	}
	strategy := str(ref, "decodingStrategy")
	if strategy != "Base64" && strategy != "Auto" {
		return value, nil
	}
	raw, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		if strategy == "Auto" {
			return value, nil
		}
		return "", fmt.Errorf("unable to decode secret data: %w", err)
	}
	return string(raw), nil
}

// functions are the few of the template engine's that templates of Secrets live on.
var functions = template.FuncMap{
	"b64enc": func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"b64dec": func(s string) (string, error) {
		raw, err := base64.StdEncoding.DecodeString(s)
		return string(raw), err
	},
	"toString": func(v any) string { return fmt.Sprint(v) },
	"trim":     strings.TrimSpace, "upper": strings.ToUpper, "lower": strings.ToLower,
	"quote":   func(v any) string { return fmt.Sprintf("%q", fmt.Sprint(v)) },
	"replace": func(old, repl, s string) string { return strings.ReplaceAll(s, old, repl) },
}

// render puts the fetched values through spec.target.template. A template that names what was not fetched fails.
func (t target) render(data map[string]string) (map[string]string, error) {
	texts, ok, _ := unstructured.NestedStringMap(t.template, "data")
	if !ok {
		return data, nil
	}
	out := map[string]string{}
	if str(t.template, "mergePolicy") == "Merge" {
		for k, v := range data {
			out[k] = v
		}
	}
	for k, body := range texts {
		tpl, err := template.New(k).Option("missingkey=error").Funcs(functions).Parse(body)
		if err != nil {
			return nil, fmt.Errorf("could not parse template at key %q: %w", k, err)
		}
		var b bytes.Buffer
		if err := tpl.Execute(&b, data); err != nil {
			return nil, fmt.Errorf("could not execute template at key %q: %w", k, err)
		}
		out[k] = b.String()
	}
	return out, nil
}

// hashData identifies the contents of a Secret: all keys and values together.
func hashData(data map[string]string) string {
	keys := make([]string, 0, len(data))
	for k := range data {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	h := sha256.New224()
	for _, k := range keys {
		fmt.Fprintf(h, "%d:%s=%d:%s;", len(k), k, len(data[k]), data[k])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func rawData(s *unstructured.Unstructured) map[string]string {
	data, _, _ := unstructured.NestedStringMap(s.Object, "data")
	return data
}

// apply makes the target Secret what it should be and returns the condition for it; with an error, the message that the
// failed condition carries.
func (e *externalSecrets) apply(ctx context.Context, o *unstructured.Unstructured, data map[string]string) (cond, string, error) {
	t := targetOf(o)
	old := e.find(Secrets, o.GetNamespace(), t.name)
	ready := cond{kind: "Ready", status: "True", reason: "SecretSynced", message: "secret synced"}
	if len(data) == 0 && t.deletion == "Delete" {
		ready.reason, ready.message = "SecretDeleted", "secret deleted due to DeletionPolicy=Delete"
		if old != nil {
			if err := e.remove(ctx, Secrets, old, -1); err != nil {
				return ready, msgDelete, err
			}
			e.normal(ctx, o, "external-secrets", "Deleted", ready.message)
		}
		return ready, "", nil
	}
	if len(data) == 0 && t.deletion == "Retain" {
		ready.message = "secret retained due to DeletionPolicy=Retain"
		return ready, "", nil
	}
	if t.creation == "None" {
		return ready, "", nil
	}
	if t.creation == "Merge" && old == nil {
		ready.reason, ready.message = "SecretMissing", "secret will not be created due to CreationPolicy=Merge"
		return ready, "", nil
	}
	if t.creation == "Owner" && old != nil {
		if ref := metav1.GetControllerOf(old); ref != nil && ref.UID != o.GetUID() {
			return ready, msgOwned, errors.New(msgOwned)
		}
	}
	values, err := t.render(data)
	if err != nil {
		return ready, msgUpdate, err
	}
	if message, err := e.write(ctx, o, t, old, values); err != nil {
		return ready, message, err
	}
	return ready, "", e.orphans(ctx, o, t)
}

// orphans deletes Secrets that this ExternalSecret made under an earlier target name.
func (e *externalSecrets) orphans(ctx context.Context, o *unstructured.Unstructured, t target) error {
	for _, s := range e.in(Secrets, o.GetNamespace()) {
		if s.GetName() != t.name && owns(o, s) {
			if err := e.remove(ctx, Secrets, s, -1); err != nil {
				return err
			}
		}
	}
	return nil
}

// write creates or overwrites the Secret. Taking over one that was made by hand loses what it held: that is what
// creationPolicy Owner means.
func (e *externalSecrets) write(ctx context.Context, o *unstructured.Unstructured, t target, old *unstructured.Unstructured, values map[string]string) (string, error) {
	encoded := map[string]any{}
	if old != nil && t.creation == "Merge" {
		for k, v := range rawData(old) {
			encoded[k] = v
		}
	}
	for k, v := range values {
		encoded[k] = base64.StdEncoding.EncodeToString([]byte(v))
	}
	s := t.shape(o, old, encoded)
	manager := "externalsecrets.external-secrets.io/" + o.GetName()
	if old == nil {
		if _, err := e.createAs(ctx, Secrets, "v1", "Secret", s.Object, manager); err != nil {
			return msgUpdate, err
		}
		e.normal(ctx, o, "external-secrets", "Created", "secret created")
		return "", nil
	}
	if same(s.Object, old.Object) {
		return "", nil
	}
	if immutable, _, _ := unstructured.NestedBool(old.Object, "immutable"); immutable {
		return msgImmutable, errors.New(msgImmutable)
	}
	if _, err := e.update(ctx, Secrets, s, manager); err != nil {
		return msgUpdate, err
	}
	e.normal(ctx, o, "external-secrets", "Updated", "secret updated")
	return "", nil
}

// shape is the Secret as it should be, starting from what is there.
func (t target) shape(o, old *unstructured.Unstructured, data map[string]any) *unstructured.Unstructured {
	s := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": t.name, "namespace": o.GetNamespace()}}}
	kind := str(t.template, "type")
	if old != nil {
		s = old.DeepCopy()
	} else if kind == "" {
		kind = "Opaque"
	}
	if kind != "" {
		s.Object["type"] = kind
	}
	s.Object["data"] = data
	if t.immutable {
		s.Object["immutable"] = true
	}
	labels, annotations := s.GetLabels(), s.GetAnnotations()
	if labels == nil {
		labels = map[string]string{}
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	extra, _, _ := unstructured.NestedStringMap(t.template, "metadata", "labels")
	for k, v := range extra {
		labels[k] = v
	}
	extra, _, _ = unstructured.NestedStringMap(t.template, "metadata", "annotations")
	for k, v := range extra {
		annotations[k] = v
	}
	sum := sha256.Sum224([]byte(o.GetNamespace() + "/" + o.GetName()))
	labels[managedBy], labels[createdBy] = "true", hex.EncodeToString(sum[:])
	annotations[dataHash] = hashData(rawData(s))
	s.SetLabels(labels)
	s.SetAnnotations(annotations)
	if t.creation == "Owner" {
		_ = unstructured.SetNestedSlice(s.Object, ownedBy(o), "metadata", "ownerReferences")
	}
	return s
}
