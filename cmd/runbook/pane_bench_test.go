package main

import (
	"io"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/creack/pty"
)

// loud are commands that print 200 MB.
var loud = []struct{ name, code string }{
	{"log", "yes '2026-11-30T20:00:00Z INFO object synced namespace=prod name=web-7c9d' | head -c 200000000"},
	{"numbers", "seq 1 23000000"},
}

// BenchmarkLoudStep is a step that prints 200 MB on the real program, against the
// same command in a bare pseudo-terminal that a loop reads. The goal is a ratio
// of 0.5, and a peak of 100 MB.
func BenchmarkLoudStep(b *testing.B) {
	for _, l := range loud {
		b.Run(l.name, func(b *testing.B) {
			var bare, ours time.Duration
			peak := 0
			for b.Loop() {
				bare += bareRun(b, l.code)
				took, kb := loudStep(b, l.code)
				ours += took
				peak = max(peak, kb)
			}
			b.ReportMetric(bare.Seconds()/ours.Seconds(), "ratio")
			b.ReportMetric(float64(peak)/1024, "peak-MB")
			b.ReportMetric(200*float64(b.N)/ours.Seconds(), "MB/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// bareRun is how long a command takes on a terminal that is only read.
func bareRun(b *testing.B, code string) time.Duration {
	b.Helper()
	began := time.Now()
	f, err := pty.Start(exec.Command("bash", "-c", code))
	if err != nil {
		b.Fatal(err)
	}
	_, _ = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, make([]byte, 64<<10)) // EIO is its end
	took := time.Since(began)
	_ = f.Close()
	return took
}

// loudStep is how long a command takes as a step, from its start until its last
// line is on the screen, and the peak of the program's memory in KiB.
func loudStep(b *testing.B, code string) (took time.Duration, peak int) {
	b.Helper()
	s := prepareSeat(b, "until [ -e go ]; do sleep 0.01; done; "+code+"; echo over=$((6*7)).")
	program := s.inShell("runbook")
	s.enters()
	s.WaitFor("ctrl+c stop")
	began := time.Now()
	s.writes("go", "")
	s.waitLong("over=42.")
	took = time.Since(began)
	peak = s.peak(program())
	s.Type("qq\r")
	s.WaitGone("A night shift")
	return took, peak
}

// BenchmarkKeyWhileLoud is the time from a key to its frame while a step prints
// as fast as it can, and while nothing runs. The goal is 30 ms more at the 99th
// percentile.
func BenchmarkKeyWhileLoud(b *testing.B) {
	const presses = 100
	s := prepareSeat(b, "echo front=$$.; yes '2026-11-30T20:00:00Z INFO object synced namespace=prod name=web-7c9d'")
	s.run("runbook", "runbook.md")
	s.WaitFor("A night shift", "enter run")
	for b.Loop() {
		idle := s.pressed(presses)
		s.Type("\r")
		s.WaitFor("object synced")
		loud := s.pressed(presses)
		s.Type("\x03")
		s.WaitGone("ctrl+c stop")
		b.ReportMetric(milliseconds(idle), "idle-p99-ms")
		b.ReportMetric(milliseconds(loud), "loud-p99-ms")
		b.ReportMetric(milliseconds(loud-idle), "more-ms")
	}
	b.ReportMetric(0, "ns/op")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// pressed presses a key that brings something up, and one that takes it away
// again, and returns the 99th percentile of the times until it was seen.
func (s *seat) pressed(times int) time.Duration {
	var took []time.Duration
	for range times {
		began := time.Now()
		s.Type("?")
		s.WaitFor("Looking around")
		took = append(took, time.Since(began))
		began = time.Now()
		s.Type("q")
		s.WaitGone("Looking around")
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}
