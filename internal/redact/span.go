package redact

// markKind says who may see an escape sequence.
type markKind uint8

const (
	colour markKind = iota // SGR: may be shown anywhere
	screen                 // moves the cursor, erases, sets a mode: an emulator only
	query                  // asks the terminal a question and waits for the answer
)

// A mark is an escape sequence that stands before the byte at offset at.
type mark struct {
	at   int
	kind markKind
	seq  string
}

// A span is text without any escape, and beside it the escapes that were in
// it. Rules look at the text alone, so colour inside a value cannot hide it.
type span struct {
	text  []byte
	marks []mark
}

func (s *span) empty() bool { return len(s.text) == 0 && len(s.marks) == 0 }

func (s *span) reset() { s.text, s.marks = s.text[:0], s.marks[:0] }

func (s *span) append(o span) {
	base := len(s.text)
	s.text = append(s.text, o.text...)
	for _, m := range o.marks {
		m.at += base
		s.marks = append(s.marks, m)
	}
}

// drop removes the first n bytes and the marks before them. A mark that stands
// exactly at n goes too when all the text goes.
func (s *span) drop(n int) {
	rest := s.marks[:0]
	for _, m := range s.marks {
		if m.at >= n && !(m.at == n && n == len(s.text)) {
			m.at -= n
			rest = append(rest, m)
		}
	}
	s.marks = rest
	s.text = s.text[:copy(s.text, s.text[n:])]
}

// head is the part that drop(n) removes.
func (s *span) head(n int) span {
	k := 0
	for k < len(s.marks) && (s.marks[k].at < n || n == len(s.text)) {
		k++
	}
	return span{text: s.text[:n:n], marks: s.marks[:k:k]}
}

// takeQueries removes and returns the questions to the terminal. A program that
// asks where the cursor is waits for the answer, so a question is never held.
func (s *span) takeQueries() []mark {
	var out []mark
	rest := s.marks[:0]
	for _, m := range s.marks {
		if m.kind == query {
			out = append(out, m)
		} else {
			rest = append(rest, m)
		}
	}
	s.marks = rest
	return out
}

// A region is a half-open range of bytes that must not be shown.
type region struct{ from, to int }

// Placeholder stands wherever something was removed.
const Placeholder = "[redacted]"

// mask replaces each region, which must be sorted and apart, by the
// placeholder. Marks inside a region come out behind it, so that colours keep
// their state.
func (s span) mask(regions []region) span {
	if len(regions) == 0 {
		return s
	}
	var out span
	out.text = make([]byte, 0, len(s.text)+len(Placeholder)*len(regions))
	out.marks = make([]mark, 0, len(s.marks))
	k, pos := 0, 0
	take := func(to int) {
		for k < len(s.marks) && s.marks[k].at <= to {
			m := s.marks[k]
			m.at = len(out.text) + m.at - pos
			out.marks = append(out.marks, m)
			k++
		}
		out.text = append(out.text, s.text[pos:to]...)
		pos = to
	}
	for _, r := range regions {
		take(r.from)
		out.text = append(out.text, Placeholder...)
		for k < len(s.marks) && s.marks[k].at <= r.to {
			m := s.marks[k]
			m.at = len(out.text)
			out.marks = append(out.marks, m)
			k++
		}
		pos = r.to
	}
	take(len(s.text))
	return out
}

// merge sorts regions and joins those that touch or overlap.
func merge(regions []region) []region {
	if len(regions) < 2 {
		return regions
	}
	for i := 1; i < len(regions); i++ { // few and nearly sorted
		for j := i; j > 0 && regions[j].from < regions[j-1].from; j-- {
			regions[j], regions[j-1] = regions[j-1], regions[j]
		}
	}
	out := regions[:1]
	for _, r := range regions[1:] {
		last := &out[len(out)-1]
		if r.from <= last.to {
			last.to = max(last.to, r.to)
		} else {
			out = append(out, r)
		}
	}
	return out
}
