package redact

import "bytes"

const (
	maxLine = 256 << 10 // a longer line is judged in pieces
	maxHold = 2 << 20   // more than a Secret can hold (1 MiB, and its base64)
)

// lines applies the rules that need no known value: they look at names beside
// values, at shapes, and at the document around a line.
type lines struct {
	buf     span
	off     int  // start of the current line in buf
	shown   int  // how far buf was passed on
	scanned int  // how far buf was searched for a trigger
	sent    int  // how many marks of buf were passed on
	hot     bool // the current line holds a trigger
	swallow bool // the rest of the line belongs to a value
	cr      bool // the line before ended in a return, perhaps half a line end
	doc     document
	out     func(span)
}

// feed takes text from which known values were removed already.
func (l *lines) feed(in span, final bool) {
	if len(in.marks) == 0 {
		in = l.straight(in)
	}
	l.buf.append(in)
	for l.advance(final) {
	}
	if final {
		l.pass(len(l.buf.text), nil)
		l.off, l.hot, l.swallow, l.doc = len(l.buf.text), false, false, document{}
	}
	l.compact()
}

// straight passes on whole lines without a trigger as they are, and returns the
// rest. Nearly all output is that.
func (l *lines) straight(in span) span {
	if len(l.buf.text) > 0 {
		i := bytes.IndexByte(in.text, '\n')
		if i < 0 || i+1 == len(in.text) {
			return in
		}
		l.feed(span{text: in.text[:i+1]}, false) // ends the unfinished line
		in.text = in.text[i+1:]
	}
	if len(l.buf.text) > 0 || len(l.buf.marks) > 0 || l.doc.busy() || l.swallow {
		return in
	}
	at := trigger(in.text, 0)
	if at < 0 {
		at = len(in.text)
	}
	if n := bytes.LastIndexByte(in.text[:at], '\n') + 1; n > 0 {
		l.out(span{text: in.text[:n]})
		l.cr = false
		in.text = in.text[n:]
	}
	return in
}

// compact forgets what was passed on and is not needed to judge the line.
func (l *lines) compact() {
	if !l.hot && l.shown-l.off > maxLine/4 {
		l.off = l.shown
	}
	if l.off == 0 && l.sent == 0 {
		return
	}
	l.buf.marks = l.buf.marks[:copy(l.buf.marks, l.buf.marks[l.sent:])]
	for i := range l.buf.marks {
		l.buf.marks[i].at -= l.off
	}
	l.buf.text = l.buf.text[:copy(l.buf.text, l.buf.text[l.off:])]
	l.shown, l.scanned = max(0, l.shown-l.off), max(0, l.scanned-l.off)
	l.sent, l.off = 0, 0
}

// advance judges one line, or skips many that hold nothing of interest. It
// reports whether there may be more to do.
func (l *lines) advance(final bool) bool {
	text := l.buf.text
	if l.cr && l.off < len(text) {
		if l.cr = false; text[l.off] == '\n' {
			l.pass(l.off+1, nil)
			l.off++
		}
	}
	if !l.hot && !l.doc.busy() && !l.swallow {
		at := trigger(text, max(l.scanned-2, l.off))
		l.scanned = len(text)
		if at < 0 {
			l.quiet()
			return false
		}
		if start := lineStart(text, at); start > l.off {
			l.pass(start, nil)
			l.off = start
		}
		l.hot, l.scanned = true, at
	}
	end, next := l.lineEnd()
	if end < 0 {
		return l.partial(final)
	}
	return l.line(end, next, final)
}

// quiet passes lines without a trigger, and of the unfinished one all that can
// not become one.
func (l *lines) quiet() {
	text := l.buf.text
	if i := bytes.LastIndexAny(text[l.off:], "\r\n"); i >= 0 {
		l.off += i + 1
		l.cr = text[l.off-1] == '\r'
	}
	l.pass(l.off+harmless(text[l.off:]), nil)
}

// line judges the line that ends at end and whose successor starts at next.
func (l *lines) line(end, next int, final bool) bool {
	text := l.buf.text
	if l.swallow {
		l.skip(end)
		l.swallow = false
	} else {
		regions, wait := l.doc.line(text[l.off:end], text[next:], final)
		if wait {
			return false
		}
		l.pass(end, l.absolute(regions))
	}
	l.pass(next, nil)
	l.off, l.hot, l.scanned = next, false, next
	l.cr = next > end && text[next-1] == '\r'
	return next < len(text)
}

// partial handles a line that has not ended yet.
func (l *lines) partial(final bool) bool {
	text := l.buf.text
	size := len(text) - l.off
	if size == 0 {
		l.pass(len(text), nil)
		return false
	}
	if l.swallow {
		l.skip(len(text))
		l.off = len(text)
		return false
	}
	if final || size > maxLine {
		regions, wait := l.doc.line(text[l.off:], nil, true)
		if wait {
			return false
		}
		regions = l.absolute(regions)
		n := len(regions)
		l.swallow = !final && n > 0 && regions[n-1].to == len(text)
		l.pass(len(text), regions)
		l.off, l.hot = len(text), false
		l.scanned = len(text)
		return false
	}
	if l.doc.busy() && !l.doc.block.outside(text[l.off:]) {
		return false
	}
	safe := l.off + harmless(text[l.off:])
	if regions := lineRules(text[l.off:]); len(regions) > 0 {
		safe = min(safe, l.off+merge(regions)[0].from)
	}
	l.pass(safe, nil)
	return false
}

func (l *lines) absolute(regions []region) []region {
	regions = merge(regions)
	out := regions[:0:0]
	for _, r := range regions {
		r.from, r.to = max(r.from+l.off, l.shown), r.to+l.off
		if r.from < r.to {
			out = append(out, r)
		}
	}
	return out
}

// pass hands on everything up to offset to that was not yet, masked.
func (l *lines) pass(to int, regions []region) {
	from := min(l.shown, to)
	k := l.sent
	for k < len(l.buf.marks) && (l.buf.marks[k].at < to || to == len(l.buf.text)) {
		k++
	}
	if from == to && k == l.sent {
		return
	}
	s := span{text: l.buf.text[from:to]}
	if k > l.sent {
		s.marks = append(s.marks, l.buf.marks[l.sent:k]...)
		for i := range s.marks {
			s.marks[i].at = max(0, s.marks[i].at-from)
		}
	}
	for i := range regions {
		regions[i].from -= from
		regions[i].to -= from
	}
	l.shown, l.sent = max(l.shown, to), k
	l.out(s.mask(regions))
}

// skip drops the text up to offset to and keeps its marks.
func (l *lines) skip(to int) {
	k := l.sent
	for k < len(l.buf.marks) && l.buf.marks[k].at <= to {
		k++
	}
	marks := append([]mark(nil), l.buf.marks[l.sent:k]...)
	for i := range marks {
		marks[i].at = 0
	}
	l.shown, l.sent = max(l.shown, to), k
	l.out(span{marks: marks})
}

// lineEnd returns where the current line ends and the next one starts. A
// return alone ends a line, and so does whatever moves the cursor to another
// place: full-screen programs write no newlines.
func (l *lines) lineEnd() (end, next int) {
	text := l.buf.text
	end, next = -1, -1
	if i := bytes.IndexByte(text[l.off:], '\n'); i >= 0 {
		end, next = l.off+i, l.off+i+1
	}
	limit := end
	if limit < 0 {
		limit = len(text)
	}
	if i := bytes.IndexByte(text[l.off:limit], '\r'); i >= 0 {
		end, next = l.off+i, l.off+i+1
		if next < len(text) && text[next] == '\n' {
			next++
		}
		limit = end
	}
	for _, m := range l.buf.marks[l.sent:] {
		if m.at >= limit {
			break
		}
		if m.at > l.off && moves(m) {
			return m.at, m.at
		}
	}
	return end, next
}

// moves reports whether a sequence takes the cursor out of its line.
func moves(m mark) bool {
	return m.kind == screen && len(m.seq) > 1 && bytes.IndexByte([]byte("HfABEFGJdhlM78"), m.seq[len(m.seq)-1]) >= 0
}

func lineStart(text []byte, at int) int {
	return bytes.LastIndexAny(text[:at], "\r\n") + 1
}
