package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// survivor starts a process in a session of its own, as one that has outlived
// the program that walked a run.
func survivor(t *testing.T, run string, command ...string) (pid int, ended <-chan struct{}) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), RunMark+"="+run)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err) // it runs what it was told to
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = cmd.Wait() }() // killed, mostly
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-done })
	return cmd.Process.Pid, done
}

func TestWhatARunHasLeftRunningIsFoundByTheNameOfTheRun(t *testing.T) {
	const secret = "swordfish-7"
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	pid, _ := survivor(t, "r-one", "sh", "-c", "echo; exec 3<>"+fifo+"; read -r x <&3; : "+secret)
	survivor(t, "r-one-more", "sh", "-c", "echo; exec sleep 1000")
	left, blind := Survivors("r-one", redactor(secret))
	if blind != "" {
		t.Skip(blind)
	}
	if len(left) != 1 || left[0].PID != pid || !strings.HasPrefix(left[0].Command, "sh -c echo") {
		t.Fatalf("got %+v, want the shell with pid %d only", left, pid)
	}
	if strings.Contains(left[0].Command, secret) {
		t.Errorf("a secret is shown: %q", left[0].Command)
	}
	if left, _ := Survivors("r-none", redactor()); len(left) > 0 {
		t.Errorf("of a run that left nothing: %+v", left)
	}
}

func TestOnlyWhatWasNamedIsStoppedAlsoWhenItDoesNotWantTo(t *testing.T) {
	_, first := survivor(t, "r-stop", "sh", "-c", "trap '' TERM; echo; exec sleep 1000")
	second, over := survivor(t, "r-stop", "sh", "-c", "echo; exec sleep 1000")
	left, blind := Survivors("r-stop", redactor())
	if blind != "" {
		t.Skip(blind)
	}
	named := slices.DeleteFunc(left, func(l Left) bool { return l.PID == second })
	if rest := StopSurvivors(t.Context(), "r-stop", named, time.Millisecond, redactor()); len(rest) > 0 {
		t.Errorf("still running: %+v", rest)
	}
	<-first
	select {
	case <-over:
		t.Error("one that wasn't named has ended")
	default:
	}
	// A pid alone is no proof: of another run it is somebody else's.
	StopSurvivors(t.Context(), "r-other", []Left{{PID: second}}, time.Millisecond, redactor())
	if !running(second) {
		t.Error("a process of another run was stopped")
	}
}

// The keeper and its guard are the program's own, and are gone a moment after it:
// only what the step has started is named.
func TestWhatKeepsAStepIsNoneOfItsWork(t *testing.T) {
	s := open(t, Options{Pinned: []string{RunMark + "=r-kept"}})
	p := start(t, s, Command{Code: "echo run $RUNBOOK_RUN; sleep 300"})
	see(t, p, "run r-kept")
	eventually(t, "sleep is named", func() bool {
		left, blind := Survivors("r-kept", redactor())
		if blind != "" {
			t.Skip(blind)
		}
		return slices.ContainsFunc(left, func(l Left) bool { return l.Command == "sleep 300" })
	})
	left, _ := Survivors("r-kept", redactor())
	if slices.ContainsFunc(left, func(l Left) bool { return l.PID == p.tree.leader || l.PID == p.tree.guard }) {
		t.Errorf("the keeper %d or its guard %d is named: %+v", p.tree.leader, p.tree.guard, left)
	}
	if err := p.release.Close(); err != nil { // as when the program is killed
		t.Fatal(err)
	}
	eventually(t, "all is ended but the guard", func() bool {
		left, _ := Survivors("r-kept", redactor())
		return len(left) == 0
	})
}

// After a restart of the machine pids begin anew, and a later process of the
// same run may have the pid of an earlier one.
func TestALaterProcessWithThePidOfASurvivorIsNotTakenForIt(t *testing.T) {
	pid, ended := survivor(t, "r-reused", "sh", "-c", "echo; exec sleep 1000")
	left, blind := Survivors("r-reused", redactor())
	if blind != "" {
		t.Skip(blind)
	}
	if got := StillLeft("r-reused", left, redactor()); len(got) != 1 || got[0].PID != pid {
		t.Fatalf("still left: %+v, want pid %d", got, pid)
	}
	left[0].started--
	if got := StillLeft("r-reused", left, redactor()); len(got) > 0 {
		t.Errorf("taken for one that began before: %+v", got)
	}
	StopSurvivors(t.Context(), "r-reused", left, time.Millisecond, redactor())
	select {
	case <-ended:
		t.Error("a process that only has the pid of the one that was named was stopped")
	default:
	}
}

func TestWhoAsksIsNoSurvivor(t *testing.T) {
	t.Setenv(RunMark, "r-self") // seen by what is started from here on
	cmd := exec.Command(os.Args[0], "-test.run", "^TestHelperSurvivors$")
	cmd.Env = append(os.Environ(), "SURVIVORS_OF=r-self")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "found 0") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestHelperSurvivors(t *testing.T) {
	run := os.Getenv("SURVIVORS_OF")
	if run == "" {
		t.Skip("for the test above")
	}
	left, _ := Survivors(run, redactor())
	_, _ = os.Stdout.WriteString("found " + string(rune('0'+len(left))) + "\n")
}
