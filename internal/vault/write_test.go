package vault_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	sandbox "runbook/internal/sandbox/vault"
	"runbook/internal/vault"
)

func secrets(kv ...string) map[string]vault.Secret {
	out := map[string]vault.Secret{}
	for i := 0; i < len(kv); i += 2 {
		out[kv[i]] = vault.NewSecret(kv[i+1])
	}
	return out
}

// data is what is really in an entry.
func (s *stage) data(t *testing.T, path string) map[string]any {
	t.Helper()
	got, err := s.Do("GET", "", path, nil)
	must(t, err)
	if d, ok := got["data"].(map[string]any); ok {
		return d
	}
	return got
}

func TestCreateWritesOnlyWhatIsNew(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := s.root(t)
	w, err := c.Create(t.Context(), "kv/new", secrets("b", "2", "a", `quote " and <angle>`))
	must(t, err)
	if !reflect.DeepEqual(w, vault.Written{Entry: "kv/new", KV: 2, Version: 1, Keys: []string{"a", "b"}}) {
		t.Errorf("got %+v", w)
	}
	if got := s.data(t, "kv/data/new"); got["a"] != `quote " and <angle>` || got["b"] != "2" {
		t.Errorf("got %v", got)
	}
	w, err = c.Create(t.Context(), "old/new", secrets("a", "1"))
	must(t, err)
	if w.KV != 1 || s.data(t, "old/new")["a"] != "1" {
		t.Errorf("got %+v", w)
	}
}

func TestCreateRefusesWhatIsThere(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := s.root(t)
	_, err := s.Do("POST", "", "kv/data/gone", map[string]any{"data": map[string]any{"a": marked}})
	must(t, err)
	_, err = s.Do("DELETE", "", "kv/data/gone", nil)
	must(t, err)
	s.clock.forward(time.Second)
	for _, tc := range []struct {
		entry string
		want  vault.Exists
		text  string
	}{
		{"kv/app", vault.Exists{Entry: "kv/app", KV: 2, Version: 1, Keys: []string{"deep", "deep.er", "session-key", "username"}, Created: s.clock.Now().Add(-time.Second), Clocked: true},
			"create kv/app: it is there already, version 1, with keys deep, deep.er, session-key, username"},
		{"kv/gone", vault.Exists{Entry: "kv/gone", KV: 2, Version: 1, Deleted: true, KeysWhy: "the current version is deleted", Created: s.clock.Now().Add(-time.Second), Clocked: true},
			"create kv/gone: it was there, and version 1 is deleted but not forgotten"},
		{"old/app", vault.Exists{Entry: "old/app", KV: 1, Keys: []string{"n", "session-key"}},
			"create old/app: it is there already, with keys n, session-key"},
	} {
		_, err := c.Create(t.Context(), tc.entry, secrets("session-key", "another"))
		var got *vault.Exists
		if !errors.As(err, &got) || !reflect.DeepEqual(*got, tc.want) || err.Error() != tc.text {
			t.Errorf("%s: got %#v: %v", tc.entry, got, err)
		}
	}
	if got := s.data(t, "kv/data/app")["session-key"]; got != marked {
		t.Errorf("the entry was overwritten")
	}
	if got := s.data(t, "old/app")["session-key"]; got != marked {
		t.Errorf("the entry without versions was overwritten")
	}
}

func TestCreateRefusesBlindly(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	_, err := s.with(t, `path "kv/data/app" { capabilities = ["create", "update"] }`).Create(t.Context(), "kv/app", secrets("a", "1"))
	var got *vault.Exists
	if !errors.As(err, &got) || got.KeysWhy == "" {
		t.Errorf("got %v, want Exists with the reason why its keys aren't known", err)
	}
	_, err = s.with(t, `path "kv/data/app" { capabilities = ["read"] }`).Create(t.Context(), "kv/none", secrets("a", "1"))
	checkError(t, "without the right to create", err, vault.Denied, "policy")
	if !strings.Contains(err.Error(), "write kv/data/none: permission denied") {
		t.Errorf("got %v, want the path of the API", err)
	}
}

// changers are the policies under which a change goes different ways.
var changers = []struct{ name, policy, way string }{
	{"patching", `path "kv/*" { capabilities = ["read", "patch"] }`, "PATCH /v1/kv/data/app"},
	{"without patch", `path "kv/*" { capabilities = ["read", "update"] }`, "PUT /v1/kv/data/app"},
	{"without subkeys", `path "kv/data/app" { capabilities = ["read", "update", "patch"] }
path "kv/metadata/app" { capabilities = ["read"] }`, "PUT /v1/kv/data/app"},
}

func TestAddTouchesNoKeyThatIsThere(t *testing.T) {
	for _, tc := range changers {
		s := newStage(t, sandbox.Options{})
		c := s.with(t, tc.policy)
		s.calls.reset()
		w, err := c.Add(t.Context(), "kv/app", secrets("kiosk-token", "new", "session-key", "must not be written"))
		must(t, err)
		if !reflect.DeepEqual(w, vault.Written{Entry: "kv/app", KV: 2, Version: 2, Keys: []string{"kiosk-token"}}) {
			t.Errorf("%s: got %+v", tc.name, w)
		}
		want := map[string]any{"session-key": marked, "username": "u-" + marked, "deep": map[string]any{"er": marked}, "kiosk-token": "new"}
		if got := s.data(t, "kv/data/app"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v", tc.name, got)
		}
		calls := s.calls.list()
		if last := calls[len(calls)-1]; last != tc.way {
			t.Errorf("%s: got %v, want %s last", tc.name, calls, tc.way)
		}
		if tc.way[:5] == "PATCH" {
			for _, call := range calls {
				if call == "GET /v1/kv/data/app" {
					t.Errorf("%s: the values were read", tc.name)
				}
			}
		}
		w, err = c.Add(t.Context(), "kv/app", secrets("kiosk-token", "other"))
		if err != nil || w.Version != 2 || len(w.Keys) != 0 {
			t.Errorf("%s: got %+v, %v for nothing to add, want no new version", tc.name, w, err)
		}
	}
}

func TestRotateChangesOneProperty(t *testing.T) {
	for _, tc := range changers {
		s := newStage(t, sandbox.Options{})
		w, err := s.with(t, tc.policy).Rotate(t.Context(), "kv/app", "session-key", vault.NewSecret("rotated"), nil)
		must(t, err)
		if w.Version != 2 || !reflect.DeepEqual(w.Keys, []string{"session-key"}) {
			t.Errorf("%s: got %+v", tc.name, w)
		}
		want := map[string]any{"session-key": "rotated", "username": "u-" + marked, "deep": map[string]any{"er": marked}}
		if got := s.data(t, "kv/data/app"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v", tc.name, got)
		}
		for _, property := range []string{"sesion-key", "deep.er"} {
			_, err = s.root(t).Rotate(t.Context(), "kv/app", property, vault.NewSecret("x"), nil)
			checkError(t, tc.name, err, vault.NotFound, "")
		}
	}
}

func TestARotationThatCannotBeForetoldIsNotDone(t *testing.T) {
	for _, tc := range changers {
		s := newStage(t, sandbox.Options{})
		full := errors.New("no space left on device")
		told := 0
		_, err := s.with(t, tc.policy).Rotate(t.Context(), "kv/app", "session-key", vault.NewSecret("rotated"), func(version int) error { told = version; return full })
		if !errors.Is(err, full) || told != 1 {
			t.Errorf("%s: got %v on top of version %d, want %v on top of 1", tc.name, err, told, full)
		}
		if got := s.data(t, "kv/data/app")["session-key"]; got == "rotated" {
			t.Errorf("%s: it was written", tc.name)
		}
	}
}

func TestTheFirstEngineIsChangedKeyByKey(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := s.root(t)
	w, err := c.Add(t.Context(), "old/app", secrets("kiosk-token", "new", "session-key", "not this"))
	must(t, err)
	if w.KV != 1 || w.Version != 0 || !reflect.DeepEqual(w.Keys, []string{"kiosk-token"}) {
		t.Errorf("got %+v", w)
	}
	_, err = c.Rotate(t.Context(), "old/app", "session-key", vault.NewSecret("rotated"), nil)
	must(t, err)
	want := map[string]any{"session-key": "rotated", "n": json.Number("7"), "kiosk-token": "new"}
	if got := s.data(t, "old/app"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAChangeNeedsALivingEntry(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := s.root(t)
	for _, entry := range []string{"kv/none", "old/none"} {
		_, err := c.Add(t.Context(), entry, secrets("a", "1"))
		checkError(t, entry, err, vault.NotFound, "create")
	}
	_, err := s.Do("DELETE", "", "kv/data/app", nil)
	must(t, err)
	s.clock.forward(time.Second)
	_, err = c.Add(t.Context(), "kv/app", secrets("a", "1"))
	checkError(t, "deleted", err, vault.Gone, "Undelete")
	_, err = s.with(t, `path "kv/data/app" { capabilities = ["read", "update"] }
path "kv/metadata/app" { capabilities = ["read"] }`).Add(t.Context(), "kv/app", secrets("a", "1"))
	checkError(t, "deleted, without subkeys", err, vault.Gone, "Undelete")
}

// TestSomebodyElsesWriteIsNeverLost has another writer come in between the look
// and the write, whichever way the write goes.
func TestSomebodyElsesWriteIsNeverLost(t *testing.T) {
	for _, tc := range changers[:2] {
		s := newStage(t, sandbox.Options{})
		must(t, s.Policy("only", tc.policy))
		id, err := s.Token(map[string]any{"policies": []string{"only", "default"}})
		must(t, err)
		done := false
		between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/kv/data/app" && r.Method == tc.way[:strings.Index(tc.way, " ")] && !done {
				done = true
				must(t, s.Put("kv", "app", map[string]any{"theirs": "1"}))
			}
			s.Server.ServeHTTP(w, r)
		}))
		t.Cleanup(between.Close)
		c := newClient(t, s.clock.Now, "VAULT_ADDR="+between.URL, "VAULT_TOKEN="+id)
		_, err = c.Add(t.Context(), "kv/app", secrets("mine", "1"))
		checkError(t, tc.name, err, vault.Conflict, "Look")
		if got := s.data(t, "kv/data/app"); !reflect.DeepEqual(got, map[string]any{"theirs": "1"}) {
			t.Errorf("%s: got %v, want theirs alone", tc.name, got)
		}
	}
}

func TestWritesToASealedVaultSaySo(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := s.root(t)
	s.Seal()
	_, err := c.Create(t.Context(), "kv/new", secrets("a", marked))
	checkError(t, "sealed", err, vault.Sealed, "unseal")
	s.Unseal()
	s.Standby(true)
	_, err = c.Create(t.Context(), "kv/new", secrets("a", marked))
	checkError(t, "standby", err, vault.Standby, "active")
}

func TestEnforcedCheckAndSetIsMet(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	_, err := s.Do("POST", "", "kv/config", map[string]any{"cas_required": true})
	must(t, err)
	c := s.root(t)
	if _, err := c.Create(t.Context(), "kv/new", secrets("a", "1")); err != nil {
		t.Error(err)
	}
	if _, err := c.Add(t.Context(), "kv/new", secrets("b", "1")); err != nil {
		t.Error(err)
	}
	if w, err := c.Rotate(t.Context(), "kv/new", "a", vault.NewSecret("2"), nil); err != nil || w.Version != 3 {
		t.Errorf("got %+v, %v", w, err)
	}
}
