package vault_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	sandbox "runbook/internal/sandbox/vault"
	"runbook/internal/vault"
)

// shelves fills both mounts with entries at several depths.
func shelves(t *testing.T) *stage {
	t.Helper()
	s := newStage(t, sandbox.Options{Namespaces: []string{"team", "team/sub"}})
	for _, path := range []string{"team/a", "team/b", "team/deep/c", "team", "data/d"} {
		must(t, s.Put("kv", path, map[string]any{"k": marked}))
		_, err := s.Do("POST", "", "old/"+path, map[string]any{"k": marked})
		must(t, err)
	}
	return s
}

func TestWhatIsBelowAPathIsListedByNameHoweverDeep(t *testing.T) {
	s := shelves(t)
	for _, tt := range []struct {
		path, is, mount string
		entry           bool
		below           string
	}{
		{"kv", "kv", "kv", false, "kv/app kv/team kv/data/d kv/team/a kv/team/b kv/team/deep/c"},
		{"kv/", "kv", "kv", false, "kv/app kv/team kv/data/d kv/team/a kv/team/b kv/team/deep/c"},
		{"old", "old", "old", false, "old/app old/team old/data/d old/team/a old/team/b old/team/deep/c"},
		{"kv/team", "kv/team", "kv", true, "kv/team/a kv/team/b kv/team/deep/c"},
		{"kv/team/deep", "kv/team/deep", "kv", false, "kv/team/deep/c"},
		{"kv/app", "kv/app", "kv", true, ""},
		{"kv/nothing", "kv/nothing", "kv", false, ""},
		{"kv/metadata/team", "kv/team", "kv", true, "kv/team/a kv/team/b kv/team/deep/c"},
		{"kv/data/team/a", "kv/team/a", "kv", true, ""},
		{"old/data/d", "old/data/d", "old", true, ""},
	} {
		t.Run(tt.path, func(t *testing.T) {
			s.calls.reset()
			h, err := s.root(t).Holding(t.Context(), tt.path)
			must(t, err)
			if h.Path != tt.is || h.Mount != tt.mount || h.Entry != tt.entry || h.More || len(h.Unlisted) > 0 {
				t.Errorf("got %+v", h)
			}
			if got := strings.Join(h.Entries, " "); got != tt.below {
				t.Errorf("below it: got %s, want %s", got, tt.below)
			}
			for _, call := range s.calls.list() {
				if strings.HasPrefix(call, "GET /v1/kv/data") || strings.Contains(call, "subkeys") {
					t.Errorf("it reads an entry: %s", call)
				}
			}
			if strings.Contains(fmt.Sprintf("%+v", h), marked) {
				t.Error("a value is in the answer")
			}
		})
	}
}

func TestAFolderThatMayNotBeListedIsNamedWithTheRightThatIsMissing(t *testing.T) {
	s := shelves(t)
	c := s.with(t, `path "kv/metadata/" { capabilities = ["list"] }
path "kv/metadata/team/" { capabilities = ["list"] }`)
	h, err := c.Holding(t.Context(), "kv")
	must(t, err)
	if got := strings.Join(h.Entries, " "); got != "kv/app kv/team kv/team/a kv/team/b" {
		t.Errorf("got %s", got)
	}
	want := []vault.Unlisted{
		{Path: "kv/metadata/data/", Why: "the token lacks the capability list on kv/metadata/data/"},
		{Path: "kv/metadata/team/deep/", Why: "the token lacks the capability list on kv/metadata/team/deep/"},
	}
	if !slices.Equal(h.Unlisted, want) {
		t.Errorf("got %+v, want %+v", h.Unlisted, want)
	}
	if _, err := s.with(t, `path "x" { capabilities = ["list"] }`).Holding(t.Context(), "kv"); vault.KindOf(err) != vault.Denied {
		t.Errorf("without any right: got %v", err)
	}
	if _, err := s.root(t).Holding(t.Context(), "nothing"); err == nil {
		t.Error("a mount that isn't there has a holding")
	}
}

func TestATokenWithFewUsesIsNotSpentOnAListing(t *testing.T) {
	s := shelves(t)
	id, err := s.Token(map[string]any{"policies": []string{"root"}, "num_uses": 5})
	must(t, err)
	c := s.as(t, id)
	s.calls.reset()
	for range 3 {
		if _, err := c.Holding(t.Context(), "kv"); vault.KindOf(err) != vault.Costly {
			t.Errorf("got %v", err)
		}
	}
	if got := s.calls.list(); len(got) != 1 {
		t.Errorf("it made the calls %v", got)
	}
}

func TestAListingIsBoundedAndSaysSo(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	for i := range 320 {
		must(t, s.Put("kv", fmt.Sprintf("f%03d/e", i), map[string]any{"k": marked}))
	}
	h, err := s.root(t).Holding(t.Context(), "kv")
	must(t, err)
	if !h.More || len(h.Entries) < 250 || len(h.Entries) > 321 {
		t.Errorf("got %d entries, more %v", len(h.Entries), h.More)
	}
}

func TestANamespaceHoldsWhatItsMountsHold(t *testing.T) {
	s := shelves(t)
	for _, path := range []string{"sys/mounts/own", "sys/mounts/pki"} {
		body := map[string]any{"type": "kv", "options": map[string]any{"version": "2"}}
		if strings.HasSuffix(path, "pki") {
			body = map[string]any{"type": "kv"}
		}
		_, err := s.Do("POST", "team", path, body)
		must(t, err)
	}
	_, err := s.Do("POST", "team", "own/data/x/y", map[string]any{"data": map[string]any{"k": marked}})
	must(t, err)
	h, err := s.root(t).NamespaceHolding(t.Context(), "team")
	must(t, err)
	if got := strings.Join(h.Entries, " "); got != "team/own/x/y" {
		t.Errorf("got %+v", h)
	}
}
