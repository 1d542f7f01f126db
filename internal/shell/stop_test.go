package shell

import (
	"context"
	"fmt"
	"syscall"
	"testing"
)

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

// P14: a signal never reaches another process that has got the same pid.
func TestASignalNeedsTheProcessItWasMeantFor(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "trap 'echo hit; exit 3' TERM; echo a=$$; read x"})
	pid := pidIn(t, p, "a")
	for _, q := range p.tree.alive() {
		if q.pid == pid {
			other := q
			other.started++
			other.signal(syscall.SIGTERM)
		}
	}
	if err := p.Type([]byte("\r")); err != nil {
		t.Fatal(err)
	}
	if res := wait(t, p); res.Exit != 0 {
		t.Errorf("got %+v", res)
	}
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
