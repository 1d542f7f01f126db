package steps

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDumpOne shows how one file is read: RUNBOOK_FILE=… go test -run TestDumpOne -v
func TestDumpOne(t *testing.T) {
	path := os.Getenv("RUNBOOK_FILE")
	if path == "" {
		t.Skip("RUNBOOK_FILE names no file")
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + dump(Parse(path, src)))
}

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
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range sortedKeys(counts) {
		fmt.Printf("%6d %s\n", counts[k], k)
	}
}
