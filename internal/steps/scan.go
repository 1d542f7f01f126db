package steps

import (
	"strings"
)

// A fence is a fenced code block as a person sees it: from its opening line to
// the next line that looks like its end, whatever list, quote or HTML stands
// around it. Where CommonMark sees it differently, flaw says so.
type fence struct {
	open   int // line of the opening
	end    int // the closing line, or the first line that isn't code any more
	closed bool
	ended  bool // the line end is a closing line, be it the right one or not
	indent int
	quotes int
	char   byte
	size   int
	info   string
	box    *box
	flaw   *flaw

	verdict verdict
}

// A flaw says why the structure around a fence can't be trusted.
type flaw struct {
	rule string
	line int
	text string
	hint string
}

// A comment is an HTML comment that starts a line.
type comment struct {
	open, last int // first and last line
	start, end int // offsets of the text between the marks
	closed     bool
}

// A headline is a heading, however it was found.
type headline struct {
	line  int
	last  int // its last line; differs from line for underlined headings
	level int
	text  string
}

// A scanner reads the raw lines of a document once, without a Markdown parser:
// its result is held against the parser's.
type scanner struct {
	doc      *document
	fences   []*fence
	stock    []fence
	comments []comment
	heads    []headline
	boxes    []*box // open ones, innermost last
	allBoxes []*box // directives that are fences themselves
	zones    *tabSet
	lastTab  *box
	hidden   map[int]bool // lines on which CommonMark starts a comment
}

// Limits for hostile input: Markdown parsers take quadratic time over deep
// nesting, and nobody nests like this to be read.
const (
	deepestMargin = 50
	deepestBox    = 50
	manyQuotes    = 1 << 20
)

// tooDeepLine returns the first line, from 1, that is nested beyond all sense, or 0.
func tooDeepLine(doc *document, first int) int {
	for i := first; i < doc.count(); i++ {
		line := strings.TrimLeft(doc.line(i), " \t")
		if len(line) <= deepestMargin || line[0] != '>' && markerLen(line) == 0 {
			continue
		}
		if nesting(line) > deepestMargin {
			return i + 1
		}
	}
	return 0
}

// nesting counts the quote and list marks that a line starts with.
func nesting(line string) int {
	n := 0
	for i := 0; i < len(line); {
		switch size := markerLen(line[i:]); {
		case size > 0:
			n++
			i += size
		case line[i] == '>':
			n++
			i++
		case line[i] == ' ' || line[i] == '\t':
			i++
		default:
			return n
		}
	}
	return n
}

// scan reads the document from line first on. Whether a comment far to the
// right is one or indented code, only CommonMark knows: hidden has the lines.
func scan(doc *document, first int, hidden map[int]bool) *scanner {
	s := &scanner{doc: doc, hidden: hidden}
	for i := first; i < doc.count(); {
		i = s.next(i)
	}
	for _, b := range s.boxes {
		if b.end == 0 {
			b.end = doc.count()
		}
	}
	return s
}

// next reads what starts on line i and returns the first line behind it.
func (s *scanner) next(i int) int {
	line := s.doc.line(i)
	m := marginOf(line, manyQuotes, true)
	rest := line[m.width:]
	if rest == "" {
		return i + 1
	}
	s.leaveIndented(i, m)
	switch rest[0] {
	case '`', '~':
		return s.fence(i, m, rest)
	case '<':
		if strings.HasPrefix(rest, "<!--") {
			return s.comment(i, m)
		}
		return s.tag(i, m, rest)
	case '#':
		s.heading(i, m, rest)
	case ':':
		s.colons(i, m, rest)
	case '!', '?', '=':
		s.admonition(i, m, rest)
	case '{':
		s.shortcode(i, rest)
	}
	return i + 1
}

func (s *scanner) heading(i int, m margin, rest string) {
	level := runLen(rest, '#')
	if level > 6 || m.col > 3 || m.marker || m.quotes > 0 {
		return
	}
	if level < len(rest) && rest[level] != ' ' && rest[level] != '\t' {
		return
	}
	text := strings.TrimSpace(rest[level:])
	if cut := strings.TrimRight(text, "#"); cut == "" || strings.HasSuffix(cut, " ") {
		text = strings.TrimSpace(cut)
	}
	s.heads = append(s.heads, headline{line: i, last: i, level: level, text: text})
}

// comment skips to the line of the end mark. An unclosed comment hides the rest
// of the document, as it does when rendered.
func (s *scanner) comment(i int, m margin) int {
	if m.col > 3 && !s.hidden[i] && s.inner() == nil {
		return i + 1
	}
	start := s.doc.starts[i] + m.width + len("<!--")
	c := comment{open: i, start: start}
	if rest := s.doc.text[start:]; strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, "->") {
		c.end, c.last, c.closed = start, i, true // <!--> is a whole comment
	} else if n := strings.Index(rest, "-->"); n >= 0 {
		c.end, c.closed = start+n, true
		c.last = s.doc.lineAt(c.end)
	} else {
		c.end, c.last = len(s.doc.text), s.doc.count()-1
	}
	s.comments = append(s.comments, c)
	return c.last + 1
}

// fence reads a fence, or the opening or closing line of a directive that is
// written as one.
func (s *scanner) fence(i int, m margin, rest string) int {
	char := rest[0]
	size := runLen(rest, char)
	info := strings.TrimSpace(rest[size:])
	if size < 3 || char == '`' && strings.IndexByte(info, '`') >= 0 {
		return i + 1
	}
	if info == "" && s.closeDirective(i, char, size) {
		return i + 1
	}
	if name := directiveName(info); name != "" && !codeDirective(name) {
		s.push(&box{kind: directiveBox, name: name, open: i, indent: m.col, char: char, size: size, label: info})
		return i + 1
	}
	f := s.newFence()
	*f = fence{open: i, indent: m.col, quotes: m.quotes, char: char, size: size, info: info, box: s.inner()}
	s.fences = append(s.fences, f)
	return s.findEnd(f)
}

// newFence takes a fence from a stock: there are many.
func (s *scanner) newFence() *fence {
	if len(s.stock) == 0 {
		s.stock = make([]fence, 32)
	}
	f := &s.stock[0]
	s.stock = s.stock[1:]
	return f
}

// findEnd looks for the closing line, and returns the line to go on with.
func (s *scanner) findEnd(f *fence) int {
	stop := s.doc.count()
	for j := f.open + 1; j < stop; j++ {
		line := s.doc.line(j)
		m := marginOf(line, f.quotes, false)
		if m.quotes < f.quotes {
			stop = j // the quote is over
			break
		}
		rest := line[m.width:]
		if rest == "" || rest[0] != f.char {
			continue
		}
		n := runLen(rest, f.char)
		if n < f.size {
			continue
		}
		info := strings.TrimSpace(rest[n:])
		if info == "" {
			f.end, f.closed, f.ended = j, true, true
			return j + 1
		}
		if looksLikeInfo(info) {
			stop = j // a second opening line: the first was never closed
		}
	}
	return s.unclosed(f, stop)
}

// unclosed guesses where a fence without a closing line was meant to end, so
// that the headings and fences behind it are still seen. It is never offered.
func (s *scanner) unclosed(f *fence, stop int) int {
	f.flaw = &flaw{
		rule: "unclosed-fence", line: f.open,
		text: "this fence is never closed",
		hint: "close it with a line of its own: " + strings.Repeat(string(f.char), f.size),
	}
	for j := f.open + 1; j < stop; j++ {
		line := s.doc.line(j)
		m := marginOf(line, f.quotes, false)
		rest := line[m.width:]
		if rest == "" {
			continue
		}
		if n := runLen(rest, f.char); n >= 2 && blank(rest[n:]) {
			f.end, f.ended = j, true
			f.flaw = &flaw{
				rule: "wrong-closer", line: j,
				text: "this line doesn't close the fence above it: it is shorter than the opening line",
				hint: "close it with " + strings.Repeat(string(f.char), f.size),
			}
			return j + 1
		}
		if n := runLen(rest, '#'); n > 0 && n <= 6 && m.col < 4 && n < len(rest) && rest[n] == ' ' && blank(s.doc.line(j-1)) && j > f.open+1 {
			f.end = j
			return j
		}
	}
	f.end = stop
	return stop
}

func runLen(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// looksLikeInfo tells the rest of an opening line from code that happens to
// start with the characters of a fence.
func looksLikeInfo(info string) bool {
	if strings.IndexByte(info, '`') >= 0 {
		return false
	}
	c := info[0]
	return c == '{' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
