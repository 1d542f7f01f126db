package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	vaultapi "github.com/hashicorp/vault/api"

	product "runbook/internal/vault"
)

// TestARealVaultIsListedByNameAlone has what the preview of a mount rests on: both versions of KV, folders that may not be
// listed, and the API's own paths.
func TestARealVaultIsListedByNameAlone(t *testing.T) {
	v := startVault(t)
	for _, step := range []func(context.Context) error{v.Init, v.Unseal} {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	root := vaultClient(t, v.Addr, v.Root)
	for path, version := range map[string]string{"kv": "2", "old": "1"} {
		if err := root.Sys().MountWithContext(t.Context(), path, &vaultapi.MountInput{Type: "kv", Options: map[string]string{"version": version}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"shop", "team/a", "team/b/c"} {
		put(t, func() error { _, err := root.KVv2("kv").Put(t.Context(), name, map[string]any{"k": "v"}); return err })
		if err := root.KVv1("old").Put(t.Context(), name, map[string]any{"k": "v"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := root.Sys().PutPolicyWithContext(t.Context(), "top", `path "kv/metadata/" { capabilities = ["list"] }`); err != nil {
		t.Fatal(err)
	}
	made, err := root.Auth().Token().CreateWithContext(t.Context(), &vaultapi.TokenCreateRequest{Policies: []string{"top"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ token, path, entries, unlisted string }{
		{v.Root, "kv", "kv/shop kv/team/a kv/team/b/c", ""},
		{v.Root, "old", "old/shop old/team/a old/team/b/c", ""},
		{v.Root, "kv/metadata/team", "kv/team/a kv/team/b/c", ""},
		{v.Root, "old/team/b", "old/team/b/c", ""},
		{v.Root, "kv/shop", "", ""},
		{made.Auth.ClientToken, "kv", "kv/shop", "kv/metadata/team/"},
	} {
		set, err := product.ReadSettings([]string{"VAULT_ADDR=" + v.Addr, "VAULT_TOKEN=" + tt.token}, "")
		if err != nil {
			t.Fatal(err)
		}
		c, err := product.NewClient(set, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		h, err := c.Holding(t.Context(), tt.path)
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		var unlisted []string
		for _, u := range h.Unlisted {
			unlisted = append(unlisted, u.Path)
		}
		if got := strings.Join(h.Entries, " "); got != tt.entries || strings.Join(unlisted, " ") != tt.unlisted || h.Entry != (tt.path == "kv/shop") {
			t.Errorf("%s: got %+v, want %s and unlisted %s", tt.path, h, tt.entries, tt.unlisted)
		}
	}
}

// put writes again until a fresh mount of the second version has made itself ready.
func put(t *testing.T, write func() error) {
	t.Helper()
	for t.Context().Err() == nil {
		err := write()
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "Upgrading from non-versioned to versioned") {
			t.Fatal(err)
		}
	}
}
