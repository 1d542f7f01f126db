package actions_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"runbook/internal/actions"
	"runbook/internal/cluster"
	"runbook/internal/steps"
	"runbook/internal/vault"
	"runbook/internal/world"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// occupied is a Vault in which every entry is there.
type occupied struct {
	memoryVault
	there vault.Exists
}

func (o *occupied) Create(_ context.Context, _ string, data map[string]vault.Secret) (vault.Written, error) {
	return vault.Written{}, &o.there
}

func TestAnEntryThatIsThereAfterACutIsSaidToBeOursOnlyWhenItIs(t *testing.T) {
	ours := vault.Exists{Entry: "kv/shop", KV: 2, Version: 1, Keys: []string{"k", "user"}, Created: noon.Add(100 * time.Millisecond), Clocked: true}
	begun := []time.Time{noon}
	for name, tc := range map[string]struct {
		change func(*vault.Exists)
		begun  []time.Time
		want   string // in the error; "" when it is ours
	}{
		"written at once":              {func(*vault.Exists) {}, begun, ""},
		"by a clock that is ahead":     {func(e *vault.Exists) { e.Ahead = time.Hour; e.Created = e.Created.Add(time.Hour) }, begun, ""},
		"by a clock that is behind":    {func(e *vault.Exists) { e.Ahead = -time.Hour; e.Created = e.Created.Add(-time.Hour) }, begun, ""},
		"cut off twice":                {func(*vault.Exists) {}, []time.Time{noon, noon.Add(time.Hour)}, ""},
		"at the second attempt":        {func(*vault.Exists) {}, []time.Time{noon.Add(-time.Hour), noon}, ""},
		"tried for the first time":     {func(*vault.Exists) {}, nil, "it is there already"},
		"there before":                 {func(e *vault.Exists) { e.Created = noon.Add(-time.Minute) }, begun, "somebody else made it"},
		"of other keys":                {func(e *vault.Exists) { e.Keys = []string{"other"} }, begun, "somebody else made it"},
		"much later":                   {func(e *vault.Exists) { e.Created = noon.Add(time.Minute) }, begun, "can't be told: it was written"},
		"written again since":          {func(e *vault.Exists) { e.Version = 2 }, begun, "can't be told: it is at version 2"},
		"deleted since":                {func(e *vault.Exists) { e.Deleted = true }, begun, "can't be told: it is deleted"},
		"whose keys may not be listed": {func(e *vault.Exists) { e.Keys, e.KeysWhy = nil, "the token may not read them" }, begun, "can't be told: the token may not"},
		"of which nothing may be read": {func(e *vault.Exists) { *e = vault.Exists{Entry: "kv/shop", KV: 2, KeysWhy: "denied"} }, begun, "can't be told: when it was written"},
		"with a clock nobody knows":    {func(e *vault.Exists) { e.Clocked = false }, begun, "can't be told: the clock"},
		"without versions":             {func(e *vault.Exists) { e.KV = 1 }, begun, "can't be told: KV version 1"},
	} {
		t.Run(name, func(t *testing.T) {
			v := &occupied{there: ours}
			tc.change(&v.there)
			r := &actions.Runner{Vault: v, Rand: rand.Reader, Hide: func(...string) {}, Begun: map[int][]time.Time{7: tc.begun}}
			a := &steps.Action{Verb: steps.VaultCreate, Entry: "kv/shop", Pos: steps.Pos{Line: 7}, Data: []steps.ActionData{{Key: "k", Generate: "uuid"}, {Key: "user", Literal: "shop"}}}
			var out bytes.Buffer
			err := r.Do(t.Context(), a, &out, nil)
			if tc.want == "" {
				if err != nil || !strings.Contains(out.String(), "this run has made it already") {
					t.Errorf("got %v and %q, want that this run has made it", err, out.String())
				}
				return
			}
			var exists *vault.Exists
			if !errors.As(err, &exists) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// slow is a Vault that writes, and whose answer nobody waits for.
type slow struct {
	memoryVault
	stop func()
}

func (s *slow) Create(ctx context.Context, entry string, data map[string]vault.Secret) (vault.Written, error) {
	w, err := s.memoryVault.Create(ctx, entry, data)
	s.stop()
	if err != nil {
		return w, &vault.Exists{Entry: entry, KV: 2, Version: 1, Keys: []string{"k"}, Created: noon, Clocked: true}
	}
	return vault.Written{}, ctx.Err()
}

func TestAnActionThatWasStoppedWhileItWroteKnowsItsEntryLater(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	v := &slow{memoryVault: memoryVault{wrote: map[string]map[string]vault.Secret{}}, stop: stop}
	r := &actions.Runner{Vault: v, Rand: rand.Reader, Hide: func(...string) {}, Begun: map[int][]time.Time{}, Now: func() time.Time { return noon }}
	a := &steps.Action{Verb: steps.VaultCreate, Entry: "kv/shop", Pos: steps.Pos{Line: 7}, Data: []steps.ActionData{{Key: "k", Generate: "uuid"}}}
	if err := r.Do(ctx, a, &bytes.Buffer{}, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: got %v", err)
	}
	made := v.wrote["kv/shop"]["k"].Reveal()
	var out bytes.Buffer
	if err := r.Do(t.Context(), a, &out, nil); err != nil || !strings.Contains(out.String(), "this run has made it already") {
		t.Errorf("tried again: got %v and %q", err, out.String())
	}
	if v.wrote["kv/shop"]["k"].Reveal() != made {
		t.Error("its value is another now")
	}
}

// full is a cluster in which every Secret is there.
type full struct {
	memoryCluster
	there cluster.ExistsError
}

func (f *full) Create(context.Context, *unstructured.Unstructured, bool) error { return &f.there }

func TestASecretThatIsThereAfterACutIsSaidToBeWhoseItIs(t *testing.T) {
	a := &steps.Action{Verb: steps.SecretCreate, Namespace: "shop", Name: "db", Pos: steps.Pos{Line: 7}, Data: []steps.ActionData{{Key: "k", Generate: "uuid"}}}
	ref := world.NewRef("secret", "", "shop", "db")
	for name, tc := range map[string]struct {
		there cluster.ExistsError
		want  string
	}{
		"of somebody else":    {cluster.ExistsError{Ref: ref, Created: noon}, "it doesn't carry the mark of this run: somebody else made it"},
		"which can't be read": {cluster.ExistsError{Ref: ref}, "can't be told: it may not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &actions.Runner{Cluster: &full{there: tc.there}, Rand: rand.Reader, Hide: func(...string) {}, Run: "r", Begun: map[int][]time.Time{7: {noon}}}
			if err := r.Do(t.Context(), a, &bytes.Buffer{}, nil); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}
