// Package ratio is for benchmarks: it runs what is ours and what it is held
// against in turns, and reports how many times as long ours takes, beside the
// goal. `make bench` prints one table of all of them. It also has the large
// runbook that they are measured with.
package ratio

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// Of measures ours against something else. It reports the ratio of the least
// times, because whatever else the machine does only adds to them. Each run
// starts with a heap that has just been swept, so that nobody pays for the
// other's garbage.
func Of(b *testing.B, goal float64, ours, against func()) {
	b.Helper()
	var mine, theirs []time.Duration
	for b.Loop() {
		mine = append(mine, timed(ours))
		theirs = append(theirs, timed(against))
	}
	Report(b, goal, slices.Min(mine), slices.Min(theirs))
}

// Report reports times that were measured elsewhere. A goal of 0 means that
// there is none.
func Report(b *testing.B, goal float64, ours, against time.Duration) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // the two together say nothing
	b.ReportMetric(milliseconds(ours), "ours-ms")
	b.ReportMetric(milliseconds(against), "against-ms")
	b.ReportMetric(float64(ours)/float64(max(against, 1)), "ratio")
	if goal > 0 {
		b.ReportMetric(goal, "goal")
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func timed(f func()) time.Duration {
	runtime.GC()
	start := time.Now()
	f()
	return time.Since(start)
}
