package vault_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	sandbox "runbook/internal/sandbox/vault"
	"runbook/internal/vault"
	"runbook/internal/world"
)

func TestHealthReadsTheStateNotTheCode(t *testing.T) {
	s := newStage(t, sandbox.Options{ClusterName: "cicd"})
	c := s.root(t)
	for _, tc := range []struct {
		name  string
		stage func()
		want  string
		check func(world.Health) bool
	}{
		{"active", func() {}, "active", func(h world.Health) bool { return h.Initialized && !h.Sealed && !h.Standby }},
		{"standby", func() { s.Standby(true) }, "standby", func(h world.Health) bool { return h.Standby && !h.Sealed }},
		{"performance standby", func() { s.Standby(false); s.PerformanceStandby(true) }, "performance standby", func(h world.Health) bool { return h.Standby }},
		{"sealed", func() { s.PerformanceStandby(false); s.Seal() }, "sealed", func(h world.Health) bool { return h.Sealed && h.Initialized }},
	} {
		tc.stage()
		h, err := c.Health(t.Context())
		must(t, err)
		if h.Mode != tc.want || !tc.check(h) || h.Presence != world.Present {
			t.Errorf("%s: got %+v", tc.name, h)
		}
		if !h.ServerTime.Equal(s.clock.Now()) || !h.Seen.Equal(s.clock.Now()) || h.Version != "1.14.0" || h.Address != s.addr {
			t.Errorf("%s: got %+v, want the time, version and address", tc.name, h)
		}
	}
	un := newStage(t, sandbox.Options{Uninitialized: true})
	h, err := un.as(t, "").Health(t.Context())
	must(t, err)
	if h.Initialized || h.Mode != "not initialised" {
		t.Errorf("got %+v, want not initialised", h)
	}
}

// whatAnswers serves one fixed answer on every path.
func whatAnswers(t *testing.T, code int, contentType, body string) string {
	t.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Location", "https://login.example.org/")
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(h.Close)
	return h.URL
}

func TestWhatStandsInTheWayIsNamed(t *testing.T) {
	const page = "<html><body>Sign in " + marked + "</body></html>"
	tlsServer := httptest.NewUnstartedServer(http.NotFoundHandler())
	tlsServer.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of what is tested here
	tlsServer.StartTLS()
	t.Cleanup(tlsServer.Close)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for _, tc := range []struct {
		name, addr   string
		health, read vault.Kind
		next         string
	}{
		{"a login page", whatAnswers(t, 200, "text/html", page), vault.NotVault, vault.NotVault, "VAULT_ADDR"},
		{"a proxy's error page", whatAnswers(t, 502, "text/html", page), vault.NotVault, vault.NotVault, "VAULT_ADDR"},
		{"a redirect to a login", whatAnswers(t, 303, "text/html", page), vault.NotVault, vault.NotVault, "VAULT_ADDR"},
		{"other JSON", whatAnswers(t, 200, "application/json", `{"status":"UP"}`), vault.NotVault, "", ""},
		{"an unknown code", whatAnswers(t, 474, "application/json", `{"initialized":true,"sealed":false}`), vault.Unexpected, vault.Unexpected, "log"},
		{"a quota", whatAnswers(t, 429, "application/json", `{"errors":["1 error occurred:\n\t* request path \"x\": rate limit quota exceeded\n\n"]}`), "", vault.RateLimited, "quota"},
		{"nobody", closed.URL, vault.Unreachable, vault.Unreachable, "network"},
		{"an unknown authority", tlsServer.URL, vault.TLS, vault.TLS, "VAULT_CACERT"},
		{"https asked of http", strings.Replace(whatAnswers(t, 200, "text/html", page), "http:", "https:", 1), vault.TLS, vault.TLS, "http"},
		{"http asked of https", strings.Replace(tlsServer.URL, "https:", "http:", 1), vault.TLS, vault.TLS, "https://"},
	} {
		c := newClient(t, time.Now, "VAULT_ADDR="+tc.addr, "VAULT_TOKEN=x")
		_, err := c.Health(t.Context())
		if tc.health != "" {
			checkError(t, tc.name+": health", err, tc.health, "")
		}
		_, err = c.Entry(t.Context(), "kv/app")
		if tc.read != "" {
			checkError(t, tc.name+": entry", err, tc.read, tc.next)
		}
	}
}

func checkError(t *testing.T, name string, err error, want vault.Kind, next string) {
	t.Helper()
	var e *vault.Error
	if !errors.As(err, &e) || e.Kind != want {
		t.Errorf("%s: got %v (%q), want %q", name, err, vault.KindOf(err), want)
		return
	}
	why := vault.Why(err)
	if strings.Contains(why, marked) || strings.ContainsAny(why, "\n\t\x1b<") {
		t.Errorf("%s: the text isn't clean: %q", name, why)
	}
	if !strings.Contains(e.Next(), next) {
		t.Errorf("%s: next is %q, want something about %q", name, e.Next(), next)
	}
	if !errors.Is(err, &vault.Error{Kind: want}) {
		t.Errorf("%s: errors.Is doesn't find the kind", name)
	}
}

func TestATokenIsDescribed(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	got, err := s.root(t).Token(t.Context())
	must(t, err)
	if !got.Never || got.NumUses != 0 || !reflect.DeepEqual(got.Policies, []string{"root"}) {
		t.Errorf("got %+v, want root for ever", got)
	}
	id, err := s.Token(map[string]any{"policies": []string{"default", "app"}, "ttl": "1h", "num_uses": 3})
	must(t, err)
	s.clock.forward(10 * time.Minute)
	c := s.as(t, id)
	got, err = c.Token(t.Context())
	must(t, err)
	if got.Never || got.TTL != 50*time.Minute || got.NumUses != 2 || !got.Seen.Equal(s.clock.Now()) {
		t.Errorf("got %+v, want 50m and two uses", got)
	}
	s.clock.forward(time.Hour)
	_, err = c.Token(t.Context())
	checkError(t, "an expired token", err, vault.Denied, "token")
	_, err = s.as(t, "").Token(t.Context())
	checkError(t, "no token", err, vault.Denied, "token")
}

func TestANewLoginIsTakenUp(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	file := filepath.Join(t.TempDir(), ".vault-token")
	set, err := vault.ReadSettings([]string{"VAULT_ADDR=" + s.addr}, file)
	must(t, err)
	c, err := vault.NewClient(set, s.clock.Now)
	must(t, err)
	if _, err := c.Token(t.Context()); vault.KindOf(err) != vault.Denied {
		t.Errorf("got %v without a file, want denied", err)
	}
	must(t, os.WriteFile(file, []byte(s.RootToken()+"\n"), 0o600))
	if _, err := c.Token(t.Context()); err != nil {
		t.Errorf("got %v after a login", err)
	}
	if got := c.AuthToken().Reveal(); got != s.RootToken() {
		t.Error("the token in use isn't the one of the login")
	}
}

func TestSettingsComeFromTheEnvironmentThatIsGiven(t *testing.T) {
	t.Setenv("VAULT_ADDR", "http://wrong.example.org")
	t.Setenv("VAULT_TOKEN", "wrong")
	t.Setenv("VAULT_NAMESPACE", "wrong")
	s := newStage(t, sandbox.Options{Namespaces: []string{"team-a"}})
	_, err := s.Do("POST", "team-a", "sys/mounts/kv", map[string]any{"type": "kv-v2"})
	must(t, err)
	_, err = s.Do("POST", "team-a", "kv/data/only-there", map[string]any{"data": map[string]any{"a": "b"}})
	must(t, err)
	c := newClient(t, s.clock.Now, "VAULT_ADDR=http://old", "VAULT_ADDR="+s.addr+"/", "VAULT_TOKEN="+s.RootToken(), "VAULT_NAMESPACE=/team-a/")
	e, err := c.Entry(t.Context(), "kv/only-there")
	must(t, err)
	if e.Presence != world.Present || c.Address() != s.addr {
		t.Errorf("got %+v from %s, want the entry of the namespace", e, c.Address())
	}
	if _, err := c.Health(t.Context()); err != nil {
		t.Errorf("health must not depend on a namespace: %v", err)
	}
	e, err = newClient(t, s.clock.Now, "VAULT_ADDR="+s.addr, "VAULT_TOKEN="+s.RootToken()).Entry(t.Context(), "kv/only-there")
	if err != nil || e.Presence != world.Gone {
		t.Errorf("got %+v, %v without a namespace, want nothing", e, err)
	}
}

func TestBrokenSettingsAreRefused(t *testing.T) {
	for _, environ := range [][]string{
		nil,
		{"VAULT_ADDR= "},
		{"VAULT_ADDR=vault.example.org"},
		{"VAULT_ADDR=http://%zz"},
		{"VAULT_ADDR=http://x", "VAULT_SKIP_VERIFY=perhaps"},
		{"VAULT_ADDR=http://x", "VAULT_HEADERS={"},
		{"VAULT_ADDR=http://x", "VAULT_PROXY_ADDR=%zz"},
	} {
		if _, err := vault.ReadSettings(environ, ""); err == nil || !strings.HasPrefix(err.Error(), "read vault settings: ") {
			t.Errorf("%v: got %v", environ, err)
		}
	}
	if got := newClient(t, time.Now, "VAULT_ADDR=https://me:"+marked+"@x").Address(); got != "https://me:xxxxx@x" {
		t.Errorf("got the address %s, want it without the password", got)
	}
	set, err := vault.ReadSettings([]string{"VAULT_ADDR=https://x", "VAULT_CACERT=/does/not/exist"}, "")
	must(t, err)
	if _, err := vault.NewClient(set, time.Now); err == nil {
		t.Error("a missing authority was overlooked")
	}
}

func TestATrustedAuthorityIsTrusted(t *testing.T) {
	srv, err := sandbox.New(sandbox.Options{})
	must(t, err)
	h := httptest.NewTLSServer(srv)
	t.Cleanup(h.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(file, pemOf(h.Certificate().Raw), 0o600))
	for name, extra := range map[string]string{"authority": "VAULT_CACERT=" + file, "trusting anybody": "VAULT_SKIP_VERIFY=1"} {
		c := newClient(t, time.Now, "VAULT_ADDR="+h.URL, extra)
		if _, err := c.Health(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCapabilitiesAreListed(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := s.with(t, `path "kv/data/app" { capabilities = ["read", "update"] }`)
	got, err := c.Capabilities(t.Context(), "kv/data/app", "kv/metadata/app")
	must(t, err)
	if l := got["kv/data/app"].List; !reflect.DeepEqual(l, []string{"read", "update"}) {
		t.Errorf("got %v", l)
	}
	if l := got["kv/metadata/app"].List; !reflect.DeepEqual(l, []string{"deny"}) {
		t.Errorf("got %v", l)
	}
	id, err := s.Token(map[string]any{"policies": []string{"only"}, "no_default_policy": true})
	must(t, err)
	_, err = s.as(t, id).Capabilities(t.Context(), "kv/data/app")
	checkError(t, "without the default policy", err, vault.Denied, "token")
	if !strings.Contains(err.Error(), "default policy") {
		t.Errorf("got %v, want the reason", err)
	}
}
