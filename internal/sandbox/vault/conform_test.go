package vault_test

import (
	"net/http/httptest"
	"os"
	"testing"

	"runbook/internal/sandbox/vault"
	"runbook/internal/sandbox/vault/conform"
)

func start(t *testing.T, opt vault.Options) (*vault.Server, string) {
	t.Helper()
	s, err := vault.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return s, h.URL
}

// TestItAnswersLikeAVault runs against the embedded server, or against the one
// in VAULT_ADDR with a root token in VAULT_TOKEN when CONFORM_REAL is set; that
// one is sealed and unsealed too when its one key is in CONFORM_KEY.
func TestItAnswersLikeAVault(t *testing.T) {
	if os.Getenv("CONFORM_REAL") != "" {
		conform.Run(t, conform.Target{Addr: os.Getenv("VAULT_ADDR"), Root: os.Getenv("VAULT_TOKEN"), Key: os.Getenv("CONFORM_KEY")})
		return
	}
	s, addr := start(t, vault.Options{})
	conform.Run(t, conform.Target{Addr: addr, Root: s.RootToken(), Key: s.UnsealKeys()[0]})
}
