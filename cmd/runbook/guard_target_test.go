package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// firstWord is what a run says of its target before anything else.
func firstWord(t *testing.T, out []byte) string {
	t.Helper()
	line, err := bufio.NewReader(bytes.NewReader(out)).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var e struct{ Event, Note string }
	if err := json.Unmarshal(line, &e); err != nil || e.Event != "run-started" {
		t.Fatalf("the first line is %s: %v", line, err)
	}
	return e.Note
}

func (d *desk) with(name, value string) {
	for i, kv := range d.app.environ {
		if strings.HasPrefix(kv, name+"=") {
			d.app.environ[i] = name + "=" + value
		}
	}
}

func TestATeardownSaysFirstThatItDoesNotKnowTheCluster(t *testing.T) {
	t.Parallel()
	d, state := newDesk(t, "platform"), t.TempDir()
	d.with("XDG_STATE_HOME", state)
	if got := firstWord(t, d.teardown(t, exitRefused, "--only", "namespace")); !strings.Contains(got, "has not been walked on from this machine before") {
		t.Errorf("the first time it says %q", got)
	}
	if got := firstWord(t, d.teardown(t, exitRefused, "--only", "namespace")); got != "" {
		t.Errorf("the second time it says %q", got)
	}
	uid := d.kubectl(t, "get", "namespace", "kube-system", "-o", "jsonpath={.metadata.uid}")
	rewrite(t, state, uid, "11111111-2222-3333-4444-555555555555") // as a run on another cluster would have kept it
	if got := firstWord(t, d.teardown(t, exitRefused, "--only", "namespace")); !strings.Contains(got, "is another cluster than in the run") {
		t.Errorf("on another cluster it says %q", got)
	}
	if got := firstWord(t, d.teardown(t, exitRefused, "--only", "namespace")); got != "" {
		t.Errorf("on the same cluster again it says %q", got)
	}
	rewrite(t, state, uid, "") // of a run that could not read it
	if got := firstWord(t, d.teardown(t, exitRefused, "--only", "namespace")); !strings.Contains(got, "can't tell whether context") {
		t.Errorf("where the last run could not tell it says %q", got)
	}
}

// rewrite replaces a text in every file of a folder, and fails when none has it.
func rewrite(t *testing.T, dir, old, fresh string) {
	t.Helper()
	found := false
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte(old)) {
			return err
		}
		found = true
		return os.WriteFile(path, bytes.ReplaceAll(text, []byte(old), []byte(fresh)), 0o600)
	})
	if err != nil || !found {
		t.Fatalf("rewrite %s: found %v, %v", dir, found, err)
	}
}
