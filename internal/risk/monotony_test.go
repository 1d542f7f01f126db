package risk

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// parsed is a text as bash reads it, nil where it doesn't.
func parsed(text string) *syntax.File {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil
	}
	return f
}

// lowers says which addition or wrapping makes a text look more harmless than it is, "" if
// none does.
func lowers(text string) string {
	const core = "kubectl delete ns x"
	if got := Classify(core+"\n"+text, Context{}); got.Class != Destroy {
		return core + " in front: " + got.Class.String()
	}
	norm, notes := normalise(text)
	f := parsed(norm)
	if f == nil || len(f.Stmts) == 0 || len(notes) > 0 || norm != text || strings.HasPrefix(strings.TrimSpace(text), "-") || strings.HasSuffix(text, "\\") {
		// What isn't shell, or is read as something else than it says, changes by what is
		// around it.
		return ""
	}
	want := Classify(text, Context{}).Class
	if g := parsed(text + "\n" + core); g != nil && len(g.Stmts) == len(f.Stmts)+1 {
		if got := Classify(text+"\n"+core, Context{}).Class; got < want {
			return core + " behind: " + got.String()
		}
	}
	for _, w := range []string{text + "\n", "( " + text + "\n)", "{ " + text + "\n}", "if true; then " + text + "\nfi", "true && {\n" + text + "\n}", "bash -c " + quote(text), "sudo bash -c " + quote(text),
		"echo x | xargs -I@%%@ sh -c " + quote(text), "timeout 5 sh -ec " + quote(text), "eval " + quote(text)} {
		if g := parsed(w); g == nil || len(g.Stmts) != 1 && w != text+"\n" {
			continue
		}
		if got := Classify(w, Context{}); got.Class < want {
			return w + ": " + got.Class.String()
		}
	}
	if sudo := "sudo " + text; simple(f) {
		if got := Classify(sudo, Context{}); got.Class < want {
			return sudo + ": " + got.Class.String()
		}
	}
	return ""
}

// simple says that a text is one command and nothing else.
func simple(f *syntax.File) bool {
	if len(f.Stmts) != 1 || f.Stmts[0].Negated || f.Stmts[0].Background || len(f.Stmts[0].Redirs) > 0 {
		return false
	}
	c, ok := f.Stmts[0].Cmd.(*syntax.CallExpr)
	return ok && len(c.Assigns) == 0 && len(c.Args) > 0 && !strings.HasPrefix(c.Args[0].Lit(), "-") && c.Args[0].Lit() != ""
}

func TestNothingAroundACommandMakesItLookHarmless(t *testing.T) {
	for _, table := range []string{"testdata/tools.txt", "testdata/runbooks.txt", "testdata/heldout.txt"} {
		for _, r := range parseClassed(t, strings.ReplaceAll(readTable(t, table), "\\\n", "")) {
			if why := lowers(r.command); why != "" {
				t.Errorf("%v %q, with %s", r.want, r.command, why)
			}
		}
	}
}

func FuzzNothingAroundACommandMakesItLookHarmless(f *testing.F) {
	for _, s := range []string{
		"kubectl delete ns x", "a=(b c); ${a[@]}", "vault kv put m/e a=b", "for i in a b; do rm $i; done", "f() { rm x; }; f", "rm x > y", "kubectl get x | xargs kubectl delete",
		"psql -c 'drop table x'", "W=get; kubectl $W ns x; W=delete", "alias k=rm; k x", "docker rm -f $(docker ps -q)", "case x in a) rm x ;; esac", "read -r x; kubectl $x y", "ssh h 'rm x'", "trap 'rm x' EXIT",
		"set -- delete; kubectl $1 x", "shift; kubectl $1", "printf 'rm %s' x | sh", "exec rm x", "unset -f kubectl; kubectl drain n", "watch rm x", "! rm x", "time rm x", "cd x && make clean",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		if why := lowers(text); why != "" {
			t.Errorf("%q, with %s", text, why)
		}
	})
}
