package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"runbook/internal/screen"
)

// stopping is a runbook whose steps take as long as they are let.
const stopping = `---
runbook: v1
title: Stopping
---

# Stopping

## Long

` + "```sh\nsleep 600 & echo $! >pids\nsh -c 'echo $$ >>pids; echo ready; exec sleep 600'\n```" + `

## Waits

<!-- step
id: waits
expect: configmap/there-is-none in schmetterpause exists
within: 1h
-->

` + "```sh\nkubectl get ns\n```" + `

## Away

` + "```sh\nkubectl -n schmetterpause delete configmap x\n```\n"

// A stopped is a walk that a signal ended.
type stopped struct {
	t    *testing.T
	env  []string
	dir  string
	code int
	out  string
}

func newStopped(t *testing.T) *stopped {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not on the path: make kubectl builds it")
	}
	s := &stopped{t: t, dir: t.TempDir()}
	s.env = append(append(os.Environ(), box(t, "deployed").Env()...), "XDG_STATE_HOME="+t.TempDir(), "TMPDIR="+t.TempDir(), "TERM=xterm-256color")
	if err := os.WriteFile(filepath.Join(s.dir, "stopping.md"), []byte(stopping), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stopped) command(args ...string) *exec.Cmd {
	cmd := exec.Command("runbook", args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

// walk walks one step as lines, and sends the signal once a line has the mark.
func (s *stopped) walk(step, mark string, sig os.Signal, format string) {
	s.t.Helper()
	cmd := s.command("run", "stopping.md", "--only", step, "--accept-risk", "long,waits", "-o", format)
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = cmd.Process.Kill() }) // gone already unless the test has failed
	var all strings.Builder
	sent := false
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		all.WriteString(line)
		if !sent && strings.Contains(line, mark) {
			sent = true
			if err := cmd.Process.Signal(sig); err != nil {
				s.t.Fatal(err)
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.t.Fatal(err)
			}
			break
		}
	}
	_ = cmd.Wait() // its exit status is looked at by who asked
	s.code, s.out = cmd.ProcessState.ExitCode(), all.String()+errOut.String()
	if !sent {
		s.t.Fatalf("it never said %q:\n%s", mark, s.out)
	}
}

// recorded looks at what is left: a record that is whole, a step that is known
// to have failed, and no process.
func (s *stopped) recorded(step, status string) (report string) {
	s.t.Helper()
	out, err := s.command("runs", "-o", "json").Output()
	if err != nil {
		s.t.Fatal(err)
	}
	var runs []runRow
	if err := json.Unmarshal(out, &runs); err != nil || len(runs) != 1 {
		s.t.Fatalf("runs: %v, %s", err, out)
	}
	if runs[0].State == runCutOff || runs[0].State == runNotThere || runs[0].State == runUnsound {
		s.t.Errorf("the record is %s", runs[0].State)
	}
	if out, err := s.command("report", runs[0].Run, "--verify").CombinedOutput(); err != nil {
		s.t.Errorf("verify: %v\n%s", err, out)
	}
	text, err := s.command("report", runs[0].Run).Output()
	if report = string(text); err != nil || !strings.Contains(report, "["+step+"]: "+status) {
		s.t.Errorf("%v: the record doesn't say that %s is %s:\n%s", err, step, status, report)
	}
	pids, err := os.ReadFile(filepath.Join(s.dir, "pids"))
	if err != nil && step == "long" {
		s.t.Fatal(err)
	}
	for _, word := range strings.Fields(string(pids)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			s.t.Fatal(err)
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) && !zombie(pid) {
			s.t.Errorf("pid %d still runs", pid)
		}
	}
	return report
}

// zombie tells whether a process has ended and only waits to be collected.
func zombie(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

func TestASignalEndsAWalkInOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, step, mark, format string
		sig                      os.Signal
	}{
		{"SIGINT while a step runs", "long", "ready", "text", syscall.SIGINT},
		{"SIGTERM while a step runs", "long", "ready", "json", syscall.SIGTERM},
		{"SIGINT while a step waits", "waits", "there-is-none", "json", syscall.SIGINT},
		{"SIGTERM while a step waits", "waits", "there-is-none", "text", syscall.SIGTERM},
		{"SIGHUP while a step runs", "long", "ready", "text", syscall.SIGHUP},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStopped(t)
			s.walk(c.step, c.mark, c.sig, c.format)
			if s.code != int(exitInterrupted) {
				t.Errorf("exit status %d, want %d:\n%s", s.code, exitInterrupted, s.out)
			}
			who := unix.SignalName(c.sig.(syscall.Signal)) + " ended the program"
			if c.sig == syscall.SIGINT {
				who = "stopped by the operator"
			}
			if !strings.Contains(s.out, who) || !strings.Contains(s.out, "interrupted") || containsTrace(s.out) {
				t.Errorf("said\n%s", s.out)
			}
			if !strings.Contains(s.recorded(c.step, "failed"), who) {
				t.Errorf("the report doesn't say that it was %s", who)
			}
		})
	}
}

func TestASignalAtAGateRunsNothing(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := newStopped(t)
			cmd := s.command("stopping.md")
			on := screen.StartCommand(t, cmd, 120, 40)
			on.WaitFor("1 Long", "enter run")
			on.Type("G\r")
			on.WaitFor("DESTROY", "enter: do it")
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if got := exitStatus(on.WaitExit()); got != int(exitInterrupted) {
				t.Errorf("exit status %d, want %d:\n%s", got, exitInterrupted, on.Text())
			}
			s.recorded("away", "pending")
		})
	}
}

// What is read by a program that ends early, as head does, ends in order too.
func TestAReaderThatEndsStopsTheRunAndItCanBeResumed(t *testing.T) {
	t.Parallel()
	s := newStopped(t)
	cmd := s.command("run", "stopping.md", "--only", "long", "--accept-risk", "long")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	if err := os.WriteFile(filepath.Join(s.dir, "stopping.md"), []byte(strings.Replace(stopping, "echo ready; exec sleep 600", "while echo ready; do sleep 0.1; done", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // gone already unless the test has failed
	lines := bufio.NewReader(out)
	for line := ""; !strings.Contains(line, "ready"); {
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != int(exitStopped) || containsTrace(errOut.String()) || !strings.Contains(errOut.String(), "runbook resume") {
		t.Errorf("exit status %d, want %d:\n%s", got, exitStopped, errOut.String())
	}
	s.recorded("long", "failed")
	resumed := s.command("resume", "--from", "away")
	text, _ := resumed.CombinedOutput()
	if !strings.Contains(string(text), "going on with") {
		t.Errorf("it can't be resumed:\n%s", text)
	}
}
