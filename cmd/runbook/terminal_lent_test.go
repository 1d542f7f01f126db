package main

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// T4: ctrl-c in a program that has the terminal is for that program alone.
func TestCtrlCInALentTerminalIsForTheProgramThatHasIt(t *testing.T) {
	t.Parallel()
	document := "# Try\n\n## Ask\n\n<!-- step\ninteractive: true\n-->\n\n```sh\ntrap 'echo cau''ght it' INT\nprintf 'na''me? '\nuntil read -r x; do :; done\necho \"hello $x\"\n```\n\n## Next\n\n```sh\necho next\n```\n"
	s := sit(t, document, 80, 24)
	s.runs("Ask")
	s.WaitFor("name?")
	s.Type("\x03")
	s.WaitFor("caught it")
	s.Type("kim\r")
	s.WaitFor("hello kim", "press enter to return")
	s.Type("\r")
	s.WaitFor("1/2")
	s.runs("Next")
	s.WaitFor("2 of 2 done")
}

// T7: ctrl-z where no shell could bring the program back (the only program of a
// tmux window, of ssh -t, of a container) doesn't leave a dead terminal behind.
func TestCtrlZWithoutAShellIsSaidAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	s := sit(t, changing, 80, 24)
	s.WaitFor("0/4")
	s.Type("\x1a")
	s.WaitFor("could not suspend", "no shell is there")
	s.runs("First")
	s.WaitFor("1/4")
	s.leaves()
}

// T32: what can't move its cursor gets lines and no escapes, and is told so.
func TestADumbTerminalGetsLines(t *testing.T) {
	t.Parallel()
	s := sit(t, changing, 80, 24)
	s.WaitFor("0/4")
	s.leaves()
	s.env = append(s.env, "TERM=dumb")
	s.run("runbook", "try.md")
	var failed *exec.ExitError
	if err := s.WaitExit(); errors.As(err, &failed) {
		t.Errorf("%v:\n%s", err, s.Text())
	}
	s.WaitFor("TERM=dumb, which can't be drawn on: walking try.md as lines", "4 of 4 done")
	if said := s.Said(); strings.Contains(said, "\x1b") {
		t.Errorf("it has escapes: %q", said)
	}
}
