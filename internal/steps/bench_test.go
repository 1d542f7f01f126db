package steps

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"runbook/internal/ratio"
)

// generated is a runbook of about 1 MB with 2000 steps, as people write them:
// prose with inline Markdown, commands, output, now and then an annotation.
func generated() []byte {
	var b strings.Builder
	b.WriteString("---\nrunbook: v1\nparams:\n  NAMESPACE: {default: web}\n---\n\n# Generated\n\nSome text.\n\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "## Step %d: look at **service** `web-%d`\n\n", i, i)
		b.WriteString("The [deployment](https://example.org/docs) must be _ready_ before the next step,\nor the `HTTPRoute` has no backend, and the host answers 503. Wait for it, and look\nat the events when it takes longer than that.\n\n")
		if i%4 == 0 {
			fmt.Fprintf(&b, "<!-- step\nid: step-%d\nexpect: deployment/web-%d is ready\n-->\n\n", i, i)
		}
		fmt.Fprintf(&b, "```sh\nkubectl -n <namespace> get deployment web-%d -o jsonpath='{.status.readyReplicas}'\nkubectl -n \"$NAMESPACE\" rollout status deployment/web-%d --timeout=120s\n```\n\nExample output:\n\n```\ndeployment \"web\" successfully rolled out\n```\n\n", i, i)
	}
	return []byte(b.String())
}

// BenchmarkParse reads all that is needed to open a runbook: front matter,
// annotations, expectations, verdicts. It is held against goldmark as anybody
// would call it, which parses the same bytes to a tree of Markdown.
func BenchmarkParse(b *testing.B) {
	src := generated()
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
