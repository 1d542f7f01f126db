package shell

import (
	"embed"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

//go:embed scripts/*.sh
var scriptFiles embed.FS

// newer are the words that bash 3.2, which macOS has, doesn't know: commands,
// and what their options became later.
var newer = map[string][]string{
	"mapfile": nil, "readarray": nil, "coproc": nil, // 4.0
	"declare": {"-A", "-g", "-n", "-u", "-l", "-c", "-I"}, "local": {"-A", "-n", "-u", "-l", "-"}, "typeset": {"-A", "-g", "-n"},
	"read": {"-N", "-i"}, "wait": {"-n", "-p", "-f"}, "printf": {"%("}, "unset": {"-n"}, "test": {"-v", "-R"}, "[": {"-v", "-R"},
	"shopt": {"globstar", "autocd", "checkjobs", "dirspell", "lastpipe", "inherit_errexit", "localvar_inherit", "assoc_expand_once", "patsub_replacement"},
}

// complaints are the features of a script that bash 3.2 doesn't have.
func complaints(file *syntax.File) []string {
	var out []string
	say := func(n syntax.Node, what string) { out = append(out, fmt.Sprintf("line %d: %s", n.Pos().Line(), what)) }
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			if n.Op == syntax.PipeAll {
				say(n, "|&")
			}
		case *syntax.Redirect:
			if n.Op == syntax.AppAll || n.N != nil && strings.HasPrefix(n.N.Value, "{") {
				say(n, "a redirection of bash 4")
			}
		case *syntax.CaseItem:
			if n.Op != syntax.Break && n.Op != 0 {
				say(n, "a case that falls through")
			}
		case *syntax.CoprocClause:
			say(n, "coproc")
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.UpperFirst || n.Exp.Op == syntax.UpperAll || n.Exp.Op == syntax.LowerFirst || n.Exp.Op == syntax.LowerAll || n.Exp.Op == syntax.OtherParamOps) {
				say(n, "an expansion that changes case or quotes")
			}
		case *syntax.UnaryTest:
			if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
				say(n, "[[ -v ]]")
			}
		case *syntax.DeclClause:
			for _, a := range n.Args {
				if a.Naked && a.Value != nil && slices.Contains(newer[n.Variant.Value], a.Value.Lit()) {
					say(n, n.Variant.Value+" "+a.Value.Lit())
				}
			}
		case *syntax.CallExpr:
			for _, what := range calls(n) {
				say(n, what)
			}
		}
		return true
	})
	return out
}

// calls are the complaints about one command, behind builtin and command too.
func calls(c *syntax.CallExpr) []string {
	var words []string
	for _, w := range c.Args {
		var b strings.Builder
		_ = syntax.NewPrinter().Print(&b, w) // to memory
		words = append(words, b.String())
	}
	for len(words) > 0 && (words[0] == "builtin" || words[0] == "command") {
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	options, known := newer[words[0]]
	if known && options == nil {
		return []string{words[0]}
	}
	var out []string
	for _, w := range words[1:] {
		if slices.ContainsFunc(options, func(o string) bool { return w == o || o == "%(" && strings.Contains(w, o) }) {
			out = append(out, words[0]+" "+w)
		}
	}
	return out
}

func TestNoScriptNeedsABashThatMacOSDoesNotHave(t *testing.T) {
	entries, err := scriptFiles.ReadDir("scripts")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "zsh") {
			continue // zsh is the same everywhere it matters
		}
		text, err := scriptFiles.ReadFile(path.Join("scripts", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		lang := syntax.LangBash
		if !strings.HasPrefix(e.Name(), "bash") {
			lang = syntax.LangPOSIX
		}
		file, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(strings.NewReplacer("@SHIM@", "shim", "@", "").Replace(string(text))), e.Name())
		if err != nil {
			t.Errorf("%s: %v", e.Name(), err)
			continue
		}
		for _, c := range complaints(file) {
			t.Errorf("%s: %s", e.Name(), c)
		}
	}
}

func TestWhatBash32DoesNotKnowIsSeen(t *testing.T) {
	for _, code := range []string{
		"a |& b", "a &>>f", "exec {fd}>f", "case x in x) ;;& esac", "coproc cat", "echo ${x^^}", "echo ${x,}", "echo ${x@Q}", "[[ -v x ]]",
		"declare -A m", "builtin declare -g x", "local -n r", "mapfile -t x", "builtin readarray x", "read -N 1 x", "wait -n", "printf '%(%s)T' -1", "shopt -s globstar",
	} {
		file, err := syntax.NewParser().Parse(strings.NewReader(code), "")
		if err != nil {
			t.Fatal(err)
		}
		if len(complaints(file)) == 0 {
			t.Errorf("%s went through", code)
		}
	}
}

// The nearest to bash 3.2 that a newer bash can be.
func TestStateGoesOnInABashThatBehavesLikeOldOnes(t *testing.T) {
	s := open(t, Options{Env: append(os.Environ(), "BASH_COMPAT=3.2")})
	_, res := runCode(t, s, Command{Code: "a=(x 'y z')\nf() { echo \"f $1\"; }\nv=$'q\"\\'\\n\\xff'\nexport e=1\numask 027\n"})
	if res.StateLost != "" {
		t.Fatal(res.StateLost)
	}
	out, _ := runCode(t, s, Command{Code: "echo \"${a[1]}\"; f on; printf %s \"$v\" | od -An -tx1; umask; env | grep ^e="})
	if want := "y z\nf on\n 71 22 27 0a ff\n0027\ne=1\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}
