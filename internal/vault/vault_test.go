package vault_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	sandbox "runbook/internal/sandbox/vault"
	"runbook/internal/vault"
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

// A stage is a sandbox server with a KV v2 mount "kv", a KV v1 mount "old" and
// the entries that most tests need.
type stage struct {
	*sandbox.Server
	clock *clock
	addr  string
	calls *counter
}

// counter counts the requests by method and path.
type counter struct {
	mu    sync.Mutex
	seen  []string
	inner http.Handler
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.seen = append(c.seen, r.Method+" "+r.URL.Path)
	c.mu.Unlock()
	c.inner.ServeHTTP(w, r)
}

func (c *counter) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = nil
}

func (c *counter) list() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.seen...)
}

// marked is the value that must never be seen.
const marked = "marked-value-7f3a"

func newStage(t *testing.T, opt sandbox.Options) *stage {
	t.Helper()
	clk := newClock()
	opt.Now = clk.Now
	s, err := sandbox.New(opt)
	must(t, err)
	calls := &counter{inner: s}
	h := httptest.NewServer(calls)
	t.Cleanup(h.Close)
	st := &stage{Server: s, clock: clk, addr: h.URL, calls: calls}
	if opt.Uninitialized {
		return st
	}
	must(t, s.Mount("kv", 2))
	must(t, s.Mount("old", 1))
	must(t, s.Put("kv", "app", map[string]any{"session-key": marked, "username": "u-" + marked, "deep": map[string]any{"er": marked}}))
	_, err = s.Do("POST", "", "old/app", map[string]any{"session-key": marked, "n": 7})
	must(t, err)
	return st
}

func (s *stage) as(t *testing.T, token string) *vault.Client {
	t.Helper()
	return newClient(t, s.clock.Now, "VAULT_ADDR="+s.addr, "VAULT_TOKEN="+token)
}

func (s *stage) root(t *testing.T) *vault.Client { return s.as(t, s.RootToken()) }

// with returns a client whose token has just this policy beside the default.
func (s *stage) with(t *testing.T, policy string) *vault.Client {
	t.Helper()
	must(t, s.Policy("only", policy))
	id, err := s.Token(map[string]any{"policies": []string{"only", "default"}})
	must(t, err)
	return s.as(t, id)
}

func newClient(t *testing.T, now func() time.Time, environ ...string) *vault.Client {
	t.Helper()
	set, err := vault.ReadSettings(environ, "")
	must(t, err)
	c, err := vault.NewClient(set, now)
	must(t, err)
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
