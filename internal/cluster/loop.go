package cluster

import (
	"context"
	"maps"
	"slices"
	"time"

	"runbook/internal/world"
)

// A sent report says which query it answers.
type sent struct {
	query  query
	report report
}

// A running source and what it last said.
type running struct {
	source *source
	cancel context.CancelFunc
	last   report
}

// A state is what the loop alone knows.
type state struct {
	*Watcher
	until   map[world.Ref]time.Time // every object that is watched: zero, or when it is dropped
	sources map[query]*running
	uses    map[world.Ref][]query // what each wanted object was last made from
	dirty   map[world.Ref]bool
}

func (w *Watcher) loop() {
	s := &state{
		Watcher: w, until: map[world.Ref]time.Time{}, sources: map[query]*running{},
		uses: map[world.Ref][]query{}, dirty: map[world.Ref]bool{},
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		select {
		case <-w.wants:
			s.want(w.wanted())
		case r := <-w.reports:
			s.take(r)
			s.takeWaiting()
		case <-w.again:
			s.kickAll()
		case <-timer.C:
			s.drop()
		case <-w.ctx.Done():
			return
		}
		s.compose()
		s.stopUnused()
		timer.Reset(s.untilDrop())
	}
}

func (s *state) want(refs []world.Ref) {
	now := s.o.Now()
	for ref, until := range s.until {
		if until.IsZero() && !slices.Contains(refs, ref) {
			s.until[ref] = now.Add(s.o.Linger)
		}
	}
	for _, ref := range refs {
		if _, known := s.until[ref]; !known {
			s.dirty[ref] = true
		}
		s.until[ref] = time.Time{}
	}
}

func (s *state) untilDrop() time.Duration {
	next := time.Hour
	for _, until := range s.until {
		if !until.IsZero() {
			next = min(next, max(0, until.Sub(s.o.Now())))
		}
	}
	return next
}

func (s *state) drop() {
	now := s.o.Now()
	for ref, until := range s.until {
		if !until.IsZero() && !until.After(now) {
			delete(s.until, ref)
			delete(s.uses, ref)
			delete(s.dirty, ref)
			s.sink(world.Update{Dropped: &ref})
		}
	}
}

// take stores a report; one of a source that was stopped meanwhile is nobody's.
func (s *state) take(r sent) {
	run, ok := s.sources[r.query]
	if !ok {
		return
	}
	run.last = r.report
	for ref, queries := range s.uses {
		if slices.Contains(queries, r.query) {
			s.dirty[ref] = true
		}
	}
}

// takeWaiting takes what else is ready, so that a burst is composed once.
func (s *state) takeWaiting() {
	for {
		select {
		case r := <-s.reports:
			s.take(r)
		default:
			return
		}
	}
}

// compose makes the dirty objects anew. What an object needs may only show
// once its body is known, so this starts sources as it goes.
func (s *state) compose() {
	for ref := range s.dirty {
		c := composer{ask: s.ask}
		o := c.object(ref)
		s.uses[ref] = c.asked
		s.sink(world.Update{Object: &o})
	}
	clear(s.dirty)
}

func (s *state) ask(q query) report {
	if run, ok := s.sources[q]; ok {
		return run.last
	}
	ctx, cancel := context.WithCancel(s.ctx)
	src := &source{client: s.client, query: q, o: s.o, kick: make(chan struct{}, 1)}
	src.send = func(r report) {
		select {
		case s.reports <- sent{query: q, report: r}:
		case <-ctx.Done():
		}
	}
	s.sources[q] = &running{source: src, cancel: cancel}
	s.all.Go(func() { src.run(ctx) })
	return report{}
}

func (s *state) stopUnused() {
	used := map[query]bool{}
	for queries := range maps.Values(s.uses) {
		for _, q := range queries {
			used[q] = true
		}
	}
	for q, run := range s.sources {
		if !used[q] {
			run.cancel()
			delete(s.sources, q)
		}
	}
}

func (s *state) kickAll() {
	s.client.login.tryAgain()
	for _, run := range s.sources {
		select {
		case run.source.kick <- struct{}{}:
		default:
		}
	}
}
