package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// change gives the variable that is so many lines down another value.
func (s *seat) change(down int, keys, shown string) {
	s.t.Helper()
	s.Type("v")
	s.WaitFor("Variables")
	s.Type(strings.Repeat("j", down) + "\r")
	s.WaitFor("Change ")
	s.Type(keys)
	s.WaitFor("the record names you", shown)
	s.Type("\r")
	again := ""
	s.WaitUntil(func(text string) string {
		if text != again && strings.Contains(text, "press enter again") {
			again = text
			s.Type("\r")
		}
		if strings.Contains(text, "Change ") {
			return "still there: the form"
		}
		return ""
	})
	s.Type("\x1b")
	s.WaitGone("Variables")
}

const changing = `---
runbook: v1
title: Try
params:
  NAME: {default: one, pattern: "[a-z]+"}
  KIND: {default: small, choices: [small, large]}
  TOKEN: {secret: true}
---

# Try

## First

` + "```sh\necho \"first got <name> and $NAME\"\n```" + `

## Own

` + "```sh\nexport NAME=own\n```" + `

## Small

<!-- step
when: KIND == small
-->

` + "```sh\necho \"it is small\"\n```" + `

## Large

<!-- step
when: KIND == large
-->

` + "```sh\necho \"it is large\"\n```" + `

## Last

` + "```sh\necho \"last got <name> and $NAME and ${#TOKEN}\"\n```\n"

func TestAValueThatIsChangedOnTheWayReachesLaterStepsAndTheRecord(t *testing.T) {
	t.Parallel()
	s := sit(t, changing, 160, 50)
	s.runs("First")
	s.WaitFor("first got one and one", "1/4")
	s.runs("Own")
	s.WaitFor("2/4")
	// A step has set NAME itself: the change says so, and wins.
	s.change(0, "\x7f\x7f\x7ftwo", "NAME becomes two")
	s.change(1, "j", "taken now: 4 Large")
	s.WaitFor("- 3 Small", "4 Large")
	s.Type("g")
	s.WaitFor("NAME was one then, and is two now", "first got one")
	s.leaves()

	run := filepath.Base(s.recordDir())
	report, _ := s.says("report", run)
	for _, want := range []string{"NAME was changed from `one` to `two`, by ", "KIND was changed from `small` to `large`", "$ echo \"first got \"'one'"} {
		if !strings.Contains(report, want) {
			t.Errorf("%q isn't in the report:\n%s", want, report)
		}
	}
	out, _ := s.says("resume", run)
	for _, want := range []string{"NAME was changed from `one` to `two`", "it is large", "last got two and two and 5", "4 of 4 done"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q isn't in what the resumed run prints:\n%s", want, out)
		}
	}
	if strings.Contains(out, "it is small") {
		t.Errorf("a step of the other choice ran:\n%s", out)
	}
	var acc struct {
		Changed []struct {
			Operator string
			Set      []struct{ Name, Old, New string }
		}
	}
	told, _ := s.says("report", run, "-o", "json")
	if err := json.Unmarshal([]byte(told), &acc); err != nil {
		t.Fatal(err)
	}
	if len(acc.Changed) != 2 || acc.Changed[0].Operator == "" || acc.Changed[0].Set[0].New != "two" {
		t.Errorf("the report as JSON has %+v", acc.Changed)
	}
}

func TestASecretThatIsChangedOnTheWayIsNowhereToBeRead(t *testing.T) {
	t.Parallel()
	s := sit(t, changing, 100, 30)
	s.runs("First")
	s.WaitFor("1/4")
	s.change(2, "Zq7-marked\x7f\x7f", "")
	s.runs("Own")
	s.runs("Small")
	s.runs("Last")
	s.WaitFor("last got one and own and 8", "4 of 4 done", "q quits")
	if strings.Contains(s.Text(), "Zq7") {
		t.Errorf("the secret is on the screen:\n%s", s.Text())
	}
	s.Type("q")
	if err := s.WaitExit(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(s.state, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "Zq7") {
			t.Errorf("the secret is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if report, _ := s.says("report", filepath.Base(s.recordDir())); !strings.Contains(report, "TOKEN (a secret) was changed, by ") {
		t.Errorf("the report doesn't say that the secret was changed:\n%s", report)
	}
}
