package vault

import (
	"slices"
	"strings"
	"time"
)

// defaultLease and maxLease are Vault's system-wide ones.
const (
	defaultLease = 768 * time.Hour
	maxLease     = 768 * time.Hour
)

// lastUse marks a token that is being used for the last time.
const lastUse = -1

// A token is one token and its lease.
type token struct {
	id, accessor string
	parent       string // "" for an orphan
	namespace    string
	policies     []string
	path         string // where it was made
	displayName  string
	meta         map[string]string
	kind         string // "service" or "batch"
	entity       string
	numUses      int // 0 is unlimited
	ttl          time.Duration
	roleMax      time.Duration // what the login's role allows at most
	explicitMax  time.Duration
	period       time.Duration
	created      time.Time
	renewed      time.Time
	expires      time.Time // zero is never
	renewable    bool
}

// A tokenStore holds the tokens that live.
type tokenStore struct{ byID map[string]*token }

func newTokenStore() tokenStore { return tokenStore{byID: map[string]*token{}} }

func (ts *tokenStore) add(t *token) { ts.byID[t.id] = t }

// lookup finds a token that is alive. One that has expired takes its children
// with it.
func (ts *tokenStore) lookup(id string, now time.Time) *token {
	t := ts.byID[id]
	if t == nil {
		return nil
	}
	// A parent that has expired revokes its children, also when nobody looked
	// at it since.
	for up := t; up != nil; up = ts.byID[up.parent] {
		if !up.expires.IsZero() && !now.Before(up.expires) {
			ts.revoke(up.id)
			return nil
		}
	}
	if t.numUses == lastUse {
		return nil
	}
	return t
}

func (ts *tokenStore) byAccessor(accessor string, now time.Time) *token {
	for id, t := range ts.byID {
		if t.accessor == accessor {
			return ts.lookup(id, now)
		}
	}
	return nil
}

// use takes one use and tells whether it was the last.
func (ts *tokenStore) use(t *token) (last bool) {
	switch t.numUses {
	case 0:
		return false
	case 1:
		t.numUses = lastUse
		return true
	}
	t.numUses--
	return false
}

// revoke ends a token and all that it made.
func (ts *tokenStore) revoke(id string) {
	delete(ts.byID, id)
	for child, t := range ts.byID {
		if t.parent == id {
			ts.revoke(child)
		}
	}
}

// orphan ends a token and lets its children live on their own.
func (ts *tokenStore) orphan(id string) {
	delete(ts.byID, id)
	for _, t := range ts.byID {
		if t.parent == id {
			t.parent = ""
		}
	}
}

// leaseFor works out how long a token may live: the period, else what was
// asked for, never past the maximum counted from its creation.
func (t *token) leaseFor(asked time.Duration, now time.Time) (time.Duration, []string) {
	limit := maxLease
	for _, most := range []time.Duration{t.roleMax, t.explicitMax} {
		if most > 0 {
			limit = min(limit, most)
		}
	}
	var warnings []string
	ttl, capped := asked, true
	switch {
	case t.period > 0:
		ttl, capped = min(t.period, maxLease), t.explicitMax > 0
	case ttl <= 0:
		ttl = defaultLease
	}
	if left := t.created.Add(limit).Sub(now).Truncate(time.Second); capped && ttl > left {
		warnings = append(warnings, "TTL of \""+humanTTL(ttl)+"\" exceeded the effective max_ttl of \""+humanTTL(left)+"\"; TTL value is capped accordingly")
		ttl = left
	}
	return ttl, warnings
}

// humanTTL prints a duration without its zero units.
func humanTTL(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// cleanPolicies is how Vault keeps a list of policies: lower case, sorted, each
// once, and root alone.
func cleanPolicies(in []string, addDefault bool) []string {
	out := []string{}
	for _, p := range in {
		p = strings.ToLower(strings.TrimSpace(p))
		if p == "" {
			continue
		}
		if p == "root" {
			return []string{"root"}
		}
		out = append(out, p)
	}
	if addDefault {
		out = append(out, "default")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// info is what a lookup tells about a token.
func (t *token) info(now time.Time) map[string]any {
	data := map[string]any{
		"id": t.id, "accessor": t.accessor, "policies": t.policies, "path": t.path,
		"display_name": t.displayName, "num_uses": t.numUses, "orphan": t.parent == "",
		"creation_time": t.created.Unix(), "creation_ttl": int64(t.ttl.Seconds()),
		"expire_time": nil, "ttl": int64(0), "explicit_max_ttl": int64(t.explicitMax.Seconds()),
		"entity_id": t.entity, "type": t.kind, "meta": nil,
	}
	if t.meta != nil {
		data["meta"] = t.meta
	}
	if t.period > 0 {
		data["period"] = int64(t.period.Seconds())
	}
	if t.namespace != "" {
		data["namespace_path"] = t.namespace
	}
	if !t.expires.IsZero() {
		data["expire_time"] = t.expires
		data["ttl"] = int64(t.expires.Sub(now.Round(time.Second)).Seconds())
		data["renewable"] = t.renewable
		data["issue_time"] = t.created
	}
	if !t.renewed.IsZero() {
		data["last_renewal"], data["last_renewal_time"] = t.renewed, t.renewed.Unix()
	}
	return data
}

func (t *token) auth() *authReply {
	meta := t.meta
	return &authReply{
		ClientToken: t.id, Accessor: t.accessor, Policies: t.policies, TokenPolicies: t.policies,
		Metadata: meta, LeaseDuration: int(t.ttl.Seconds()), Renewable: t.renewable, EntityID: t.entity,
		TokenType: t.kind, Orphan: t.parent == "", NumUses: t.numUses,
	}
}
