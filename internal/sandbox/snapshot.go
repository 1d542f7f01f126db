package sandbox

import (
	"runbook/internal/sandbox/kube"
	"runbook/internal/sandbox/vault"
)

// A Snapshot is the state of a sandbox at one moment: the objects of the cluster, and what Vault keeps.
type Snapshot struct {
	kube  kube.Snapshot
	vault vault.Snapshot
}

// Same tells whether nothing has changed from one snapshot to another of the same sandbox.
func (p Snapshot) Same(q Snapshot) bool {
	return p.kube.Revision() == q.kube.Revision() && p.vault.Same(q.vault)
}

// Snapshot remembers the state as it is now.
func (s *Sandbox) Snapshot() Snapshot {
	return Snapshot{kube: s.kube.Snapshot(), vault: s.vault.Snapshot()}
}

// Restore brings cluster and Vault back to a snapshot of this sandbox. The operators go on from there; containers of
// pods that had gone in between start again.
func (s *Sandbox) Restore(p Snapshot) {
	s.vault.Restore(p.vault)
	s.kube.Restore(p.kube)
}
