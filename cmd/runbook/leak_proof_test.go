package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// told are the changes that make of the program one that hides nothing: it is
// built beside the real one, which has no switch for that.
var told = map[string][2]string{
	"writer.go":   {"regions, hold := w.redactor.current().find(work.text, final)", "regions, hold := []region(nil), len(work.text)\n\tw.ruleless = true"},
	"sentence.go": {"in.marks = nil\n", "in.marks = nil\n\tif true {\n\t\treturn string(in.text)\n\t}\n"},
}

// telltale builds the program that hides nothing.
func telltale(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for name, change := range told {
		path, err := filepath.Abs(filepath.Join("../../internal/redact", name))
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(source), change[0]) != 1 {
			t.Fatalf("%s doesn't have %q once: say here how it hides nothing", name, change[0])
		}
		replace[path] = filepath.Join(dir, name)
		if err := os.WriteFile(replace[path], []byte(strings.Replace(string(source), change[0], change[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "runbook")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return program
}

// The same walks by a program that hides nothing leave secrets in every place
// that is searched: if one of these were not looked at, nobody would know.
func TestTheSearchFindsWhatAProgramThatHidesNothingLeaves(t *testing.T) {
	if os.Getenv("RUNBOOK_TELLTALE") == "" {
		t.Skip("builds a second program: RUNBOOK_TELLTALE=1 to do it")
	}
	program := telltale(t)
	s := newStakeout(t, program, leaky+gated)
	s.lines("text")
	s.lines("json")
	s.looks()
	s.onTerminal()
	found := map[string]int{}
	for _, l := range s.search() {
		for _, place := range places {
			if strings.HasPrefix(l.where, place) && strings.HasSuffix(l.where, " (stdout)") || l.where == place || filepath.Base(l.where) == place || strings.HasSuffix(place, "*") && strings.HasPrefix(filepath.Base(l.where), strings.TrimSuffix(place, "*")) {
				found[place]++
			}
		}
		if strings.HasSuffix(l.where, "(stderr)") {
			found["stderr"]++
		}
	}
	t.Log(found)
	for _, place := range append(places, "stderr") {
		if found[place] == 0 {
			t.Errorf("nothing was found in %s", place)
		}
	}
}

// places are where a program that hides nothing leaves something.
var places = []string{"run ", "report ", "run.jsonl", "words.*", "terminal", "frames"}
