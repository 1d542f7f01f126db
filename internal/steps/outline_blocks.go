package steps

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blocksOnly parses block structure and leaves inlines alone: titles are
// cleaned by [plainText], and nothing else here needs them. Of the lines of
// paragraphs and fences it keeps the last one, which says where they end. A
// parser serves one document.
func blocksOnly() parser.Parser {
	p := &paragraphs{BlockParser: parser.NewParagraphParser()}
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(&underlined{parser.NewSetextHeadingParser(), p}, 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(&fencedBlocks{parser.NewFencedCodeBlockParser()}, 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(p, 1000),
		),
		parser.WithInlineParsers(util.Prioritized(noInlines{}, 0)))
}

type noInlines struct{}

func (noInlines) Trigger() []byte { return nil }

func (noInlines) Parse(ast.Node, text.Reader, parser.Context) ast.Node { return nil }

// paragraphs keeps of a paragraph's text only where its last line starts, so
// that no inlines are looked for in it.
type paragraphs struct {
	parser.BlockParser
	heading bool // the next one to be closed becomes a heading and keeps its text
}

func (p *paragraphs) Close(n ast.Node, r text.Reader, c parser.Context) {
	p.BlockParser.Close(n, r, c)
	if p.heading {
		p.heading = false
		return
	}
	lines := n.Lines()
	if last := lines.Len() - 1; last >= 0 {
		start := lines.At(last).Start
		lines.SetSliced(0, 1)
		lines.Set(0, text.NewSegment(start, start))
	}
}

// underlined is the headings that are paragraphs until their underline comes.
type underlined struct {
	parser.BlockParser
	paragraphs *paragraphs
}

func (u *underlined) Open(parent ast.Node, r text.Reader, c parser.Context) (ast.Node, parser.State) {
	n, state := u.BlockParser.Open(parent, r, c)
	if n != nil {
		u.paragraphs.heading = true
	}
	return n, state
}

// fencedBlocks keeps of the code in a fence only its last line.
type fencedBlocks struct{ parser.BlockParser }

func (f *fencedBlocks) Continue(n ast.Node, r text.Reader, c parser.Context) parser.State {
	lines := n.Lines()
	before := lines.Len()
	lines.SetSliced(0, 0) // the next one takes its place
	state := f.BlockParser.Continue(n, r, c)
	if lines.Len() < before {
		lines.SetSliced(0, before)
	}
	return state
}
