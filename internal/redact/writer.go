package redact

import "io"

// A Writer redacts a stream. It holds back no more than what may be the start
// of something secret: the head of a known value, a line whose kind is not
// decided yet. It is not safe for concurrent use.
type Writer struct {
	redactor     *Redactor
	text, screen io.Writer
	clean        cleaner
	in, held     span
	lines        lines
	ruleless     bool // only registered values are looked for
	buf          []byte
	err          error
}

// Write takes any piece of the stream. Its error is the first one of the
// writers behind it, and stays.
func (w *Writer) Write(p []byte) (int, error) {
	w.in.reset()
	w.clean.feed(&w.in, p)
	w.match(false)
	w.ask()
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

// Flush ends the stream: what was held back is decided without more input and
// passed on.
func (w *Writer) Flush() error {
	w.in.reset()
	w.clean.flush(&w.in)
	w.match(true)
	return w.err
}

// match removes known values and hands the rest to the rules for lines.
func (w *Writer) match(final bool) {
	work := &w.in
	if !w.held.empty() {
		w.held.append(w.in)
		work = &w.held
	}
	regions, hold := w.redactor.current().find(work.text, final)
	if shown := work.head(hold).mask(regions); w.ruleless {
		w.emit(shown)
	} else {
		w.lines.feed(shown, final)
	}
	if work == &w.held {
		w.held.drop(hold)
		return
	}
	work.drop(hold)
	w.held.append(*work)
}

// ask sends questions to the terminal past the text that is held back.
func (w *Writer) ask() {
	for _, s := range []*span{&w.held, &w.lines.buf} {
		if len(s.marks) == 0 {
			continue
		}
		if asked := s.takeQueries(); len(asked) > 0 {
			for i := range asked {
				asked[i].at = 0
			}
			w.emit(span{marks: asked})
		}
	}
}

func (w *Writer) emit(s span) {
	if s.empty() {
		return
	}
	w.send(w.text, s, colour)
	w.send(w.screen, s, query)
}

func (w *Writer) send(to io.Writer, s span, most markKind) {
	if to == nil || w.err != nil {
		return
	}
	out := s.text
	if len(s.marks) > 0 {
		w.buf = s.join(w.buf[:0], most)
		out = w.buf
	}
	if len(out) == 0 {
		return
	}
	_, w.err = to.Write(out)
}
