package cluster

import (
	"context"
	"slices"
	"sync"
	"time"

	"runbook/internal/world"
)

// Options are how patient a [Watcher] is. Zero fields have defaults.
type Options struct {
	Relist     time.Duration    // how long a watch is trusted before it is begun anew; 30s
	Poll       time.Duration    // how often what can't be watched is asked for; 5s
	MinBackoff time.Duration    // first pause after a failure; 250ms
	MaxBackoff time.Duration    // longest pause after failures; 5s
	LoginPause time.Duration    // how often a refused login is tried again; 10s
	Linger     time.Duration    // how long what nobody wants is watched on; 10s
	Now        func() time.Time // this machine's clock; time.Now
}

func (o Options) filled() Options {
	fill := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	fill(&o.Relist, 30*time.Second)
	fill(&o.Poll, 5*time.Second)
	fill(&o.MinBackoff, 250*time.Millisecond)
	fill(&o.MaxBackoff, 5*time.Second)
	fill(&o.LoginPause, 10*time.Second)
	fill(&o.Linger, 10*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// A Watcher keeps the wanted objects known and reports each change. It watches
// by name, so it costs what is wanted and not what the cluster holds.
type Watcher struct {
	client *Client
	o      Options
	sink   func(world.Update)

	mu      sync.Mutex
	refs    []world.Ref   // the latest wanted set
	wants   chan struct{} // holds a token when refs is news
	again   chan struct{}
	reports chan sent
	ctx     context.Context // the watcher's own life, ended by Close
	cancel  context.CancelFunc
	all     sync.WaitGroup
}

// Watch starts a watcher that wants nothing yet. The sink is called from one
// goroutine, in order; while it blocks nothing new is reported. Close ends it.
func Watch(c *Client, o Options, sink func(world.Update)) *Watcher {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Watcher{
		client: c, o: o.filled(), sink: sink, ctx: ctx, cancel: cancel,
		wants: make(chan struct{}, 1), again: make(chan struct{}, 1), reports: make(chan sent),
	}
	c.login.pausing(w.o.LoginPause)
	w.all.Go(func() { w.loop() })
	return w
}

// Want sets the full set of wanted objects. What is in it already goes on
// undisturbed; what isn't any more is watched on for a while, so that going
// back and forth between steps costs nothing, and is then reported as dropped.
// It doesn't wait, so that whoever takes the updates may call it.
func (w *Watcher) Want(refs []world.Ref) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refs = slices.Clone(refs)
	select {
	case w.wants <- struct{}{}:
	default: // the loop will see these in place of the last
	}
}

func (w *Watcher) wanted() []world.Ref {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.refs
}

// Refresh asks for everything again now.
func (w *Watcher) Refresh() {
	select {
	case w.again <- struct{}{}:
	default: // one is on its way
	}
}

// Close ends all watches and returns when the last goroutine has ended, which
// includes a running call of the sink. There is none afterwards.
func (w *Watcher) Close() {
	w.cancel()
	w.all.Wait()
}
