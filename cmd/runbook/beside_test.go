package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"runbook/internal/journal"
)

const leaving = `# Try

## Serve

<!-- step
background: true
-->

` + "```sh\necho \"serving as $$\"\nwhile :; do read -r line || exec sleep 1000; done\n```" + `

## Brief

<!-- step
background: true
-->

` + "```sh\necho \"about to end\"\nuntil [ -e gone ]; do :; done\nexit 3\n```" + `

## Use

` + "```sh\necho \"used it\"; touch gone\n```" + `

## Broken

<!-- step
background: true
expect: ["cel: 1 == 2"]
-->

` + "```sh\nexit 5\n```\n"

var pidShown = regexp.MustCompile(`running for \w+, pid (\d+)`)

func TestWhatRunsBesideIsListedWatchedStoppedAndEndsWithTheRun(t *testing.T) {
	t.Parallel()
	s := sit(t, leaving, 120, 40)
	s.runs("Serve")
	s.WaitFor("1/4", "✓&1 Serve", "b background")
	s.runs("Brief")
	s.WaitFor("2/4", "✓&2 Brief")
	s.Type("b")
	s.WaitFor("In the background", "serve: echo", "brief: echo")
	var pids []int
	for _, m := range pidShown.FindAllStringSubmatch(s.Text(), -1) {
		pid, _ := strconv.Atoi(m[1])
		pids = append(pids, pid)
	}
	if len(pids) < 2 || !alive(pids[0]) || !alive(pids[1]) {
		t.Fatalf("the processes %v, want two that run; the screen was:\n%s", pids, s.Text())
	}
	s.Type("\r")
	s.WaitFor("Output of Serve", "serving as ")
	s.Type("\x1b")
	s.WaitGone("Output of Serve")
	s.Type("\x1b")
	s.WaitGone("In the background")

	s.runs("Use") // which ends the second one
	s.WaitFor("has ended by itself, exit status 3")
	s.Type("b")
	s.WaitFor("✗ ended by itself", "exit 3")
	s.Type("\x1b")
	s.WaitGone("In the background")

	// One that was to keep running and ended badly has failed its step.
	s.runs("Broken")
	s.WaitFor("✗ failed: `exit 5` was to keep running", "exit status 5")

	s.Type("b")
	s.WaitFor("In the background")
	s.Type("x")
	s.WaitFor("Stop it?", strconv.Itoa(pids[0]))
	s.Type("s")
	s.WaitFor("- stopped")
	if alive(pids[0]) {
		t.Errorf("process %d is still there", pids[0])
	}
	s.Type("\x1b")
	s.WaitGone("In the background")
	s.leaves()
	s.endsAreKept()
}

// endsAreKept looks for the ends of what ran beside in the record and in what is
// told of it.
func (s *seat) endsAreKept() {
	s.t.Helper()
	rec := s.record()
	for step, want := range map[string]journal.BesideData{
		"serve":  {Stopped: journal.StoppedByOperator, Exit: 143, Signal: "SIGTERM"},
		"brief":  {Exit: 3},
		"broken": {Exit: 5},
	} {
		got := holds[journal.BesideData](s.t, rec, journal.Beside, step)
		if len(got) != 1 || got[0].Stopped != want.Stopped || got[0].Exit != want.Exit || got[0].Signal != want.Signal || got[0].PID == 0 || got[0].Since.IsZero() || got[0].Sum == "" {
			s.t.Errorf("%s: got %+v, want %+v", step, got, want)
		}
	}
	for args, want := range map[string]string{
		"runs":                   "block 1 in the background ended by itself: exit status 3 (pid",
		"runs -o json":           `"backgroundEnded": [ { "step": "brief"`,
		"report RUN":             "block 1 in the background was stopped by the operator: SIGTERM (pid",
		"report RUN -o json":     `"background": { "block": 0, "code": "echo`,
		"report RUN -o markdown": "block 1 in the background ended by itself: exit status 5",
		"report RUN --verify":    "intact",
	} {
		got, code := s.says(strings.Fields(strings.ReplaceAll(args, "RUN", rec.Header.Run))...)
		if code != 0 || !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			s.t.Errorf("%s doesn't say %q, exit status %d:\n%s", args, want, code, got)
		}
	}
	if err := os.WriteFile(filepath.Join(rec.Dir, "serve.1.1.out"), []byte("other"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if err := rec.VerifyOutputs(); err == nil || !strings.Contains(err.Error(), "serve.1.1.out") {
		s.t.Errorf("the output of serve was changed, and verifying says %v", err)
	}
}

func TestWhatRunsBesideEndsWhenTheOperatorQuits(t *testing.T) {
	t.Parallel()
	s := sit(t, leaving, 120, 40)
	s.runs("Serve")
	s.WaitFor("1/4")
	s.Type("b")
	s.WaitUntil(func(text string) string {
		if !pidShown.MatchString(text) {
			return "no process is listed"
		}
		return ""
	})
	pid, _ := strconv.Atoi(pidShown.FindStringSubmatch(s.Text())[1])
	s.Type("\x1b")
	s.WaitGone("In the background")
	s.Type("q")
	s.WaitFor("1 command in the background is stopped")
	s.Type("q")
	_ = s.WaitExit()
	if alive(pid) {
		t.Errorf("process %d is still there", pid)
	}
	rec := s.record()
	if got := holds[journal.BesideData](t, rec, journal.Beside, "serve"); len(got) != 1 || got[0].Stopped != journal.StoppedWithRun {
		t.Errorf("got %+v, want that it ended with the run", got)
	}
	if last := rec.Lines[len(rec.Lines)-1].Kind; last != journal.Closed {
		t.Errorf("the record ends with %q", last)
	}
}
