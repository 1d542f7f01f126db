package redact

import (
	"bytes"
	"unicode/utf8"
)

// maxSeq bounds an escape sequence in bytes; a longer one is no sequence that
// any terminal knows.
const maxSeq = 256

type cleanState uint8

const (
	ground    cleanState = iota
	escape               // after ESC
	charset              // after ESC and an intermediate byte
	csi                  // after ESC [
	osc                  // after ESC ]
	str                  // inside DCS, SOS, PM or APC
	oscEscape            // after ESC inside osc
	strEscape            // after ESC inside str
)

// A cleaner separates text from escape sequences across any chunk boundary.
type cleaner struct {
	state cleanState
	seq   []byte
	part  []byte // an incomplete rune
}

// plain marks the bytes that are text on their own.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 0x7f; c++ {
		t[c] = true
	}
	t['\n'], t['\t'], t['\r'] = true, true, true
	return t
}()

func (c *cleaner) feed(dst *span, p []byte) {
	for len(p) > 0 {
		if c.state == ground && len(c.part) == 0 {
			n := plainRun(p)
			dst.text = append(dst.text, p[:n]...)
			if p = p[n:]; len(p) == 0 {
				return
			}
		}
		if c.state == ground && (p[0] >= 0x80 || len(c.part) > 0) {
			p = c.rune(dst, p)
			continue
		}
		c.step(dst, p[0])
		p = p[1:]
	}
}

// plainRun returns how many bytes from the start are printable ASCII, newline,
// tab or return.
func plainRun(p []byte) int {
	for n, b := range p {
		if !plain[b] {
			return n
		}
	}
	return len(p)
}

// rune takes one character that is not ASCII, or a byte of one that was split
// between two chunks.
func (c *cleaner) rune(dst *span, p []byte) []byte {
	if len(c.part) == 0 {
		if !utf8.FullRune(p) {
			c.part = append(c.part, p...)
			return nil
		}
		r, size := utf8.DecodeRune(p)
		put(dst, r)
		return p[size:]
	}
	whole := append(c.part, p[0])
	if !utf8.FullRune(whole) {
		c.part = whole
		return p[1:]
	}
	r, size := utf8.DecodeRune(whole)
	if size == len(whole) {
		put(dst, r)
		c.part = c.part[:0]
		return p[1:]
	}
	for range c.part { // it was cut short: p[0] starts something new
		put(dst, utf8.RuneError)
	}
	c.part = c.part[:0]
	return p
}

func put(dst *span, r rune) {
	if !hidden(r) {
		dst.text = utf8.AppendRune(dst.text, r)
	}
}

// hidden reports whether a character shows nothing or turns the direction of
// what follows: text that looks like one thing and is another, and a way to
// split a value so that it is not recognised.
func hidden(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r <= 0x9f: // C0, DEL, C1
		return true
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// step moves the escape state machine by one byte.
func (c *cleaner) step(dst *span, b byte) {
	switch {
	case b == 0x18 || b == 0x1a: // CAN and SUB abort whatever is open
		c.state = ground
		return
	case b == 0x1b:
		c.escape()
		return
	}
	switch c.state {
	case ground:
		if b == '\b' {
			dst.marks = append(dst.marks, mark{len(dst.text), screen, "\b"})
		}
	case escape:
		c.afterEscape(dst, b)
	case charset:
		c.collect(dst, b, b >= 0x30 && b <= 0x7e, b >= 0x20 && b < 0x30)
	case csi:
		c.collect(dst, b, b >= 0x40 && b <= 0x7e, b >= 0x20 && b < 0x40)
	case osc:
		c.inString(dst, b)
	case str:
		if b == '\n' {
			c.state = ground
		}
	case oscEscape, strEscape:
		if b == '\\' {
			c.end(dst)
			return
		}
		c.state = escape
		c.seq = append(c.seq[:0], 0x1b)
		c.afterEscape(dst, b)
	}
	if c.state == ground && (b == '\n' || b == '\r' || b == '\t') {
		dst.text = append(dst.text, b)
	}
}

func (c *cleaner) escape() {
	switch c.state {
	case osc:
		c.state = oscEscape
	case str:
		c.state = strEscape
	default:
		c.state = escape
		c.seq = append(c.seq[:0], 0x1b)
	}
}

func (c *cleaner) afterEscape(dst *span, b byte) {
	c.seq = append(c.seq, b)
	switch {
	case b == '[':
		c.state = csi
	case b == ']':
		c.state = osc
	case b == 'P' || b == 'X' || b == '^' || b == '_':
		c.state = str
	case b >= 0x20 && b < 0x30:
		c.state = charset
	case b >= 0x30 && b <= 0x7e:
		c.emit(dst, screen)
	default:
		c.state = ground
	}
}

// collect takes one byte of a sequence; anything unexpected ends it unseen.
func (c *cleaner) collect(dst *span, b byte, final, more bool) {
	c.seq = append(c.seq, b)
	switch {
	case final:
		c.emit(dst, kindOf(c.seq))
	case !more || len(c.seq) > maxSeq:
		c.state = ground
	}
}

// inString takes one byte of an operating system command. A newline ends it:
// a forgotten terminator must not swallow the rest of the output.
func (c *cleaner) inString(dst *span, b byte) {
	switch {
	case b == 0x07:
		c.end(dst)
	case b == '\n':
		c.state = ground
	case len(c.seq) <= maxSeq:
		c.seq = append(c.seq, b)
	}
}

// end closes a string sequence. Only a question for a colour is kept, because
// its asker waits; titles, links and clipboard writes are dropped.
func (c *cleaner) end(dst *span) {
	asks := c.state == osc || c.state == oscEscape
	asks = asks && bytes.HasPrefix(c.seq, []byte("\x1b]1")) && bytes.HasSuffix(c.seq, []byte(";?"))
	if asks {
		c.seq = append(c.seq, 0x07)
		c.emit(dst, query)
	}
	c.state = ground
}

func (c *cleaner) emit(dst *span, kind markKind) {
	dst.marks = append(dst.marks, mark{len(dst.text), kind, string(c.seq)})
	c.state = ground
}

// kindOf classifies a complete sequence that starts with ESC.
func kindOf(seq []byte) markKind {
	if len(seq) < 3 || seq[1] != '[' {
		return screen
	}
	params, final := seq[2:len(seq)-1], seq[len(seq)-1]
	switch {
	case final == 'm' && isSGR(params):
		return colour
	case final == 'n', final == 'c', final == 'p' && bytes.HasSuffix(params, []byte("$")):
		return query
	case final == 'q' && bytes.HasPrefix(params, []byte(">")), final == 'u' && bytes.HasPrefix(params, []byte("?")):
		return query
	}
	return screen
}

func isSGR(params []byte) bool {
	for _, b := range params {
		if b != ';' && b != ':' && (b < '0' || b > '9') {
			return false
		}
	}
	return true
}

// flush ends the input: an incomplete character shows as U+FFFD and an
// incomplete sequence not at all.
func (c *cleaner) flush(dst *span) {
	for range c.part {
		dst.text = utf8.AppendRune(dst.text, utf8.RuneError)
	}
	c.part, c.state = c.part[:0], ground
}
