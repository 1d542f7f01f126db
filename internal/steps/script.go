package steps

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A script is what the rules here need to know of shell code that parses. It is
// read from a syntax tree, or by a [plainReader] from code so plain that it
// needs none; both say the same.
type script struct {
	stmts  []statement
	places []place // of the holes that were asked for, in their order

	standIn string // a word that stands for a value, or ""
}

// A statement is one at the top level.
type statement struct {
	at    int    // offset in the code
	bare  bool   // nothing but redirections
	whole bool   // it is calls[0] and nothing else
	calls []call // the commands that && and || join; commands of other forms aren't here
}

// A call is a simple command with at least one word.
type call struct {
	at    int
	words []string // without quotes; [unknownWord] where something is expanded, or nothing stands
	host  string   // the variable in small letters that is the whole first word
	fed   bool     // it reads its commands from a file or a here-document
}

// unknownWord stands for a word that only a shell could tell.
const unknownWord = "?"

func knownWord(word string) string {
	if word == "" {
		return unknownWord
	}
	return word
}

// readShell reads code, in which the holes have been masked, with the grammar
// of bash. The script is good until the next call.
func (r *shellReader) readShell(code string, holes []hole) (*script, error) {
	if r.plain.read(code, holes) {
		return &r.plain.script, nil
	}
	file, err := parseShell(r.parser, code)
	if err != nil {
		return nil, err
	}
	return scriptOf(file, holes), nil
}

// A shellReader reads one piece of code after the other.
type shellReader struct {
	parser *syntax.Parser
	plain  plainReader
}

func newShellReader() *shellReader {
	return &shellReader{parser: syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))}
}

// scriptOf reads a syntax tree.
func scriptOf(file *syntax.File, holes []hole) *script {
	s := &script{stmts: make([]statement, len(file.Stmts)), standIn: standIn(file)}
	for i, n := range file.Stmts {
		s.stmts[i] = statementOf(n)
	}
	if len(holes) > 0 {
		s.places = placesOf(file, holes)
	}
	return s
}

func statementOf(n *syntax.Stmt) statement {
	s := statement{at: int(n.Pos().Offset()), bare: n.Cmd == nil && len(n.Redirs) > 0}
	s.calls = joined(nil, n)
	if call, ok := n.Cmd.(*syntax.CallExpr); ok {
		s.whole = len(call.Args) > 0
	}
	return s
}

// joined adds the commands of a statement that && and || join.
func joined(calls []call, s *syntax.Stmt) []call {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) > 0 {
			calls = append(calls, callOf(s, c))
		}
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
			calls = joined(joined(calls, c.X), c.Y)
		}
	}
	return calls
}

func callOf(s *syntax.Stmt, c *syntax.CallExpr) call {
	k := call{at: int(c.Pos().Offset()), words: make([]string, len(c.Args)), host: hostName(c.Args[0])}
	for i, w := range c.Args {
		k.words[i] = knownWord(literal(w))
	}
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			k.fed = true
		}
	}
	return k
}

// hostName returns the variable that a word consists of. Variables in capitals
// are taken for what they are.
func hostName(w *syntax.Word) string {
	if len(w.Parts) != 1 {
		return ""
	}
	e, ok := w.Parts[0].(*syntax.ParamExp)
	if !ok || !e.Short || e.Param == nil || !smallName(e.Param.Value) {
		return ""
	}
	return e.Param.Value
}

// smallName tells whether a variable has a name in small letters.
func smallName(name string) bool {
	return isLetter(name[0]) && name == strings.ToLower(name)
}

// literal returns a word without quotes when nothing in it is expanded, else "".
func literal(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch x := part.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(x.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(x.Value)
		case *syntax.DblQuoted:
			for _, in := range x.Parts {
				l, ok := in.(*syntax.Lit)
				if !ok {
					return ""
				}
				b.WriteString(l.Value)
			}
		default:
			return ""
		}
	}
	return b.String()
}
