package shell

import (
	"bytes"
	"context"
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

// P8, P13: a background job does not hold the step open, is named, keeps its
// terminal for the next step, and ends with the session. P40.
func TestWhatAStepLeavesIsNamedAndEndsWithTheSession(t *testing.T) {
	for _, pipe := range []bool{false, true} {
		s := open(t, Options{Redactor: redactor("300.25")})
		p := start(t, s, Command{Code: "sleep 300.25 & echo bg=$!", Pipe: pipe})
		res := wait(t, p)
		pid := pidIn(t, p, "bg")
		if len(res.Left) != 1 || res.Left[0] != (Left{PID: pid, Command: "sleep [redacted]"}) {
			t.Fatalf("pipe %v: left %+v", pipe, res.Left)
		}
		if _, res := runCode(t, s, Command{Code: fmt.Sprintf("kill -0 %d", pid)}); res.Exit != 0 {
			t.Error("the job did not live until the next step")
		}
		if left, err := s.Close(t.Context()); len(left) != 0 || err != nil {
			t.Errorf("left %v, %v", left, err)
		}
		if running(pid) {
			t.Errorf("pipe %v: %d still runs", pipe, pid)
		}
	}
}

func TestAJobWritesToItsTerminalAfterItsStep(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "mkfifo go; (read x <go; echo late $x; cat) & echo bg=$!"})
	wait(t, p)
	_, _ = runCode(t, s, Command{Code: "echo word >go"})
	see(t, p, "late word")
}

// P10, P12, P15, P17, P18, P20: stopping reaches the whole tree, also what has
// taken a session or a parent of its own or ignores SIGTERM.
func TestStopReachesEveryDescendant(t *testing.T) {
	for name, code := range map[string]string{
		"plain":       "sleep 300 & echo a=$!; wait",
		"pipeline":    "sleep 300 | cat & echo a=$!; wait",
		"subshell":    "(sleep 300; true) & echo a=$!; wait",
		"setsid":      "setsid sleep 300 & echo a=$!; wait",
		"leader gone": "setsid sh -c 'echo a=$$; sleep 300; true' & sleep 300",
		"nohup":       "nohup sleep 300 >/dev/null 2>&1 & echo a=$!; wait",
		"orphan":      "(setsid sh -c 'sleep 300 & echo a=$!') ; sleep 300",
		"ignores":     "trap '' TERM INT HUP; sleep 300 & echo a=$!; wait",
		"shell only":  "echo a=$$; while :; do sleep 0.05; done",
		"stopped":     "sleep 300 & echo a=$!; kill -STOP $!; wait",
		"wrapper":     "sh -c 'sh -c \"echo a=\\$\\$; sleep 300; true\"; true'",
	} {
		for _, pipe := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/pipe=%v", name, pipe), func(t *testing.T) {
				s := open(t, Options{})
				p := start(t, s, Command{Code: code, Pipe: pipe, Grace: 100e6})
				pid := pidIn(t, p, "a")
				left := p.Stop(t.Context())
				res := wait(t, p)
				if running(pid) || len(left) != 0 || len(res.Left) != 0 {
					t.Errorf("still runs: %v; left %v, %v", running(pid), left, res.Left)
				}
				if res.Exit == 0 {
					t.Errorf("a stopped command succeeded: %+v", res)
				}
			})
		}
	}
}

// P12: what has detached itself is found after its step has ended.
// P18: stopping checks, and says, what survives.
func TestADetachedProcessIsNamedAndLeftOnPurpose(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "setsid sh -c 'echo a=$$; exec sleep 300' </dev/null & wait; setsid -f sleep 299; true"})
	pid := pidIn(t, p, "a")
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	res := wait(t, p)
	if len(res.Left) != 1 || !res.Left[0].Detached || res.Left[0].Command != "sleep 299" {
		t.Fatalf("left %+v", res.Left)
	}
	left, err := s.Close(t.Context())
	if err != nil || len(left) != 1 || left[0].PID != res.Left[0].PID {
		t.Errorf("Close: %+v, %v", left, err)
	}
	if !running(left[0].PID) {
		t.Error("it was not left running")
	}
	_ = syscall.Kill(left[0].PID, syscall.SIGKILL)
}

func TestTermIsTriedBeforeKill(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "trap 'echo cleaned up; exit 5' TERM; echo up; while :; do sleep 0.02; done"})
	see(t, p, "up")
	p.Stop(t.Context())
	res := wait(t, p)
	if lines, _ := p.Lines(); res.Exit != 5 || lines[len(lines)-1] != "cleaned up" {
		t.Errorf("exit %d, %q", res.Exit, lines)
	}
}

func TestCancellingTheContextStops(t *testing.T) {
	s := open(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	p, err := s.Start(ctx, Command{Code: "echo a=$$; sleep 300"})
	if err != nil {
		t.Fatal(err)
	}
	pid := pidIn(t, p, "a")
	cancel()
	if res := wait(t, p); res.Exit != 143 || res.Signal != syscall.SIGTERM || running(pid) {
		t.Errorf("got %+v", res)
	}
	if _, err := s.Start(ctx, Command{Code: "true"}); err == nil {
		t.Error("a cancelled context started something")
	}
}

func TestAKilledKeeperIsNoSuccess(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "echo up; kill -9 $PPID; sleep 300"})
	eventually(t, "the keeper is dead", func() bool { return !running(p.keeper.Process.Pid) })
	p.Stop(t.Context())
	if res := wait(t, p); res.Exit != -1 {
		t.Errorf("got %+v", res)
	}
	if out, res := runCode(t, s, Command{Code: "kill -TERM 0; echo on"}); res.Exit != 143 {
		t.Errorf("exit %d, %q", res.Exit, out)
	}
}

func TestBackgroundCommandsLiveBesideSteps(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "K=9; echo up; while :; do sleep 0.05; done", Background: true})
	see(t, p, "up")
	if out, _ := runCode(t, s, Command{Code: "echo step $K"}); out != "step\n" {
		t.Errorf("got %q", out)
	}
	if bg := s.Background(); len(bg) != 1 || bg[0] != p {
		t.Errorf("got %v", bg)
	}
	if left, err := s.Close(t.Context()); len(left) != 0 || err != nil {
		t.Errorf("left %v, %v", left, err)
	}
	if res := wait(t, p); res.Exit != 143 {
		t.Errorf("got %+v", res)
	}
	if bg := s.Background(); len(bg) != 0 {
		t.Errorf("got %v", bg)
	}
	if _, err := s.Start(t.Context(), Command{Code: "true"}); err == nil {
		t.Error("a closed session started something")
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
	res := wait(t, start(t, s, Command{Code: "echo x", Record: fullDisk{}}))
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
