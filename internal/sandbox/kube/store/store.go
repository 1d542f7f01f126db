package store

import (
	"errors"
	"maps"
	"sort"
	"strconv"
	"sync"
)

// ErrCompacted says that what was asked lies before the oldest remembered change.
var ErrCompacted = errors.New("revision compacted")

// Key names one object. Resource is the storage name ("pods", "deployments.apps"); Namespace is empty
// for what is cluster-scoped.
type Key struct{ Resource, Namespace, Name string }

// Object is the JSON form of an API object.
type Object = map[string]any

// Type says what an Event did.
type Type int

// What an event can do. Dropped ends a whole resource: its definition has been removed.
const (
	Added Type = iota
	Modified
	Deleted
	Dropped
)

// Event is one change. Prev is the object before it, nil for Added.
type Event struct {
	Type     Type
	Revision uint64
	Key      Key
	Object   Object
	Prev     Object
}

type slot struct{ namespace, name string }

// Store is safe for use by many goroutines.
type Store struct {
	mu        sync.RWMutex
	revision  uint64
	items     map[string]map[slot]Object
	log       []Event
	compacted uint64
	keep      int
	changed   chan struct{}
}

// New makes an empty store that remembers at least the last keep changes.
func New(keep int) *Store {
	return &Store{revision: 1, items: map[string]map[slot]Object{}, keep: keep, changed: make(chan struct{})}
}

// Revision is that of the last change.
func (s *Store) Revision() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.revision
}

// Read finds one object.
func (s *Store) Read(k Key) (Object, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	o, ok := s.items[k.Resource][slot{k.Namespace, k.Name}]
	return o, ok
}

// Put writes an object under the next revision, which it also writes into a copy of the object's
// metadata; the copy is what was stored.
func (s *Store) Put(k Key, o Object) Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	o = stamped(o, s.revision)
	at := slot{k.Namespace, k.Name}
	prev, existed := s.items[k.Resource][at]
	if s.items[k.Resource] == nil {
		s.items[k.Resource] = map[slot]Object{}
	}
	s.items[k.Resource][at] = o
	e := Event{Type: Added, Revision: s.revision, Key: k, Object: o}
	if existed {
		e.Type, e.Prev = Modified, prev
	}
	s.append(e)
	return o
}

// Remove deletes an object and returns it as it was last, under the revision of its removal.
func (s *Store) Remove(k Key) (Object, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slot{k.Namespace, k.Name}
	prev, ok := s.items[k.Resource][at]
	if !ok {
		return nil, false
	}
	s.revision++
	delete(s.items[k.Resource], at)
	o := stamped(prev, s.revision)
	s.append(Event{Type: Deleted, Revision: s.revision, Key: k, Object: o, Prev: prev})
	return o, true
}

// Drop marks the end of a resource, after which every watch on it ends.
func (s *Store) Drop(resource string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	delete(s.items, resource)
	s.append(Event{Type: Dropped, Revision: s.revision, Key: Key{Resource: resource}})
}

// Compact forgets every change up to now: watches and lists from before it find ErrCompacted.
func (s *Store) Compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log, s.compacted = nil, s.revision
	s.wake()
}

func (s *Store) append(e Event) {
	s.log = append(s.log, e)
	if len(s.log) > 2*s.keep {
		drop := len(s.log) - s.keep
		s.compacted = s.log[drop-1].Revision
		s.log = append([]Event(nil), s.log[drop:]...)
	}
	s.wake()
}

func (s *Store) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Since gives the changes of one resource ("" for all) after a revision, the revision they reach to, and
// a channel that is closed at the next change. It fails with ErrCompacted when changes are missing.
func (s *Store) Since(resource string, revision uint64) ([]Event, uint64, <-chan struct{}, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if revision < s.compacted {
		return nil, s.revision, s.changed, ErrCompacted
	}
	var out []Event
	from := sort.Search(len(s.log), func(i int) bool { return s.log[i].Revision > revision })
	for _, e := range s.log[from:] {
		if resource == "" || e.Key.Resource == resource {
			out = append(out, e)
		}
	}
	return out, s.revision, s.changed, nil
}

// List gives the objects of a resource in one namespace ("" for all), by namespace and name, and the
// revision at which they are true.
func (s *Store) List(resource, namespace string) ([]Object, uint64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return sorted(s.items[resource], namespace), s.revision
}

// ListAt is List as it would have been answered at an earlier revision.
func (s *Store) ListAt(resource, namespace string, revision uint64) ([]Object, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if revision < s.compacted {
		return nil, ErrCompacted
	}
	then := maps.Clone(s.items[resource])
	if then == nil {
		then = map[slot]Object{}
	}
	for i := len(s.log) - 1; i >= 0 && s.log[i].Revision > revision; i-- {
		e := s.log[i]
		switch at := (slot{e.Key.Namespace, e.Key.Name}); {
		case e.Key.Resource != resource || e.Type == Dropped:
		case e.Type == Added:
			delete(then, at)
		default:
			then[at] = e.Prev
		}
	}
	return sorted(then, namespace), nil
}

func sorted(items map[slot]Object, namespace string) []Object {
	slots := make([]slot, 0, len(items))
	for at := range items {
		if namespace == "" || at.namespace == namespace {
			slots = append(slots, at)
		}
	}
	sort.Slice(slots, func(i, j int) bool {
		if slots[i].namespace != slots[j].namespace {
			return slots[i].namespace < slots[j].namespace
		}
		return slots[i].name < slots[j].name
	})
	out := make([]Object, len(slots))
	for i, at := range slots {
		out[i] = items[at]
	}
	return out
}

func stamped(o Object, revision uint64) Object {
	o = maps.Clone(o)
	meta, _ := o["metadata"].(map[string]any)
	meta = maps.Clone(meta)
	if meta == nil {
		meta = map[string]any{}
	}
	meta["resourceVersion"] = strconv.FormatUint(revision, 10)
	o["metadata"] = meta
	return o
}
