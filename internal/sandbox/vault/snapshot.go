package vault

import (
	"maps"
	"reflect"
)

// A Snapshot is what the secrets engines of a server kept at one moment.
type Snapshot struct {
	engines map[string]map[string]engine // by namespace and mount
}

// Snapshot remembers every entry with its versions and their times. Tokens,
// policies and the seal aren't part of it.
func (s *Server) Snapshot() Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Snapshot{engines: map[string]map[string]engine{}}
	for path, ns := range s.spaces {
		p.engines[path] = map[string]engine{}
		for at, m := range ns.mounts {
			p.engines[path][at] = m.kv.clone()
		}
	}
	return p
}

// Same tells whether both hold the same.
func (p Snapshot) Same(q Snapshot) bool { return reflect.DeepEqual(p.engines, q.engines) }

// Restore brings the entries of the mounts that are there back to a snapshot of
// this server.
func (s *Server) Restore(p Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, ns := range s.spaces {
		for at, m := range ns.mounts {
			if kept, ok := p.engines[path][at]; ok {
				m.kv = kept.clone()
			}
		}
	}
}

func (e *kv2) clone() engine {
	out := &kv2{entries: map[string]*entry{}, config: e.config}
	for name, ent := range e.entries {
		c := *ent
		c.custom, c.versions = maps.Clone(ent.custom), map[int]*version{}
		for n, v := range ent.versions {
			kept := *v // its data is never changed in place
			c.versions[n] = &kept
		}
		out.entries[name] = &c
	}
	return out
}

func (e *kv1) clone() engine { return e.copied() }

func (e *kv1) copied() *kv1 { return &kv1{entries: maps.Clone(e.entries), mount: e.mount} }

func (c *cubbyhole) clone() engine {
	out := &cubbyhole{byToken: map[string]*kv1{}}
	for token, kept := range c.byToken {
		out.byToken[token] = kept.copied()
	}
	return out
}

func (e noEngine) clone() engine { return e }
