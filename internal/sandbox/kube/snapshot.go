package kube

import "runbook/internal/sandbox/kube/store"

// A Snapshot is everything that a server had at one moment.
type Snapshot struct{ objects store.Snapshot }

// Revision grows with every change; two snapshots with the same one are of the same state.
func (p Snapshot) Revision() uint64 { return p.objects.Revision() }

// Snapshot remembers all objects as they are now.
func (s *Server) Snapshot() Snapshot {
	s.writing.Lock()
	defer s.writing.Unlock()
	return Snapshot{objects: s.store.Snapshot()}
}

// Restore brings all objects back to a snapshot of this server, as if somebody
// had changed them one by one: they keep their uids, and whoever watches sees
// the changes. Nobody else writes in between.
func (s *Server) Restore(p Snapshot) {
	s.writing.Lock()
	defer s.writing.Unlock()
	for _, e := range s.store.Restore(p.objects) {
		switch {
		case e.Key.Resource != crdResource:
		case e.Type == store.Deleted:
			s.undefine(e.Key.Name)
		default:
			s.define(e.Object)
		}
	}
}
