package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// inForeground starts the program from a shell that has job control, and
// returns its process.
func (s *seat) inForeground() (pid int) {
	s.t.Helper()
	s.inJobControl()
	s.Type("sh -c 'echo $$ >pid; exec runbook runbook.md'\r")
	s.WaitFor("A night shift", "enter run")
	return s.pid("pid")
}

// send sends a signal to a process that is there.
func send(t testing.TB, pid int, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, sig); err != nil {
		t.Fatalf("%v to %d: %v", sig, pid, err)
	}
}

const shellWork = "echo front=$$.; until [ -e go ]; do sleep 0.05; done; echo seen; sleep 1000"

// atWork is a program in job control, whose first step runs if it is shellWork.
func atWork(t *testing.T, code string) (s *seat, program int) {
	t.Helper()
	s = prepareSeat(t, code)
	program = s.inForeground()
	if code == shellWork {
		s.Type("\r")
		s.number("front")
	}
	return s, program
}

// Whoever stops the program from outside, politely, leaves the shell with a
// terminal as it was, as ctrl-z does.
func TestStoppedFromOutsideTheTerminalIsTheShells(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{"while nothing runs": "true", "while a step runs": shellWork} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, program := atWork(t, code)
			send(t, program, syscall.SIGTSTP)
			s.WaitFor("Stopped")
			s.atAPrompt("stopped")
			s.Type("touch go; fg\r")
			s.WaitFor("A night shift", "Another")
			if code == shellWork {
				s.WaitFor("seen")
			}
			send(t, program, syscall.SIGTSTP) // and it is heard once more
			s.WaitFor("Stopped")
			s.atAPrompt("again")
			s.Type("fg\r")
			s.WaitFor("A night shift", "Another")
			s.leavesForGood(0)
		})
	}
}

const lentWork = "printf 'na''me? '\nread -r x; echo \"hello $x\""

func TestStoppedFromOutsideWhileAStepHasTheTerminalBothGoOnTogether(t *testing.T) {
	t.Parallel()
	s := prepareSeat(t, lentWork)
	s.annotated("interactive: true")
	program := s.inForeground()
	s.Type("\r")
	s.WaitFor("name?")
	send(t, program, syscall.SIGTSTP)
	s.WaitFor("Stopped")
	s.atAPrompt("stopped")
	s.Type("fg\r")
	s.WaitFor("shell> fg\nsh -c") // and no more of the shell behind it
	s.Type("kim\r")
	s.WaitFor("hello kim", "press enter to return")
	s.Type("\r")
	s.WaitFor("1/2")
	s.leavesForGood(1)
}

// Nobody can answer SIGSTOP: the shell takes the terminal in the modes of the
// program, and gives it back in its own.
func TestStoppedWithoutBeingAskedItTakesTheTerminalAgain(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{"while nothing runs": "true", "while a step runs": shellWork} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, program := atWork(t, code)
			modes := s.Modes()
			on := strings.Join(slices.Sorted(slices.Values(leftOn(s.Said()))), ", ")
			send(t, program, syscall.SIGSTOP)
			s.WaitFor("Stopped")
			s.Type("printf '\\033[?1049l\\033[?2004l\\033[?1002l\\033[?25h'; stty sane; touch go; echo san''e\r")
			s.WaitFor("sane")
			s.Type("fg\r")
			s.WaitFor("A night shift", "Another")
			s.WaitUntil(func(string) string {
				if s.Modes() != modes {
					return "the terminal isn't in the modes that it was in"
				}
				if now := strings.Join(slices.Sorted(slices.Values(leftOn(s.Said()))), ", "); now != on {
					return "switched on: " + now + "; want " + on
				}
				return ""
			})
			s.leavesForGood(0)
		})
	}
}

// Whoever wakes the program without having stopped it sees the screen drawn
// anew, whatever somebody else has written there.
func TestWokenWithoutAStopItDrawsAgain(t *testing.T) {
	t.Parallel()
	s := prepareSeat(t, "true")
	program := s.run("runbook", "runbook.md").Process.Pid
	s.WaitFor("A night shift", "enter run")
	if _, err := s.Write([]byte("\x1b[2J\x1b[HBroadcast message")); err != nil {
		t.Fatal(err)
	}
	s.WaitGone("A night shift")
	send(t, program, syscall.SIGCONT)
	s.WaitFor("A night shift", "enter run")
	s.Type("q")
	s.WaitFor("Quit?")
}

// A sizeReader is a program that wants to know how large its terminal is, and
// gets another one at the moment that Bubble Tea doesn't listen yet.
type sizeReader struct {
	terminal *os.File
	want     pty.Winsize
	got      *pty.Winsize
}

func (r sizeReader) Init() tea.Cmd {
	conn, err := r.terminal.SyscallConn()
	if err == nil {
		err = conn.Control(func(fd uintptr) {
			_ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Col: r.want.Cols, Row: r.want.Rows})
		})
	}
	if err != nil {
		return tea.Quit
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGWINCH) // as the terminal would tell a program that it belongs to
	return nil
}

func (r sizeReader) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		*r.got = pty.Winsize{Cols: uint16(size.Width), Rows: uint16(size.Height)}
		if *r.got == r.want {
			return r, tea.Quit
		}
	}
	return r, nil
}

func (r sizeReader) View() tea.View { return tea.NewView("x") }

func TestASizeThatChangesWhileTheProgramStartsIsHeardOf(t *testing.T) {
	master, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = master.Close(), terminal.Close() }()
	if err := pty.Setsize(terminal, &pty.Winsize{Cols: 20, Rows: 5}); err != nil {
		t.Fatal(err)
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		buf := make([]byte, 4096)
		for {
			if _, err := master.Read(buf); err != nil {
				return
			}
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // when it is taken to be lost
	defer cancel()
	r := sizeReader{terminal: terminal, want: pty.Winsize{Cols: 80, Rows: 24}, got: &pty.Winsize{}}
	p := tea.NewProgram(r, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(terminal), tea.WithoutSignals(), tea.WithFilter(onTerminalNow(terminal, terminal)))
	stop := (&jobs{}).heed(p.Send)
	_, err = p.Run()
	stop()
	if err != nil || *r.got != r.want {
		t.Errorf("it knows of %+v, want %+v: %v", *r.got, r.want, err)
	}
}
