package vault_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/vault/api"

	"runbook/internal/sandbox/vault"
)

// clock is a time that only the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func client(t *testing.T, addr, token string) *api.Client {
	t.Helper()
	cfg := api.DefaultConfig()
	cfg.Address, cfg.MaxRetries = addr, 0
	c, err := api.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.SetToken(token)
	c.ClearNamespace()
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheOfficialClientWorksWithVersions(t *testing.T) {
	s, addr := start(t, vault.Options{})
	ctx, c := t.Context(), client(t, addr, s.RootToken())
	must(t, c.Sys().Mount("team/kv", &api.MountInput{Type: "kv-v2"}))
	kv := c.KVv2("team/kv")
	if _, err := kv.Put(ctx, "app", map[string]any{"a": "1"}, api.WithCheckAndSet(0)); err != nil {
		t.Fatal(err)
	}
	got, err := kv.Patch(ctx, "app", map[string]any{"b": "2"})
	must(t, err)
	if got.VersionMetadata.Version != 2 {
		t.Errorf("got version %d after a patch, want 2", got.VersionMetadata.Version)
	}
	read, err := kv.Get(ctx, "app")
	must(t, err)
	if read.Data["a"] != "1" || read.Data["b"] != "2" {
		t.Errorf("got %v, want both keys", read.Data)
	}
	must(t, kv.Delete(ctx, "app"))
	meta, err := kv.GetMetadata(ctx, "app")
	must(t, err)
	if meta.CurrentVersion != 2 || meta.Versions["2"].DeletionTime.IsZero() {
		t.Errorf("got %+v, want the second version deleted", meta)
	}
	if _, err := kv.Rollback(ctx, "app", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Get(ctx, "nothing"); !errors.Is(err, api.ErrSecretNotFound) {
		t.Errorf("got %v, want ErrSecretNotFound", err)
	}
}

func TestASealedServerServesNothingAndUnsealsWithEnoughKeys(t *testing.T) {
	s, addr := start(t, vault.Options{Shares: 3, Threshold: 2})
	c := client(t, addr, s.RootToken())
	must(t, c.Sys().Seal())
	_, err := c.Sys().ListMounts()
	var resp *api.ResponseError
	if !errors.As(err, &resp) || resp.StatusCode != http.StatusServiceUnavailable || resp.Errors[0] != "Vault is sealed" {
		t.Fatalf("got %v, want 503 Vault is sealed", err)
	}
	if code := status(t, addr+"/v1/sys/health"); code != http.StatusServiceUnavailable {
		t.Errorf("got %d, want 503", code)
	}
	if code := status(t, addr+"/v1/sys/health?sealedcode=299"); code != 299 {
		t.Errorf("got %d, want the code that was asked for", code)
	}
	keys := s.UnsealKeys()
	st, err := c.Sys().Unseal(keys[2])
	must(t, err)
	if st.Progress != 1 || !st.Sealed || st.Nonce == "" {
		t.Errorf("got %+v, want one key of two", st)
	}
	if st, err = c.Sys().Unseal(keys[2]); err != nil || st.Progress != 1 {
		t.Errorf("got %+v, %v: the same key must not count twice", st, err)
	}
	if st, err = c.Sys().Unseal(keys[0]); err != nil || st.Sealed {
		t.Errorf("got %+v, %v, want unsealed", st, err)
	}
	if _, err = c.Sys().ListMounts(); err != nil {
		t.Errorf("got %v after unsealing", err)
	}
}

func TestWrongUnsealKeysAreFoundOutAtTheThreshold(t *testing.T) {
	s, addr := start(t, vault.Options{Shares: 2, Threshold: 2})
	s.Seal()
	c := client(t, addr, "")
	if _, err := c.Sys().Unseal(s.UnsealKeys()[0]); err != nil {
		t.Fatal(err)
	}
	_, err := c.Sys().Unseal("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEy")
	if err == nil || !strings.Contains(err.Error(), "Code: 400") {
		t.Errorf("got %v, want 400", err)
	}
	if st, err := c.Sys().SealStatus(); err != nil || st.Progress != 0 || !st.Sealed {
		t.Errorf("got %+v, %v, want a fresh start", st, err)
	}
}

func TestAServerCanBeInitialised(t *testing.T) {
	_, addr := start(t, vault.Options{Uninitialized: true})
	c := client(t, addr, "")
	if code := status(t, addr+"/v1/sys/health"); code != http.StatusNotImplemented {
		t.Errorf("got %d, want 501", code)
	}
	if _, err := c.Sys().Init(&api.InitRequest{SecretShares: 1, SecretThreshold: 2}); err == nil {
		t.Error("a threshold above the number of shares was taken")
	}
	in, err := c.Sys().Init(&api.InitRequest{SecretShares: 1, SecretThreshold: 1})
	must(t, err)
	if _, err := c.Sys().Unseal(in.KeysB64[0]); err != nil {
		t.Fatal(err)
	}
	c.SetToken(in.RootToken)
	if _, err := c.Auth().Token().LookupSelf(); err != nil {
		t.Error(err)
	}
}

func TestAStandbySaysSo(t *testing.T) {
	s, addr := start(t, vault.Options{})
	for _, tc := range []struct {
		set   func(bool)
		query string
		want  int
	}{
		{s.Standby, "", 429},
		{s.Standby, "?standbyok=true", 200},
		{s.Standby, "?standbyok=false", 429},
		{s.Standby, "?standbycode=210", 210},
		{s.Standby, "?perfstandbyok=true", 429},
		{s.PerformanceStandby, "", 473},
		{s.PerformanceStandby, "?perfstandbyok=true", 200},
		{s.PerformanceStandby, "?standbyok=true", 473},
	} {
		tc.set(true)
		if got := status(t, addr+"/v1/sys/health"+tc.query); got != tc.want {
			t.Errorf("%q: got %d, want %d", tc.query, got, tc.want)
		}
		tc.set(false)
	}
	if got := status(t, addr+"/v1/sys/health"); got != 200 {
		t.Errorf("got %d once active again, want 200", got)
	}
	s.Standby(true)
	if _, err := client(t, addr, s.RootToken()).Sys().ListMounts(); err == nil {
		t.Error("a standby without an active node served a request")
	}
	h, err := client(t, addr, "").Sys().Health()
	must(t, err)
	if !h.Standby || h.Sealed {
		t.Errorf("got %+v, want a standby", h)
	}
}

func status(t *testing.T, url string) int {
	t.Helper()
	resp, err := http.Get(url)
	must(t, err)
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestTimePasses(t *testing.T) {
	clk := newClock()
	s, addr := start(t, vault.Options{Now: clk.Now})
	must(t, s.Mount("kv", 2))
	id, err := s.Token(map[string]any{"policies": []string{"default"}, "ttl": "1h"})
	must(t, err)
	c, ctx := client(t, addr, id), context.Background()
	clk.forward(20 * time.Minute)
	self, err := c.Auth().Token().LookupSelf()
	must(t, err)
	if ttl, _ := self.TokenTTL(); ttl != 40*time.Minute {
		t.Errorf("got a ttl of %v, want 40m", ttl)
	}

	root := client(t, addr, s.RootToken()).KVv2("kv")
	must(t, root.PutMetadata(ctx, "app", api.KVMetadataPutInput{DeleteVersionAfter: 30 * time.Minute}))
	put, err := root.Put(ctx, "app", map[string]any{"a": "b"})
	must(t, err)
	if want := clk.Now().Add(30 * time.Minute); !put.VersionMetadata.DeletionTime.Equal(want) {
		t.Errorf("got a deletion time of %v, want %v", put.VersionMetadata.DeletionTime, want)
	}
	if got, err := root.Get(ctx, "app"); err != nil || got.Data["a"] != "b" {
		t.Errorf("got %v, %v: a version lives until its deletion time", got, err)
	}
	clk.forward(31 * time.Minute)
	if got, err := root.Get(ctx, "app"); err != nil || len(got.Data) > 0 {
		t.Errorf("got %v, %v after the deletion time, want no data", got, err)
	}
	clk.forward(10 * time.Minute)
	if _, err := c.Auth().Token().LookupSelf(); err == nil {
		t.Error("a token outlived its ttl")
	}
	if h, err := client(t, addr, "").Sys().Health(); err != nil || h.ServerTimeUTC != clk.Now().Unix() {
		t.Errorf("got %+v, %v, want the staged time", h, err)
	}
}

func TestNamespacesAreApart(t *testing.T) {
	s, addr := start(t, vault.Options{Namespaces: []string{"team-a", "team-a/dev", "team-b"}})
	_, err := s.Do("POST", "team-a", "sys/mounts/kv", map[string]any{"type": "kv-v2"})
	must(t, err)
	_, err = s.Do("POST", "team-a", "kv/data/app", map[string]any{"data": map[string]any{"a": "b"}})
	must(t, err)
	c := client(t, addr, s.RootToken())
	for _, tc := range []struct {
		namespace, path string
		found           bool
	}{
		{"team-a", "kv/data/app", true},
		{"team-a/", "kv/data/app", true},
		{"", "team-a/kv/data/app", true},
		{"team-b", "kv/data/app", false},
		{"", "kv/data/app", false},
		{"team-a", "dev/kv/data/app", false},
		{"nobody", "kv/data/app", false},
	} {
		c.SetNamespace(tc.namespace)
		got, err := c.Logical().Read(tc.path)
		if found := err == nil && got != nil; found != tc.found {
			t.Errorf("namespace %q, %s: got %v, %v, want found=%v", tc.namespace, tc.path, got, err, tc.found)
		}
	}
	auth, err := s.Do("POST", "team-a", "auth/token/create-orphan", map[string]any{"policies": []string{"default"}})
	must(t, err)
	c.SetToken(auth["client_token"].(string))
	c.SetNamespace("team-a")
	self, err := c.Auth().Token().LookupSelf()
	must(t, err)
	if self.Data["namespace_path"] != "team-a/" {
		t.Errorf("got %v, want its namespace", self.Data)
	}
}

func TestAServiceAccountLogsIn(t *testing.T) {
	accounts := map[string]vault.ServiceAccount{
		"jwt-eso":   {Namespace: "external-secrets", Name: "eso", UID: "u-1"},
		"jwt-other": {Namespace: "default", Name: "eso", UID: "u-2"},
		"jwt-name":  {Namespace: "external-secrets", Name: "else", UID: "u-3"},
	}
	s, addr := start(t, vault.Options{ReviewJWT: func(jwt string) (vault.ServiceAccount, error) {
		a, ok := accounts[jwt]
		if !ok {
			return a, errors.New("not one of ours")
		}
		return a, nil
	}})
	c := client(t, addr, s.RootToken())
	must(t, c.Sys().EnableAuthWithOptions("kubernetes", &api.EnableAuthOptions{Type: "kubernetes"}))
	_, err := c.Logical().Write("auth/kubernetes/role/eso", map[string]any{
		"bound_service_account_names": "eso", "bound_service_account_namespaces": "external-secrets,ext-*",
		"policies": "read-app", "ttl": "15m",
	})
	must(t, err)
	for _, tc := range []struct{ role, jwt, want string }{
		{"eso", "jwt-eso", ""},
		{"eso", "jwt-other", "namespace not authorized"},
		{"eso", "jwt-name", "service account name not authorized"},
		{"eso", "forged", "permission denied"},
		{"eso", "", "missing jwt"},
		{"nope", "jwt-eso", `invalid role name "nope"`},
	} {
		got, err := client(t, addr, "").Logical().Write("auth/kubernetes/login", map[string]any{"role": tc.role, "jwt": tc.jwt})
		if tc.want != "" {
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s as %s: got %v, want %q", tc.jwt, tc.role, err, tc.want)
			}
			continue
		}
		must(t, err)
		if p, _ := got.TokenPolicies(); len(p) != 2 || p[1] != "read-app" || got.Auth.LeaseDuration != 900 {
			t.Errorf("got %+v, want the role's policy and ttl", got.Auth)
		}
	}
}

func TestUpgradingAMountKeepsWhatItHas(t *testing.T) {
	s, addr := start(t, vault.Options{})
	must(t, s.Mount("old", 1))
	c := client(t, addr, s.RootToken())
	must(t, c.KVv1("old").Put(t.Context(), "app", map[string]any{"a": "b"}))
	must(t, c.Sys().TuneMountAllowNil("old", api.TuneMountConfigInput{Options: &map[string]string{"version": "2"}}))
	got, err := c.KVv2("old").Get(t.Context(), "app")
	must(t, err)
	if got.Data["a"] != "b" || got.VersionMetadata.Version != 1 {
		t.Errorf("got %+v, want the entry as version 1", got)
	}
	if err := c.Sys().TuneMountAllowNil("old", api.TuneMountConfigInput{Options: &map[string]string{"version": "1"}}); err == nil {
		t.Error("a versioned mount was downgraded")
	}
}

func TestManyClientsAtOnceEachGetTheirVersion(t *testing.T) {
	s, addr := start(t, vault.Options{})
	must(t, s.Mount("kv", 2))
	kv := client(t, addr, s.RootToken()).KVv2("kv")
	const writers = 20
	won := make(chan int, writers)
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			if got, err := kv.Put(context.Background(), "app", map[string]any{"a": "b"}, api.WithCheckAndSet(0)); err == nil {
				won <- got.VersionMetadata.Version
			}
		})
	}
	wg.Wait()
	if len(won) != 1 {
		t.Errorf("got %d writers that created the same entry, want 1", len(won))
	}
}
