package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/screen"
)

// A walker is the program on a terminal, walking a document that needs no cluster.
type walker struct {
	*screen.Screen
	t   *testing.T
	dir string
	env []string
}

// sit opens the document in the terminal interface.
func sit(t *testing.T, document string, width, height int, args ...string) *walker {
	t.Helper()
	d := &walker{t: t, dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(d.dir, "try.md"), []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	d.env = append(os.Environ(), "TERM=xterm-256color", "HOME="+d.dir, "XDG_STATE_HOME="+filepath.Join(d.dir, "state"),
		"KUBECONFIG="+filepath.Join(d.dir, "none"), "VAULT_ADDR=", "TOKEN=12345")
	d.open(width, height, append([]string{"try.md"}, args...)...)
	return d
}

func (d *walker) open(width, height int, args ...string) {
	d.t.Helper()
	cmd := exec.Command("runbook", args...)
	cmd.Env, cmd.Dir = d.env, d.dir
	d.Screen = screen.StartCommand(d.t, cmd, width, height)
}

// runs presses enter on the step that is shown, once it may be run.
func (d *walker) runs(title string) {
	d.t.Helper()
	(&story{Screen: d.Screen, t: d.t}).selected(title)
	d.Type("\r")
}

// run is the name of the newest record.
func (d *walker) run() string {
	d.t.Helper()
	runs, err := os.ReadDir(filepath.Join(d.dir, "state", "runbook", "runs"))
	if err != nil || len(runs) == 0 {
		d.t.Fatalf("no record: %v", err)
	}
	return runs[len(runs)-1].Name()
}

// leaves quits, whatever is still to do.
func (d *walker) leaves() {
	d.t.Helper()
	d.Type("q")
	d.WaitFor("Quit?")
	d.Type("q")
	_ = d.WaitExit() // it says that the run is unfinished
}

// says runs the program off a terminal and returns what it prints.
func (d *walker) says(args ...string) string {
	d.t.Helper()
	cmd := exec.Command("runbook", args...)
	cmd.Env, cmd.Dir = d.env, d.dir
	out, _ := cmd.CombinedOutput() // the exit status is the caller's business
	return string(out)
}

// change gives the variable that is so many lines down another value.
func (d *walker) change(down int, keys, shown string) {
	d.t.Helper()
	d.Type("v")
	d.WaitFor("Variables")
	d.Type(strings.Repeat("j", down) + "\r")
	d.WaitFor("Change ")
	d.Type(keys)
	d.WaitFor("the record names you", shown)
	d.Type("\r")
	again := ""
	d.WaitUntil(func(text string) string {
		if text != again && strings.Contains(text, "press enter again") {
			again = text
			d.Type("\r")
		}
		if strings.Contains(text, "Change ") {
			return "still there: the form"
		}
		return ""
	})
	d.Type("\x1b")
	d.WaitGone("Variables")
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
	d := sit(t, changing, 160, 50)
	d.runs("First")
	d.WaitFor("first got one and one", "1/4")
	d.runs("Own")
	d.WaitFor("2/4")
	// A step has set NAME itself: the change says so, and wins.
	d.change(0, "\x7f\x7f\x7ftwo", "NAME becomes two")
	d.change(1, "j", "taken now: 4 Large")
	d.WaitFor("- 3 Small", "4 Large")
	d.Type("g")
	d.WaitFor("NAME was one then, and is two now", "first got one")
	d.leaves()

	report := d.says("report", d.run())
	for _, want := range []string{"NAME was changed from `one` to `two`, by ", "KIND was changed from `small` to `large`", "$ echo \"first got \"'one'"} {
		if !strings.Contains(report, want) {
			t.Errorf("%q isn't in the report:\n%s", want, report)
		}
	}
	out := d.says("resume", d.run())
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
	if err := json.Unmarshal([]byte(d.says("report", d.run(), "-o", "json")), &acc); err != nil {
		t.Fatal(err)
	}
	if len(acc.Changed) != 2 || acc.Changed[0].Operator == "" || acc.Changed[0].Set[0].New != "two" {
		t.Errorf("the report as JSON has %+v", acc.Changed)
	}
}

func TestASecretThatIsChangedOnTheWayIsNowhereToBeRead(t *testing.T) {
	t.Parallel()
	d := sit(t, changing, 100, 30)
	d.runs("First")
	d.WaitFor("1/4")
	d.change(2, "Zq7-marked\x7f\x7f", "")
	d.runs("Own")
	d.runs("Small")
	d.runs("Last")
	d.WaitFor("last got one and own and 8", "4 of 4 done", "q quits")
	if strings.Contains(d.Text(), "Zq7") {
		t.Errorf("the secret is on the screen:\n%s", d.Text())
	}
	d.Type("q")
	if err := d.WaitExit(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(filepath.Join(d.dir, "state"), func(path string, e os.DirEntry, err error) error {
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
	if report := d.says("report", d.run()); !strings.Contains(report, "TOKEN (a secret) was changed, by ") {
		t.Errorf("the report doesn't say that the secret was changed:\n%s", report)
	}
}
