package vault_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	sandbox "runbook/internal/sandbox/vault"
	"runbook/internal/vault"
	"runbook/internal/world"
)

// behind puts something in front of the stage's server.
func behind(t *testing.T, s *stage, front func(http.ResponseWriter, *http.Request, http.Handler)) *vault.Client {
	t.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { front(w, r, s.Server) }))
	t.Cleanup(h.Close)
	return newClient(t, s.clock.Now, "VAULT_ADDR="+h.URL, "VAULT_TOKEN="+s.RootToken(), `VAULT_HEADERS={"X-Gate":"`+marked+`"}`)
}

func TestAVaultWithoutSubkeysIsReadByItsMetadata(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := behind(t, s, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		r.URL.Path = strings.Replace(r.URL.Path, "/subkeys/", "/not-an-endpoint/", 1)
		next.ServeHTTP(w, r)
	})
	e, err := c.Entry(t.Context(), "kv/app")
	must(t, err)
	if e.Presence != world.Present || e.Version != 1 || !strings.Contains(e.KeysWhy, "older than 1.10") {
		t.Errorf("got %+v", e)
	}
	e, err = c.Entry(t.Context(), "kv/none")
	if err != nil || e.Presence != world.Gone {
		t.Errorf("got %+v, %v", e, err)
	}
	w, err := c.Add(t.Context(), "kv/app", secrets("new", "1"))
	if err != nil || w.Version != 2 {
		t.Errorf("got %+v, %v", w, err)
	}
}

func TestAVaultWithoutPreflightHasTheFirstEngine(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := behind(t, s, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasPrefix(r.URL.Path, "/v1/sys/internal/") {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"errors":[]}`)
			return
		}
		next.ServeHTTP(w, r)
	})
	e, err := c.Entry(t.Context(), "old/app")
	must(t, err)
	want(t, "keys", e.Keys, []string{"n", "session-key"})
	_, err = c.Entry(t.Context(), "kv/app")
	if err == nil || !strings.Contains(err.Error(), "Invalid path for a versioned K/V secrets engine") {
		t.Errorf("got %v, want what Vault says about the version", err)
	}
}

func TestAnAnswerThatBreaksOffIsNoFact(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := behind(t, s, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.Contains(r.URL.Path, "/subkeys/") {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprintf(w, `{"data":{"subkeys":{"a":"%s`, marked)
			return
		}
		next.ServeHTTP(w, r)
	})
	_, err := c.Entry(t.Context(), "kv/app")
	checkError(t, "cut", err, vault.NotVault, "")
}

func TestHeadersOfAGatewayAreSentAndHidden(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	var got []string
	c := behind(t, s, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		got = append(got, r.Header.Get("X-Gate"), r.Header.Get("X-Vault-Request"))
		next.ServeHTTP(w, r)
	})
	_, err := c.Token(t.Context())
	must(t, err)
	want(t, "headers", got, []string{marked, "true"})
	set, err := vault.ReadSettings([]string{"VAULT_ADDR=https://x", "VAULT_TOKEN=" + marked, `VAULT_HEADERS={"X-Gate":"` + marked + `"}`}, "")
	must(t, err)
	made, err := vault.NewClient(set, time.Now)
	must(t, err)
	for _, v := range []any{set, &set, made} {
		if text := fmt.Sprintf("%v %+v %#v", v, v, v); strings.Contains(text, marked) {
			t.Errorf("%T shows what must stay hidden: %s", v, text)
		}
	}
}

func TestHealthIsAskedWithoutToken(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := behind(t, s, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Header.Get("X-Vault-Token") != "" {
			t.Error("the token was sent where none is needed")
		}
		next.ServeHTTP(w, r)
	})
	_, err := c.Health(t.Context())
	must(t, err)
}

func TestARedirectIsFollowedOnce(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := behind(t, s, func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Location", s.addr+r.URL.Path)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	e, err := c.Entry(t.Context(), "kv/app")
	if err != nil || e.Version != 1 {
		t.Errorf("got %+v, %v from a standby that names the active node", e, err)
	}
}

func TestTheLastUseOfATokenIsSaid(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	id, err := st.Token(map[string]any{"policies": []string{"root"}, "num_uses": 1, "ttl": "1h"})
	must(t, err)
	s := watch(t, st.as(t, id), vault.Wants{Entries: []string{"kv/app"}})
	s.look(t)
	if why := s.world.Entries["kv/app"].Why; !strings.Contains(why, "last use") {
		t.Errorf("got %q", why)
	}
}

func TestEveryKindSaysWhatToDo(t *testing.T) {
	seen := map[string]vault.Kind{}
	for _, k := range []vault.Kind{
		vault.Denied, vault.NotFound, vault.NoMount, vault.NotKV, vault.Sealed, vault.Invalid, vault.Standby, vault.RateLimited,
		vault.Conflict, vault.Gone, vault.Unreachable, vault.TLS, vault.NotVault, vault.Unexpected,
	} {
		next := (&vault.Error{Kind: k}).Next()
		if other, ok := seen[next]; ok || !strings.HasSuffix(next, ".") {
			t.Errorf("%s: got %q, the same as %s", k, next, other)
		}
		seen[next] = k
	}
	if got := vault.KindOf(fmt.Errorf("wrapped: %w", &vault.Error{Kind: vault.Gone})); !reflect.DeepEqual(got, vault.Gone) {
		t.Errorf("got %q", got)
	}
}
