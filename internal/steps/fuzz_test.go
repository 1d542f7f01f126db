package steps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	f.Add(md(plain))
	f.Add(md(front + "## A\n\n<!-- step\nid: a\nexpect: secret/${NS} exists\n-->\n\n1. One\n\n   '''sh\n   $ kubectl get po -n <ns>\n   NAME READY\n   '''\n\n`'''{note}\n'''bash\necho a\n'''\n`'''\n"))
	f.Add(md(actionFront + "'''yaml action\nvault: create\nentry: ${CLUSTER}/x\ndata: {k: {generate: hex}}\n'''\n\n'''yaml action\napply: manifests\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: \"${NS}\"}\n'''\n"))
	f.Add("*\v\r\r```sh")
	f.Add(md("!!! note\n    '''sh\n    a\n    '''\n\n=== \"x\"\n\n> '''sh\n> b\n> '''\n\n<Tabs><Tab>\n'''sh\nc\n'''\n</Tab>\n::: zone pivot=\"x\"\n{{< tab >}}\n"))
	files, err := filepath.Glob("testdata/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(files, hardPatterns(f)...) {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		r := Parse("x.md", []byte(src))
		checkRunbook(t, r)
		again := Parse("x.md", r.Source)
		if a, b := dump(r), dump(again); a != b {
			t.Errorf("parsing the normalised source again gives\n%s\nnot\n%s", b, a)
		}
		v, _ := r.Resolve(Sources{Set: map[string]string{"NS": "it's \"$x\"\n"}})
		if p, err := r.Bind(v); err == nil && len(p.Steps) != len(r.Steps) {
			t.Errorf("%d steps became %d", len(r.Steps), len(p.Steps))
		}
	})
}

// checkRunbook holds a runbook against its own source.
func checkRunbook(t *testing.T, r *Runbook) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(r.Source), "\n"), "\n")
	for _, d := range r.Diagnostics {
		if d.Line < 1 || d.Line > len(lines) || d.Col < 1 || d.Col > len(lines[d.Line-1])+1 || d.Rule == "" || d.Message == "" {
			t.Errorf("diagnostic outside the file: %+v", d)
		}
	}
	seen := map[string]bool{}
	for i, s := range r.Steps {
		if s.N != i+1 || s.ID == "" || seen[s.ID] || s.Title == "" || s.Line < 1 || s.End > len(lines) || s.End < s.Line {
			t.Errorf("step %d: %q %q %d-%d", s.N, s.ID, s.Title, s.Line, s.End)
		}
		seen[s.ID] = true
		for _, b := range s.Blocks {
			if b.Offered != (b.Why == "") {
				t.Errorf("line %d: offered %v, why %q", b.Line, b.Offered, b.Why)
			}
			if b.Offered {
				checkCode(t, b, lines)
			}
		}
		for _, p := range s.Parts {
			if p.Block >= len(s.Blocks) {
				t.Errorf("step %d: part of block %d", s.N, p.Block)
			}
		}
	}
	for _, s := range r.Sections {
		if s.Step >= len(r.Steps) {
			t.Errorf("section of step %d", s.Step)
		}
	}
}

// checkCode asks that every line of offered code is the end of a line of the
// file, in order: nothing was added, only margins, prompts and output removed.
func checkCode(t *testing.T, b Block, lines []string) {
	t.Helper()
	at := b.Line - 1
	for line := range strings.Lines(b.Code) {
		line = strings.TrimSuffix(line, "\n")
		for at < len(lines) && at < b.EndLine && !strings.HasSuffix(expand(lines[at]), expand(line)) {
			at++
		}
		if at >= b.EndLine || at >= len(lines) {
			t.Errorf("line %d-%d: %q isn't in the file", b.Line, b.EndLine, line)
			return
		}
		at++
	}
}

// expand evens out the tabs that a margin may have cut through.
func expand(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

func FuzzExpectation(f *testing.F) {
	for _, s := range []string{"secret/x in y has keys a, b", "vault a/b exists", "https://x answers 200", "cel: a(\"b\") == [1]", "output matches /a/", "pod/x jsonpath {.a[?(@.b==\"c\")]} >= 2", "gateway/x has a TLS listener for h open to n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpectation(text, Pos{Line: 1, Col: 1})
		if err != nil {
			if e.Check != "" || err.Error() == "" {
				t.Errorf("%q: %+v with %v", text, e, err)
			}
			return
		}
		again, err := ParseExpectation(e.Text, Pos{Line: 1, Col: 1})
		if err != nil || again.Check != e.Check || again.Subject != e.Subject {
			t.Errorf("%q: %+v becomes %+v, %v", text, e, again, err)
		}
		e.Bind(Values{"NS": {Text: "x"}})
	})
}
