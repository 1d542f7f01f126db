package world

import (
	"strings"
	"testing"
	"time"
)

func TestVaultIsActiveOnlyWhenItServes(t *testing.T) {
	ok := Health{Fact: Fact{Presence: Present, Seen: noon}, Initialized: true}
	for _, c := range []struct {
		name   string
		change func(*Health)
		want   Answer
		why    string
	}{
		{"active", func(*Health) {}, Holds, ""},
		{"sealed", func(h *Health) { h.Sealed = true }, DoesNot, "sealed"},
		{"not initialised", func(h *Health) { h.Initialized = false }, DoesNot, "not initialised"},
		{"standby", func(h *Health) { h.Standby, h.Mode = true, "performance standby" }, DoesNot, "performance standby"},
		{"unreachable", func(h *Health) { h.Presence, h.Why = Hidden, "connection refused" }, CantTell, "connection refused"},
		{"stale", func(h *Health) { h.Stale = true }, CantTell, "not heard since"},
	} {
		h := ok
		c.change(&h)
		if got := h.Judge(); got.Answer != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: got %+v, want %s %q", c.name, got, c.want, c.why)
		}
	}
}

func TestATokenRunsOutBetweenLooks(t *testing.T) {
	token := Token{Fact: Fact{Presence: Present, Seen: noon}, TTL: time.Hour}
	for _, c := range []struct {
		after time.Duration
		want  Verdict
	}{
		{0, holds()},
		{50 * time.Minute, holdsBut("expires in 10m")},
		{61 * time.Minute, fails("expired 60s ago: log in again")},
	} {
		if got := token.Judge(noon.Add(c.after)); got != c.want {
			t.Errorf("after %s: got %+v, want %+v", c.after, got, c.want)
		}
	}
}

func TestAnEntryHasItsKeysOrSaysWhich(t *testing.T) {
	ok := Entry{Fact: Fact{Presence: Present, Seen: noon}, Path: "east/shop", KV: 2, Version: 3, Keys: []string{"session-key", "username"}}
	for _, c := range []struct {
		name   string
		change func(*Entry)
		keys   []string
		want   Answer
		why    string
	}{
		{"all there", func(*Entry) {}, []string{"username"}, Holds, ""},
		{"one missing", func(*Entry) {}, []string{"username", "kiosk"}, DoesNot, "lacks kiosk"},
		{"one misspelt", func(*Entry) {}, []string{"session_key"}, DoesNot, "lacks session_key (it has session-key)"},
		{"keys not readable", func(e *Entry) { e.Keys, e.KeysWhy = nil, "no read on subkeys" }, []string{"username"}, CantTell, "no read on subkeys"},
		{"deleted", func(e *Entry) { e.Deleted = true }, nil, DoesNot, "can be undeleted"},
		{"destroyed", func(e *Entry) { e.Destroys = true }, nil, DoesNot, "version 3 is destroyed"},
		{"will delete itself", func(e *Entry) { e.Deletes = noon.Add(time.Hour) }, nil, Holds, "deletes itself in 60m"},
		{"has deleted itself since", func(e *Entry) { e.Deletes = noon.Add(-time.Hour) }, nil, DoesNot, "was deleted 60m ago"},
		{"absent", func(e *Entry) { e.Presence = Gone }, nil, DoesNot, "not found"},
		{"stale", func(e *Entry) { e.Stale = true }, []string{"username"}, CantTell, "not heard"},
	} {
		e := ok
		c.change(&e)
		if got := e.Has(noon, c.keys...); got.Answer != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: got %+v, want %s %q", c.name, got, c.want, c.why)
		}
	}
}

func TestATokenMayOnlyWhatItsPolicySays(t *testing.T) {
	for _, c := range []struct {
		list []string
		want Answer
	}{
		{[]string{"read", "list"}, Holds},
		{[]string{"root"}, Holds},
		{[]string{"list"}, DoesNot},
		{[]string{"deny"}, DoesNot},
		{nil, DoesNot},
	} {
		if got := (Capabilities{Fact: Fact{Presence: Present}, List: c.list}).May("read"); got.Answer != c.want {
			t.Errorf("%v: got %+v, want %s", c.list, got, c.want)
		}
	}
}
