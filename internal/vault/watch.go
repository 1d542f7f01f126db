package vault

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"runbook/internal/world"
)

// WatchOptions tune a Watcher; the zero value is right for a person's session.
type WatchOptions struct {
	Every   time.Duration                        // between two looks, default 10s
	Slowest time.Duration                        // while Vault can't be heard, default 1m
	Timeout time.Duration                        // of one call, default 2s
	After   func(time.Duration) <-chan time.Time // default time.After
	Spread  func(time.Duration) time.Duration    // varies the pause; default ±20%
}

// Wants are the entries ("mount/path") and API paths whose facts are needed.
// Vault's health and the token are always watched.
type Wants struct {
	Entries []string
	Caps    []string
}

// A Watcher keeps Vault's half of the world true by asking now and then: Vault
// has no watch that everybody may use.
type Watcher struct {
	client *Client
	sink   func(world.Update)
	opt    WatchOptions
	wake   chan struct{}

	mu    sync.Mutex
	wants Wants
	asked bool // a person wants to know now

	last   known            // of Run alone
	mounts map[string]mount // of Run alone: they hardly ever change
	misses int              // of Run alone: looks in a row at which Vault wasn't heard
}

// known are the facts as they were told last.
type known struct {
	health  world.Health
	token   world.Token
	entries map[string]world.Entry
	caps    map[string]world.Capabilities
}

// NewWatcher returns a watcher that hands facts to sink, one after the other,
// while Run runs.
func NewWatcher(c *Client, sink func(world.Update), opt WatchOptions) *Watcher {
	if opt.Every == 0 {
		opt.Every = 10 * time.Second
	}
	if opt.Slowest == 0 {
		opt.Slowest = time.Minute
	}
	if opt.Timeout == 0 {
		opt.Timeout = 2 * time.Second
	}
	if opt.After == nil {
		opt.After = time.After
	}
	if opt.Spread == nil {
		opt.Spread = func(d time.Duration) time.Duration {
			return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
		}
	}
	return &Watcher{
		client: c, sink: sink, opt: opt, wake: make(chan struct{}, 1), mounts: map[string]mount{},
		last: known{
			health:  world.Health{Address: c.Address()},
			entries: map[string]world.Entry{}, caps: map[string]world.Capabilities{},
		},
	}
}

// Want replaces what is wanted and looks at once.
func (w *Watcher) Want(wants Wants) {
	w.mu.Lock()
	w.wants = Wants{Entries: slices.Clone(wants.Entries), Caps: slices.Clone(wants.Caps)}
	w.mu.Unlock()
	w.poke()
}

// Refresh looks at once, also with a token of which every look costs a use.
func (w *Watcher) Refresh() {
	w.mu.Lock()
	w.asked = true
	w.mu.Unlock()
	w.poke()
}

func (w *Watcher) poke() {
	select {
	case w.wake <- struct{}{}:
	default: // one is waiting already
	}
}

// Run looks again and again until ctx ends. There may be one Run at a time.
func (w *Watcher) Run(ctx context.Context) {
	for ctx.Err() == nil {
		w.look(ctx)
		select {
		case <-ctx.Done():
		case <-w.wake:
		case <-w.opt.After(w.pause()):
		}
	}
}

// pause doubles while Vault isn't heard, so that a Vault that comes back isn't
// met by a crowd.
func (w *Watcher) pause() time.Duration {
	d := w.opt.Every
	for range w.misses {
		if d *= 2; d >= w.opt.Slowest {
			d = w.opt.Slowest
			break
		}
	}
	return w.opt.Spread(d)
}

// look asks everything once. What Vault's state explains isn't asked: it is
// told with that reason.
func (w *Watcher) look(ctx context.Context) {
	// What waits now is met by this look. Emptied first: a wish that comes after
	// must wake again.
	select {
	case <-w.wake:
	default:
	}
	w.mu.Lock()
	wants, asked := w.wants, w.asked
	w.asked = false
	w.mu.Unlock()
	if why := w.lookAtHealth(ctx); why != "" {
		w.misses++
		w.lose(ctx, wants, why, true)
		return
	}
	w.misses = 0
	h := w.last.health
	switch {
	case !h.Initialized:
		w.lose(ctx, wants, "Vault is not initialised: that comes first (vault operator init)", true)
		return
	case h.Sealed:
		w.lose(ctx, wants, "Vault is sealed. "+(&Error{Kind: Sealed}).Next(), true)
		return
	}
	if uses := w.last.token.NumUses; uses != 0 && w.last.token.Presence == world.Present && !asked {
		w.lose(ctx, wants, limited(uses), true)
		return
	}
	if why := w.lookAtToken(ctx); why != "" {
		w.lose(ctx, wants, why, false)
		return
	}
	if uses := w.last.token.NumUses; uses != 0 && !asked {
		w.lose(ctx, wants, limited(uses), false)
		return
	}
	w.lookAtRest(ctx, wants)
}

func limited(uses int) string {
	if uses < 0 {
		return "the token had its last use: log in again"
	}
	return fmt.Sprintf("every look costs one of the %d uses that the token has left; it is only looked at when asked for", uses)
}

// ask bounds one call.
func (w *Watcher) ask(ctx context.Context, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, w.opt.Timeout)
	defer cancel()
	return call(ctx)
}

func (w *Watcher) lookAtHealth(ctx context.Context) (why string) {
	var h world.Health
	err := w.ask(ctx, func(ctx context.Context) (err error) { h, err = w.client.Health(ctx); return err })
	if err != nil {
		why = Why(err)
		w.last.health.Fact = w.lost(w.last.health.Fact, why)
	} else {
		w.last.health = h
	}
	h = w.last.health
	w.tell(ctx, world.Update{Health: &h})
	return why
}

// lookAtToken tells with why that nothing else is worth asking.
func (w *Watcher) lookAtToken(ctx context.Context) (why string) {
	var t world.Token
	err := w.ask(ctx, func(ctx context.Context) (err error) { t, err = w.client.Token(ctx); return err })
	switch {
	case err == nil:
		w.last.token = t
	case !w.client.hasToken():
		why = Why(err)
		w.last.token = world.Token{Fact: world.Fact{Presence: world.Gone, Why: why, Seen: w.client.now()}}
	case KindOf(err) == Denied && w.last.token.Seen.IsZero():
		// It may be good and only made without the default policy.
		w.last.token.Fact = world.Fact{Presence: world.Hidden, Why: Why(err)}
	case KindOf(err) == Denied:
		why = "the token is expired or revoked: log in again"
		w.last.token = world.Token{Fact: world.Fact{Presence: world.Gone, Why: why, Seen: w.client.now()}}
	default:
		why = Why(err)
		w.last.token.Fact = w.lost(w.last.token.Fact, why)
	}
	t = w.last.token
	w.tell(ctx, world.Update{Token: &t})
	return why
}

func (w *Watcher) lookAtRest(ctx context.Context, wants Wants) {
	for i, entry := range wants.Entries {
		why, stop := w.lookAtEntry(ctx, entry)
		if stop {
			w.lose(ctx, Wants{Entries: wants.Entries[i+1:], Caps: wants.Caps}, why, false)
			return
		}
	}
	if len(wants.Caps) == 0 {
		return
	}
	var caps map[string]world.Capabilities
	err := w.ask(ctx, func(ctx context.Context) (err error) {
		caps, err = w.client.Capabilities(ctx, wants.Caps...)
		return err
	})
	if err != nil {
		w.lose(ctx, Wants{Caps: wants.Caps}, Why(err), false)
		return
	}
	for _, p := range wants.Caps {
		c := caps[p]
		w.last.caps[p] = c
		w.tell(ctx, world.Update{Caps: &c})
	}
}

// lookAtEntry tells with stop that the next entry would fare no better.
func (w *Watcher) lookAtEntry(ctx context.Context, entry string) (why string, stop bool) {
	var e world.Entry
	err := w.ask(ctx, func(ctx context.Context) (err error) { e, err = w.entry(ctx, entry); return err })
	if err == nil {
		w.last.entries[entry] = e
		w.tell(ctx, world.Update{Entry: &e})
		return "", false
	}
	delete(w.mounts, entry)
	why = Why(err)
	w.loseEntry(ctx, entry, why)
	switch KindOf(err) {
	case Unreachable, Sealed, Standby, TLS, NotVault, RateLimited:
		return why, true
	}
	return why, false
}

// entry keeps the mount in mind: it saves every second call.
func (w *Watcher) entry(ctx context.Context, entry string) (world.Entry, error) {
	m, ok := w.mounts[entry]
	if !ok {
		var err error
		if m, err = w.client.resolve(ctx, entry); err != nil {
			return world.Entry{}, err
		}
	}
	l, err := w.client.look(ctx, entry, m)
	// A mount that was replaced answers "not found" for good; ask again.
	if err == nil && l.Presence == world.Present {
		w.mounts[entry] = m
	} else {
		delete(w.mounts, entry)
	}
	return l.Entry, err
}

// lose tells that the facts can't be had, and why.
func (w *Watcher) lose(ctx context.Context, wants Wants, why string, token bool) {
	if token {
		w.last.token.Fact = w.lost(w.last.token.Fact, why)
		t := w.last.token
		w.tell(ctx, world.Update{Token: &t})
	}
	for _, entry := range wants.Entries {
		w.loseEntry(ctx, entry, why)
	}
	for _, p := range wants.Caps {
		c := w.last.caps[p]
		c.Path, c.Fact = p, w.lost(c.Fact, why)
		w.last.caps[p] = c
		w.tell(ctx, world.Update{Caps: &c})
	}
}

func (w *Watcher) loseEntry(ctx context.Context, entry, why string) {
	e := w.last.entries[entry]
	e.Path, e.Fact = entry, w.lost(e.Fact, why)
	w.last.entries[entry] = e
	w.tell(ctx, world.Update{Entry: &e})
}

// lost is a fact that can't be had now: what was known stays, marked, and what
// never was is hidden.
func (w *Watcher) lost(f world.Fact, why string) world.Fact {
	if f.Seen.IsZero() {
		return world.Fact{Presence: world.Hidden, Why: why}
	}
	if !f.Stale {
		f.Stale, f.StaleSince = true, w.client.now()
	}
	f.Why = why
	return f
}

// tell drops what an ended context has made of the calls: it is no fact.
func (w *Watcher) tell(ctx context.Context, u world.Update) {
	if !errors.Is(ctx.Err(), context.Canceled) {
		w.sink(u)
	}
}
