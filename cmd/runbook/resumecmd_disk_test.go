package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"runbook/internal/journal"
)

// Whatever can't be recorded any more isn't begun, is said, and is no obstacle to
// going on once there is room again.
func TestADiskThatIsFullAtAnyEventStopsTheRunAndResumeGoesOn(t *testing.T) {
	t.Parallel()
	const events = 18 // of two steps, nine each: gate, started, checks, code, output, ended, exited, checks, held
	for n := 1; n <= events; n++ {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			b := bare(t, strings.Replace(once, "./do-it >> did", "echo it >> did", 1))
			out, err := b.run([]string{fmt.Sprint("FULL_AT=", n)}, "runbook-that-is-full", "run", "hand.md")
			if err == nil {
				t.Fatalf("it came to its end:\n%s", out)
			}
			if code := exitOf(err); code != int(exitFailed) || !strings.Contains(out, "no space left on device") {
				t.Errorf("it doesn't say why it stopped:\n%s", out)
			}
			rec := b.record()
			done := b.did()
			if began := beganIn(rec, "first"); done > began {
				t.Fatalf("it was done %d times, and the record has %d", done, began)
			}
			out, err = b.run(nil, "runbook", "resume")
			want := max(done, 1)
			if exitOf(err) == int(exitStopped) { // it isn't known what the step did
				want = done
				out, err = b.run(nil, "runbook", "resume", "--from", "second")
			}
			if err != nil && rec.Run().Next() != "" {
				t.Errorf("resume: %v\n%s", err, out)
			}
			if now := b.did(); now != want {
				t.Errorf("it was done %d times, %d before it was resumed", now, done)
			}
			if _, err := journal.Read(rec.Dir); err != nil {
				t.Error(err)
			}
		})
	}
}

// beganIn is how often a record has the code of a step.
func beganIn(rec *journal.Record, step string) int {
	n := 0
	for _, l := range rec.Lines {
		var c journal.CodeData
		if l.Kind == journal.Code && l.Step == step && json.Unmarshal(l.Data, &c) == nil {
			n++
		}
	}
	return n
}

// Nothing runs where it can't be recorded, and what is there isn't harmed.
func TestARecordThatCannotBeWrittenIsNotGoneOnWith(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	b := cutOff(t)
	rec := b.record()
	before := contents(t, rec.Dir)
	for name, mode := range map[string]os.FileMode{filepath.Join(rec.Dir, "run.jsonl"): 0o400, rec.Dir: 0o500} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		out, err := b.run(nil, "runbook", "resume", "--accept-risk", "first")
		if err == nil || !strings.Contains(out, "permission denied") || !strings.Contains(out, rec.Dir) {
			t.Errorf("%s: %v, want that it is said:\n%s", name, err, out)
		}
		if got := b.did(); got != 1 {
			t.Errorf("%s: it was done %d times", name, got)
		}
		if err := os.Chmod(name, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	if after := contents(t, rec.Dir); string(after["run.jsonl"][:len(before["run.jsonl"])]) != string(before["run.jsonl"]) {
		t.Error("the record was changed")
	}
	if out, err := b.run(nil, "runbook", "resume", "--accept-risk", "first"); err != nil {
		t.Errorf("once it can be written: %v\n%s", err, out)
	}
}
