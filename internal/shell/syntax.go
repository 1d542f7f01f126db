package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// facts are what can be read off code before it runs.
type facts struct {
	trapsExit bool              // it sets an EXIT trap
	execs     bool              // it may replace its shell
	silent    []string          // variables that it reads without echo
	lost      []string          // what it sets that ends with its shell
	jobs      bool              // it speaks of jobs, and starts none
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
	var quiet bool // stty has switched the echo off
	out.lost, out.jobs = lostIn(file, f), asksForJobs(file)
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		switch call.Args[0].Lit() {
		case "trap":
			out.trapsExit = out.trapsExit || trapsExit(call.Args[1:])
		case "stty":
			quiet = quiet || slices.ContainsFunc(call.Args, func(w *syntax.Word) bool { return w.Lit() == "-echo" })
		case "read":
			out.silent = append(out.silent, silentNames(call.Args[1:], quiet)...)
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

// silentNames are the variables that a read sets, if it reads without echo:
// with -s, or behind stty -echo. REPLY is what a read without a name sets.
func silentNames(args []*syntax.Word, quiet bool) []string {
	var names []string
	for i := 0; i < len(args); i++ {
		word := opening(args[i])
		if !strings.HasPrefix(word, "-") || len(names) > 0 {
			if name, _, _ := strings.Cut(word, "?"); isName(name) { // zsh: name?prompt
				names = append(names, name)
			}
			continue
		}
		flags := word[1:]
		at := strings.IndexAny(flags, "adinNptuk") // takes an argument, here or next
		if at >= 0 && at == len(flags)-1 {
			i++
		} else if at >= 0 {
			flags = flags[:at]
		}
		quiet = quiet || strings.Contains(flags, "s")
	}
	switch {
	case !quiet:
		return nil
	case len(names) == 0:
		return []string{"REPLY"}
	}
	return names
}

// opening is the text that a word starts with, whatever quotes it is in.
func opening(w *syntax.Word) string {
	if len(w.Parts) == 0 {
		return ""
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return p.Value
	case *syntax.SglQuoted:
		return p.Value
	case *syntax.DblQuoted:
		return opening(&syntax.Word{Parts: p.Parts})
	}
	return ""
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
