package docs_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/docs"
	"runbook/internal/steps"
	"runbook/runbooks"
)

var update = flag.Bool("update", false, "write the golden files")

func plan(t *testing.T, src []byte, set map[string]string) *steps.Plan {
	t.Helper()
	r := steps.Parse("test.md", src)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	v, err := r.Resolve(steps.Sources{Set: set, Env: func(string) (string, bool) { return "", false }})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Bind(v)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

func TestARunbookPrintsWithWhatItsAnnotationsSay(t *testing.T) {
	src, err := os.ReadFile("testdata/shop.md")
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, src, map[string]string{"SIZE": "small", "TOKEN": "hunter2-hunter2"})
	md := docs.Markdown(p)
	golden(t, "shop.markdown", md)
	text, err := docs.Terminal(p, docs.Look{Width: 60})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "shop.term", text)
	for _, out := range []string{md, text} {
		if strings.Contains(out, "hunter2") || strings.Contains(out, "<!--") {
			t.Errorf("it shows what nobody should read:\n%s", out)
		}
	}
}

func TestAPrintSaysOfEachFenceWhyItIsNotRun(t *testing.T) {
	src, err := os.ReadFile("testdata/reasons.md")
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, src, nil)
	golden(t, "reasons.markdown", docs.Markdown(p))
	text, err := docs.Terminal(p, docs.Look{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "reasons.term", text)
}

func TestWithoutColourNoEscapeIsPrinted(t *testing.T) {
	src, err := os.ReadFile("testdata/shop.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := docs.Terminal(plan(t, src, nil), docs.Look{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "\x1b") {
		t.Errorf("an escape in %q", text)
	}
}

func TestEveryShippedCommandIsPrintedWholeAtAnyWidth(t *testing.T) {
	for _, name := range []string{"schmetterpause/bring-up.md", "schmetterpause/teardown.md"} {
		src, err := runbooks.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := plan(t, src, nil)
		for _, width := range []int{20, 80, 200} {
			text, err := docs.Terminal(p, docs.Look{Width: width})
			if err != nil {
				t.Fatal(err)
			}
			md := docs.Markdown(p)
			for _, s := range p.Steps {
				for i, b := range s.Blocks {
					if b.Kind != steps.ShellBlock {
						continue
					}
					for line := range strings.Lines(s.Code[i]) {
						line = strings.TrimRight(line, "\n")
						if !strings.Contains(text, line) || !strings.Contains(md, line) {
							t.Errorf("%s at %d: not as it stands: %q", name, width, line)
						}
					}
				}
			}
		}
	}
}

func TestAWordInAngleBracketsIsReadInEveryForm(t *testing.T) {
	p := plan(t, []byte("# T\n\nRun against <namespace>.\n\n```bash\nkubectl -n <namespace> get pods\n```\n"), nil)
	text, err := docs.Terminal(p, docs.Look{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Run against <namespace>.", "Not run by the program: nothing is known to put in for <namespace>."} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
		if md := docs.Markdown(p); !strings.Contains(md, strings.ReplaceAll(want, "<", `\<`)) {
			t.Errorf("the Markdown lacks %q:\n%s", want, md)
		}
	}
}

// Code that ends without a newline, or holds fences of its own, is printed in a
// fence that starts and ends on lines of its own (M33, M34).
func TestAFenceIsPrintedOnLinesOfItsOwn(t *testing.T) {
	for src, want := range map[string]string{
		"# A\n\n```sh\nprintf x":                                       "```sh no-run\nprintf x\n```\n",
		"# A\n\n````sh\ncat <<'X'\n```\nX\n````\n":                     "````sh\ncat <<'X'\n```\nX\n````\n",
		"# A\n\n~~~sh\ncat <<'X'\n  ````` and more\nX\n~~~\n":          "``````sh\ncat <<'X'\n  ````` and more\nX\n``````\n",
		"# A\n\n```sh\necho a\n```\n\nIt prints:\n\n```output\na\n```": "```output\na\n```\n",
	} {
		if got := docs.Markdown(bound(steps.Parse("x.md", []byte(src)))); !strings.Contains(got, "\n"+want) {
			t.Errorf("%q: got\n%s\nwant\n%s", src, got, want)
		}
	}
}

// Front matter is for the program: it is never printed as text or headings
// (M17, M18, M20).
func TestFrontMatterIsNeverPrintedAsText(t *testing.T) {
	for _, src := range []string{
		"---\nrunbook: v1\ntitle: Mine\nneeds: [kubectl]\n---\n\n## A\n\n```sh\necho a\n```\n",
		"---\ntitle: Mine\ntags:\n  - needs\n---\n\n## A\n\n```sh\necho a\n```\n",
	} {
		if got, want := docs.Markdown(bound(steps.Parse("x.md", []byte(src)))), "# Mine\n\n## A\n\n```sh\necho a\n```\n"; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// What stands in angle brackets is shown in a terminal too (M35).
func TestAPlaceholderInProseIsPrinted(t *testing.T) {
	p := bound(steps.Parse("x.md", []byte("# A\n\nRun against <namespace>, not <your-cluster>.\n\n```sh\necho a\n```\n")))
	text, err := docs.Terminal(p, docs.Look{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Run against <namespace>, not <your-cluster>."; !strings.Contains(text, want) {
		t.Errorf("got\n%s\nwant %q in it", text, want)
	}
}
