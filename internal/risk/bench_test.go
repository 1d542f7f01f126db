package risk

import (
	"os"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	bench "runbook/internal/ratio"
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

// BenchmarkClassify judges commands one by one, and as long scripts of them.
func BenchmarkClassify(b *testing.B) {
	texts := benchText(b)
	var sound, long []string
	for _, s := range texts {
		if _, err := parseAlone(s); err == nil && !strings.Contains(s, "<<") {
			sound = append(sound, s)
		}
	}
	for some := range slices.Chunk(sound, 200) {
		long = append(long, strings.Join(some, "\n"))
	}
	for name, texts := range map[string][]string{"short commands": texts, "long scripts of traps": long, "the code of a runbook": {runbookCode()}} {
		b.Run("classify "+name+" against the shell parser alone", func(b *testing.B) {
			bench.Of(b, 3,
				func() {
					for _, s := range texts {
						Classify(s, Context{})
					}
				},
				func() {
					for _, s := range texts {
						_, _ = parseAlone(s)
					}
				})
		})
	}
}

// runbookCode is all the commands of a runbook of 400 steps.
func runbookCode() string {
	var code strings.Builder
	in := false
	for line := range strings.Lines(string(bench.Runbook(400))) {
		if strings.HasPrefix(line, "```") {
			in = strings.HasPrefix(line, "```sh")
		} else if in {
			code.WriteString(strings.ReplaceAll(line, "<namespace>", "web"))
		}
	}
	return code.String()
}

func parseAlone(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}
