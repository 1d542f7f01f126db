package steps

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withLineEnds returns a text with other line ends than LF.
func withLineEnds(src string) map[string]string {
	var mixed strings.Builder
	for i, line := range strings.SplitAfter(src, "\n") {
		if i%2 == 1 {
			line = strings.ReplaceAll(line, "\n", "\r\n")
		}
		mixed.WriteString(line)
	}
	return map[string]string{"CRLF": strings.ReplaceAll(src, "\n", "\r\n"), "CR": strings.ReplaceAll(src, "\n", "\r"), "mixed": mixed.String()}
}

// Lists, quotes, directives, tabs and sessions end where they end, whatever the
// line ends are; and a fence is never taken for another one.
func TestM3M6EveryDocumentReadsTheSameWithAnyLineEnds(t *testing.T) {
	sources := map[string]string{
		"lists and quotes": "# A\n\n> Quote\n> '''sh\n> echo q\n> '''\n\n1. one\n\n   '''sh\n   $ cat <<X\n   $ y\n\n   X\n   out\n   '''\n2. two\n   - deep\n\n     '''console\n     $ echo a \\\n         b\n     '''\n\nText.\n",
		"tabs":             "# A\n\n=== \"x\"\n\n    '''sh\n    echo x\n    '''\n\n=== \"y\"\n\n    '''sh\n    echo y\n    '''\n\n`'''{note}\n'''sh\necho n\n'''\n`'''\n\n<!--\n'''sh\necho hidden\n'''\n-->\n\nTitle\n-----\n\n'''sh\necho end\n'''\n",
		"annotations":      "---\nrunbook: v1\nparams: {NS: {default: x}}\n---\n\n## A\n\n<!-- step\nid: a\nexpect: ns/${NS} exists\n-->\n\n'''sh\nkubectl create ns x\n'''\n\n'''yaml action\napply: manifests\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n'''\n",
		"never closed":     "# A\n\n'''sh\necho a\n\n## B\n\n'''sh\necho b\n'''\n",
	}
	files, err := filepath.Glob("testdata/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(files, hardPatterns(t)...) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources[path] = strings.ReplaceAll(string(src), "\r\n", "\n")
	}
	for name, src := range sources {
		want := dump(Parse("x.md", []byte(md(src))))
		for ends, variant := range withLineEnds(md(src)) {
			if got := dump(Parse("x.md", []byte(variant))); got != want {
				t.Errorf("%s with %s: got\n%s\nwant\n%s", name, ends, got, want)
			}
		}
	}
}

// The file belongs to its author: reading it changes no byte of it, and front
// matter stays front matter.
func TestM4M17M18TheSourceIsNeverRewritten(t *testing.T) {
	for _, src := range []string{
		"\xef\xbb\xbf---\r\nrunbook:   v1\r\ntitle: 'T'   # mine\r\n---\r\n# A\r\n\r\n'''sh\r\n$ echo hi\r\n'''",
		"---\ntitle: Theirs\ntags:\n  - a\n---\n# A\n\n'''sh\necho hi\n'''\n",
	} {
		in := []byte(md(src))
		r := Parse("x.md", in)
		if string(in) != md(src) {
			t.Errorf("got %q, want %q", in, md(src))
		}
		if r.Err() != nil || !strings.HasPrefix(string(r.Source), "---\n") || strings.Contains(r.Intro, "title") {
			t.Errorf("front matter of %q: source %q, intro %q, %v", src, r.Source, r.Intro, r.Err())
		}
	}
}

// There is one reading of fences: nothing else looks for headings, annotations
// or items in code.
func TestM5NoSecondReadingTakesCodeForText(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		src := strings.ReplaceAll(md("# A\n\n'''sh\ncat <<EOF\n# Heading\n<!-- step\nid: x\n-->\n1. item\nEOF\n'''\n\n## B\n\n'''sh\necho b\n'''\n"), "\n", end)
		r := Parse("x.md", []byte(src))
		if r.Err() != nil || !slices.Equal(titles(r), []string{"A", "B"}) || r.Steps[0].ID != "a" {
			t.Errorf("%q: %v\n%s", end, r.Err(), dump(r))
		}
	}
}

func TestM9AListGoesOnBehindAFenceInAnItemFurtherOut(t *testing.T) {
	r := parseText("# A\n\n- uncle\n\n  '''sh\n  echo uncle\n  '''\n\n- parent\n  - nested\n    - deeper\n\n      '''sh\n      echo deep\n      '''\n")
	wantCodes(t, r, "echo uncle\n", "echo deep\n")
	if len(r.Diagnostics) != 0 {
		t.Errorf("%s", dump(r))
	}
}

// An override reaches a step through its environment; its code stays as written.
func TestM31AnOverrideRewritesNothing(t *testing.T) {
	const code = "export OTHER=$(uuidgen | cut -c1-8)\necho \"$HOST $(date)\"\n"
	r := parseText("---\nrunbook: v1\nparams:\n  HOST: {default: \"x\"}\n---\n\n## A\n\n'''sh\n" + code + "'''\n")
	for _, value := range []string{"plain", "$(rm -rf /)", "a `b` \"c\" 'd' \\"} {
		v, err := r.Resolve(Sources{Set: map[string]string{"HOST": value}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Bind(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Steps[0].Code[0]; got != code || p.Values["HOST"].Text != value {
			t.Errorf("%q: code %q, value %q", value, got, p.Values["HOST"].Text)
		}
	}
}

func TestM32ExitCodesInASessionAreOutput(t *testing.T) {
	r := parseText("# A\n\n'''console\n$ false\n[1]\n$ kubectl get po x\nError from server (NotFound)\n[1]\n$ echo end\nend\n'''\n")
	wantCodes(t, r, "false\nkubectl get po x\necho end\n")
}
