package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestStatementsRunOneAfterTheOther(t *testing.T) {
	for _, c := range []struct {
		code string
		want []string
	}{
		{"", nil},
		{"\n  \n", nil},
		{"a\nb\n", []string{"a", "b"}},
		{"a; b", []string{"a;", "b"}},
		{"a &\nb", []string{"a &", "b"}},
		{"# about a\na # inline\n\n# about b\nb", []string{"# about a\na # inline", "# about b\nb"}},
		{"kubectl apply -f - <<'EOF'\nkind: X\nEOF\nkubectl get x\n", []string{"kubectl apply -f - <<'EOF'\nkind: X\nEOF", "kubectl get x"}},
		{"cat <<A; echo x\nbody\nA\ny", []string{"cat <<A; echo x\nbody\nA", "y"}},
		{"for i in 1 2; do\n  echo $i\ndone\nz", []string{"for i in 1 2; do\n  echo $i\ndone", "z"}},
		{"a \\\n  b |\n  c\nd", []string{"a \\\n  b |\n  c", "d"}},
		{"if then\n", []string{"if then\n"}},
		{"# only a comment", []string{"# only a comment"}},
		{"ü='ä'\nö", []string{"ü='ä'", "ö"}},
	} {
		if got := Statements(c.code, "bash"); !slices.Equal(got, c.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", c.code, got, c.want)
		}
	}
}

func FuzzStatementsLoseNothing(f *testing.F) {
	f.Add("a; b\n# c\nd <<X\ne\nX\nf &")
	f.Add("case x in y) z;; esac; t() { u; }")
	f.Fuzz(func(t *testing.T, code string) {
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got := strings.Join(Statements(code, "bash"), "\n"); squeeze(got) != squeeze(code) {
			t.Fatalf("%q became %q", code, got)
		}
	})
}

func TestFactsAreReadOffTheCode(t *testing.T) {
	for code, want := range map[string]facts{
		"trap 'x' EXIT":              {trapsExit: true},
		"f() { trap x INT 0; }; f":   {trapsExit: true},
		"trap x INT; echo trap EXIT": {},
		"exec env x":                 {execs: true},
		"exec >log":                  {},
		"(":                          {},
	} {
		got := inspect(code, "bash")
		if got.trapsExit != want.trapsExit || got.execs != want.execs {
			t.Errorf("%q: got %+v", code, got)
		}
	}
	if got := inspect("f() {\n  a\n}\ng() { b; }", "sh").functions; got["f"] != "f() {\n  a\n}" || got["g"] != "g() { b; }" {
		t.Errorf("got %q", got)
	}
}
