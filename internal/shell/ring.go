package shell

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

const (
	ringBytes = 2 << 20 // what is kept of the output for scrolling back
	ringLines = 10_000
	lineBytes = 8 << 10 // a longer line is shown in part; the record has all of it
)

// A ring keeps the last lines of the output. It only copies bytes when the
// output comes and splits them when somebody looks.
type ring struct {
	mu    sync.Mutex
	buf   []byte // text that is not split yet
	cut   bool   // the start of buf was dropped in the middle of a line
	lines []string
	gone  int // lines dropped at the front
}

func (r *ring) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(p)
	if len(p) > ringBytes {
		r.drop(len(r.buf))
		r.gone += bytes.Count(p[:len(p)-ringBytes], newline)
		p, r.cut = p[len(p)-ringBytes:], true
	}
	if len(r.buf)+len(p) > 2*ringBytes {
		r.drop(len(r.buf) - ringBytes)
	}
	r.room(len(p))
	r.buf = append(r.buf, p...)
	return n, nil
}

// room makes some for n more bytes. It doubles: append would grow by a quarter,
// and leave ten times as much garbage behind on the way to the full size.
func (r *ring) room(n int) {
	if need := len(r.buf) + n; need > cap(r.buf) {
		r.buf = append(make([]byte, 0, max(need, 2*cap(r.buf), 64<<10)), r.buf...)
	}
}

var newline = []byte("\n")

// drop removes n bytes at the front of what is not split, and the lines before,
// which are older still.
func (r *ring) drop(n int) {
	if n <= 0 {
		return
	}
	r.gone += len(r.lines) + bytes.Count(r.buf[:n], newline)
	r.lines = nil
	r.cut = r.buf[n-1] != '\n'
	r.buf = r.buf[:copy(r.buf, r.buf[n:])]
}

// snapshot returns the lines, the unfinished last one included, and how many
// older ones were dropped. The slice must not be changed.
func (r *ring) snapshot() (lines []string, gone int) {
	lines, gone, _ = r.look()
	return lines, gone
}

// look is snapshot, and tells whether the last line is unfinished.
func (r *ring) look() (lines []string, gone int, open bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.split()
	lines = r.lines[:len(r.lines):len(r.lines)]
	if open = len(r.buf) > 0; open {
		lines = append(lines, r.shown(r.buf))
	}
	return lines, r.gone, open
}

// split turns the finished part of buf into lines.
func (r *ring) split() {
	end := bytes.LastIndexByte(r.buf, '\n') + 1
	if end == 0 {
		return
	}
	done := r.buf[:end]
	if over := bytes.Count(done, newline) - ringLines; over > 0 {
		r.gone += over + len(r.lines)
		r.lines, r.cut = nil, false
		for range over {
			done = done[bytes.IndexByte(done, '\n')+1:]
		}
	}
	for line := range bytes.Lines(done) {
		r.lines = append(r.lines, r.shown(line))
		r.cut = false
	}
	if over := len(r.lines) - ringLines; over > 0 {
		r.gone += over
		r.lines = append([]string(nil), r.lines[over:]...)
	}
	r.buf = r.buf[:copy(r.buf, r.buf[end:])]
}

// shown returns a line as it looks in the end: of what was drawn over after a
// return, the last.
func (r *ring) shown(line []byte) string {
	line = bytes.TrimRight(line, "\r\n")
	for {
		i := bytes.LastIndexByte(line, '\r')
		if i < 0 {
			break
		}
		if last := line[i+1:]; len(bytes.TrimSpace(last)) > 0 {
			line = last
			break
		}
		line = line[:i]
	}
	more := ""
	if len(line) > lineBytes {
		at := lineBytes
		for at > 0 && !utf8.RuneStart(line[at]) {
			at--
		}
		line, more = line[:at], " …"
	}
	if bytes.IndexByte(line, 0x1b) >= 0 {
		more = "\x1b[m" + more // a colour must not run into the next line
	}
	text := string(line) + more
	if r.cut {
		text = "… " + text
	}
	return text
}
