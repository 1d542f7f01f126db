package redact

import (
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// A Redactor knows which values must not be shown. It may be used by many
// goroutines; what it is asked to clean later sees every value added before.
type Redactor struct {
	mu    sync.Mutex // guards fresh and the making of a new known
	fresh []string   // values that known does not have yet
	stale atomic.Bool
	known atomic.Pointer[patterns]
}

// New returns a Redactor that knows no value yet. It already removes what is
// recognised by its shape or by the name beside it.
func New() *Redactor {
	r := &Redactor{}
	r.known.Store(newPatterns())
	return r
}

// Add registers values in every form they are usually printed in. Values of
// fewer than six bytes, words that protect nothing and a byte repeated are
// ignored: hiding them would hide ordinary text. They are still removed where
// the name beside them says that they are secret.
func (r *Redactor) Add(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh = append(r.fresh, values...)
	r.stale.Store(true)
}

// current returns what to look for. The index is made when it is needed, so
// that adding many values one by one costs nothing.
func (r *Redactor) current() *patterns {
	if !r.stale.Load() {
		return r.known.Load()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var texts []string
	for _, v := range r.fresh {
		texts = append(texts, forms(v)...)
	}
	r.known.Store(r.known.Load().with(texts))
	r.fresh = nil
	r.stale.Store(false)
	return r.known.Load()
}

// Text returns s as it may be shown: secrets replaced by [Placeholder], and of
// all escapes only colour.
func (r *Redactor) Text(s string) string {
	var b strings.Builder
	w := r.Writer(&b)
	_, _ = w.Write([]byte(s)) // a builder takes everything
	_ = w.Flush()
	return b.String()
}

// Terminal returns the text of b with every escape and invisible character
// removed but colour (SGR), tabs and line ends. Invalid UTF-8 becomes U+FFFD.
// It does not look for secrets.
func Terminal(b []byte) string {
	var c cleaner
	var s span
	c.feed(&s, b)
	c.flush(&s)
	return string(s.join(nil, colour))
}

// join appends the text with those marks in their places that most allows.
func (s span) join(dst []byte, most markKind) []byte {
	pos := 0
	for _, m := range s.marks {
		if m.kind > most {
			continue
		}
		dst = append(dst, s.text[pos:m.at]...)
		dst = append(dst, m.seq...)
		pos = m.at
	}
	return append(dst, s.text[pos:]...)
}

// Writer returns a Writer that passes on to w what may be shown.
func (r *Redactor) Writer(w io.Writer) *Writer { return r.Tee(w, nil) }

// Tee returns a Writer that passes on to text what may be shown anywhere, and
// to screen the same with the escapes that a terminal emulator needs. Either
// may be nil.
func (r *Redactor) Tee(text, screen io.Writer) *Writer {
	w := &Writer{redactor: r, text: text, screen: screen}
	w.lines.out = w.emit
	return w
}
