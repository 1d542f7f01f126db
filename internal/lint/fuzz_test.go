package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/steps"
)

// FuzzCheckStaysInTheFile: whatever is linted, no panic, no finding outside of
// the file, and no line break in what is said.
func FuzzCheckStaysInTheFile(f *testing.F) {
	for _, r := range Rules() {
		if len(r.Bad) < 2000 {
			f.Add(Example(r.Bad))
		}
		f.Add(Example(r.Good))
	}
	files, err := filepath.Glob("testdata/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		r := steps.Parse("x.md", src)
		lines := strings.Split(string(r.Source), "\n")
		for _, d := range Check(r, nil) {
			if d.Line < 1 || d.Line > len(lines) || d.Col < 1 || d.Col > len(lines[d.Line-1])+1 {
				t.Fatalf("%d:%d is outside of the file: %s", d.Line, d.Col, d.Message)
			}
			if strings.Contains(d.Message+d.Hint, "\n") {
				t.Fatalf("a finding on two lines: %q, %q", d.Message, d.Hint)
			}
		}
	})
}

func BenchmarkCheckOfALargeRunbook(b *testing.B) {
	var src strings.Builder
	src.WriteString("# Large\n\n")
	for i := range 2000 {
		src.WriteString("## Step " + strings.Repeat("x", i%7) + "\n\nSome text that explains what comes next, in a sentence or two.\n\n")
		src.WriteString("```sh\nkubectl -n shop get pods -o wide | grep web\nkubectl -n shop apply -f web.yaml\nvault kv get -field=x kv/shop > /tmp/x\n```\n\n")
	}
	r := steps.Parse("large.md", []byte(src.String()))
	for b.Loop() {
		Check(r, nil)
	}
}
