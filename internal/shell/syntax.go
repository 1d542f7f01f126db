package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// facts are what can be read off code before it runs.
type facts struct {
	trapsExit bool              // it sets an EXIT trap
	execs     bool              // it may replace its shell
	functions map[string]string // the text of the functions at its top level
}

func dialect(f family) syntax.LangVariant {
	switch f {
	case "zsh":
		return syntax.LangZsh
	case "sh":
		return syntax.LangPOSIX
	}
	return syntax.LangBash
}

// inspect reads code; code that cannot be parsed gives no facts.
func inspect(code string, f family) facts {
	out := facts{functions: map[string]string{}}
	file, err := syntax.NewParser(syntax.Variant(dialect(f))).Parse(strings.NewReader(code), "")
	if err != nil {
		return out
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		switch call.Args[0].Lit() {
		case "trap":
			out.trapsExit = out.trapsExit || trapsExit(call.Args[1:])
		case "exec":
			out.execs = out.execs || len(call.Args) > 1
		}
		return true
	})
	for _, stmt := range file.Stmts {
		if fn, ok := stmt.Cmd.(*syntax.FuncDecl); ok && fn.Name != nil {
			out.functions[fn.Name.Value] = code[stmt.Pos().Offset():stmt.End().Offset()]
		}
	}
	return out
}

func trapsExit(args []*syntax.Word) bool {
	for i, w := range args {
		if i > 0 && (strings.EqualFold(w.Lit(), "EXIT") || strings.EqualFold(w.Lit(), "SIGEXIT") || w.Lit() == "0") {
			return true
		}
	}
	return false
}

// Statements splits code of the given shell (bash, sh or zsh) into the pieces
// that can be run one after the other in a session, with the comments before
// them. Code that cannot be parsed is one piece.
func Statements(code, shell string) []string {
	fam, err := familyOf(shell)
	if err != nil {
		fam = "bash"
	}
	parser := syntax.NewParser(syntax.Variant(dialect(fam)), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(code), "")
	if err != nil || len(file.Stmts) == 0 {
		if strings.TrimSpace(code) == "" {
			return nil
		}
		return []string{code}
	}
	cuts := []int{0}
	for i := 1; i < len(file.Stmts); i++ {
		if at := startOf(file.Stmts[i]); !inHeredoc(file.Stmts[i-1], file.Stmts[i]) {
			cuts = append(cuts, at)
		}
	}
	var out []string
	for i, from := range cuts {
		to := len(code)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		out = append(out, strings.TrimRight(code[from:to], " \t\n"))
	}
	return out
}

// startOf returns where a statement starts, with the comments above it.
func startOf(s *syntax.Stmt) int {
	at := s.Pos().Offset()
	for _, c := range s.Comments {
		at = min(at, c.Pos().Offset())
	}
	return int(at)
}

// inHeredoc reports whether next stands on the line that opens a here-document
// of prev: the two can not be separated.
func inHeredoc(prev, next *syntax.Stmt) bool {
	found := false
	syntax.Walk(prev, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Redirect); ok && r.Hdoc != nil && r.OpPos.Line() == next.Pos().Line() {
			found = true
		}
		return true
	})
	return found
}
