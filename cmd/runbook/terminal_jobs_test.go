package main

import (
	"cmp"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"runbook/internal/journal"
)

// In a shell with job control the program stops, the shell has a terminal as it
// expects one, and fg brings the screen back. A step that runs goes on meanwhile.
func TestSuspendedTheTerminalIsTheShellsAndForegroundDrawsAgain(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"while nothing runs": "",
		"while a step runs":  "echo front=$$.; until [ -e go ]; do sleep 0.05; done; echo seen; sleep 1000",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := prepareSeat(t, cmp.Or(code, "true"))
			s.inJobControl()
			s.Type("runbook runbook.md\r")
			s.WaitFor("A night shift", "enter run")
			child := 0
			if code != "" {
				s.Type("\r")
				child = s.number("front")
			}
			s.Type("\x1a")
			s.WaitFor("Stopped")
			s.atAPrompt("stopped")
			s.Type("touch go; fg\r")
			s.WaitFor("A night shift", "Another")
			if code != "" {
				s.WaitFor("seen")
			}
			s.leavesForGood(0)
			if code != "" {
				dies(t, "the child of the step", child)
			}
		})
	}
}

// lines of a file that somebody else writes.
func awaitFile(t testing.TB, path string) string {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for hung := time.After(20 * time.Second); ; {
		if text, err := os.ReadFile(path); err == nil && strings.HasSuffix(string(text), "\n") {
			return strings.TrimSpace(string(text))
		}
		select {
		case <-hung:
			t.Fatalf("nobody writes %s", path)
		case <-tick.C:
		}
	}
}

// endsInOrder checks that the program and what it ran have ended, and that the
// record has been closed.
func (s *seat) endsInOrder(child int) {
	s.t.Helper()
	dies(s.t, "the child of the step", child)
	dies(s.t, "the program", s.pid("pid"))
	rec := s.record()
	if last := rec.Lines[len(rec.Lines)-1].Kind; last != journal.Closed {
		s.t.Errorf("the record ends with %q, want %q", last, journal.Closed)
	}
}

const noisyWork = "echo $$ >child; while :; do echo on and on; sleep 0.02; done"

func TestTheProgramEndsInOrderWhenItsShellIsKilled(t *testing.T) {
	s := prepareSeat(t, noisyWork)
	shell := s.run("bash", "-c", "(echo $BASHPID >pid; exec runbook runbook.md); true")
	s.enters()
	child := s.pid("child")
	if err := syscall.Kill(shell.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.endsInOrder(child)
}

// A connection that breaks takes the terminal away: nothing can be written to
// it any more, and nothing can be asked.
func TestTheProgramEndsInOrderWhenItsTerminalIsGone(t *testing.T) {
	s := prepareSeat(t, noisyWork)
	cmd := s.command("bash", "-c", "echo $$ >pid; exec runbook runbook.md")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: seatWidth, Rows: seatHeight})
	if err != nil {
		t.Fatal(err)
	}
	seen, w := io.Pipe()
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(w, terminal) // ends when the terminal is closed or its program is gone
		_ = w.Close()
	}()
	waitFor(t, seen, "A night shift")
	drained := make(chan struct{})
	go func() { defer close(drained); _, _ = io.Copy(io.Discard, seen) }()
	if _, err := terminal.WriteString("\r"); err != nil {
		t.Fatal(err)
	}
	child := s.pid("child")
	if err := terminal.Close(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed or not, the record says how it ended
	<-read
	<-drained
	s.endsInOrder(child)
}

// waitFor reads until a text has come.
func waitFor(t *testing.T, r io.Reader, want string) {
	t.Helper()
	var seen strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(seen.String(), want) {
		n, err := r.Read(buf)
		seen.Write(buf[:n])
		if err != nil {
			t.Fatalf("no %q in %q: %v", want, seen.String(), err)
		}
	}
}
