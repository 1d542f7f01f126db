package keeper_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"runbook/internal/cluster"
	"runbook/internal/keeper"
	"runbook/internal/sandbox"
	"runbook/internal/sandbox/kube"
	"runbook/internal/steps"
	"runbook/internal/vault"
)

// A scene is a deployed application whose session key is kept.
type scene struct {
	t   *testing.T
	box *sandbox.Sandbox
	*keeper.Keeper
	protects []steps.Protect
}

// stage brings the scene up; without tokens the keeper may do everything.
func stage(t *testing.T, kubeToken, vaultToken string) *scene {
	t.Helper()
	box, err := sandbox.Start(context.WithoutCancel(t.Context()), sandbox.Options{Dir: t.TempDir(), Scenario: "deployed"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &scene{t: t, box: box, Keeper: &keeper.Keeper{Salt: []byte("salt"), Cluster: clusterOf(t, box, kubeToken), Vault: vaultOf(t, box, vaultToken)}}
	place := box.Place()
	s.protects = []steps.Protect{{
		Name: "session key", Secret: place.Namespace + "/schmetterpause-app", Key: "SP_SESSION_KEY",
		Vault: place.Cluster + "/schmetterpause", Property: "session-key",
	}}
	return s
}

func clusterOf(t *testing.T, box *sandbox.Sandbox, token string) *cluster.Client {
	t.Helper()
	path := box.Kubeconfig()
	if token != "" {
		box.Kube().SetToken(token, kube.User{Name: token})
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for i, l := range lines {
			if strings.Contains(l, "token:") {
				lines[i] = "    token: " + token
			}
		}
		path = filepath.Join(t.TempDir(), "kubeconfig")
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	target, err := cluster.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	return target.Client()
}

func vaultOf(t *testing.T, box *sandbox.Sandbox, token string) *vault.Client {
	t.Helper()
	if token == "" {
		token = box.Vault().RootToken()
	}
	settings, err := vault.ReadSettings([]string{"VAULT_ADDR=" + box.VaultAddr(), "VAULT_TOKEN=" + token}, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := vault.NewClient(settings, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// put writes the whole entry, as `vault kv put` does.
func (s *scene) put(data map[string]any) {
	s.t.Helper()
	if _, err := s.box.Vault().Do(http.MethodPost, "", s.box.Place().Cluster+"/data/schmetterpause", map[string]any{"data": data}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) across(step func()) string {
	s.t.Helper()
	if err := s.Mark(s.t.Context(), s.protects); err != nil {
		s.t.Fatal(err)
	}
	step()
	return told(s.Compare(s.t.Context(), s.protects))
}

func TestAKeyThatAPutDropsOrChangesIsNoticed(t *testing.T) {
	s := stage(t, "", "")
	if got, want := s.across(func() {}), "Vault same, Secret same"; got != want {
		t.Errorf("a step that touches nothing: got %q, want %q", got, want)
	}
	if got, want := s.across(func() { s.put(map[string]any{"session-key": "another", "username": "x"}) }), "Vault changed, Secret same"; got != want {
		t.Errorf("a put with another value: got %q, want %q", got, want)
	}
	if got, want := s.across(func() { s.put(map[string]any{"username": "x"}) }), "Vault removed, Secret same"; got != want {
		t.Errorf("a put without the key: got %q, want %q", got, want)
	}
	if got, want := s.across(func() { s.put(map[string]any{"session-key": "again"}) }), "Vault created, Secret same"; got != want {
		t.Errorf("a put that brings it back: got %q, want %q", got, want)
	}
}

func TestWhoMayNotReadIsToldThatItCannotBeTold(t *testing.T) {
	s := stage(t, "", "")
	auth, err := s.box.Vault().Do(http.MethodPost, "", "auth/token/create", map[string]any{"policies": []string{"default"}})
	if err != nil {
		t.Fatal(err)
	}
	token, _ := auth["client_token"].(string)
	s.Keeper = &keeper.Keeper{Salt: []byte("salt"), Cluster: clusterOf(t, s.box, "nobody"), Vault: vaultOf(t, s.box, token)}
	if got, want := s.across(func() {}), "Vault can't tell, Secret can't tell"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
