package vault_test

import (
	"encoding/pem"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	sandbox "runbook/internal/sandbox/vault"
	"runbook/internal/vault"
	"runbook/internal/world"
)

func pemOf(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func TestAnEntryIsDescribedWithoutItsValues(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	s.calls.reset()
	e, err := s.root(t).Entry(t.Context(), "kv/app")
	must(t, err)
	want := world.Entry{
		Fact: world.Fact{Presence: world.Present, Seen: s.clock.Now()},
		Path: "kv/app", Mount: "kv", KV: 2, Version: 1, Created: s.clock.Now(),
		Keys: []string{"deep", "deep.er", "session-key", "username"},
	}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("got %+v\nwant %+v", e, want)
	}
	wantCalls := []string{"GET /v1/sys/internal/ui/mounts/kv/app", "GET /v1/kv/subkeys/app"}
	if got := s.calls.list(); !reflect.DeepEqual(got, wantCalls) {
		t.Errorf("got calls %v, want %v", got, wantCalls)
	}
}

func TestTheStatesOfAnEntry(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c := s.root(t)
	do := func(method, path string, data map[string]any) {
		t.Helper()
		_, err := s.Do(method, "", path, data)
		must(t, err)
	}
	for _, tc := range []struct {
		name  string
		stage func()
		entry string
		check func(world.Entry) bool
	}{
		{"nothing there", func() {}, "kv/none", func(e world.Entry) bool { return e.Presence == world.Gone && e.KV == 2 }},
		{"a second version", func() { do("POST", "kv/data/app", map[string]any{"data": map[string]any{"b": marked}}) }, "kv/app",
			func(e world.Entry) bool { return e.Version == 2 && reflect.DeepEqual(e.Keys, []string{"b"}) }},
		{"deleted", func() { do("DELETE", "kv/data/app", nil) }, "kv/app",
			func(e world.Entry) bool {
				return e.Presence == world.Present && e.Deleted && e.Version == 2 && e.Deletes.Equal(s.clock.Now().Add(-time.Second)) && e.KeysWhy != "" && e.Keys == nil
			}},
		{"destroyed", func() { do("PUT", "kv/destroy/app", map[string]any{"versions": []int{2}}) }, "kv/app",
			func(e world.Entry) bool { return e.Presence == world.Present && e.Destroys && !e.Deleted }},
		{"deletes itself later", func() {
			do("POST", "kv/metadata/app", map[string]any{"delete_version_after": "1h"})
			do("POST", "kv/data/app", map[string]any{"data": map[string]any{"c": marked}})
		}, "kv/app", func(e world.Entry) bool {
			return !e.Deleted && e.Deletes.After(s.clock.Now()) && reflect.DeepEqual(e.Keys, []string{"c"})
		}},
		{"has deleted itself", func() { s.clock.forward(2 * time.Hour) }, "kv/app", func(e world.Entry) bool { return e.Deleted && e.Version == 3 }},
		{"only metadata", func() { do("POST", "kv/metadata/planned", map[string]any{"max_versions": 3}) }, "kv/planned",
			func(e world.Entry) bool { return e.Presence == world.Gone }},
		{"the first version of the engine", func() {}, "old/app",
			func(e world.Entry) bool {
				return e.Presence == world.Present && e.KV == 1 && e.Version == 0 && reflect.DeepEqual(e.Keys, []string{"n", "session-key"})
			}},
		{"nothing there in it", func() {}, "old/none", func(e world.Entry) bool { return e.Presence == world.Gone && e.KV == 1 }},
	} {
		tc.stage()
		s.clock.forward(time.Second)
		e, err := c.Entry(t.Context(), tc.entry)
		must(t, err)
		if !tc.check(e) {
			t.Errorf("%s: got %+v", tc.name, e)
		}
	}
}

func TestWhatTheTokenMayNotSeeIsSaid(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	for _, tc := range []struct {
		name, policy string
		version      int
		keysWhy      string
		kind         vault.Kind
		why          string
	}{
		{"only metadata", `path "kv/metadata/app" { capabilities = ["read"] }`, 1, "kv/subkeys/app", "", ""},
		{"only data", `path "kv/data/app" { capabilities = ["read"] }`, 0, "", vault.Denied, "kv/subkeys/app: permission denied, and kv/metadata/app too"},
		{"nothing of the mount", `path "other/*" { capabilities = ["read"] }`, 0, "", vault.Denied, "no policy of the token grants anything below kv/"},
	} {
		c := s.with(t, tc.policy)
		s.calls.reset()
		e, err := c.Entry(t.Context(), "kv/app")
		if vault.KindOf(err) != tc.kind || tc.kind != "" && !strings.Contains(err.Error(), tc.why) {
			t.Errorf("%s: got %v, want %q with %q", tc.name, err, tc.kind, tc.why)
		}
		if e.Version != tc.version || !strings.Contains(e.KeysWhy, tc.keysWhy) || len(e.Keys) > 0 {
			t.Errorf("%s: got %+v", tc.name, e)
		}
		for _, call := range s.calls.list() {
			if strings.Contains(call, "/data/") {
				t.Errorf("%s: values were read to list names: %s", tc.name, call)
			}
		}
	}
}

func TestAMissingMountIsNotAMissingPermission(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	_, err := s.root(t).Entry(t.Context(), "nowhere/app")
	checkError(t, "as root", err, vault.NoMount, "KV engine")
	_, err = s.with(t, `path "nowhere/data/*" { capabilities = ["read"] }`).Entry(t.Context(), "nowhere/app")
	checkError(t, "with a policy for it", err, vault.NoMount, "KV engine")
	_, err = s.root(t).Entry(t.Context(), "cubbyhole/app")
	checkError(t, "another engine", err, vault.NotKV, "KV mount")
}

func TestMountsMayHaveSlashes(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	must(t, s.Mount("team/deep/kv", 2))
	must(t, s.Put("team/deep/kv", "a/b", map[string]any{"k": marked}))
	e, err := s.root(t).Entry(t.Context(), "team/deep/kv/a/b")
	must(t, err)
	if e.Mount != "team/deep/kv" || e.Path != "team/deep/kv/a/b" || !reflect.DeepEqual(e.Keys, []string{"k"}) {
		t.Errorf("got %+v", e)
	}
}

func TestEntriesThatNameSomethingElseAreRefused(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	for _, entry := range []string{"", "kv", "kv/", "/kv/app", "kv//app", "kv/../sys/mounts", "kv/./app", "kv/app/"} {
		_, err := s.root(t).Entry(t.Context(), entry)
		checkError(t, entry, err, vault.Invalid, "")
	}
	must(t, s.Mount("m/n", 2))
	_, err := s.root(t).Entry(t.Context(), "m/n")
	checkError(t, "a mount", err, vault.Invalid, "")
}

func TestTheValuesOfAnEntryAreHandedOnByTheirNames(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	for entry, want := range map[string]map[string]string{
		"kv/app":  {"session-key": marked, "username": "u-" + marked, "deep.er": marked},
		"old/app": {"session-key": marked, "n": "7"},
	} {
		got := map[string]string{}
		must(t, s.root(t).Values(t.Context(), entry, func(property string, v vault.Secret) { got[property] = v.Reveal() }))
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", entry, got, want)
		}
	}
	nothing := func(property string, _ vault.Secret) { t.Errorf("it has %s", property) }
	checkError(t, "an entry that isn't there", s.root(t).Values(t.Context(), "kv/none", nothing), vault.NotFound, "")
	checkError(t, "without the right", s.with(t, `path "kv/data/other" { capabilities = ["read"] }`).Values(t.Context(), "kv/app", nothing), vault.Denied, "")
}

func TestAPropertyIsFingerprinted(t *testing.T) {
	s := newStage(t, sandbox.Options{})
	c, salt := s.root(t), []byte("salt")
	for _, entry := range []string{"kv/app", "old/app"} {
		f, err := c.Fingerprint(t.Context(), entry, "session-key", salt)
		must(t, err)
		if d := f.Compare(vault.NewSecret(marked + "\n").Fingerprint(salt)); d != vault.OnlyWhitespace {
			t.Errorf("%s: got %s", entry, d)
		}
	}
	_, err := c.Fingerprint(t.Context(), "kv/app", "sesion-key", salt)
	checkError(t, "a missing property", err, vault.NotFound, "")
	_, err = s.Do("DELETE", "", "kv/data/app", nil)
	must(t, err)
	s.clock.forward(time.Second)
	_, err = c.Fingerprint(t.Context(), "kv/app", "session-key", salt)
	checkError(t, "a deleted version", err, vault.Gone, "Undelete")
	_, err = c.Fingerprint(t.Context(), "kv/none", "session-key", salt)
	checkError(t, "a missing entry", err, vault.NotFound, "")
}
