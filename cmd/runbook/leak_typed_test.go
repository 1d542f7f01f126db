package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// typed is walked by somebody who types secrets where words are asked for.
const typed = `---
runbook: v1
title: Typed
params:
  TOKEN: {help: a token, secret: true}
  PLACE: {help: where, default: here}
  SHORT: {help: a short one, secret: true}
---

# Typed

## One

` + "```sh" + `
echo one
` + "```" + `

## Two

` + "```sh" + `
echo two <place>
` + "```" + `

## Three

` + "```sh" + `
echo three
` + "```" + `
`

// typing types secrets into everything that can be typed into.
func (s *stakeout) typing() {
	s.t.Helper()
	token, short := marked["the operator's token"], marked["the short parameter"]
	sc := &story{Screen: s.watched(s.file), t: s.t, sandbox: s.box, env: s.env}
	// asked types into a prompt that a key opens; what isn't hidden shows at once.
	asked := func(key, title, text, shows string) {
		sc.Type(key)
		sc.WaitFor(title)
		sc.Paste(text)
		sc.WaitFor(shows)
		sc.Type("\r")
		sc.WaitGone(title)
	}
	sc.selected("One")
	asked("n", "Note on 1", "the key is "+token+" as you know", "as you know")
	asked("/", "Find in", token, "ind")
	sc.WaitFor("not found: ")
	sc.selected("One")
	sc.Type("e")
	sc.WaitFor("For this run only")
	sc.Paste("true edited " + token + "; ")
	sc.WaitFor("true edited ")
	sc.Type("\x13")
	sc.WaitFor("edited; the document says:")
	sc.Type("y")
	sc.WaitFor("copied 1 line")
	asked("s", "Skip 1", "it says "+token+" already", "already")
	sc.WaitFor("1/3")
	sc.Type("v")
	sc.WaitFor("Variables")
	sc.Type("j\r")
	sc.WaitFor("where")
	sc.Paste("-" + short + token)
	sc.WaitFor("here-")
	sc.Type("\x1b")
	sc.WaitGone("here-")
	sc.Type("\x1b")
	sc.WaitGone("Variables")
	sc.selected("Two") // the one before was skipped
	asked("t", "Tick off 2", "by hand with "+token+" it went well", "it went well")
	sc.WaitFor("2/3")
	sc.Type("m")
	sc.WaitFor("Messages")
	sc.Type("\x1b")
	sc.WaitGone("Messages")
	quits(sc.Screen)
	for _, f := range s.ended {
		f()
	}
}

func TestNothingSecretThatIsTypedIsLeft(t *testing.T) {
	t.Parallel()
	s := newStakeout(t, "runbook", typed)
	s.typing()
	for _, format := range []string{"text", "json", "markdown"} {
		s.run(0, "report", s.newest(0), "-o", format)
	}
	for _, l := range s.search() {
		t.Error(l)
	}
	for _, place := range []string{"terminal", "frames", "titles", "clipboard"} {
		if len(s.left[place]) == 0 {
			t.Errorf("nothing was seen on: %s", place)
		}
	}
	record := s.left[s.record()]
	for _, want := range []string{"the key is [redacted] as you know", "it says [redacted] already", "by hand with [redacted] it went well", `"withheld":true`} {
		if !bytes.Contains(record, []byte(want)) {
			t.Errorf("the record lacks %q", want)
		}
	}
	if want := "true edited [redacted]"; !bytes.Contains(s.left["clipboard"], []byte(want)) {
		t.Errorf("the clipboard has %q, want %q", s.left["clipboard"], want)
	}
}

// record is the path of the only record.
func (s *stakeout) record() string {
	s.t.Helper()
	found, err := filepath.Glob(filepath.Join(s.home, "state", "runbook", "*", "*", "run.jsonl"))
	if more, _ := filepath.Glob(filepath.Join(s.home, "state", "runbook", "*", "run.jsonl")); err == nil {
		found = append(found, more...)
	}
	if len(found) != 1 {
		s.t.Fatalf("records: %v", found)
	}
	return found[0]
}

// A walk takes away what its shells were given: the session's state, and what a
// here-document or a temporary file of the program had in it.
func TestAWalkLeavesNoTemporaryFile(t *testing.T) {
	t.Parallel()
	s := newStakeout(t, "runbook", strings.Replace(typed, "echo one", "cat <<EOF\nkey $TOKEN\nEOF\nexport LATER=$TOKEN; f() { echo \"$LATER\"; }\necho \"$0\" >\"$HOME/where\"", 1))
	s.run(-1, "run", s.file)
	s.run(-1, "run", s.file, "--only", "one", "-o", "json")
	if where := string(read(t, filepath.Join(s.home, "where"))); !strings.HasPrefix(where, filepath.Join(s.home, "tmp")) {
		t.Fatalf("the session was in %q, which isn't looked at", where)
	}
	left, err := os.ReadDir(filepath.Join(s.home, "tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	for _, l := range s.search() {
		t.Error(l)
	}
}
