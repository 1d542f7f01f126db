package steps

import "strings"

// A boxKind names a construct that stands around fences without being
// CommonMark.
type boxKind string

const (
	indentedBox  boxKind = "admonition" // !!! note, ??? note, === "Tab": the body is indented by 4
	directiveBox boxKind = "directive"  // ```{note}: a fence that holds Markdown
	colonBox     boxKind = "colons"     // ::: note
	tagBox       boxKind = "tag"        // <Tab>
	codeBox      boxKind = "shortcode"  // {{< tab >}}
)

// A box is one such construct.
type box struct {
	kind      boxKind
	name      string
	label     string // what the author calls it
	open, end int    // lines
	closed    bool   // by a mark of its own
	broken    string // directives: why its fences can't be trusted
	indent    int
	char      byte // directives and colons: what closes it
	size      int
	outer     *box
	set       *tabSet // the set it opens, for tab sets
	tab       *tab    // the alternative it is, for tabs
}

// unwraps tells whether the body of the box is Markdown to its own tool though
// CommonMark sees something else. A tag that is never closed is no component.
func (b *box) unwraps() bool {
	return b.kind == indentedBox || b.kind == directiveBox || b.kind == tagBox && b.closed
}

// A tabSet is a choice: of its tabs only one is meant to be followed.
type tabSet struct {
	open int // line
	tabs []*tab
}

type tab struct {
	set   *tabSet
	label string
}

func (t *tabSet) add(label string) *tab {
	a := &tab{set: t, label: label}
	t.tabs = append(t.tabs, a)
	return a
}

func (s *scanner) inner() *box {
	if len(s.boxes) == 0 {
		return nil
	}
	return s.boxes[len(s.boxes)-1]
}

// push opens a box and finds out whether it is a set of tabs or a tab.
func (s *scanner) push(b *box) {
	if len(s.boxes) >= deepestBox {
		return
	}
	b.outer = s.inner()
	switch b.name {
	case "tabs", "tab-set", "codetabs", "code-tabs", "tabpane", "tab-pane":
		b.set = &tabSet{open: b.open}
	case "tab", "tabitem", "tab-item":
		if set := s.enclosingSet(); set != nil {
			b.tab = set.add(b.label)
		}
	}
	s.boxes = append(s.boxes, b)
	if b.kind == directiveBox {
		s.allBoxes = append(s.allBoxes, b)
	}
}

func (s *scanner) enclosingSet() *tabSet {
	for b := s.inner(); b != nil; b = b.outer {
		if b.set != nil {
			return b.set
		}
	}
	return nil
}

// pop closes the innermost box that ends says yes to, with all inside it.
func (s *scanner) pop(line int, ends func(*box) bool) bool {
	for n := len(s.boxes) - 1; n >= 0; n-- {
		if !ends(s.boxes[n]) {
			continue
		}
		for _, b := range s.boxes[n:] {
			b.end, b.closed = line, true
		}
		s.boxes = s.boxes[:n]
		return true
	}
	return false
}

func (s *scanner) closeDirective(line int, char byte, size int) bool {
	return s.pop(line, func(b *box) bool { return b.kind == directiveBox && b.char == char && size >= b.size })
}

// leaveIndented closes the boxes whose body is indented more than this line.
func (s *scanner) leaveIndented(line int, m margin) {
	for len(s.boxes) > 0 {
		b := s.inner()
		if b.kind != indentedBox || markerCol(s, line, m) >= b.indent+4 {
			return
		}
		b.end = line
		s.boxes = s.boxes[:len(s.boxes)-1]
	}
}

// markerCol is the column of the first list marker of a line, or of its text.
func markerCol(s *scanner, line int, m margin) int {
	if !m.marker {
		return m.col
	}
	return marginOf(s.doc.line(line), manyQuotes, false).col
}

// admonition reads the Python-Markdown blocks whose body is indented.
func (s *scanner) admonition(i int, m margin, rest string) {
	mark := rest[:min(3, len(rest))]
	if mark != "!!!" && mark != "???" && mark != "===" {
		return
	}
	rest = strings.TrimPrefix(rest[3:], "+")
	if rest == "" || rest[0] != ' ' || mark == "===" && !strings.Contains(rest, `"`) {
		return
	}
	b := &box{kind: indentedBox, name: mark, label: strings.Trim(strings.TrimSpace(rest), `"`), open: i, indent: m.col}
	s.push(b)
	if mark != "===" {
		return
	}
	if p := s.lastTab; p != nil && p.indent == b.indent && p.outer == b.outer && s.adjoins(p, i) {
		b.tab = p.tab.set.add(b.label)
	} else {
		b.tab = (&tabSet{open: i}).add(b.label)
	}
	s.lastTab = b
}

// adjoins tells whether nothing stands between the end of an indented box and
// line i.
func (s *scanner) adjoins(b *box, i int) bool { return b.end == i }

// colons reads ::: blocks: containers, MyST directives and zone pivots.
func (s *scanner) colons(i int, m margin, rest string) {
	size := runLen(rest, ':')
	if size < 3 {
		return
	}
	info := strings.TrimSpace(strings.Trim(strings.TrimSpace(rest), ":"))
	name := directiveName(info)
	if name == "" {
		name, _, _ = strings.Cut(info, " ")
		name = strings.ToLower(name)
	}
	switch {
	case name == "" || name == "zone-end" || strings.HasSuffix(name, "-end"):
		s.pop(i, func(b *box) bool { return b.kind == colonBox && b.size <= size })
	case name == "zone":
		s.pop(i, func(b *box) bool { return b.kind == colonBox && b.name == "zone" })
		s.push(&box{kind: colonBox, name: name, open: i, indent: m.col, size: size, tab: s.zone(i, info)})
	case strings.HasPrefix(name, "column") || strings.HasPrefix(name, "image"):
	default:
		s.push(&box{kind: colonBox, name: name, label: info, open: i, indent: m.col, size: size})
	}
}

// zone finds the alternative that a zone pivot names; all zones of a document
// are one choice, because a reader picks the pivot once.
func (s *scanner) zone(i int, info string) *tab {
	_, pivot, _ := strings.Cut(info, "pivot=")
	pivot = strings.Trim(pivot, `" `)
	if s.zones == nil {
		s.zones = &tabSet{open: i}
	}
	for _, t := range s.zones.tabs {
		if t.label == pivot {
			return t
		}
	}
	return s.zones.add(pivot)
}

// tag reads a component tag of MDX. Lower-case tags are HTML, which CommonMark
// knows; there is nothing to unwrap.
func (s *scanner) tag(i int, m margin, rest string) int {
	closing := strings.HasPrefix(rest, "</")
	name := tagName(strings.TrimPrefix(strings.TrimPrefix(rest, "<"), "/"))
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return i + 1
	}
	low := strings.ToLower(name)
	if closing {
		s.pop(i, func(b *box) bool { return b.kind == tagBox && b.name == low })
		return i + 1
	}
	last, attrs := s.tagEnd(i, rest)
	if strings.HasSuffix(attrs, "/>") || strings.Contains(attrs, "</"+name+">") || !strings.Contains(attrs, ">") {
		return last + 1
	}
	s.push(&box{kind: tagBox, name: low, label: tagLabel(attrs), open: i, indent: m.col})
	return last + 1
}

// tagEnd returns the line that a tag ends on, and its text.
func (s *scanner) tagEnd(i int, rest string) (int, string) {
	text := strings.TrimSpace(rest)
	const longest = 40
	for j := i; j < min(i+longest, s.doc.count()); j++ {
		if j > i {
			text = strings.TrimSpace(s.doc.line(j))
		}
		if text == "" || strings.HasPrefix(text, "```") {
			break
		}
		if strings.HasSuffix(text, ">") || j == i && strings.Contains(text, ">") {
			return j, text
		}
	}
	return i, strings.TrimSpace(rest)
}

func tagName(s string) string {
	n := 0
	for n < len(s) && (isWord(s[n]) || s[n] == '.') {
		n++
	}
	return s[:n]
}

func tagLabel(attrs string) string {
	for _, key := range []string{"title=", "label=", "value=", "name="} {
		if _, v, ok := strings.Cut(attrs, key); ok && v != "" {
			quote := v[:1]
			if v, _, ok := strings.Cut(v[1:], quote); ok {
				return v
			}
		}
	}
	return ""
}

// shortcode reads the tabs of Hugo ({{< tab >}}, {{% tab %}}) and Jekyll ({% tab %}).
func (s *scanner) shortcode(i int, rest string) {
	var body string
	switch {
	case strings.HasPrefix(rest, "{{<"), strings.HasPrefix(rest, "{{%"):
		body = rest[3:]
	case strings.HasPrefix(rest, "{%"):
		body = rest[2:]
	default:
		return
	}
	body = strings.TrimLeft(strings.TrimSpace(body), "-")
	body = strings.TrimSpace(body)
	closing := strings.HasPrefix(body, "/") || strings.HasPrefix(body, "end")
	name := tagName(strings.TrimPrefix(strings.TrimPrefix(body, "/"), "end"))
	switch name {
	case "tabs", "tab", "tabpane", "codetabs", "tabs-pane":
	default:
		return
	}
	if closing {
		s.pop(i, func(b *box) bool { return b.kind == codeBox && b.name == name })
		return
	}
	if name == "tab" {
		s.pop(i, func(b *box) bool { return b.kind == codeBox && b.name == name })
	}
	label := ""
	if _, v, ok := strings.Cut(body, `"`); ok {
		label, _, _ = strings.Cut(v, `"`)
	}
	s.push(&box{kind: codeBox, name: name, label: label, open: i})
}

// directiveName returns the name in an info string like "{note} Title", or "".
func directiveName(info string) string {
	if !strings.HasPrefix(info, "{") {
		return ""
	}
	name, _, ok := strings.Cut(info[1:], "}")
	if !ok || name == "" {
		return ""
	}
	for i := range len(name) {
		if !isWord(name[i]) && name[i] != '-' && name[i] != ':' {
			return ""
		}
	}
	return strings.ToLower(name)
}

// codeDirective tells directives whose body is code from those that hold Markdown.
func codeDirective(name string) bool {
	switch name {
	case "code", "code-block", "code-cell", "sourcecode", "literalinclude", "parsed-literal", "prompt",
		"eval-rst", "math", "mermaid", "terminal", "image", "figure", "toctree", "raw", "csv-table", "list-table",
		"bash", "sh", "shell", "console":
		return true
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
