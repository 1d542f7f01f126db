package shell

import (
	"bytes"
	"io"
	"sync"

	"runbook/internal/redact"
)

// An output takes what a command writes, redacts it, and hands it to the
// record, to the lines and to the screen.
type output struct {
	redactor *redact.Redactor
	files    string    // how the paths of the steps' files begin
	screen   io.Writer // nil on a pipe
	end      []byte    // marks the end of the output on a terminal
	ring     ring
	changed  chan struct{} // one token: there is something new
	ended    chan struct{} // closed when everything was taken

	mu      sync.Mutex
	record  io.Writer
	closed  bool // the command has ended: later output is only shown
	streams []*stream
	bytes   int64
	err     error
}

func newOutput(r *redact.Redactor, files string, record io.Writer) *output {
	return &output{redactor: r, files: files, record: record, changed: make(chan struct{}, 1), ended: make(chan struct{})}
}

// A stream is one of the ways the output comes in.
type stream struct {
	out   *output
	raw   io.Writer // takes the bytes as they are, or nil
	place place
	clean *redact.Writer
	carry []byte // what may be the start of the end mark
	over  bool   // the end mark was seen
}

func (o *output) stream() *stream {
	s := &stream{out: o, place: place{files: []byte(o.files)}, clean: o.redactor.Tee(shown{o}, o.screen)}
	o.streams = append(o.streams, s)
	return s
}

// shown is where redacted text goes. The output is locked.
type shown struct{ out *output }

func (w shown) Write(p []byte) (int, error) {
	_, _ = w.out.ring.Write(p)
	if w.out.record != nil && w.out.err == nil && !w.out.closed {
		_, w.out.err = w.out.record.Write(p)
	}
	return len(p), nil // a full disk must not stop the screen
}

// take accepts the next bytes of a stream.
func (s *stream) take(p []byte) {
	o := s.out
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.bell()
	if o.end == nil || s.over {
		s.put(p)
		return
	}
	if len(s.carry) > 0 {
		p = append(s.carry, p...)
		s.carry = nil
	}
	if i := bytes.Index(p, o.end); i >= 0 {
		s.put(p[:i])
		s.over = true
		o.complete()
		s.put(p[i+len(o.end):])
		return
	}
	n := startOfEnd(p, o.end)
	s.put(p[:len(p)-n])
	s.carry = bytes.Clone(p[len(p)-n:])
}

// startOfEnd returns how many bytes at the end of p may be the start of end.
func startOfEnd(p, end []byte) int {
	from := max(0, len(p)-len(end)+1)
	for {
		i := bytes.IndexByte(p[from:], end[0])
		if i < 0 {
			return 0
		}
		from += i
		if bytes.HasPrefix(end, p[from:]) {
			return len(p) - from
		}
		from++
	}
}

// put passes bytes on. The output is locked.
func (s *stream) put(p []byte) {
	if len(p) == 0 {
		return
	}
	if !s.out.closed {
		s.out.bytes += int64(len(p))
		if s.raw != nil {
			_, _ = s.raw.Write(p)
		}
	}
	_, _ = s.clean.Write(s.place.rewrite(p)) // shown never fails, and neither does a pane
}

// bell says that there is something new; it holds one token however much comes.
func (o *output) bell() {
	select {
	case o.changed <- struct{}{}:
	default: // whoever looks will see this too
	}
}

// finish says that the output is complete, if nothing did before.
func (o *output) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.complete()
}

// complete decides what is still held back and ends the record. The output is
// locked.
func (o *output) complete() {
	if o.closed {
		return
	}
	for _, s := range o.streams {
		s.put(s.carry)
		s.carry = nil
		_, _ = s.clean.Write(s.place.flush())
		_ = s.clean.Flush()
	}
	o.closed = true
	o.bell()
	close(o.ended)
}

// total returns how many bytes were written, and whether the record has them
// all.
func (o *output) total() (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes, o.err
}
