package vault

import (
	"net/http"
	"testing"
)

func TestWhatVaultKeptIsAsItWasAfterItIsRestored(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Mount("kv", 2))
	must(s.Mount("old", 1))
	must(s.Put("kv", "app", map[string]any{"k": "first"}))
	_, err = s.Do(http.MethodPost, "", "old/app", map[string]any{"k": "first"})
	must(err)
	kept := s.Snapshot()
	before, err := s.Do(http.MethodGet, "", "kv/metadata/app", nil)
	must(err)
	change := func() {
		must(s.Put("kv", "app", map[string]any{"k": "second"}))
		must(s.Put("kv", "other", map[string]any{"k": "v"}))
		_, err := s.Do(http.MethodDelete, "", "old/app", nil)
		must(err)
	}
	for range 2 { // a snapshot isn't used up
		change()
		if s.Snapshot().Same(kept) {
			t.Fatal("what has changed is the same")
		}
		s.Restore(kept)
		after, err := s.Do(http.MethodGet, "", "kv/metadata/app", nil)
		must(err)
		if before["created_time"] != after["created_time"] || before["current_version"] != after["current_version"] {
			t.Errorf("got %v, want %v", after, before)
		}
		if _, err := s.Do(http.MethodGet, "", "kv/metadata/other", nil); err == nil {
			t.Error("an entry of later is still there")
		}
		old, err := s.Do(http.MethodGet, "", "old/app", nil)
		if err != nil || old["k"] != "first" {
			t.Errorf("got %v, %v, want the entry of version 1 back", old, err)
		}
	}
	if !s.Snapshot().Same(kept) {
		t.Error("what was restored isn't the same")
	}
}
