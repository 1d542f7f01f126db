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
		fence := fenceFor(x.code, x.lang)
		b.WriteString(fence + x.lang + "\n" + x.code + "\n" + fence + "\n")
	}
	return clean(b.String(), false)
}

// fenceFor is a fence that no line of the code can close or be taken for the end
// of. Its label may have a back-tick, which only one of tildes can.
func fenceFor(code, lang string) string {
	mark := '`'
	if strings.ContainsRune(lang, mark) {
		mark = '~'
	}
	longest, run := 2, 0
	for _, c := range code {
		if run++; c != mark {
			run = 0
		}
		longest = max(longest, run)
	}
	return strings.Repeat(string(mark), longest+1)
}
