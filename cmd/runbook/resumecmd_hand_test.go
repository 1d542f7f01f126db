package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"runbook/internal/redact"
	"runbook/internal/screen"
	"runbook/internal/shell"
	"runbook/internal/steps"
)

// handmade is a runbook for what an operator does by hand.
const handmade = "# By hand\n\n## First\n\n```sh\necho one >> did\n```\n\n## Second\n\n```sh\necho two >> did\n```\n\n" +
	"## Third\n\n```sh\necho three >> did\n```\n\n## Fourth\n\n```sh\necho four >> did\n```\n"

// bare is a walk of a runbook of its own, without cluster and Vault.
func bare(t *testing.T, runbook string) *ascent {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hand.md"), []byte(runbook), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &ascent{t: t, dir: dir, state: t.TempDir(), temp: t.TempDir()}
	b.env = append(os.Environ(), "HOME="+dir, "KUBECONFIG="+filepath.Join(dir, "none"), "XDG_STATE_HOME="+b.state, "TMPDIR="+b.temp, "TERM=xterm-256color")
	return b
}

// onScreen runs the program on a terminal.
func (b *ascent) onScreen(args ...string) (*screen.Screen, *exec.Cmd) {
	b.t.Helper()
	cmd := exec.Command("runbook", args...)
	cmd.Env, cmd.Dir = b.env, b.dir
	return screen.StartCommand(b.t, cmd, 100, 30), cmd
}

// killed kills a program on a terminal.
func killed(t *testing.T, s *screen.Screen, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitExit(); exitOf(err) != -1 {
		t.Fatalf("ended with %v, want it killed", err)
	}
}

// shows waits until a step is shown, and the keyboard counts.
func shows(s *screen.Screen, step string) {
	s.WaitFor(step+" ─", "enter run")
}

func TestWhatTheOperatorDidByHandIsThereAfterAKill(t *testing.T) {
	t.Parallel()
	b := bare(t, handmade)
	s, cmd := b.onScreen("hand.md")
	shows(s, "1 First")
	s.Type("s")
	s.WaitFor("enter · esc leaves")
	s.Type("not today\r")
	shows(s, "2 Second")
	s.Type("t")
	s.WaitFor("enter · esc leaves")
	s.Type("done on the other machine\r")
	shows(s, "3 Third")
	s.Type("n")
	s.WaitFor("Note on")
	s.Type("ask Kim about this\r")
	s.WaitGone("Note on")
	s.Type("e")
	s.WaitFor("ctrl+s keeps")
	s.Type("echo edited >> did # \x13")
	s.WaitFor("edited; the document says:")
	s.Type("n") // and it dies with a question open
	s.WaitFor("Note on")
	s.Type("never finished")
	killed(t, s, cmd)

	s, cmd = b.onScreen("resume")
	s.WaitFor("- 1 First", "✓ 2 Second", "edited; the document says:", "echo edited >> did #", "runs as it was edited")
	s.Type("\x1b") // it has been read
	shows(s, "3 Third")
	s.Type("\r")
	shows(s, "4 Fourth")
	s.WaitFor("✓ 3 Third")
	killed(t, s, cmd)
	did, err := os.ReadFile(filepath.Join(b.dir, "did"))
	if err != nil || string(did) != "edited\n" {
		t.Errorf("it did %q, %v, want only what was edited", did, err)
	}

	out, err := b.run(nil, "runbook", "resume")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report, err := b.run(nil, "runbook", "report", b.record().Header.Run)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"skipped: not today", "ticked off by hand: done on the other machine", "note: ask Kim about this", "echo edited >> did #", "echo three >> did"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q:\n%s", want, report)
		}
	}
	if strings.Contains(report, "never finished") {
		t.Errorf("the note that wasn't finished is in the report:\n%s", report)
	}
}

func TestAnEditOfWhatTheDocumentNoLongerSaysIsNotTakenOver(t *testing.T) {
	t.Parallel()
	b := bare(t, handmade)
	s, cmd := b.onScreen("hand.md")
	shows(s, "1 First")
	s.Type("e")
	s.WaitFor("ctrl+s keeps")
	s.Type("echo edited >> did # \x13")
	s.WaitFor("edited; the document says:")
	killed(t, s, cmd)
	other := strings.Replace(handmade, "echo one", "echo another", 1)
	if err := os.WriteFile(filepath.Join(b.dir, "hand.md"), []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := b.run(nil, "runbook", "resume")
	for _, want := range []string{"1 First is another text now", "1 First was edited, and the document says something else by now: the edit isn't taken over"} {
		if !strings.Contains(out, want) {
			t.Errorf("it doesn't say %q: %v\n%s", want, err, out)
		}
	}
	if did, _ := os.ReadFile(filepath.Join(b.dir, "did")); !strings.HasPrefix(string(did), "another\n") {
		t.Errorf("it did %q", did)
	}
}

func TestAKillWhileAQuestionIsOpenAnswersNothing(t *testing.T) {
	t.Parallel()
	b := bare(t, "# Away\n\n## First\n\n```sh\nrm -r keep\n```\n")
	if err := os.Mkdir(filepath.Join(b.dir, "keep"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, cmd := b.onScreen("hand.md")
	shows(s, "1 First")
	s.Type("\r")
	s.WaitFor("DESTROY", "enter: do it")
	killed(t, s, cmd)
	if got := b.record().Run().Steps["first"].Status; got != steps.Pending {
		t.Errorf("the step is %s, want pending", got)
	}
	out, err := b.run(nil, "runbook", "resume")
	if got := exitOf(err); got != int(exitRefused) {
		t.Errorf("exit status %d, want 4: it has to be asked again\n%s", got, out)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "keep")); err != nil {
		t.Error(err)
	}
}

// leaver is a runbook that leaves a process which nothing ends with it. The step
// waits for it: before it is in its own session it ends with the step.
const leaver = "# Leaver\n\n## First\n\n```sh\nsetsid sh -c 'echo $$ > pid; exec sleep 1000' >/dev/null 2>&1 </dev/null & until [ -s pid ]; do sleep 0.05; done\n```\n\n## Second\n\n```sh\necho second\n```\n"

// leaves is a walk of leaver that was killed behind its first step.
func leaves(t *testing.T) (b *ascent, pid int) {
	t.Helper()
	return leavesAt(t, "after", "started second")
}

// leavesAt is leaves, killed elsewhere.
func leavesAt(t *testing.T, when, at string) (b *ascent, pid int) {
	t.Helper()
	b = bare(t, leaver)
	if out, err := b.run([]string{"DIE=" + when, "DIE_AT=" + at}, "runbook-that-dies", "run", "hand.md", "--accept-risk", "first"); err == nil {
		t.Fatalf("it came to its end:\n%s", out)
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) }) // mostly it is gone by then
	for {                                                        // until all that had to end with the program has ended
		left := b.left()
		if len(left) == 1 && left[0].PID == pid && left[0].Command == "sleep 1000" {
			return b, pid
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("left running: %+v, want pid %d only", left, pid)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// left is what still runs of the one run.
func (b *ascent) left() []shell.Left {
	b.t.Helper()
	left, blind := shell.Survivors(b.record().Header.Run, redact.New())
	if blind != "" {
		b.t.Skip(blind)
	}
	return left
}

func TestWhatOutlivedAKilledRunIsNamedAndLeftAlone(t *testing.T) {
	t.Parallel()
	b, pid := leaves(t)
	out, err := b.run(nil, "runbook", "resume")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := "still running from before: sleep 1000 (pid " + strconv.Itoa(pid) + "); kill " + strconv.Itoa(pid) + " stops it"; !strings.Contains(out, want) {
		t.Errorf("it doesn't say %q:\n%s", want, out)
	}
	if len(b.left()) != 1 {
		t.Error("it was stopped, and nobody had asked for that")
	}
}

func TestWhatOutlivedAKilledRunIsStoppedWhenTheOperatorSaysSo(t *testing.T) {
	t.Parallel()
	b, pid := leaves(t)
	s, _ := b.onScreen("resume")
	s.WaitFor("Still running from before", "sleep 1000 (pid "+strconv.Itoa(pid)+")", "stop it")
	s.WaitGone("Keys count once")
	s.Type("s")
	s.WaitFor("stopped: sleep 1000")
	if left := b.left(); len(left) > 0 {
		t.Errorf("still running: %+v", left)
	}
	quits(s)
	if got := exitOf(s.WaitExit()); got != int(exitStopped) {
		t.Errorf("exit status %d, want 3", got)
	}
}

func TestTheGateOfAStepThatWasCutOffNamesWhatItHasLeftRunning(t *testing.T) {
	t.Parallel()
	b, pid := leavesAt(t, "before", "ended first")
	still := fmt.Sprintf("still running from before: sleep 1000 (pid %d); kill %d stops it", pid, pid)
	out, err := b.run(nil, "runbook", "resume")
	if got := exitOf(err); got != int(exitStopped) || !strings.Contains(out, still) {
		t.Errorf("exit status %d, want 3, and that it still runs:\n%s", got, out)
	}
	out, err = b.run(nil, "runbook", "resume", "--from", "second", "--accept-risk", "second")
	if err != nil || !strings.Contains(out, "& "+still) {
		t.Errorf("the gate of a step beside it doesn't name it: %v\n%s", err, out)
	}
	out, err = b.run(nil, "runbook", "resume", b.record().Header.Run, "--from", "first", "--accept-risk", "first")
	if err != nil || !strings.Contains(out, "! "+still+"; this step was begun before") {
		t.Errorf("the gate of the step that would start another one doesn't name it: %v\n%s", err, out)
	}
	for _, l := range b.left() {
		_ = syscall.Kill(l.PID, syscall.SIGKILL)
	}
}

func TestWhatAStepHasLeftRunningIsStoppedFromTheListAndGoneFromItsGate(t *testing.T) {
	t.Parallel()
	b, pid := leavesAt(t, "before", "ended first")
	s, _ := b.onScreen("resume")
	s.WaitFor("Still running from before")
	s.WaitGone("Keys count once")
	s.Type("\x1b") // leave it as it is
	s.WaitGone("Still running from before")
	shows(s, "1 First")
	s.Type("\r")
	s.WaitFor("still running from before: sleep 1000 (pid "+strconv.Itoa(pid)+")", "once more beside it")
	s.WaitGone("keys count once")
	s.Type("\x1b")
	s.WaitGone("once more beside it")
	s.Type("b")
	s.WaitFor("In the background", "still running from before, pid "+strconv.Itoa(pid), "sleep 1000")
	s.Type("x")
	s.WaitFor("Stop it?")
	s.Type("s")
	s.WaitFor("no step has left anything running")
	if left := b.left(); len(left) > 0 {
		t.Errorf("still running: %+v", left)
	}
	s.Type("\x1b")
	s.WaitGone("In the background")
	s.Type("\r")
	s.WaitFor("Type  ", "isn't known")
	if strings.Contains(s.Text(), "still running") {
		t.Errorf("the gate names what has ended:\n%s", s.Text())
	}
}

func TestAnInteractiveStepThatEndsWithTheProgramIsNotTakenForDone(t *testing.T) {
	t.Parallel()
	b := bare(t, "# Lent\n\n## First\n\n<!-- step\nid: first\ninteractive: true\n-->\n\n```sh\necho le\"\"nt; read -r x; echo \"got $x\" >> did\n```\n\n## Second\n\n```sh\necho second\n```\n")
	s, cmd := b.onScreen("hand.md")
	shows(s, "1 First")
	s.Type("\r")
	s.WaitFor("lent")
	killed(t, s, cmd)
	rec := b.record()
	if got := rec.Trace("first"); !got.Began[0] || len(got.Ended) > 0 || rec.Run().Next() != "first" {
		t.Errorf("the record says %+v, want the step begun and not ended", got)
	}
	out, err := b.run(nil, "runbook", "resume")
	if got := exitOf(err); got != int(exitStopped) {
		t.Errorf("exit status %d, want 3: it is not known how far the step got\n%s", got, out)
	}
	if want := "1 First was running when the run was cut off"; !strings.Contains(out, want) {
		t.Errorf("it doesn't say %q:\n%s", want, out)
	}
	if _, err := os.ReadFile(filepath.Join(b.dir, "did")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the step came to its end: %v", err)
	}
}
