package operators

import (
	"sort"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// shelf holds the newest known object of one kind by namespace/name. Objects on it are never changed in place.
//
// It is fed from two sides, the watch and the answers to our own writes, so that a controller sees what it has just
// written; resource versions decide which of the two is newer.
type shelf struct {
	mu     sync.RWMutex
	items  map[string]*unstructured.Unstructured
	gone   map[string]uint64 // resource version at which an object was seen deleted
	parsed map[string]parsed // what items have been read as
	synced bool
}

// parsed is an object as a Go type, so that a pass over everything does not read everything anew.
type parsed struct {
	from *unstructured.Unstructured
	as   any
}

func newShelf() *shelf {
	return &shelf{items: map[string]*unstructured.Unstructured{}, gone: map[string]uint64{}, parsed: map[string]parsed{}}
}

func key(o *unstructured.Unstructured) string { return o.GetNamespace() + "/" + o.GetName() }

func version(o *unstructured.Unstructured) uint64 {
	n, _ := strconv.ParseUint(o.GetResourceVersion(), 10, 64)
	return n
}

// put keeps o unless something newer is known, and reports whether it did.
func (s *shelf) put(o *unstructured.Unstructured) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, v := key(o), version(o)
	if old, ok := s.items[k]; ok && version(old) >= v {
		return false
	}
	if v <= s.gone[k] {
		return false
	}
	s.items[k] = o
	return true
}

// drop forgets o; an answer that was still on its way when the deletion was seen does not bring it back.
func (s *shelf) drop(o *unstructured.Unstructured) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, v := key(o), version(o)
	s.gone[k] = max(s.gone[k], v)
	old, ok := s.items[k]
	if !ok || (old.GetUID() != o.GetUID() && version(old) > v) {
		return false
	}
	delete(s.items, k)
	delete(s.parsed, k)
	return true
}

// replace makes the shelf equal to a list taken at resource version at. Newer answers to own writes stay.
func (s *shelf) replace(list []unstructured.Unstructured, at uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := make(map[string]*unstructured.Unstructured, len(list))
	for i := range list {
		next[key(&list[i])] = &list[i]
	}
	for k, old := range s.items {
		if listed, ok := next[k]; version(old) > at || (ok && version(old) > version(listed)) {
			next[k] = old
		}
	}
	s.items, s.gone, s.parsed, s.synced = next, map[string]uint64{}, map[string]parsed{}, true
}

func (s *shelf) empty() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.gone, s.parsed, s.synced = map[string]*unstructured.Unstructured{}, map[string]uint64{}, map[string]parsed{}, true
}

func (s *shelf) find(namespace, name string) *unstructured.Unstructured {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.items[namespace+"/"+name]
}

// list returns what is in namespace, or everything when it is empty, in the order of names.
func (s *shelf) list(namespace string) []*unstructured.Unstructured {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]*unstructured.Unstructured, 0, len(s.items))
	for _, o := range s.items {
		if namespace == "" || o.GetNamespace() == namespace {
			out = append(out, o)
		}
	}
	sort.Slice(out, func(i, j int) bool { return key(out[i]) < key(out[j]) })
	return out
}

// read returns o as what parse makes of it, from memory when that is possible.
func (s *shelf) read(o *unstructured.Unstructured, parse func(*unstructured.Unstructured) any) any {
	k := key(o)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.parsed[k]; ok && p.from == o {
		return p.as
	}
	as := parse(o)
	if s.items[k] == o {
		s.parsed[k] = parsed{o, as}
	}
	return as
}

func (s *shelf) ready() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.synced
}
