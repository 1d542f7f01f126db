package shell

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// running reports whether a process is there and no zombie.
func running(pid int) bool {
	for _, q := range processes() {
		if q.pid == pid {
			return true
		}
	}
	return false
}

// pidIn waits for a line "name=PID" in the output.
func pidIn(t *testing.T, p *Process, name string) (pid int) {
	t.Helper()
	eventually(t, "the pid of "+name, func() bool {
		lines, _ := p.Lines()
		for _, l := range lines {
			if v, ok := strings.CutPrefix(l, name+"="); ok {
				pid, _ = strconv.Atoi(strings.TrimSpace(v))
			}
		}
		return pid > 0
	})
	return pid
}

func TestTheLastByteIsNeverLost(t *testing.T) {
	s := open(t, Options{})
	for i := range 20 {
		for _, pipe := range []bool{false, true} {
			out, res := runCode(t, s, Command{Code: fmt.Sprintf("seq 1 2000; printf end-%d", i), Pipe: pipe})
			if !strings.HasSuffix(out, fmt.Sprintf("2000\nend-%d", i)) {
				t.Fatalf("pipe %v, run %d: the tail is lost: %q", pipe, i, out[max(0, len(out)-60):])
			}
			if pipe && res.Bytes != int64(len(out)) {
				t.Errorf("%d bytes counted, %d recorded", res.Bytes, len(out))
			}
		}
	}
}

func TestACommandSeesATerminalOrAPipe(t *testing.T) {
	s := open(t, Options{})
	probe := `[ -t 0 ] && [ -t 1 ] && echo tty; echo $TERM; stty size; (echo x >/dev/tty) 2>/dev/null && echo ctty; cat`
	p := start(t, s, Command{Code: probe, Cols: 91, Rows: 17})
	see(t, p, "ctty")
	if err := p.Type([]byte("\x04")); err != nil {
		t.Fatal(err)
	}
	wait(t, p)
	lines, _ := p.Lines()
	if got := strings.Join(lines, " "); !strings.HasPrefix(got, "tty xterm-256color 17 91 x ctty") {
		t.Errorf("got %q", got)
	}
	// P22, P23, P24: without a terminal nothing can ask for a password.
	var stdout bytes.Buffer
	var rec record
	res := wait(t, start(t, s, Command{Code: probe + "; echo data; echo note >&2", Pipe: true, Stdout: &stdout, Record: &rec}))
	if stdout.String() != "dumb\ndata\n" || !strings.Contains(rec.String(), "note\n") || res.Exit != 0 {
		t.Errorf("stdout %q, record %q, exit %d", stdout.String(), rec.String(), res.Exit)
	}
}

func TestTypedInputAndResizeReachTheCommand(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: `trap 'echo size $(stty size)' WINCH; echo ready; read x; read y; echo "got=$x"`})
	see(t, p, "ready")
	if err := p.Resize(60, 10); err != nil {
		t.Fatal(err)
	}
	if err := p.Type([]byte("hello\rmore\r")); err != nil {
		t.Fatal(err)
	}
	see(t, p, "size 10 60")
	see(t, p, "got=hello")
	wait(t, p)
	if err := p.Type([]byte("late")); err == nil {
		t.Error("typing into an ended command is no error")
	}
}

func TestTheTerminalAnswersQuestions(t *testing.T) {
	s := open(t, Options{Redactor: redactor("correcthorse")})
	p := start(t, s, Command{Code: `printf 'corr\033[6n'; IFS= read -rsd R pos; echo "pos=${pos#*[}"`})
	wait(t, p)
	lines, _ := p.Lines()
	if got := strings.Join(lines, "\n"); !strings.Contains(got, "pos=1;") {
		t.Errorf("got %q", got)
	}
}

// P3: Ctrl-C reaches each of several commands, and the session goes on.
func TestCtrlCReachesEveryStep(t *testing.T) {
	s := open(t, Options{})
	for i := range 3 {
		p := start(t, s, Command{Code: fmt.Sprintf("K=%d; sleep 300; echo not reached", i)})
		// Between its fork and its exec bash loses a signal where an EXIT trap is set.
		eventually(t, "sleep runs", func() bool {
			return slices.ContainsFunc(p.tree.alive(), func(q process) bool { return q.command() == "sleep 300" })
		})
		if err := p.Interrupt(); err != nil {
			t.Fatal(err)
		}
		res := wait(t, p)
		if res.Exit != 130 || len(res.Left) != 0 {
			t.Errorf("run %d: %+v", i, res)
		}
		if lines, _ := p.Lines(); strings.Contains(strings.Join(lines, "\n"), "not reached") {
			t.Errorf("run %d went on: %q", i, lines)
		}
	}
	if out, _ := runCode(t, s, Command{Code: "echo $K"}); out != "2\n" {
		t.Errorf("got %q", out)
	}
	p := start(t, s, Command{Code: "trap 'echo caught; exit 9' INT; echo up; while :; do sleep 0.05; done", Pipe: true})
	see(t, p, "up")
	if err := p.Interrupt(); err != nil {
		t.Fatal(err)
	}
	if res := wait(t, p); res.Exit != 9 {
		t.Errorf("on a pipe: %+v", res)
	}
}

func TestAPasswordPromptIsRecognisedAndWhatIsTypedIsSecret(t *testing.T) {
	s := open(t, Options{})
	var rec record
	p := start(t, s, Command{Code: `printf 'Password: '; stty -echo; read pw; stty echo; echo; echo "you said $pw"`, Record: &rec})
	see(t, p, "Password:")
	eventually(t, "echo off", p.EchoOff)
	if err := p.Type([]byte("hunter2-typx\x7fed\r")); err != nil {
		t.Fatal(err)
	}
	wait(t, p)
	if p.EchoOff() {
		t.Error("an ended command asks for a password")
	}
	if got := rec.String(); strings.Contains(got, "hunter2") || !strings.Contains(got, "you said [redacted]") {
		t.Errorf("got %q", got)
	}
}

// G16, G17: secrets are in no argument list and in nothing that is shown.
func TestASecretVariableIsNeitherShownNorInAnyArgument(t *testing.T) {
	const secret = "s3cr3t-value-xyz"
	s := open(t, Options{Redactor: redactor(secret)})
	var rec record
	p := start(t, s, Command{
		Code: `echo "$API"; printf %s "$API" | base64; printf '\033[2J\033[3;4H%s' "$API"; echo; no-such-command "$API"; read x`,
		Env:  []string{"API=" + secret}, Record: &rec,
	})
	see(t, p, "not found")
	for _, q := range p.tree.alive() {
		if strings.Contains(q.command(), secret) {
			t.Errorf("in the arguments of %d", q.pid)
		}
	}
	shown := rec.String() + strings.Join(p.Screen(0, 0).Lines, "\n") + strings.Join(p.Tail(100), "\n")
	for _, leak := range []string{secret, "czNjcjN0"} {
		if strings.Contains(shown, leak) {
			t.Errorf("%q is shown:\n%s", leak, shown)
		}
	}
	if err := p.Type([]byte("\r")); err != nil {
		t.Fatal(err)
	}
	wait(t, p)
}

// P27, P29, P30: a progress line is one line in its last state on the screen
// and among the lines; the record keeps all of it.
func TestProgressIsShownInItsLastState(t *testing.T) {
	s := open(t, Options{})
	var rec record
	p := start(t, s, Command{Code: `printf '10%%\r20%%\r100%%\nnext\n'`, Record: &rec})
	wait(t, p)
	if lines, _ := p.Lines(); strings.Join(lines, "|") != "100%|next" {
		t.Errorf("lines %q", lines)
	}
	if got := p.Screen(0, 0).Lines; len(got) < 2 || got[0] != "100%" || got[1] != "next" {
		t.Errorf("screen %q", got)
	}
	if rec.String() != "10%\r20%\r100%\r\nnext\r\n" {
		t.Errorf("record %q", rec.String())
	}
}

func TestAFullScreenProgramIsShownOnTheScreen(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: `echo before; printf '\033[?1049h\033[2J\033[2;3Hfull'; read x; printf '\033[?1049l'; echo after`, Cols: 20, Rows: 5})
	eventually(t, "full screen", func() bool {
		return p.Screen(0, 0).Full && strings.Contains(strings.Join(p.Screen(0, 0).Lines, ""), "full")
	})
	if sc := p.Screen(0, 0); !sc.Full || sc.Lines[1] != "  full" || sc.CursorY != 1 || sc.CursorX != 6 {
		t.Errorf("got %q %+v", sc.Lines, sc)
	}
	if err := p.Type([]byte("\r")); err != nil {
		t.Fatal(err)
	}
	wait(t, p)
	see(t, p, "after")
	if sc := p.Screen(0, 0); sc.Full || sc.Lines[0] != "before" || sc.Lines[1] != "after" {
		t.Errorf("got %+v", sc)
	}
}

func TestTheBellClosesWithTheCommand(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "echo hello"})
	for range p.Dirty() { // ends, or the test does not
	}
	if res := wait(t, p); res.Exit != 0 {
		t.Errorf("got %+v", res)
	}
	if sc := p.Screen(0, 0); sc.Lines[0] != "hello" {
		t.Errorf("the last screen is not drawn: %q", sc.Lines)
	}
}

func TestARecordThatFailsIsReported(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "echo x; read y", Record: fullDisk{}})
	eventually(t, "it is said while the command runs", func() bool { return p.RecordErr() != nil })
	see(t, p, "x")
	if err := p.Type([]byte("\r")); err != nil {
		t.Fatal(err)
	}
	res := wait(t, p)
	if res.Err == nil || res.Exit != 0 {
		t.Errorf("got %+v", res)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestNoDescriptorAndNoGoroutineIsLeft(t *testing.T) {
	s := open(t, Options{})
	count := func() int {
		names, err := os.ReadDir("/dev/fd")
		if err != nil {
			t.Skip("no /dev/fd here: ", err)
		}
		return len(names)
	}
	_, _ = runCode(t, s, Command{Code: "true"})
	eventually(t, "the first command is gone", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.running) == 0 })
	before := count()
	for range 10 {
		_, _ = runCode(t, s, Command{Code: "true"})
		_, _ = runCode(t, s, Command{Code: "true", Pipe: true})
	}
	eventually(t, "all commands are gone", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.running) == 0 })
	if after := count(); after > before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
}
