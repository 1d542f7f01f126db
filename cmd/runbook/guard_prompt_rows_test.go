package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/screen"
)

// dangerous is a runbook without a cluster whose first step removes a file.
const dangerous = `---
runbook: v1
title: Dangerous
params:
  WORD: {help: a word}
---

# Dangerous

## Away

` + "```sh\nrm ./kept\n```" + `

## Asks

` + "```bash\nread -rsp \"Pass\"\"word: \" x; echo \"got ${#x}\"\n```\n"

// prompted is the program on a terminal in a folder with a file to lose.
func prompted(t *testing.T, args ...string) (s *screen.Screen, kept string) {
	t.Helper()
	dir := t.TempDir()
	kept = filepath.Join(dir, "kept")
	for name, text := range map[string]string{"kept": "still here", "dangerous.md": dangerous} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("runbook", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir(), "KUBECONFIG="+filepath.Join(dir, "none"), "VAULT_ADDR=", "WORD=")
	return screen.StartCommand(t, cmd, 120, 40), kept
}

// atGate opens the question before the dangerous step.
func atGate(s *screen.Screen) {
	s.WaitFor("enter run", "1 Away")
	s.Type("\r")
	s.WaitFor("DESTROY", "enter: do it")
}

// The ids are those of the reports that these were learned from; the others of
// them are staged off a terminal in testdata/script/guards.txtar.
func TestNoUnclearAnswerAtAPromptIsAYes(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]string{
		"G1 ctrl+c, and a letter behind it":        "\x03a",
		"G2 ctrl+c alone, with no enter behind it": "\x03",
		"G3 escape, which is always offered":       "\x1b",
		"G8 enter":                                 "\r",
		"G8 y and enter":                           "y\r",
		"G8 yes and enter":                         "yes\r",
		"G8 the words in capitals":                 "AWAY\r",
		"G8 the words with a blank before them":    " away\r",
		"G8 the words pasted":                      "\x1b[200~away\x1b[201~\r",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, kept := prompted(t, "dangerous.md", "--set", "WORD=x")
			atGate(s)
			s.Type(keys)
			if wrong := strings.Trim(keys, "\r") != "" && strings.HasSuffix(keys, "\r") && keys[0] != '\x1b'; wrong {
				s.WaitFor("those are not the words")
				s.Type("\x1b")
			}
			s.WaitGone("DESTROY")
			if _, err := os.Stat(kept); err != nil {
				t.Fatal("it was done")
			}
			s.Type("q")
			s.WaitFor("Quit?")
			s.Type("q")
			if got := exitStatus(s.WaitExit()); got != int(exitStopped) {
				t.Errorf("exit status %d, want %d", got, exitStopped)
			}
			if _, err := os.Stat(kept); err != nil {
				t.Error("it was done")
			}
		})
	}
}

func TestThePromptTakesTheRightWordsOnly(t *testing.T) {
	t.Parallel()
	s, kept := prompted(t, "dangerous.md", "--set", "WORD=x")
	atGate(s)
	s.Type("away\r")
	s.WaitFor("1/2")
	if _, err := os.Stat(kept); err == nil {
		t.Error("it wasn't done: the refusals of the other tests prove nothing")
	}
}

func TestEveryPromptCanBeLeft(t *testing.T) {
	t.Parallel()
	s, _ := prompted(t, "dangerous.md", "--set", "WORD=x")
	s.WaitFor("enter run", "1 Away")
	for _, p := range []struct{ name, keys, shows string }{
		{"G3 the gate", "\r", "enter: do it"},
		{"G3 a note", "n", "Note"},
		{"G3 the reason for skipping", "s", "Skip"},
		{"G3 the reason for ticking off", "t", "Tick"},
		{"G3 the editor", "e", "For this run only"},
		{"G3 whether to quit", "q", "Quit?"},
		{"G3 the variables", "v", "given with --set"},
	} {
		for _, leave := range []string{"\x1b", "\x03"} {
			if p.shows == "Quit?" && leave == "\x03" {
				continue // there it is the answer
			}
			s.Type(p.keys)
			s.WaitFor(p.shows)
			s.Type(leave)
			s.WaitGone(p.shows)
		}
	}
	s.Type("j\r") // G3: a command that asks without an echo
	s.WaitFor("Password:")
	s.Type("\x03")
	s.WaitFor("signal: interrupt", "press enter")
	s.Type("\r")
	s.WaitFor("✗ 2 Asks")
}

func TestAFormForParametersCanBeLeft(t *testing.T) {
	t.Parallel()
	s, kept := prompted(t, "dangerous.md")
	s.WaitFor("WORD", "a word")
	s.Type("\x03")
	if got := exitStatus(s.WaitExit()); got != int(exitStopped) {
		t.Errorf("exit status %d, want %d", got, exitStopped)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error("it was done")
	}
}

// G6: what is said not to ask doesn't ask, also with somebody at a terminal.
func TestAWalkAsLinesAsksNothingOnATerminal(t *testing.T) {
	t.Parallel()
	for want, args := range map[int][]string{
		int(exitRefused): {"run", "dangerous.md", "--set", "WORD=x"},
		int(exitUsage):   {"run", "dangerous.md"},
	} {
		s, kept := prompted(t, args...)
		if got := exitStatus(s.WaitExit()); got != want {
			t.Errorf("%v: exit status %d, want %d:\n%s", args, got, want, s.Text())
		}
		if _, err := os.Stat(kept); err != nil {
			t.Error("it was done")
		}
	}
}
