package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"

	"runbook/internal/screen"
)

// longWork is a step with a child in the foreground and one in the background.
const longWork = "sleep 1000 & echo back=$!.\nsh -c 'echo front=$$.; exec sleep 1001'"

// begin runs the step and returns the processes of its children.
func (s *seat) begin() (pids []int) {
	s.t.Helper()
	s.enters()
	for _, name := range []string{"back", "front"} {
		pids = append(pids, s.number(name))
	}
	return pids
}

// alive tells whether a process runs, zombies left out.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat("/proc/self/stat"); err == nil {
			return false
		}
		return syscall.Kill(pid, 0) == nil // no /proc here
	}
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// dies waits until a process has ended.
func dies(t testing.TB, what string, pid int) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for hung := time.After(20 * time.Second); alive(pid); {
		select {
		case <-hung:
			t.Fatalf("%s (%d) still runs", what, pid)
		case <-tick.C:
		}
	}
}

// freshModes are those of a terminal that nobody has touched.
func freshModes(t testing.TB) unix.Termios {
	t.Helper()
	s := screen.StartCommand(t, exec.Command("true"), seatWidth, seatHeight)
	_ = s.WaitExit()
	return s.Modes()
}

// switches are what may be on in a terminal: a sequence that switches it on,
// and one that switches it off.
var switches = map[string]struct{ on, off string }{
	"alternate screen":  {`\x1b\[\?(?:1049|1047|47)h`, `\x1b\[\?1049l`},
	"hidden cursor":     {`\x1b\[\?25l`, `\x1b\[\?25h`},
	"mouse buttons":     {`\x1b\[\?(?:1000|1002)h`, `\x1b\[\?1002l`},
	"mouse motion":      {`\x1b\[\?1003h`, `\x1b\[\?1003l`},
	"mouse coordinates": {`\x1b\[\?1006h`, `\x1b\[\?1006l`},
	"focus reports":     {`\x1b\[\?1004h`, `\x1b\[\?1004l`},
	"bracketed paste":   {`\x1b\[\?2004h`, `\x1b\[\?2004l`},
	"synchronized":      {`\x1b\[\?2026h`, `\x1b\[\?2026l`},
	"grapheme clusters": {`\x1b\[\?2027h`, `\x1b\[\?2027l`},
	"kitty keyboard":    {`\x1b\[>\d*u|\x1b\[=[1-9]\d*(?:;\d)?u`, `\x1b\[<\d*u`},
	"modify other keys": {`\x1b\[>4;[12]m`, `\x1b\[>4(?:;0)?m`},
}

// leftOn returns what a program has switched on and not off again.
func leftOn(said string) (out []string) {
	for name, s := range switches {
		last := func(pattern string) int {
			all := regexp.MustCompile(pattern).FindAllStringIndex(said, -1)
			if len(all) == 0 {
				return -1
			}
			return all[len(all)-1][0]
		}
		if last(s.on) > last(s.off) {
			out = append(out, name)
		}
	}
	return out
}

// restored checks that the terminal is as it was before the program.
func (s *seat) restored() {
	s.t.Helper()
	if got, want := s.Modes(), freshModes(s.t); got != want {
		s.t.Errorf("modes of the terminal: %+v, want %+v", got, want)
	}
	said := s.Said()
	if !strings.Contains(said, "\x1b[?1049h") || !strings.Contains(said, "\x1b[?2004h") || !strings.Contains(said, "\x1b[?1002h") {
		s.t.Error("the program never used the screen: nothing was tested")
	}
	for _, name := range leftOn(said) {
		s.t.Errorf("left on: %s", name)
	}
}

// exitStatus is what a shell would show.
func exitStatus(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		return -1
	}
	if ws := exit.Sys().(syscall.WaitStatus); ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return exit.ExitCode()
}

func TestTheTerminalIsGivenBackHoweverTheProgramEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		how    string // of breaking
		signal syscall.Signal
		exit   int
		first  string // words of what is said in the end
		says   string
		broke  bool
	}{
		{"a panic in a goroutine", "goroutine", syscall.SIGUSR1, 2, "it broke", `it broke: a panic in runbook/cmd/runbook\.breakingMain`, true},
		{"an index out of range", "index", syscall.SIGUSR1, 2, "it broke", `it broke: runtime error: index out of range \[\d+\] with length 3 in `, true},
		{"a fatal error of the runtime", "fatal", syscall.SIGUSR1, 2, "it broke", `it broke: sync: unlock of unlocked mutex in `, true},
		{"a panic while drawing", "view", syscall.SIGUSR1, 2, "it broke", `it broke: a panic in `, true},
		{"a request for a trace", "", syscall.SIGQUIT, 2, "it broke", `it broke: SIGQUIT`, true},
		{"a kill", "", syscall.SIGKILL, 137, "it was killed", `it was killed; to go on: runbook resume \S+`, false},
		{"a request to end", "", syscall.SIGTERM, 130, "interrupted", `interrupted`, false},
		{"a hangup", "", syscall.SIGHUP, 130, "interrupted", `interrupted`, false},
		{"an interrupt from outside", "", syscall.SIGINT, 130, "interrupted", `interrupted`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := prepareSeat(t, longWork, "BREAK="+c.how)
			program := s.inShell("runbook-that-breaks")
			children := s.begin()
			if err := syscall.Kill(program(), c.signal); err != nil {
				t.Fatal(err)
			}
			s.WaitFor("runbook: " + c.first)
			s.restored()
			dies(t, "the program", program()) // which may read keys until then
			s.Type("\r")
			if got := exitStatus(s.WaitExit()); got != c.exit {
				t.Errorf("exit status %d, want %d", got, c.exit)
			}
			for _, pid := range children {
				dies(t, "a child of the step", pid)
			}
			text := ansi.Strip(s.Said()) // where no line is broken to fit
			if !regexp.MustCompile(c.says).MatchString(text) {
				t.Errorf("the screen doesn't say %s:\n%s", c.says, s.Text())
			}
			if c.broke {
				s.brokeInOneLine(text)
			}
			if strings.Contains(s.Said(), "goroutine ") || strings.Contains(s.Said(), whatAPanicHolds) {
				t.Errorf("a trace was printed:\n%s", s.Text())
			}
		})
	}
}

// brokeInOneLine checks what a broken program leaves behind.
func (s *seat) brokeInOneLine(text string) {
	s.t.Helper()
	said := regexp.MustCompile(`details, for you only: (\S+?\.txt); to go on: runbook resume (\d{8}T[0-9.]+Z-a-night-shift)`).FindStringSubmatch(text)
	if said == nil {
		s.t.Fatalf("not in one line what happened, where it is written and how to go on:\n%s", s.Text())
	}
	if _, err := os.Stat(filepath.Join(s.state, "runbook", "runs", said[2], "run.jsonl")); err != nil {
		s.t.Errorf("the run that it names isn't there: %v", err)
	}
	info, err := os.Stat(said[1])
	if err != nil || info.Mode().Perm() != 0o600 {
		s.t.Fatalf("details: %v %v, want mode 0600", info, err)
	}
	details, err := os.ReadFile(said[1])
	if err != nil {
		s.t.Fatal(err)
	}
	if strings.Contains(string(details), whatAPanicHolds) {
		s.t.Errorf("the details hold the value of the panic:\n%s", details)
	}
	if !regexp.MustCompile(`goroutine \d+ .*\[.*\]:\n(.*\n\t.*\.go:\d+.*\n)+`).Match(details) {
		s.t.Errorf("no trace in the details:\n%s", details)
	}
}
