package shell

import (
	"os"
	"sync"
	"syscall"
)

// A process is one that the system runs, at the moment it was looked at.
type process struct {
	pid, parent, session int
	started              uint64 // tells it from a later one with the same pid
	text                 string // its command and environment, where only ps knows them
}

// A tree is the processes of one command: those in the terminal session of its
// keeper, their descendants, and whatever carries the mark of the command in
// its environment.
type tree struct {
	leader int    // the keeper, or 0
	guard  int    // the keeper's own helper, or 0
	since  uint64 // nothing of it started before
	mark   string

	mu   sync.Mutex
	seen map[int]uint64 // pid and start of all that ever belonged to it
}

// alive returns what runs now, without the keeper and its guard.
func (t *tree) alive() []process {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen == nil {
		t.seen = map[int]uint64{}
	}
	all := processes()
	mine := map[int]bool{}
	if t.leader != 0 {
		mine[t.leader] = true
	}
	for _, q := range all {
		if t.owns(q) {
			mine[q.pid] = true
		}
	}
	for before := -1; before != len(mine); { // and their descendants
		before = len(mine)
		for _, q := range all {
			if mine[q.parent] {
				mine[q.pid] = true
			}
		}
	}
	var out []process
	for _, q := range all {
		if mine[q.pid] && q.pid != t.leader && q.pid != t.guard {
			t.seen[q.pid] = q.started
			out = append(out, q)
		}
	}
	t.forget(all)
	return out
}

func (t *tree) owns(q process) bool {
	if start, ok := t.seen[q.pid]; ok && start == q.started {
		return true
	}
	return t.leader != 0 && q.session == t.leader || q.started >= t.since && q.marked(t.mark)
}

// forget drops what has ended.
func (t *tree) forget(all []process) {
	running := map[int]uint64{}
	for _, q := range all {
		running[q.pid] = q.started
	}
	for pid, start := range t.seen {
		if running[pid] != start {
			delete(t.seen, pid)
		}
	}
}

// attached reports whether a process is still in the terminal session of the
// command.
func (t *tree) attached(q process) bool { return q.session == t.leader }

// signal sends a signal. On Linux the handle holds on to the process, so that
// after the second look it cannot reach a new one with the same pid.
func (q process) signal(sig syscall.Signal) {
	h, err := os.FindProcess(q.pid)
	if err != nil {
		return
	}
	if q.same() {
		_ = h.Signal(sig)
	}
	_ = h.Release()
}
