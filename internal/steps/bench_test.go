package steps

import (
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"runbook/internal/ratio"
)

// BenchmarkParse reads all that is needed to open a runbook: front matter,
// annotations, expectations, verdicts. It is held against goldmark as anybody
// would call it, which parses the same bytes to a tree of Markdown.
func BenchmarkParse(b *testing.B) {
	src := ratio.Runbook(2000)
	b.Run("parse a 1 MB runbook against goldmark alone", func(b *testing.B) {
		ratio.Of(b, 1.5,
			func() {
				if r := Parse("x.md", src); len(r.Steps) != 2000 {
					b.Fatalf("%d steps", len(r.Steps))
				}
			},
			func() { goldmark.DefaultParser().Parse(text.NewReader(src)) })
	})
	b.Run("alone", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			Parse("x.md", src)
		}
	})
}
