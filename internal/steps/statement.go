package steps

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// judgeStatements looks at the top-level statements of code that parses. Much
// that parses is no shell: prose, prompts, output.
func (p *fileParser) judgeStatements(v *verdict, file *syntax.File) (why, detail string) {
	if len(file.Stmts) == 0 {
		return WhyFragment, "there are only comments"
	}
	lines := strings.Split(v.code, "\n")
	for _, s := range file.Stmts {
		line := lines[min(int(s.Pos().Line()), len(lines))-1]
		if col := int(s.Pos().Col()) - 1; col > 0 && col < len(line) && blank(line[:col]) {
			line = line[col:]
		}
		switch {
		case s.Cmd == nil && len(s.Redirs) > 0:
			return WhyNotShell, "a line starts with the prompt of another program, which a shell would take for a redirection"
		case looksLikeOutput(line):
			return WhyOutput, "commands and output stand in it without prompts"
		}
		call, ok := s.Cmd.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			continue
		}
		if why, detail := p.judgeCall(call, lines); why != "" {
			return why, detail
		}
	}
	return p.judgeContext(v, file)
}

func (p *fileParser) judgeCall(call *syntax.CallExpr, lines []string) (why, detail string) {
	first := literal(call.Args[0])
	switch {
	case strings.HasPrefix(first, "-"):
		return WhyFragment, "it starts with options of a command that isn't there"
	case len(first) > 1 && strings.HasSuffix(first, ":"):
		return WhyNotShell, ""
	case len(call.Args) > 1 && namesHost(call.Args[0]):
		name := call.Args[0].Parts[0].(*syntax.ParamExp).Param.Value
		if !p.assigned(name) {
			return WhyRemote, "$" + name + " stands like the name of a machine before its commands"
		}
	}
	if col := int(call.Pos().Col()) - 1; col == 0 || blank(lines[call.Pos().Line()-1][:col]) {
		if isProse(lines[call.Pos().Line()-1][col:]) && first != "" {
			return WhyNotShell, ""
		}
	}
	return "", ""
}

// namesHost tells `$mac docker ps`: a prompt that is also a variable to a shell.
// Variables in capitals are taken for what they are.
func namesHost(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	e, ok := w.Parts[0].(*syntax.ParamExp)
	return ok && e.Short && e.Param != nil && e.Param.Value == strings.ToLower(e.Param.Value) && isLetter(e.Param.Value[0])
}

// assigned tells whether the document sets a shell variable somewhere.
func (p *fileParser) assigned(name string) bool {
	if set, ok := p.vars[name]; ok {
		return set
	}
	set := p.book.Param(name) != nil
	for rest := p.doc.text; !set; {
		i := strings.Index(rest, name+"=")
		if i < 0 {
			break
		}
		set = i == 0 || !isWord(rest[i-1]) && rest[i-1] != '$' && rest[i-1] != '-'
		rest = rest[i+1:]
	}
	p.vars[name] = set
	return set
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

// judgeContext finds commands that open a shell elsewhere. What follows them
// in the same fence belongs there.
func (p *fileParser) judgeContext(v *verdict, file *syntax.File) (why, detail string) {
	for i, s := range file.Stmts {
		name, hands := openerIn(s)
		v.hands = v.hands || hands
		if name == "" {
			continue
		}
		v.opens = name
		if i+1 < len(file.Stmts) {
			return WhyRemote, "what follows `" + name + "` is meant for the shell that it opens"
		}
	}
	return "", ""
}

// A place is where in shell code a hole stands.
type place int

const (
	barePlace place = iota
	doubleQuoted
	singleQuoted
	hereDoc       // body of a here-document that is expanded
	quotedHereDoc // body of one that isn't
	commentPlace
	unsafePlace // inside ${…}, $((…)) or $'…'
)

// placesOf finds the places of holes in masked code.
func placesOf(file *syntax.File, holes []hole) []place {
	places := make([]place, len(holes))
	mark := func(n syntax.Node, as place) {
		from, to := int(n.Pos().Offset()), int(n.End().Offset())
		for i, h := range holes {
			if h.start >= from && h.end <= to {
				places[i] = as
			}
		}
	}
	// Outer nodes come first, so that the innermost one has the last word.
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Comment:
			mark(n, commentPlace)
		case *syntax.DblQuoted:
			mark(n, doubleQuoted)
		case *syntax.SglQuoted:
			if n.Dollar {
				mark(n, unsafePlace)
			} else {
				mark(n, singleQuoted)
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			mark(n, barePlace)
		case *syntax.ParamExp, *syntax.ArithmExp, *syntax.ArithmCmd:
			mark(n, unsafePlace)
		case *syntax.Redirect:
			if n.Hdoc != nil {
				as := hereDoc
				if quotedWord(n.Word) {
					as = quotedHereDoc
				}
				mark(n.Hdoc, as)
			}
		}
		return true
	})
	return places
}

func quotedWord(w *syntax.Word) bool {
	for _, part := range w.Parts {
		switch x := part.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.Contains(x.Value, `\`) {
				return true
			}
		}
	}
	return false
}

// openHoles leaves out what is no hole where it stands: comments aren't run,
// and brackets or braces in quotes and here-documents are data.
func openHoles(file *syntax.File, holes []hole) []hole {
	var open []hole
	for i, where := range placesOf(file, holes) {
		h := holes[i]
		if where == commentPlace || where != barePlace && !h.angled && h.bracket {
			continue
		}
		open = append(open, h)
	}
	return open
}
