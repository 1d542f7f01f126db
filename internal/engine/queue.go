package engine

import "sync"

// A queue holds events until the front end reads them. It never blocks who
// puts, and keeps one event at most of those that only say "look again".
type queue struct {
	hide   Discretion
	mu     sync.Mutex
	events []Event
	closed bool
	bell   chan struct{}
	out    chan Event
	gone   chan struct{} // closed when nobody will read any more
}

func newQueue(hide Discretion) *queue {
	return &queue{hide: hide, bell: make(chan struct{}, 1), out: make(chan Event), gone: make(chan struct{})}
}

func (q *queue) put(e Event) {
	if n, ok := e.(Noticed); ok {
		n.Text = q.hide.Sentence(n.Text)
		e = n
	}
	q.mu.Lock()
	if !q.merge(e) {
		q.events = append(q.events, e)
	}
	q.mu.Unlock()
	q.ring()
}

// merge replaces a waiting event that e makes superfluous.
func (q *queue) merge(e Event) bool {
	for i, old := range q.events {
		switch e := e.(type) {
		case WorldChanged:
			if _, ok := old.(WorldChanged); ok {
				q.events[i] = e
				return true
			}
		case BesideChanged:
			if _, ok := old.(BesideChanged); ok {
				return true
			}
		case OutputChanged:
			if o, ok := old.(OutputChanged); ok && o.Step == e.Step {
				return true
			}
		}
	}
	return false
}

func (q *queue) ring() {
	select {
	case q.bell <- struct{}{}:
	default: // it has been rung already
	}
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.ring()
}

// pump hands events to the reader until the queue is closed and empty, or
// nobody reads any more.
func (q *queue) pump() {
	defer close(q.out)
	for range q.bell {
		for {
			e, ok, closed := q.take()
			if !ok && closed {
				return
			}
			if !ok {
				break
			}
			select {
			case q.out <- e:
			case <-q.gone:
				return
			}
		}
	}
}

func (q *queue) take() (e Event, ok, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.events) == 0 {
		return nil, false, q.closed
	}
	e = q.events[0]
	q.events = q.events[1:]
	return e, true, q.closed
}
