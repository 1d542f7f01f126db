package store

import (
	"maps"
	"reflect"
)

// A Snapshot is everything that a store held at one moment.
type Snapshot struct {
	revision uint64
	items    map[string]map[slot]Object
}

// Revision is that of the last change before the snapshot.
func (p Snapshot) Revision() uint64 { return p.revision }

// Snapshot remembers what is there now.
func (s *Store) Snapshot() Snapshot {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return Snapshot{revision: s.revision, items: copied(s.items)}
}

func copied(items map[string]map[slot]Object) map[string]map[slot]Object {
	out := make(map[string]map[slot]Object, len(items))
	for resource, objects := range items {
		out[resource] = maps.Clone(objects)
	}
	return out
}

// Restore changes the store until it holds what the snapshot does, and returns the changes. They are ordinary ones,
// with revisions of their own: whoever watches sees time go on, and things come back. An object that is the same but
// for its revision is left alone.
func (s *Store) Restore(p Snapshot) []Event {
	s.mu.Lock()
	before := copied(s.items)
	s.mu.Unlock()
	var out []Event
	for resource, objects := range before {
		for at, o := range objects {
			if _, stays := p.items[resource][at]; !stays {
				k := Key{Resource: resource, Namespace: at.namespace, Name: at.name}
				s.Remove(k)
				out = append(out, Event{Type: Deleted, Key: k, Object: o})
			}
		}
	}
	for resource, objects := range p.items {
		for at, o := range objects {
			if now, ok := before[resource][at]; ok && same(now, o) {
				continue
			}
			k := Key{Resource: resource, Namespace: at.namespace, Name: at.name}
			out = append(out, Event{Type: Modified, Key: k, Object: s.Put(k, o)})
		}
	}
	return out
}

// same compares two objects without their revisions.
func same(a, b Object) bool {
	if reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer() {
		return true
	}
	return reflect.DeepEqual(stamped(a, 0), stamped(b, 0))
}
