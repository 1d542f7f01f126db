package probe

import (
	"context"
	"slices"
	"sync"
	"time"

	"runbook/internal/world"
)

// every is how often a wanted address is asked.
const every = 3 * time.Second

// A Watcher asks the wanted addresses again and again until it is closed.
type Watcher struct {
	ask    func(context.Context, string) world.Probe
	sink   func(world.Update)
	tick   <-chan time.Time
	cancel context.CancelFunc
	done   chan struct{}

	mu   sync.Mutex
	want []string
	bell chan struct{}
}

// NewWatcher starts a watcher. tick says when to ask again; nil means every
// three seconds.
func NewWatcher(ctx context.Context, ask func(context.Context, string) world.Probe, sink func(world.Update), tick <-chan time.Time) *Watcher {
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{ask: ask, sink: sink, tick: tick, cancel: cancel, done: make(chan struct{}), bell: make(chan struct{}, 1)}
	go func() {
		defer close(w.done)
		w.loop(ctx)
	}()
	return w
}

// Close stops asking and waits for questions that are under way.
func (w *Watcher) Close() {
	w.cancel()
	<-w.done
}

// Want sets the addresses to ask.
func (w *Watcher) Want(urls []string) {
	w.mu.Lock()
	same := slices.Equal(w.want, urls)
	w.want = slices.Clone(urls)
	w.mu.Unlock()
	if !same {
		w.Refresh()
	}
}

// Refresh asks all of them now.
func (w *Watcher) Refresh() {
	select {
	case w.bell <- struct{}{}:
	default: // it has been rung already
	}
}

func (w *Watcher) loop(ctx context.Context) {
	tick := w.tick
	if tick == nil {
		t := time.NewTicker(every)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.bell:
		case <-tick:
		}
		w.round(ctx)
	}
}

// round asks every wanted address, all at once.
func (w *Watcher) round(ctx context.Context) {
	w.mu.Lock()
	urls := w.want
	w.mu.Unlock()
	var asked sync.WaitGroup
	for _, u := range urls {
		asked.Go(func() {
			p := w.ask(ctx, u)
			if ctx.Err() == nil {
				w.sink(world.Update{Probe: &p})
			}
		})
	}
	asked.Wait()
}
