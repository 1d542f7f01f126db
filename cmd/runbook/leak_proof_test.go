package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// told are the changes that make of the program one that hides nothing: it is
// built beside the real one, which has no switch for that.
var told = map[string][2]string{
	"known.go":    {"known, _ := r.current().find([]byte(s), true)", "known := []region(nil)"},
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
	s := newStakeout(t, program, leaky+written+gated)
	s.lines("text")
	s.lines("json")
	s.looks(true)
	s.onTerminal()
	found := map[string]int{}
	leaks := s.search()
	for _, p := range places() {
		for _, l := range leaks {
			if p.has(l.where) {
				found[p.name]++
			}
		}
		if found[p.name] == 0 {
			t.Errorf("nothing was found in %s", p.name)
		}
	}
	t.Log(found)
	s = newStakeout(t, program, typed)
	s.typing()
	leaks = s.search()
	for _, name := range []string{"frames", "terminal", "clipboard", "run.jsonl"} {
		if !slices.ContainsFunc(leaks, func(l leak) bool { return filepath.Base(l.where) == name }) {
			t.Errorf("nothing of what was typed was found in %s", name)
		}
	}
}

// A place is where a program that hides nothing leaves something.
type place struct {
	name string
	has  func(where string) bool
}

// places are all of them: what a walk keeps, and what every command says in each
// of its formats.
func places() []place {
	is := func(name string) place {
		return place{name, func(w string) bool { return w == name || filepath.Base(w) == name }}
	}
	starts := func(name string) place {
		return place{name, func(w string) bool { return strings.HasPrefix(filepath.Base(w), name) || strings.HasPrefix(w, name) }}
	}
	out := []place{is("run.jsonl"), starts("words."), starts("names below "), is("terminal"), is("frames"), is("titles"), is("clipboard"),
		{"stderr", func(w string) bool { return strings.HasSuffix(w, "(stderr)") }}}
	said := func(name, with string) place {
		return place{name + with, func(w string) bool {
			return strings.HasPrefix(w, name+" ") && strings.HasSuffix(w, "(stdout)") && strings.Contains(w, with+" ")
		}}
	}
	for _, c := range (&app{}).rootCommand("runbook").Commands() {
		if unasked[c.Name()] == "" || c.Name() == "run" {
			for _, format := range formatsOf(c) {
				out = append(out, said(c.Name(), " -o "+format))
			}
		}
	}
	return out
}
