package docs_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"runbook/internal/docs"
	"runbook/internal/steps"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// FuzzOnlyColourIsPrinted: whatever bytes a runbook and its parameters consist
// of, nothing is printed that a terminal obeys but colour.
func FuzzOnlyColourIsPrinted(f *testing.F) {
	for _, s := range []string{
		"plain", "\x1b[2J", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x1b\\", "\x1bP1$q\x1b\\", "\u009b2J", "\x9b2J", "a\rb", "\u202eabc", "\x07\x08\x7f", "\x1b", "\x1b[", "\x1b[31",
		"[link](https://x\x1b]8;;y\x07)", "<b>\x1b[2J</b>", "| a |\n|---|\n| \x1b[2J |", "`\x1b[2J`", "\u2028", "\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, text := range []string{
			s,
			"---\nrunbook: v1\ntitle: \"T\"\nparams:\n  P: {help: h, default: d}\n---\n\n# T " + s + "\n\n" + s + "\n\n## S " + s + "\n\n<!-- step\nid: s\ncost: " + s + "\n-->\n\n```sh\n" + s + "\nrm -rf \"" + s + "\"\n```\n",
		} {
			r := steps.Parse("x.md", []byte(text))
			p, err := r.Bind(steps.Values{"P": {Text: s, Source: steps.FromSet}})
			if err != nil || p == nil {
				continue // what can't be bound isn't printed
			}
			none(t, "Markdown", docs.Markdown(p))
			for _, l := range []docs.Look{{Width: 40}, {Width: 80, Color: true, Dark: true}, {Width: 80, Color: true}} {
				out, err := docs.Terminal(p, l)
				if err != nil {
					t.Fatal(err)
				}
				if l.Color {
					out = sgr.ReplaceAllString(out, "")
				}
				none(t, "terminal text", out)
			}
		}
	})
}

func none(t *testing.T, what, text string) {
	t.Helper()
	if i := strings.IndexFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029')
	}); i >= 0 {
		t.Fatalf("the %s has %q", what, text[i:min(i+12, len(text))])
	}
}
