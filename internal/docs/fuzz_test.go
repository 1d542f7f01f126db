package docs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"runbook/internal/docs"
	"runbook/internal/steps"
)

// codes are the fences of a bound runbook in the order of the document.
func codes(p *steps.Plan) []string {
	var out []string
	for _, s := range p.Runbook.Sections {
		for _, part := range s.Parts {
			switch {
			case part.Fence != nil:
				out = append(out, strings.TrimRight(part.Fence.Code, "\n"))
			case part.Block >= 0 && s.Step >= 0:
				out = append(out, strings.TrimRight(p.Steps[s.Step].Code[part.Block], "\n"))
			}
		}
	}
	return out
}

// FuzzAPrintedRunbookReadsTheSame: whatever is printed, no panic; and who reads
// the print, a person or the program, finds the same code in the same order.
func FuzzAPrintedRunbookReadsTheSame(f *testing.F) {
	f.Add("# A\n\nText <b> with *marks*.\n\n```sh\n$ echo a\na\n```\n\n1. One\n\n   ```bash\n   echo b\n   ```\n\n> ```sh\n> echo c\n> ```\n")
	f.Add("# A\n\n````sh\ncat <<X\n```\nX\n````\n\n```yaml action\nwait: pod/x is ready\n```\n\n<details>\n\n```sh\necho d\n```\n\n</details>\n")
	files, err := filepath.Glob("testdata/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) || strings.ContainsFunc(src, func(r rune) bool {
			return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) || unicode.Is(unicode.Cf, r)
		}) {
			t.Skip("what nobody could read is printed so that it can be seen")
		}
		p := bound(steps.Parse("x.md", []byte(src)))
		text := docs.Markdown(p)
		if _, err := docs.Terminal(p, docs.Look{Width: 40}); err != nil {
			t.Errorf("draw: %v", err)
		}
		again := bound(steps.Parse("x.md", []byte(text)))
		if want, got := codes(p), codes(again); !slices.Equal(got, want) {
			t.Errorf("the print reads\n%q\nnot\n%q\nprint:\n%s", got, want, text)
		}
	})
}

// bound gives open parameters no value: what can't be bound stays as it is.
func bound(r *steps.Runbook) *steps.Plan {
	v, _ := r.Resolve(steps.Sources{Env: func(string) (string, bool) { return "", false }})
	p, _ := r.Bind(v)
	return p
}
