package docs

import (
	"strings"

	"runbook/internal/steps"
)

// Markdown prints a plan as a document that reads well anywhere: parameters
// filled in, annotations as sentences, expectations as a checklist.
func Markdown(p *steps.Plan) string {
	var b strings.Builder
	for i, x := range pieces(p) {
		if i > 0 {
			b.WriteString("\n")
		}
		if !x.fence {
			b.WriteString(x.prose + "\n")
			continue
		}
		fence := fenceFor(x.code)
		b.WriteString(fence + x.lang + "\n" + x.code + "\n" + fence + "\n")
	}
	return clean(b.String(), false)
}

// fenceFor is a fence that no line of the code can close.
func fenceFor(code string) string {
	longest := 2
	for line := range strings.Lines(code) {
		run := 0
		for _, c := range strings.TrimLeft(line, " ") {
			if c != '`' {
				break
			}
			run++
		}
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}
