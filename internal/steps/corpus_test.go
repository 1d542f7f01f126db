package steps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheCorpusIsAccountedFor reads real runbooks: every fence that a raw scan
// finds must be offered, or not offered with a reason.
func TestTheCorpusIsAccountedFor(t *testing.T) {
	root := os.Getenv("RUNBOOK_CORPUS")
	if root == "" {
		t.Skip("RUNBOOK_CORPUS names no folder with Markdown files")
	}
	counts := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, ".md") && !strings.HasSuffix(path, ".mdx") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r := Parse(path, src)
		counts["files"]++
		for _, d := range r.Diagnostics {
			counts["diagnostic "+d.Rule]++
			if d.Severity == Error && d.Rule != "no-steps" {
				t.Logf("%s", d.Error())
			}
		}
		checkAccounts(t, r, counts)
		checkRunbook(t, r)
		if v, err := r.Resolve(Sources{}); err == nil {
			if _, err := r.Bind(v); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	spoken := 0
	for _, k := range sortedKeys(counts) {
		if strings.HasPrefix(k, "block ") || strings.HasPrefix(k, "fence ") {
			spoken += counts[k]
		}
		t.Logf("%6d %s", counts[k], k)
	}
	if spoken != counts["fences"] {
		t.Errorf("%d fences got a verdict, %d are there", spoken, counts["fences"])
	}
}
