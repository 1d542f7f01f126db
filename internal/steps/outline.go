package steps

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// An outline is what CommonMark makes of a document: block structure only.
type outline struct {
	root   ast.Node
	doc    *document
	base   int           // offset of the text that goldmark saw: front matter is not Markdown
	fences []parsedFence // in order
	heads  []headline
	lists  []*list
	html   []span       // HTML blocks but for comments
	code   []span       // indented code
	hidden map[int]bool // lines on which comments start
	near   int          // the line that was asked for last
}

// A parsedFence is a fence in the eyes of CommonMark.
type parsedFence struct {
	open int
	last int // last line of its code; the opening line when there is none
	list bool
}

// fenceAt returns the fence that opens on a line.
func (o *outline) fenceAt(line int) (parsedFence, bool) {
	i, ok := slices.BinarySearchFunc(o.fences, line, func(f parsedFence, line int) int { return f.open - line })
	if !ok {
		return parsedFence{}, false
	}
	return o.fences[i], true
}

// A span is a range of lines, both included.
type span struct{ first, last int }

func (s span) has(line int) bool { return line >= s.first && line <= s.last }

// A list is an ordered list with its items.
type list struct {
	span
	items []item
}

type item struct {
	span
	col int // where its content starts
}

// outlineOf parses the document from line first on; source is its text as bytes.
func outlineOf(doc *document, source []byte, first int) *outline {
	o := &outline{doc: doc, hidden: map[int]bool{}}
	if first < doc.count() {
		o.base = doc.starts[first]
	} else {
		o.base = len(doc.text)
	}
	o.root = blocksOnly().Parse(text.NewReader(source[o.base:]))
	for n := o.root.FirstChild(); n != nil; n = n.NextSibling() {
		o.walk(n, false)
	}
	return o
}

// walk records n and everything in it, and returns its last line.
func (o *outline) walk(n ast.Node, inList bool) int {
	first := o.lineOf(n)
	last := max(first, o.lastLine(n))
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		o.fences = append(o.fences, parsedFence{open: first, last: last, list: inList})
		return last + 1
	case *ast.Heading:
		if n.Parent() == o.root {
			text := ""
			if n.Lines().Len() > 0 {
				s := n.Lines().At(0)
				text = o.doc.text[o.base+s.Start : o.base+s.Stop]
			}
			if !strings.HasPrefix(strings.TrimLeft(o.doc.line(first), " "), "#") {
				last++ // the line below an underlined heading
			}
			o.heads = append(o.heads, headline{line: first, last: last, level: n.Level, text: text})
		}
		return last
	case *ast.CodeBlock:
		o.code = append(o.code, span{first, last})
		return last
	case *ast.HTMLBlock:
		if n.HasClosure() {
			last = max(last, o.line(n.ClosureLine.Start))
		}
		if n.HTMLBlockType == ast.HTMLBlockType2 {
			o.hidden[first] = true
		} else {
			o.html = append(o.html, span{first, last})
		}
		return last
	case *ast.List:
		if n.IsOrdered() {
			return o.ordered(n)
		}
		inList = true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		last = max(last, o.walk(c, inList))
	}
	return last
}

func (o *outline) ordered(n *ast.List) int {
	l := &list{span: span{first: o.lineOf(n)}}
	o.lists = append(o.lists, l)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		it := item{span: span{first: o.lineOf(c)}}
		it.last = it.first
		for b := c.FirstChild(); b != nil; b = b.NextSibling() {
			it.last = max(it.last, o.walk(b, true))
		}
		m := marginOf(o.doc.line(it.first), manyQuotes, true)
		it.col = m.col
		l.items = append(l.items, it)
		l.last = it.last
	}
	return l.last
}

func (o *outline) lineOf(n ast.Node) int {
	pos := n.Pos()
	if pos < 0 {
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			pos = n.Lines().At(0).Start
		} else if c := n.FirstChild(); c != nil {
			return o.lineOf(c)
		} else {
			pos = 0
		}
	}
	return o.line(pos)
}

// line returns the line of an offset. Nodes are visited about in the order of
// the text, so the answer is near the one before.
func (o *outline) line(pos int) int {
	pos += o.base
	starts := o.doc.starts
	const near = 16
	for i := o.near; i < min(o.near+near, len(starts)-1); i++ {
		if starts[i] > pos {
			break
		}
		if pos < starts[i+1] {
			o.near = i
			return i
		}
	}
	o.near = o.doc.lineAt(pos)
	return o.near
}

func (o *outline) lastLine(n ast.Node) int {
	if n.Type() != ast.TypeBlock || n.Lines().Len() == 0 {
		return 0
	}
	return o.line(n.Lines().At(n.Lines().Len() - 1).Start)
}

// covers returns the span that a line lies in; the spans are in order.
func covers(spans []span, line int) (span, bool) {
	lo, hi := 0, len(spans)
	for lo < hi {
		mid := (lo + hi) / 2
		if spans[mid].last < line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(spans) && spans[lo].has(line) {
		return spans[lo], true
	}
	return span{}, false
}
