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
