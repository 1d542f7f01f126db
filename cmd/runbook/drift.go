package main

import "time"

// driftEvery is how often the operator's kubeconfig is read again: somebody who
// changes the context in another window is told before the next key or two.
const driftEvery = 3 * time.Second

// drift says what the kubeconfig says by now, if that isn't what the run was
// pinned to.
func (b *builder) drift() string {
	text, _ := b.target.cluster.Drift()
	return text
}

// ticks are the moments at which the kubeconfig is looked at, until the walk
// is closed.
func (b *builder) ticks() <-chan time.Time {
	t := time.NewTicker(driftEvery)
	b.closing(func() error { t.Stop(); return nil })
	return t.C
}
