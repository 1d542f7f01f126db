package actions_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"runbook/internal/actions"
	"runbook/internal/cluster"
	"runbook/internal/steps"
	"runbook/internal/vault"
	"runbook/internal/world"
)

// memoryVault keeps what was written.
type memoryVault struct {
	wrote map[string]map[string]vault.Secret
}

func (m *memoryVault) put(entry string, data map[string]vault.Secret) (vault.Written, error) {
	if m.wrote[entry] != nil {
		return vault.Written{}, &vault.Exists{Entry: entry, KV: 2, Version: 1}
	}
	m.wrote[entry] = data
	keys := []string{}
	for k := range data {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return vault.Written{Entry: entry, KV: 2, Version: 1, Keys: keys}, nil
}

func (m *memoryVault) Create(_ context.Context, e string, d map[string]vault.Secret) (vault.Written, error) {
	return m.put(e, d)
}

func (m *memoryVault) Add(_ context.Context, e string, _ map[string]vault.Secret) (vault.Written, error) {
	return vault.Written{Entry: e, KV: 2, Version: 1}, nil
}

func (m *memoryVault) Rotate(_ context.Context, e, property string, v vault.Secret, _ func(int) error) (vault.Written, error) {
	return m.put(e, map[string]vault.Secret{property: v})
}

// memoryCluster remembers what it was asked for, and refuses a kind.
type memoryCluster struct {
	refuses string
	created []*unstructured.Unstructured
	applied []string // "dry deployment/web", "deployment/web"
}

func (m *memoryCluster) Create(_ context.Context, o *unstructured.Unstructured, _ bool) error {
	m.created = append(m.created, o)
	return nil
}

func (m *memoryCluster) Apply(_ context.Context, objects []*unstructured.Unstructured, _ string, dryRun bool) []cluster.Applied {
	var out []cluster.Applied
	for _, o := range objects {
		ref := world.NewRef(o.GetKind(), "", o.GetNamespace(), o.GetName())
		name := ref.String()
		if dryRun {
			name = "dry " + name
		}
		m.applied = append(m.applied, name)
		a := cluster.Applied{Ref: ref, Outcome: cluster.Created}
		if o.GetKind() == m.refuses {
			a.Outcome, a.Err = cluster.Failed, errors.New("apply "+ref.String()+": not allowed")
		}
		out = append(out, a)
	}
	return out
}

func runner() (*actions.Runner, *memoryVault, *memoryCluster, *[]string) {
	v, c, hidden := &memoryVault{wrote: map[string]map[string]vault.Secret{}}, &memoryCluster{}, &[]string{}
	r := &actions.Runner{Vault: v, Cluster: c, Namespace: "shop", Rand: rand.Reader, Hide: func(values ...string) { *hidden = append(*hidden, values...) }}
	return r, v, c, hidden
}

func TestEveryValueThatIsMadeIsHiddenAndNoneIsSaid(t *testing.T) {
	r, v, c, hidden := runner()
	data := []steps.ActionData{
		{Key: "user", Literal: "shop"},
		{Key: "password", Generate: "hex", Bytes: 24},
		{Key: "url", Template: "postgres://{{.user}}:{{.password}}@db/shop"},
	}
	var out bytes.Buffer
	for _, a := range []*steps.Action{
		{Verb: steps.VaultCreate, Entry: "kv/shop", Data: data},
		{Verb: steps.SecretCreate, Namespace: "shop", Name: "db", Type: "Opaque", Data: data},
	} {
		if err := r.Do(t.Context(), a, &out, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(*hidden) != 4 {
		t.Fatalf("hidden %d values, want the password and the URL of both", len(*hidden))
	}
	for _, value := range *hidden {
		if strings.Contains(out.String(), value) {
			t.Errorf("it says a value: %s", out.String())
		}
	}
	if got := v.wrote["kv/shop"]["url"].Reveal(); !strings.Contains(got, v.wrote["kv/shop"]["password"].Reveal()) {
		t.Error("the URL has another password than the entry")
	}
	secret, _, _ := unstructured.NestedStringMap(c.created[0].Object, "stringData")
	if secret["url"] != "postgres://shop:"+secret["password"]+"@db/shop" || len(secret["password"]) != 48 {
		t.Error("the Secret's URL isn't put together from its own password")
	}
	for _, want := range []string{"vault kv/shop: created password, url, user, version 1", "secret/db in shop: created with keys password, url, user"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("said %q, want %q", out.String(), want)
		}
	}
}

func TestAnEntryThatExistsIsLeftAsItIs(t *testing.T) {
	r, v, _, _ := runner()
	a := &steps.Action{Verb: steps.VaultCreate, Entry: "kv/shop", Data: []steps.ActionData{{Key: "k", Generate: "uuid"}}}
	if err := r.Do(t.Context(), a, &bytes.Buffer{}, nil); err != nil {
		t.Fatal(err)
	}
	first := v.wrote["kv/shop"]["k"].Reveal()
	var exists *vault.Exists
	if err := r.Do(t.Context(), a, &bytes.Buffer{}, nil); !errors.As(err, &exists) || v.wrote["kv/shop"]["k"].Reveal() != first {
		t.Errorf("a second time: %v", err)
	}
}

func TestNothingIsAppliedWhereTheServerWouldRefuseOneObject(t *testing.T) {
	r, _, c, _ := runner()
	c.refuses = "Service"
	a := &steps.Action{Verb: steps.Apply, Manifests: []steps.Manifest{
		{Line: 10, Text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"},
		{Line: 20, Text: "apiVersion: v1\nkind: Service\nmetadata: {name: b}\n"},
	}}
	if err := r.Do(t.Context(), a, &bytes.Buffer{}, nil); err == nil || !strings.Contains(err.Error(), "service/b") {
		t.Fatalf("got %v", err)
	}
	for _, x := range c.applied {
		if !strings.HasPrefix(x, "dry ") {
			t.Errorf("applied %s", x)
		}
	}
	c.refuses = ""
	var out bytes.Buffer
	if err := r.Do(t.Context(), a, &out, nil); err != nil || !strings.Contains(out.String(), "configmap/a created\nservice/b created") {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestAManifestThatIsNoneNamesItsLine(t *testing.T) {
	r, _, _, _ := runner()
	for _, text := range []string{"kind: [", "apiVersion: v1\nmetadata: {name: a}\n", "apiVersion: v1\nkind: Pod\nmetadata: {}\n"} {
		err := r.Do(t.Context(), &steps.Action{Verb: steps.Apply, Manifests: []steps.Manifest{{Line: 42, Text: text}}}, &bytes.Buffer{}, nil)
		if err == nil || !strings.Contains(err.Error(), "line 42") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWhatIsNotConfiguredIsSaid(t *testing.T) {
	r := &actions.Runner{}
	if err := r.Do(t.Context(), &steps.Action{Verb: steps.VaultAdd, Entry: "kv/x"}, nil, nil); !errors.Is(err, actions.ErrNoVault) {
		t.Errorf("got %v", err)
	}
	if err := r.Do(t.Context(), &steps.Action{Verb: steps.SecretCreate}, nil, nil); !errors.Is(err, actions.ErrNoCluster) {
		t.Errorf("got %v", err)
	}
}
