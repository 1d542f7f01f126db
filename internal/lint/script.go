package lint

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/risk"
	"runbook/internal/steps"
)

// A script is the code of one fence, read as shell.
type script struct {
	reading
	step    *steps.Step
	block   *steps.Block
	code    string // placeholders masked by words of the same length
	file    *syntax.File
	context risk.Context
	result  risk.Result
	calls   []*call
	byNode  map[*syntax.CallExpr]*call
	places  []place // of each line of the code
}

// A place is where a line of code stands in the file.
type place struct {
	line  int // from 1
	shift int // columns that the file has left of it
}

func newScript(r reading, lines []string, s *steps.Step, b *steps.Block, c risk.Context) *script {
	x := &script{reading: r, step: s, block: b, code: mask(b.Code, b.Placeholders), context: c}
	x.places = placesOf(lines, b)
	x.result = *x.judge(b.Code)
	file, err := r.shell.Parse(strings.NewReader(x.code), "")
	if err != nil {
		// A shell of another kind; what risk makes of its lines is still known.
		file = &syntax.File{}
	}
	x.file = file
	x.collect()
	return x
}

// A reading is what all the scripts of a runbook are read with. What a command
// does is judged once, whichever rules ask and however often it is written.
type reading struct {
	shell  *syntax.Parser
	judged map[string]*risk.Result
}

func newReading() reading {
	return reading{shell: syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)), judged: map[string]*risk.Result{}}
}

// judge says what a piece of the script does on its own.
func (s *script) judge(code string) *risk.Result {
	r := s.judged[code]
	if r == nil {
		c := risk.Classify(code, s.context)
		r = &c
		s.judged[code] = r
	}
	return r
}

// mask puts words of the same length where <placeholders> stand, so that the
// code can be parsed and columns stay what they are.
func mask(code string, placeholders []string) string {
	for _, name := range placeholders {
		angled := "<" + name + ">"
		code = strings.ReplaceAll(code, angled, strings.Repeat("_", len(angled)))
	}
	return code
}

// placesOf finds each line of a block's code in the file again: prompts, output
// and margins were taken off it.
func placesOf(lines []string, b *steps.Block) []place {
	var places []place
	next := b.Line - 1
	for code := range strings.SplitSeq(strings.TrimSuffix(b.Code, "\n"), "\n") {
		text := strings.TrimLeft(code, " \t")
		at := next
		for i := next; i < min(b.EndLine, len(lines)); i++ {
			if text == "" || strings.HasSuffix(lines[i], text) {
				at = i
				break
			}
		}
		shift := 0
		if at < len(lines) {
			shift = max(len(lines[at])-len(code), 0)
		}
		places = append(places, place{line: at + 1, shift: shift})
		next = at + 1
	}
	return places
}

// at is the place in the file of a place in the code.
func (s *script) at(pos syntax.Pos) steps.Pos {
	line := int(pos.Line()) // 0 in code of more lines than the parser counts
	if !pos.IsValid() || line < 1 || line > len(s.places) {
		return steps.Pos{Line: s.block.Line, Col: 1}
	}
	p := s.places[line-1]
	return steps.Pos{Line: p.line, Col: int(pos.Col()) + p.shift}
}

// locate is the place in the file of the first occurrence of a text.
func (s *script) locate(text string) steps.Pos {
	// A text that was shortened, or has a value left out, is found by how it begins.
	text, _, _ = strings.Cut(text, "…")
	n := strings.Index(s.block.Code, text)
	if n < 0 {
		n = 0
	}
	before := s.block.Code[:n]
	line := strings.Count(before, "\n")
	col := n - strings.LastIndexByte(before, '\n')
	if line >= len(s.places) {
		return steps.Pos{Line: s.block.Line, Col: 1}
	}
	return steps.Pos{Line: s.places[line].line, Col: col + s.places[line].shift}
}

// source is a node as it is written.
func (s *script) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(s.block.Code) {
		return ""
	}
	return s.block.Code[from:to]
}

// collect finds the commands, with what stands around them.
func (s *script) collect() {
	s.byNode = map[*syntax.CallExpr]*call{}
	var around []syntax.Node
	syntax.Walk(s.file, func(n syntax.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if x, ok := n.(*syntax.CallExpr); ok {
			c := newCall(s, x, around)
			s.calls = append(s.calls, c)
			s.byNode[x] = c
		}
		around = append(around, n)
		return true
	})
}

// isSh tells whether the fence is run by a POSIX shell.
func (s *script) isSh() bool {
	if s.step.Shell != "" {
		return s.step.Shell == "sh"
	}
	return s.block.Lang == "sh"
}
