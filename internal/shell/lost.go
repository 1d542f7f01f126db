package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// lostIn names what code sets in its shell that no later one of the session can
// have. What is set in a subshell or a pipe is lost in a script as well.
func lostIn(file *syntax.File, f family) []string {
	var lost []string
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
			return false
		case *syntax.BinaryCmd:
			return n.Op != syntax.Pipe && n.Op != syntax.PipeAll
		case *syntax.Stmt:
			call, ok := n.Cmd.(*syntax.CallExpr)
			if !ok || len(call.Args) == 0 {
				return !n.Background
			}
			if what := lostWithShell(f, call, len(n.Redirs) > 0); what != "" && !slices.Contains(lost, what) {
				lost = append(lost, what)
			}
		}
		return true
	})
	return lost
}

// lostWithShell are the words for what a call sets in its shell that no later
// shell of the session can have; "" when it sets nothing of that kind.
func lostWithShell(f family, call *syntax.CallExpr, redirected bool) string {
	words := make([]string, len(call.Args))
	for i, w := range call.Args {
		words[i] = opening(w)
	}
	switch words[0] {
	case "set":
		if setsArguments(words[1:]) {
			return "the arguments that set gave the shell ($1 …)"
		}
	case "exec":
		if redirected && len(words) == 1 {
			return "what exec has redirected or opened"
		}
	case "ulimit":
		if len(words) > 2 {
			return "the limits that ulimit has set"
		}
	case "trap":
		if len(words) > 2 && words[1] != "-" && words[1] != "-p" {
			return lostTrap(f, words[2:])
		}
	}
	return ""
}

// setsArguments reports whether the words of set are more than options.
func setsArguments(words []string) bool {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return i+1 < len(words)
		case w == "" || w[0] != '-' && w[0] != '+':
			return true
		case strings.HasSuffix(w, "o"): // its name is the next word
			i++
		}
	}
	return false
}

// lostTrap is about the traps of a call that the next shell doesn't have. The
// one on EXIT has run by then.
func lostTrap(f family, signals []string) string {
	for _, sig := range signals {
		switch name := strings.TrimPrefix(strings.ToUpper(sig), "SIG"); {
		case name == "EXIT" || name == "0":
		case f != "bash", name == "DEBUG", name == "RETURN":
			return "the trap on " + name
		}
	}
	return ""
}

// asksForJobs reports whether code speaks of the jobs of its shell, and starts
// none itself.
func asksForJobs(file *syntax.File) bool {
	asks, starts := false, false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			starts = starts || n.Background
		case *syntax.ParamExp:
			asks = asks || n.Param != nil && n.Param.Value == "!"
		case *syntax.CallExpr:
			asks = asks || len(n.Args) > 0 && jobWord(n.Args)
		}
		return true
	})
	return asks && !starts
}

func jobWord(args []*syntax.Word) bool {
	switch opening(args[0]) {
	case "wait", "jobs", "fg", "bg", "disown":
		return true
	case "kill":
		for _, w := range args[1:] {
			if strings.HasPrefix(opening(w), "%") {
				return true
			}
		}
	}
	return false
}
