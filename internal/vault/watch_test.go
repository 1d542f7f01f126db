package vault_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	sandbox "runbook/internal/sandbox/vault"
	"runbook/internal/vault"
	"runbook/internal/world"
)

// A session runs a watcher look by look: each look ends with a pause, which
// lasts until the test ends it.
type session struct {
	*vault.Watcher
	updates chan world.Update
	pauses  chan time.Duration
	tick    chan time.Time
	stop    func()
	ended   chan struct{}
	world   world.World
}

func watch(t *testing.T, c *vault.Client, wants vault.Wants) *session {
	t.Helper()
	s := &session{
		updates: make(chan world.Update, 100), pauses: make(chan time.Duration), tick: make(chan time.Time), ended: make(chan struct{}),
	}
	s.Watcher = vault.NewWatcher(c, func(u world.Update) { s.updates <- u }, vault.WatchOptions{
		Every: 10 * time.Second, Slowest: time.Minute, Timeout: 5 * time.Second,
		After: func(d time.Duration) <-chan time.Time {
			select {
			case s.pauses <- d:
			case <-s.ended:
			}
			return s.tick
		},
		Spread: func(d time.Duration) time.Duration { return d },
	})
	s.Want(wants)
	ctx, cancel := context.WithCancel(context.Background())
	finished := make(chan struct{})
	go func() { s.Run(ctx); close(finished) }()
	s.stop = func() {
		cancel()
		select {
		case <-s.ended:
		default:
			close(s.ended)
		}
		<-finished
	}
	t.Cleanup(s.stop)
	return s
}

// look waits for the end of a look, takes its facts into the world, and
// returns the pause and what was told, in short.
func (s *session) look(t *testing.T) (time.Duration, []string) {
	t.Helper()
	var d time.Duration
	select {
	case d = <-s.pauses:
	case <-t.Context().Done():
		t.Fatal("the watcher doesn't look")
	}
	var told []string
	for {
		select {
		case u := <-s.updates:
			s.world = s.world.With(u, time.Time{})
			told = append(told, short(u))
		default:
			return d, told
		}
	}
}

// again ends the pause and looks.
func (s *session) again(t *testing.T) (time.Duration, []string) {
	t.Helper()
	s.tick <- time.Time{}
	return s.look(t)
}

func short(u world.Update) string {
	state := func(name string, f world.Fact) string {
		if f.Stale {
			return name + " stale"
		}
		return name + " " + string(f.Presence)
	}
	switch {
	case u.Health != nil:
		return state("health", u.Health.Fact)
	case u.Token != nil:
		return state("token", u.Token.Fact)
	case u.Entry != nil:
		return state(u.Entry.Path, u.Entry.Fact)
	case u.Caps != nil:
		return state("may "+u.Caps.Path, u.Caps.Fact)
	}
	return "?"
}

func want(t *testing.T, what string, got any, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

var usual = vault.Wants{Entries: []string{"kv/app", "kv/none", "old/app"}, Caps: []string{"kv/data/app"}}

func TestALookTellsEverythingThatIsWanted(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	s := watch(t, st.root(t), usual)
	pause, told := s.look(t)
	want(t, "told", told, []string{"health present", "token present", "kv/app present", "kv/none absent", "old/app present", "may kv/data/app present"})
	want(t, "pause", pause, 10*time.Second)
	want(t, "keys", s.world.Entries["kv/app"].Keys, []string{"deep", "deep.er", "session-key", "username"})
	want(t, "rights", s.world.Caps["kv/data/app"].List, []string{"root"})

	st.calls.reset()
	must(t, st.Put("kv", "app", map[string]any{"only": marked}))
	s.again(t)
	want(t, "version", s.world.Entries["kv/app"].Version, 2)
	for _, call := range st.calls.list() {
		if strings.HasSuffix(call, "ui/mounts/kv/app") {
			t.Error("the mount was asked for again")
		}
	}
}

func TestASealedVaultMakesFactsStaleAndComesBack(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	s := watch(t, st.root(t), usual)
	s.look(t)
	seen := st.clock.Now()
	st.Seal()
	st.clock.forward(10 * time.Second)
	st.calls.reset()
	_, told := s.again(t)
	want(t, "told", told, []string{"health present", "token stale", "kv/app stale", "kv/none stale", "old/app stale", "may kv/data/app stale"})
	want(t, "calls", st.calls.list(), []string{"GET /v1/sys/health"})
	e := s.world.Entries["kv/app"]
	if !strings.HasPrefix(e.Why, "Vault is sealed. People with unseal keys") || !e.Seen.Equal(seen) || !e.StaleSince.Equal(st.clock.Now()) || e.Version != 1 {
		t.Errorf("got %+v, want what was known, since when, and why", e)
	}
	st.clock.forward(10 * time.Second)
	s.again(t)
	want(t, "stale since", s.world.Entries["kv/app"].StaleSince, seen.Add(10*time.Second))
	st.Unseal()
	_, told = s.again(t)
	want(t, "told", told, []string{"health present", "token present", "kv/app present", "kv/none absent", "old/app present", "may kv/data/app present"})
	want(t, "why", s.world.Entries["kv/app"].Why, "")
}

func TestWhatWasNeverSeenIsHidden(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	st.Seal()
	s := watch(t, st.root(t), usual)
	_, told := s.look(t)
	want(t, "told", told, []string{"health present", "token hidden", "kv/app hidden", "kv/none hidden", "old/app hidden", "may kv/data/app hidden"})
}

func TestAnUnreachableVaultIsAskedLessAndLess(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	front := httptest.NewServer(st.Server)
	t.Cleanup(front.Close)
	s := watch(t, newClient(t, st.clock.Now, "VAULT_ADDR="+front.URL, "VAULT_TOKEN="+st.RootToken()), vault.Wants{Entries: []string{"kv/app"}})
	s.look(t)
	front.CloseClientConnections()
	front.Close()
	var pauses []time.Duration
	for range 5 {
		d, told := s.again(t)
		pauses = append(pauses, d)
		want(t, "told", told, []string{"health stale", "token stale", "kv/app stale"})
	}
	want(t, "pauses", fmt.Sprint(pauses), "[20s 40s 1m0s 1m0s 1m0s]")
	if why := s.world.Entries["kv/app"].Why; !strings.Contains(why, "connection refused") || !strings.Contains(why, "Check VAULT_ADDR") {
		t.Errorf("got %q, want the cause and what to do", why)
	}
}

func TestATokenWithFewUsesIsNotWornOutByLooking(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	id, err := st.Token(map[string]any{"policies": []string{"root"}, "num_uses": 10, "ttl": "1h"})
	must(t, err)
	s := watch(t, st.as(t, id), vault.Wants{Entries: []string{"kv/app"}})
	_, told := s.look(t)
	want(t, "told", told, []string{"health present", "token present", "kv/app hidden"})
	want(t, "uses", s.world.Token.NumUses, 9)
	for range 3 {
		_, told = s.again(t)
		want(t, "told", told, []string{"health present", "token stale", "kv/app hidden"})
	}
	if why := s.world.Entries["kv/app"].Why; !strings.Contains(why, "9 uses") {
		t.Errorf("got %q, want what a look costs", why)
	}
	s.Refresh()
	_, told = s.look(t)
	want(t, "told after asking", told, []string{"health present", "token present", "kv/app present"})
	want(t, "uses after asking", s.world.Token.NumUses, 8)
}

func TestADeadTokenIsToldFromADeniedLookup(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	id, err := st.Token(map[string]any{"policies": []string{"root"}, "ttl": "1h"})
	must(t, err)
	s := watch(t, st.as(t, id), vault.Wants{Entries: []string{"kv/app"}})
	s.look(t)
	st.clock.forward(2 * time.Hour)
	_, told := s.again(t)
	want(t, "told", told, []string{"health present", "token absent", "kv/app stale"})
	want(t, "why", s.world.Token.Why, "the token is expired or revoked: log in again")

	must(t, st.Policy("only", `path "kv/*" { capabilities = ["read"] }`))
	id, err = st.Token(map[string]any{"policies": []string{"only"}, "no_default_policy": true})
	must(t, err)
	s = watch(t, st.as(t, id), vault.Wants{Entries: []string{"kv/app"}, Caps: []string{"kv/data/app"}})
	_, told = s.look(t)
	want(t, "told", told, []string{"health present", "token hidden", "kv/app present", "may kv/data/app hidden"})
}

func TestWithoutATokenNothingIsAsked(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	st.calls.reset()
	s := watch(t, st.as(t, ""), usual)
	_, told := s.look(t)
	want(t, "told", told, []string{"health present", "token absent", "kv/app hidden", "kv/none hidden", "old/app hidden", "may kv/data/app hidden"})
	want(t, "calls", st.calls.list(), []string{"GET /v1/sys/health"})
}

func TestOneDeniedEntryDoesNotHideTheOthers(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	s := watch(t, st.with(t, `path "kv/subkeys/app" { capabilities = ["read"] }`), vault.Wants{Entries: []string{"old/app", "kv/secret", "kv/app"}})
	_, told := s.look(t)
	want(t, "told", told, []string{"health present", "token present", "old/app hidden", "kv/secret hidden", "kv/app present"})
	if why := s.world.Entries["kv/secret"].Why; !strings.Contains(why, "kv/subkeys/secret: permission denied") {
		t.Errorf("got %q, want the path that is denied", why)
	}
}

func TestAWishIsMetAtOnce(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	s := watch(t, st.root(t), vault.Wants{})
	_, told := s.look(t)
	want(t, "told", told, []string{"health present", "token present"})
	s.Want(vault.Wants{Entries: []string{"kv/app"}})
	_, told = s.look(t)
	want(t, "told", told, []string{"health present", "token present", "kv/app present"})
}

func TestAReplacedMountIsFoundAgain(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	s := watch(t, st.root(t), vault.Wants{Entries: []string{"kv/app"}})
	s.look(t)
	_, err := st.Do("DELETE", "", "sys/mounts/kv", nil)
	must(t, err)
	must(t, st.Mount("kv", 1))
	_, err = st.Do("POST", "", "kv/app", map[string]any{"a": marked})
	must(t, err)
	s.again(t)
	s.again(t)
	e := s.world.Entries["kv/app"]
	if e.Presence != world.Present || e.KV != 1 {
		t.Errorf("got %+v, want the entry of the new mount", e)
	}
}

func TestAStoppedWatcherTellsNothingMore(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	s := watch(t, st.root(t), usual)
	s.look(t)
	s.stop()
	if n := len(s.updates); n != 0 {
		t.Errorf("got %d facts after the end", n)
	}
}

func TestNoFactEverHoldsAValue(t *testing.T) {
	st := newStage(t, sandbox.Options{})
	s := watch(t, st.root(t), usual)
	s.look(t)
	if text := fmt.Sprintf("%+v %#v", s.world, s.world); strings.Contains(text, marked) {
		t.Error("a value is in the world")
	}
}
