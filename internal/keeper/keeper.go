package keeper

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/vault"
)

// A Cluster reads one key of a Secret; see [cluster.Client.SecretKey].
type Cluster interface {
	SecretKey(ctx context.Context, namespace, name, key string, use func(value []byte)) (there bool, err error)
}

// A Vault fingerprints one property of an entry; see [vault.Client.Fingerprint].
type Vault interface {
	Fingerprint(ctx context.Context, entry, property string, salt []byte) (vault.Fingerprint, error)
}

// A Keeper compares protected values. A nil Cluster or Vault is one that isn't
// configured: what it holds can't be told.
type Keeper struct {
	Cluster Cluster
	Vault   Vault
	Salt    []byte
	// Hide is told every value of a Secret that was read, so that no output shows it.
	Hide func(values ...string)

	mu     sync.Mutex
	marked map[place]reading
}

// A place is where a protected value lives.
type place struct{ protects, layer string }

// The layers, as they are called in a [guard.Change].
const (
	inVault  = "Vault"
	inSecret = "Secret"
)

// A reading is a value at one moment: its fingerprint, that it isn't there, or
// why it can't be told.
type reading struct {
	print vault.Fingerprint
	there bool
	err   error
}

// Mark remembers the values as they are now. What can't be read is remembered
// as that.
func (k *Keeper) Mark(ctx context.Context, protects []steps.Protect) error {
	now := k.read(ctx, protects)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.marked = now
	return ctx.Err()
}

// Foresee compares the values that a step would give to the keys of protected
// Secrets with those that are there. Of several for one key it says the worst:
// that one can't be told, or is another.
func (k *Keeper) Foresee(ctx context.Context, protects []steps.Protect, given map[string][]guard.Given) []guard.Change {
	var out []guard.Change
	for _, p := range protects {
		if p.Secret == "" || len(given[p.Name]) == 0 {
			continue
		}
		c := guard.Change{Protects: p.Name, Layer: inSecret}
		live := k.ofSecret(ctx, p)
		if live.err != nil {
			c.Now, c.Why = guard.CantTell, live.err.Error()
			out = append(out, c)
			continue
		}
		for _, g := range given[p.Name] {
			if state, why := compare(live, k.ofGiven(g)); worse(state, c.Now) {
				c.Now, c.Why = state, why
			}
		}
		out = append(out, c)
	}
	return out
}

// ofGiven is the reading of a value that is not in the cluster yet.
func (k *Keeper) ofGiven(g guard.Given) reading {
	value, known := g()
	if !known {
		return reading{err: errors.New("it is only known when the step runs")}
	}
	if k.Hide != nil {
		k.Hide(value)
	}
	return reading{print: vault.NewSecret(value).Fingerprint(k.Salt), there: true}
}

// worse tells whether a state is worse news than another one.
func worse(a, b guard.ChangeState) bool {
	order := []guard.ChangeState{"", guard.Same, guard.Created, guard.Whitespace, guard.CantTell, guard.Changed}
	return slices.Index(order, a) > slices.Index(order, b)
}

// Compare says what became of each value since the mark. A value that neither
// was there nor is has no change to tell.
func (k *Keeper) Compare(ctx context.Context, protects []steps.Protect) []guard.Change {
	now := k.read(ctx, protects)
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []guard.Change
	for _, at := range places(protects) {
		before, marked := k.marked[at]
		if !marked {
			before.err = errors.New("there is nothing to compare with")
		}
		if state, why := compare(before, now[at]); state != "" {
			out = append(out, guard.Change{Protects: at.protects, Layer: at.layer, Now: state, Why: why})
		}
	}
	return out
}

func compare(before, now reading) (guard.ChangeState, string) {
	switch {
	case now.err != nil:
		return guard.CantTell, now.err.Error()
	case before.err != nil:
		return guard.CantTell, "before the step: " + before.err.Error()
	case !before.there && !now.there:
		return "", ""
	case !before.there:
		return guard.Created, ""
	case !now.there:
		return guard.Removed, ""
	}
	switch now.print.Compare(before.print) {
	case vault.Same:
		return guard.Same, ""
	case vault.OnlyWhitespace:
		return guard.Whitespace, ""
	case vault.Changed:
		return guard.Changed, ""
	}
	return guard.CantTell, "it has no fingerprint"
}

// places lists where protected values live, in the order of the runbook and of
// the way they take: from Vault into the Secret.
func places(protects []steps.Protect) []place {
	var out []place
	for _, p := range protects {
		if p.Vault != "" {
			out = append(out, place{p.Name, inVault})
		}
		if p.Secret != "" {
			out = append(out, place{p.Name, inSecret})
		}
	}
	return out
}

// read reads every place at the same time: a step waits for it.
func (k *Keeper) read(ctx context.Context, protects []steps.Protect) map[place]reading {
	out := map[place]reading{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	look := func(at place, how func() reading) {
		wg.Go(func() {
			r := how()
			mu.Lock()
			defer mu.Unlock()
			out[at] = r
		})
	}
	for _, p := range protects {
		if p.Vault != "" {
			look(place{p.Name, inVault}, func() reading { return k.ofVault(ctx, p) })
		}
		if p.Secret != "" {
			look(place{p.Name, inSecret}, func() reading { return k.ofSecret(ctx, p) })
		}
	}
	wg.Wait()
	return out
}

func (k *Keeper) ofVault(ctx context.Context, p steps.Protect) reading {
	if k.Vault == nil {
		return reading{err: errors.New("no Vault is configured")}
	}
	print, err := k.Vault.Fingerprint(ctx, p.Vault, p.Property, k.Salt)
	switch vault.KindOf(err) {
	case vault.NotFound, vault.Gone:
		return reading{}
	}
	return reading{print: print, there: err == nil, err: err}
}

func (k *Keeper) ofSecret(ctx context.Context, p steps.Protect) reading {
	if k.Cluster == nil {
		return reading{err: errors.New("no cluster is configured")}
	}
	namespace, name, _ := strings.Cut(p.Secret, "/")
	r := reading{}
	r.there, r.err = k.Cluster.SecretKey(ctx, namespace, name, p.Key, func(value []byte) {
		if k.Hide != nil {
			k.Hide(string(value))
		}
		r.print = vault.NewSecret(string(value)).Fingerprint(k.Salt)
	})
	return r
}
