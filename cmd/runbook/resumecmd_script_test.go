package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"
)

// newest sets RUN and RECORD to the name and the folder of the newest run.
func newest(ts *testscript.TestScript, _ bool, _ []string) {
	root := filepath.Join(ts.Getenv("XDG_STATE_HOME"), "runbook", "runs")
	entries, err := os.ReadDir(root)
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if len(names) == 0 {
		ts.Fatalf("no runs under %s", root)
	}
	name := slices.Max(names)
	ts.Setenv("RUN", name)
	ts.Setenv("RECORD", filepath.Join(root, name))
}

// forge FILE changes a word on the second line of a record.
func forge(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	lines := bytes.SplitAfter(b, []byte("\n"))
	changed := bytes.Replace(lines[1], []byte(`"at":"2`), []byte(`"at":"3`), 1)
	if bytes.Equal(changed, lines[1]) {
		ts.Fatalf("nothing to change on the second line of %s", path)
	}
	lines[1] = changed
	ts.Check(os.WriteFile(path, bytes.Join(lines, nil), 0o600))
}
