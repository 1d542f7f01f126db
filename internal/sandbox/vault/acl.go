package vault

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// An acl is what a token's policies allow together. Where Vault looks for a
// rule: the exact path, then for a list the path without its slash, then the
// most specific of the longest prefix and the paths with + segments.
type acl struct {
	root   bool
	exact  map[string]*rule
	prefix map[string]*rule
	wild   map[string]*rule
}

func newACL(policies []*policy) *acl {
	a := &acl{exact: map[string]*rule{}, prefix: map[string]*rule{}, wild: map[string]*rule{}}
	for _, p := range policies {
		for _, r := range p.rules {
			a.add(r)
		}
	}
	return a
}

// add merges a rule into the one with the same path: capabilities add up, and
// deny in any of them wins over all.
func (a *acl) add(r rule) {
	set := a.exact
	switch {
	case r.wild:
		set = a.wild
	case r.prefix:
		set = a.prefix
	}
	old, ok := set[r.path]
	switch {
	case !ok:
		set[r.path] = &r
	case old.caps&capDeny != 0:
	case r.caps&capDeny != 0:
		old.caps, old.allowed, old.denied = capDeny, nil, nil
	default:
		old.caps |= r.caps
		old.allowed, old.denied = mergeParameters(old.allowed, r.allowed), mergeParameters(old.denied, r.denied)
		old.required = append(append([]string(nil), old.required...), r.required...)
		old.wrapOnly = old.wrapOnly || r.wrapOnly
	}
}

func mergeParameters(a, b map[string][]any) map[string][]any {
	if len(b) == 0 {
		return a
	}
	out := map[string][]any{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		old, ok := out[k]
		if len(v) == 0 || ok && len(old) == 0 {
			out[k] = []any{} // an empty list stands for any value
			continue
		}
		out[k] = append(append([]any(nil), v...), old...)
	}
	return out
}

// find returns the one rule that decides about the path, or nil.
func (a *acl) find(path string, o op) *rule {
	if r, ok := a.exact[path]; ok {
		return r
	}
	if o == opList {
		if r, ok := a.exact[strings.TrimSuffix(path, "/")]; ok {
			return r
		}
	}
	return a.findInexact(path)
}

// A candidate is a rule that matches, with what decides between several.
type candidate struct {
	rule   *rule
	path   string // without a trailing *
	first  int    // where the first + or * is
	plus   int    // number of + segments
	prefix bool
}

// less says that d is the less specific of the two.
func (d candidate) less(e candidate) bool {
	switch {
	case d.first != e.first:
		return d.first < e.first
	case d.prefix != e.prefix:
		return d.prefix
	case d.plus != e.plus:
		return d.plus > e.plus
	case len(d.path) != len(e.path):
		return len(d.path) < len(e.path)
	}
	return d.path < e.path
}

func (a *acl) findInexact(path string) *rule {
	var found []candidate
	longest := -1
	var best *rule
	for p, r := range a.prefix {
		if len(p) > longest && strings.HasPrefix(path, p) {
			longest, best = len(p), r
		}
	}
	if best != nil {
		found = append(found, candidate{rule: best, path: best.path, first: longest, prefix: true})
	}
	for p, r := range a.wild {
		if c, ok := matchWild(p, path); ok {
			c.rule = r
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return nil
	}
	sort.Slice(found, func(i, j int) bool { return found[i].less(found[j]) })
	return found[len(found)-1].rule
}

// matchWild matches a path against one with + segments, segment by segment.
func matchWild(pattern, path string) (candidate, bool) {
	c := candidate{first: strings.Index(pattern, "+")}
	c.path, c.prefix = strings.CutSuffix(pattern, "*")
	want, got := strings.Split(c.path, "/"), strings.Split(path, "/")
	if len(got) < len(want) || !c.prefix && len(got) != len(want) {
		return c, false
	}
	for i, w := range want {
		last := c.prefix && i == len(want)-1
		switch {
		case w == "+":
			c.plus++
		case w == got[i], last && strings.HasPrefix(got[i], w):
		default:
			return c, false
		}
	}
	return c, true
}

// allows decides about one request. path starts with the namespace's.
func (a *acl) allows(o op, path string, data map[string]any) bool {
	if a.root {
		return true
	}
	r := a.find(path, o)
	if r == nil || r.caps&capabilityNames[string(o)] == 0 || r.wrapOnly {
		return false
	}
	if o == opList || o == opDelete {
		return true
	}
	return r.allowsParameters(data)
}

func (r *rule) allowsParameters(data map[string]any) bool {
	for _, p := range r.required {
		if _, ok := data[strings.ToLower(p)]; !ok {
			return false
		}
	}
	if len(data) == 0 {
		return true
	}
	if _, all := r.denied["*"]; all {
		return false
	}
	for k, v := range data {
		if values, ok := r.denied[strings.ToLower(k)]; ok && contains(values, v) {
			return false
		}
	}
	if len(r.allowed) == 0 {
		return true
	}
	_, any := r.allowed["*"]
	for k, v := range data {
		values, ok := r.allowed[strings.ToLower(k)]
		if !ok && !any || ok && !contains(values, v) {
			return false
		}
	}
	return true
}

// contains tells whether v is among the values; an empty list has them all.
func contains(values []any, v any) bool {
	if len(values) == 0 {
		return true
	}
	for _, want := range values {
		if w, ok := want.(string); ok && globbed(w, fmt.Sprint(v)) {
			return true
		}
		a, errA := json.Marshal(want)
		b, errB := json.Marshal(v)
		if errA == nil && errB == nil && string(a) == string(b) {
			return true
		}
	}
	return false
}

// globbed matches with a * at either end, as parameter values may have one.
func globbed(pattern, s string) bool {
	rest, front := strings.CutPrefix(pattern, "*")
	rest, back := strings.CutSuffix(rest, "*")
	switch {
	case front && back:
		return strings.Contains(s, rest)
	case front:
		return strings.HasSuffix(s, rest)
	case back:
		return strings.HasPrefix(s, rest)
	}
	return s == pattern
}

// capabilities lists what the policies grant on a path, sorted; without any it
// is "deny".
func (a *acl) capabilities(path string) []string {
	if a.root {
		return []string{"root"}
	}
	var out []string
	// As a list, so that a rule without the slash counts for one with it.
	if r := a.find(path, opList); r != nil && r.caps&capDeny == 0 {
		for name, c := range capabilityNames {
			if r.caps&c != 0 {
				out = append(out, name)
			}
		}
	}
	if len(out) == 0 {
		return []string{"deny"}
	}
	sort.Strings(out)
	return out
}

// sudo tells whether the path is granted with sudo.
func (a *acl) sudo(path string) bool {
	if a.root {
		return true
	}
	r := a.find(path, opUpdate)
	return r != nil && r.caps&capSudo != 0
}

// reaches tells whether anything at or below the mount is granted: what the
// preflight asks.
func (a *acl) reaches(mount string) bool {
	if caps := a.capabilities(mount); len(caps) != 1 || caps[0] != "deny" {
		return true
	}
	for _, set := range []map[string]*rule{a.exact, a.prefix} {
		for p, r := range set {
			if strings.HasPrefix(p, mount) && r.caps&capDeny == 0 && r.caps != 0 {
				return true
			}
		}
	}
	for p, r := range a.wild {
		if r.caps&capDeny == 0 && r.caps != 0 && wildReaches(p, mount) {
			return true
		}
	}
	return false
}

// wildReaches tells whether a pattern with + segments can match something
// below the mount.
func wildReaches(pattern, mount string) bool {
	pattern, prefix := strings.CutSuffix(pattern, "*")
	want, got := strings.Split(pattern, "/"), strings.Split(strings.TrimSuffix(mount, "/"), "/")
	for i, g := range got {
		switch {
		case i >= len(want):
			return false
		case want[i] == "+", want[i] == g:
		case prefix && i == len(want)-1:
			return strings.HasPrefix(g, want[i])
		default:
			return false
		}
	}
	return len(want) > len(got)
}
