package risk

import (
	"os"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// benchText is the commands of the tool table, the traps among them: what is measured is the
// whole judgement against the parser alone on the same bytes.
func benchText(b *testing.B) []string {
	b.Helper()
	raw, err := os.ReadFile("testdata/tools.txt")
	if err != nil {
		b.Fatal(err)
	}
	var out []string
	for _, line := range strings.Split(string(raw), "\n") {
		if _, text, ok := strings.Cut(line, " "); ok && !strings.HasPrefix(line, "#") {
			out = append(out, strings.TrimSpace(text))
		}
	}
	return out
}

func BenchmarkParseAlone(b *testing.B) {
	texts := benchText(b)
	for b.Loop() {
		for _, s := range texts {
			p := syntax.NewParser(syntax.Variant(syntax.LangBash))
			_, _ = p.Parse(strings.NewReader(s), "")
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	texts := benchText(b)
	Classify("", Context{})
	for b.Loop() {
		for _, s := range texts {
			Classify(s, Context{})
		}
	}
}
