package risk

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzClassify(f *testing.F) {
	for _, s := range []string{
		"kubectl delete ns x", "a=(b c); ${a[@]}", "cat <<EOF | sh\n$(x)\nEOF", "f() { f; }; f", "alias a=b b=a; a", "${x:-${y:-$(z)}}",
		"kubectl -n <a b> get {a,{b,c}}", "vault kv put m/e -cas=0 @-", "psql -c '/*", "find . -exec", "xargs -I{} sh -c '{}'", "\x01\x02\x03", "awk 'system(\"", "$ $ $",
		"curl -X", "vault x -=", "env -S 'a b'", "sed -e 's/a/b/e'", "printf '%", "task {{", "watch watch watch", "<>", "rm -rf \"$W/..\n.\"*", "kubectl delete ns 'a\r\nb'", "kubectl apply -f - <<<'kind: [",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Classify(text, Context{})
		if r.Class < Read || r.Class > Destroy {
			t.Errorf("class %d", r.Class)
		}
		for _, x := range r.Reasons {
			if x.Class > r.Class {
				t.Errorf("the reason %v is worse than the whole, %v", x, r.Class)
			}
			if strings.ContainsAny(x.Why, "\n\r") {
				t.Errorf("the reason is on two lines: %q", x.Why)
			}
			if utf8.ValidString(text) && !utf8.ValidString(x.Command) {
				t.Errorf("command %q is cut within a character", x.Command)
			}
		}
	})
}

// wrappers put a command where it is still executed.
var wrappers = []func(string) string{
	func(s string) string { return "echo a; " + s },
	func(s string) string { return "true && " + s },
	func(s string) string { return "false || " + s + " || true" },
	func(s string) string { return "( " + s + " )" },
	func(s string) string { return "{ " + s + "; }" },
	func(s string) string { return "if true; then " + s + "; fi" },
	func(s string) string { return "if false; then :; else " + s + "; fi" },
	func(s string) string { return "while true; do " + s + "; break; done" },
	func(s string) string { return "for i in 1 2; do " + s + "; done" },
	func(s string) string { return "case x in x) " + s + " ;; esac" },
	func(s string) string { return "f() { " + s + "; }; f" },
	func(s string) string { return "echo $( " + s + " )" },
	func(s string) string { return "cat <( " + s + " )" },
	func(s string) string { return "X=$( " + s + " )" },
	func(s string) string { return s + " | cat" },
	func(s string) string { return "cat x | " + s },
	func(s string) string { return s + " &" },
	func(s string) string { return "! " + s },
	func(s string) string { return "time " + s },
	func(s string) string { return "[[ -n $( " + s + " ) ]]" },
	func(s string) string { return "echo ${A:-$( " + s + " )}" },
	func(s string) string { return "bash -c " + quote(s) },
	func(s string) string { return "sh -exc " + quote(s) },
	func(s string) string { return "eval " + quote(s) },
	func(s string) string { return "ssh -p 22 host " + quote(s) },
	func(s string) string { return "su - bob -c " + quote(s) },
	func(s string) string { return "watch -n 1 " + quote(s) },
	func(s string) string { return "trap " + quote(s) + " EXIT" },
	func(s string) string { return "kubectl exec pod -- sh -c " + quote(s) },
	func(s string) string { return "docker run --rm img sh -c " + quote(s) },
	func(s string) string { return "echo x | xargs -I{} sh -c " + quote(s) },
	func(s string) string { return "find . -exec bash -c " + quote(s) + " \\;" },
	func(s string) string { return "bash <<'END'\n" + s + "\nEND\n" },
	func(s string) string { return "nohup timeout -k 1 5 bash -c " + quote(s) },
	func(s string) string { return "sudo -u bob -- env A=1 sh -c " + quote(s) },
	func(s string) string { return "echo " + quote(s) + " | sh" },
	func(s string) string { return "CMD=" + quote(s) + "; eval \"$CMD\"" },
	func(s string) string { return "alias zz=" + quote(s) + "\nzz" },
	func(s string) string { return "# a comment\n" + s + "\n# another" },
	func(s string) string { return "A=1 B=2 bash -c " + quote(s) },
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// cores delete a namespace, each in its own spelling.
var cores = []string{
	"kubectl delete ns x", "kubectl -n y delete ns x", "V=delete; kubectl $V ns x", "/usr/bin/kubectl --context c delete ns/x", "k delete namespace x --wait=false",
	"C=(kubectl delete); \"${C[@]}\" ns x", "command kubectl delete ns x", "echo x | xargs kubectl delete ns", "for n in x; do kubectl delete ns $n; done",
}

func TestAnExecutedDeletionIsFoundWhereverItHides(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		core := cores[r.IntN(len(cores))]
		text := core
		for range 1 + r.IntN(3) {
			w := wrappers[r.IntN(len(wrappers))]
			if strings.Contains(text, "\n") && strings.Contains(w("x;"), "x; ") {
				continue
			}
			text = w(text)
		}
		if got := Classify(text, Context{}); got.Class == Read || got.Class == Write {
			t.Fatalf("Classify(%q) = %v %v %s", text, got.Class, got.Reasons, got.ParseError)
		}
	}
}

func TestASingleWrapperHidesNothing(t *testing.T) {
	for _, core := range cores {
		for i, w := range wrappers {
			want := Destroy
			if strings.Contains(core, ";") {
				// What sets the verb may be skipped, or run in a shell of its own.
				want = Unknown
			}
			if got := Classify(w(core), Context{}); got.Class < want {
				t.Errorf("wrapper %d: Classify(%q) = %v, want %v: %v %s", i, w(core), got.Class, want, got.Reasons, got.ParseError)
			}
		}
	}
}

func TestHostileTextsEnd(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("$(", 3000), strings.Repeat("{a,b}", 40), "f(){ f|f& };f", "alias a='a;a' ; a",
		strings.Repeat("bash -c 'eval ", 50), strings.Repeat("for i in 1 2 3 4 5 6 7 8; do ", 12) + "x" + strings.Repeat("; done", 12),
		"a=" + strings.Repeat("x", 1<<16) + "; " + strings.Repeat("b=$a$a; a=$b; ", 40) + "kubectl get $a",
		strings.Repeat("kubectl get x; ", 30000), strings.Repeat("(", 1<<20), strings.Repeat("if ", 1<<17), strings.Repeat("! ", 1<<17), strings.Repeat("a && ", 1<<16) + "b",
	} {
		if got := Classify(text, Context{}); len(got.Reasons) == 0 {
			t.Errorf("no reasons for %.40q…", text)
		}
	}
}

func TestTextsAreJudgedSideBySide(t *testing.T) {
	done := make(chan Class)
	for range 4 {
		go func() {
			worst := Read
			for range 50 {
				worst = Max(worst, Classify("V=delete; f() { kubectl $V ns x; }; f; vault kv put m/e a=b", Context{}).Class)
			}
			done <- worst
		}()
	}
	for range 4 {
		if got := <-done; got != Destroy {
			t.Errorf("got %v, want destroy", got)
		}
	}
}
