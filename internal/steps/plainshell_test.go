package steps

import (
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// pieces are what shell code is made of, and what makes it hard to read.
var pieces = []string{
	" ", " ", " ", "  ", "\t", "\n", "\n", " \\\n  ", "\\\n", ";", "; ", " && ", "&&", " || ", "||", " | ", "|", "&", " & ", "|&", "!", " ! ",
	"PROJECT", "NAME", "--jobs=N", "--name=NAME", "APP_ID", "kubectl", "get", "pods", "-n", "web", "--dry-run", "-o", "a", "b1", "x=1", "X=", "x+=2", "a[1]=2", "f()", "()", "echo", "ssh", "exit", "A1",
	"'", "'", "\"", "\"", "'a b'", "'$x'", "\"a b\"", "\"$NAME\"", "\"${NAME}\"", "\"a\\\"b\"", "\"a$\"", "\"`x`\"", "\"$(x)\"", "\"\\\n\"", "\"\\",
	"$", "$NAME", "$name", "${name}", "${name:-x}", "$1", "$?", "$$", "$(x)", "$((1+2))", "`x`", "$'x'", "$\"x\"", "${", "$[", "$name[1]", "$na-me",
	"#", " #", " # note", "\n# note\n", "#!", "# note \\\n", "# ü\n", "# \x80\n", "'ü'", "\"–\"", "ü", "\x80", "\x01", "\x00",
	">", "> /dev/null", "2>&1", "<", "< file", "<<EOF\nx\nEOF\n", "<<<", "<(x)", ">>", "&>", "{", "}", "{}", "{a,b}", "[", "]", "[[", "]]", "((", "))", "(", ")",
	"if", "then", "fi", "for", "do", "done", "case", "esac", "in", "time", "function", "export", "declare", "let", "coproc", "select", "while", "else", "elif", "test",
	"*", "?", "@", "+", "?(", "@(", "+(", "*(", "!(", "~", "%", "^", "=", "=(", ",", ":", "/", ".", "..", "-", "--", "0", "9", "_",
	"<name>", "<a b>", "{{ x }}", "{{\n}}", "...", "[flags]", "XXX", "REPLACE_ME", "$<name>", "\\", "\\ ", "\\n", "\\\"", "@test", "foreach", "nocorrect",
}

// sameScript reads code both ways, and tells whether the plain one was able to.
func sameScript(t *testing.T, r *shellReader, code string) bool {
	t.Helper()
	holes := findHoles(code)
	if len(holes) > mostHoles {
		return false
	}
	masked := mask(code, holes)
	if !r.plain.read(masked, holes) {
		return false
	}
	file, err := parseShell(r.parser, masked)
	if err != nil {
		t.Fatalf("%q is plain, but the parser says: %v", masked, err)
	}
	got, want := r.plain.script, scriptOf(file, holes)
	if len(got.stmts) == 0 && len(want.stmts) == 0 {
		got.stmts, want.stmts = nil, nil
	}
	if len(holes) == 0 {
		got.places, want.places = nil, nil
	}
	for i := range got.stmts {
		if len(got.stmts[i].calls) == 0 {
			got.stmts[i].calls = nil
		}
	}
	if !reflect.DeepEqual(got, *want) {
		t.Fatalf("%q:\nplain  %+v\nparser %+v", masked, got, *want)
	}
	return true
}

func TestPlainCodeIsReadAsTheParserReadsIt(t *testing.T) {
	const codes = 200_000
	rnd := rand.New(rand.NewSource(1))
	r, plain := newShellReader(), 0
	for range codes {
		var b strings.Builder
		for range 1 + rnd.Intn(12) {
			// Mostly harmless, or hardly any code would be plain.
			n := len(pieces)
			if rnd.Intn(3) > 0 {
				n = 40
			}
			b.WriteString(pieces[rnd.Intn(n)])
			if rnd.Intn(2) == 0 {
				b.WriteByte(' ')
			}
		}
		if sameScript(t, r, b.String()) {
			plain++
		}
	}
	if plain < codes/10 {
		t.Errorf("%d of %d codes were plain: this compares too little", plain, codes)
	}
}

func TestTheCodeOfRunbooksIsMostlyPlain(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/*.md", "../../runbooks/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	r, plain, all := newShellReader(), 0, 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range Parse(path, src).Steps {
			for _, k := range s.Blocks {
				if k.Kind != ShellBlock {
					continue
				}
				all++
				if sameScript(t, r, k.Code) {
					plain++
				}
			}
		}
	}
	if all == 0 || plain*2 < all {
		t.Errorf("%d of %d blocks are plain, want at least half", plain, all)
	}
}

func TestCommandsAfterAVeryLongLineAreRead(t *testing.T) {
	code := "echo \\~" + strings.Repeat("x", 20_000) + "; Foo bar; kubectl get pods\n"
	r := parseText("# A\n\n'''sh\n" + code + "'''\n")
	wantCodes(t, r, code)
}

func FuzzPlainCode(f *testing.F) {
	for _, p := range pieces {
		f.Add("echo a " + p + " b\n")
	}
	r := newShellReader()
	f.Fuzz(func(t *testing.T, code string) { sameScript(t, r, code) })
}
