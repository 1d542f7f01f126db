package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/journal"
	"runbook/internal/sandbox"
	"runbook/internal/steps"
)

// starts runs the step, and confirms it where it has to be.
func (s *seat) starts() {
	s.t.Helper()
	s.enters()
	asked := false
	s.WaitUntil(func(text string) string {
		asked = strings.Contains(text, "Type  long-work")
		if !asked && strings.Contains(text, "enter run") {
			return "nothing has begun"
		}
		return ""
	})
	if asked {
		s.Type("long-work\r")
	}
}

// P11: a timeout ends what runs for ever in a shell below the step's, and
// nobody waits for the end of a pipe that it has handed on.
func TestATimeoutEndsWhatRunsForEverBelowAShell(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"one that prints":       `sh -c 'echo $$ >child; while :; do ls -R /proc/self; done'`,
		"one that holds on":     `sh -c 'echo $$ >child; sleep 1000 | cat'`,
		"one in a session":      `setsid sh -c 'echo $$ >child; sleep 1000' & wait`,
		"one that won't listen": `sh -c 'trap "" TERM HUP INT; echo $$ >child; while :; do sleep 0.1; done'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := prepareSeat(t, code)
			s.annotated("timeout: 1s")
			text, exit := s.says("run", "runbook.md", "--only", "long-work", "--accept-risk", "long-work")
			if exit != 1 || !strings.Contains(text, "its timeout was over") {
				t.Errorf("exit %d, want 1 and why:\n%s", exit, text)
			}
			dies(t, "what ran for ever", s.pid("child"))
		})
	}
}

// P19: a stopped step has one final state, which says that what it has begun
// elsewhere may go on; that its program then ends well doesn't change it.
func TestAStoppedStepHasOneFinalState(t *testing.T) {
	s := prepareSeat(t, "trap 'echo done anyway; exit 0' TERM INT; echo front=$$.; while :; do sleep 0.05; done")
	s.run("runbook", "runbook.md")
	s.starts()
	s.number("front")
	s.Type("\x03")
	s.WaitFor("may go on")
	s.WaitGone("ctrl+c stop")
	quits(s.Screen)
	if got := exitStatus(s.WaitExit()); got != int(exitStopped) {
		t.Errorf("exit status %d, want %d", got, exitStopped)
	}
	var ends []string
	for _, l := range s.record().Lines {
		var e steps.Event
		if l.Kind == journal.Fact && json.Unmarshal(l.Data, &e) == nil && e.Kind != steps.StepStarted {
			ends = append(ends, string(e.Kind))
		}
	}
	if len(ends) != 1 || ends[0] != string(steps.StepCancelled) {
		t.Errorf("the step ended as %q, want once, as cancelled", ends)
	}
	st := s.record().Run().Steps["long-work"]
	if st.Status != steps.Failed || !strings.Contains(st.Why, "elsewhere may go on") {
		t.Errorf("got %v %q", st.Status, st.Why)
	}
}

// P25: a program that has the real terminal is the only one that reads it:
// every key that is typed reaches it, and none the interface.
func TestAnInteractiveStepIsTheOnlyReaderOfItsTerminal(t *testing.T) {
	const typed = "correct-horse-battery-staple-q-x-s-n-0123456789"
	s := prepareSeat(t, `stty -echo; for i in 1 2 3; do printf 'Password %s: ' $i; read -r pw; echo; [ "$pw" = `+typed+` ] || echo garbled; done; stty echo; echo through`)
	s.annotated("interactive: true")
	s.run("runbook", "runbook.md")
	s.starts()
	for i := range 3 {
		s.WaitFor(fmt.Sprintf("Password %d:", i+1))
		for _, key := range strings.Split(typed, "") {
			s.Type(key)
		}
		s.Type("\r")
	}
	s.WaitFor("through", "press enter to return")
	if text := s.Text(); strings.Contains(text, "garbled") || strings.Contains(s.Said(), typed) {
		t.Errorf("a password came garbled, or was shown:\n%s", text)
	}
	s.Type("\r")
	s.WaitFor("1/2")
}

// asksForPassphrase does what ssh does: it asks on the terminal itself, not on
// its standard input, and without echo.
const asksForPassphrase = `sh -c 'old=$(stty -g </dev/tty); trap "stty $old </dev/tty; exit 130" INT; stty -echo </dev/tty
printf "Enter passphrase for key: " >/dev/tty; read -r p </dev/tty; stty $old </dev/tty; echo; echo "length=${#p}."' </dev/null`

// P26: a passphrase that a program asks for on its terminal can be typed, and
// ctrl-c ends the question.
func TestAPassphraseCanBeTypedOrRefused(t *testing.T) {
	const passphrase = "s3same-open-up"
	for name, c := range map[string]struct{ keys, sees string }{
		"typed":   {"i" + passphrase + "\r", fmt.Sprintf("length=%d.", len(passphrase))},
		"refused": {"\x03", "stopped by the operator"},
	} {
		t.Run(name, func(t *testing.T) {
			s := prepareSeat(t, asksForPassphrase)
			s.run("runbook", "runbook.md")
			s.starts()
			s.WaitFor("Enter passphrase for key:", "asks without echo")
			s.Type(c.keys)
			s.WaitFor(c.sees)
			if strings.Contains(s.Said(), passphrase) {
				t.Errorf("the passphrase was shown:\n%s", s.Text())
			}
		})
	}
}

// P29: what a program draws over itself stays inside its pane.
func TestProgressDoesNotBreakTheFrame(t *testing.T) {
	s := prepareSeat(t, `for i in 1 2 3; do printf 'Receiving objects: %s0%%\r' $i; done; printf '\nover=42.\n'; sleep 1000`)
	s.run("runbook", "runbook.md")
	s.starts()
	s.WaitFor("over=42.", "Receiving objects: 30%")
	s.WaitUntil(func(text string) string {
		for _, line := range strings.Split(text, "\n") {
			if !strings.Contains(line, "Receiving") && !strings.Contains(line, "over=42") {
				continue
			}
			if strings.Contains(line, "printf") {
				continue // the code itself
			}
			if !strings.HasPrefix(line, "┃") && !strings.HasPrefix(line, "│") || !strings.HasSuffix(line, "┃") && !strings.HasSuffix(line, "│") {
				return "a row without its borders: " + line
			}
		}
		if strings.Contains(text, "objects: 10%") || strings.Contains(text, "objects: 20%") {
			return "what was drawn over is shown"
		}
		return ""
	})
}

// P36: a command runs as it is written. A namespace goes in with the pinned
// kubeconfig, never behind the last word, which may belong to another program.
func TestNothingIsAppendedToACommand(t *testing.T) {
	s := prepareSeat(t, "kubectl get pods -o json | tr a-z A-Z")
	bin := filepath.Join(s.dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	fake := "#!/bin/sh\nprintf '<%s>' \"$@\" >>\"$ARGS\"\necho >>\"$ARGS\"\necho pods\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	box, err := sandbox.Start(t.Context(), sandbox.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	s.env = append(append(s.env, box.Env()...), "PATH="+bin+":"+os.Getenv("PATH"), "ARGS="+filepath.Join(s.dir, "args"))
	text, _ := s.says("run", "runbook.md", "--only", "long-work", "--accept-risk", "long-work", "--namespace", "elsewhere")
	if got, want := awaitFile(t, filepath.Join(s.dir, "args")), "<get><pods><-o><json>"; got != want {
		t.Errorf("kubectl was given %s, want %s\n%s", got, want, text)
	}
	if !strings.Contains(text, "PODS") {
		t.Errorf("the other end of the pipe was changed:\n%s", text)
	}
	for _, l := range s.record().Lines {
		var c journal.CodeData
		if l.Kind == journal.Code && json.Unmarshal(l.Data, &c) == nil && strings.TrimSpace(c.Code) != "kubectl get pods -o json | tr a-z A-Z" {
			t.Errorf("it ran %q", c.Code)
		}
	}
}
