// Package ratio is for benchmarks: it runs what is ours and what it is held
// against in turns, and reports how many times as long ours takes, beside the
// goal. `make bench` prints one table of all of them. It also has the large
// runbook that they are measured with.
package ratio

import (
	"math"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// Of measures ours against something else. It reports the ratio of the least
// amounts of processor time, the garbage collector's included: what else the
// machine does only adds to them. Both are repeated so often in one measurement
// that each pays for its own garbage, not for the moment at which it falls due.
func Of(b *testing.B, goal float64, ours, against func()) {
	b.Helper()
	const enough = 50 * time.Millisecond
	n := 1
	for n < 1<<10 && timed(b, n, against) < enough {
		n *= 2
	}
	var mine, theirs []time.Duration
	for b.Loop() {
		mine = append(mine, timed(b, n, ours))
		theirs = append(theirs, timed(b, n, against))
	}
	Report(b, goal, slices.Min(mine)/time.Duration(n), slices.Min(theirs)/time.Duration(n))
}

// Report reports times that were measured elsewhere. A goal of 0 means that
// there is none.
func Report(b *testing.B, goal float64, ours, against time.Duration) {
	b.Helper()
	report(b, goal, "ms", milliseconds(ours), milliseconds(against))
}

// Sizes reports amounts of memory in bytes.
func Sizes(b *testing.B, goal float64, ours, against int64) {
	b.Helper()
	report(b, goal, "KiB", float64(ours)/1024, float64(against)/1024)
}

func report(b *testing.B, goal float64, unit string, ours, against float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // the two together say nothing
	b.ReportMetric(ours, "ours-"+unit)
	b.ReportMetric(against, "against-"+unit)
	if against > 0 {
		b.ReportMetric(ours/against, "ratio")
	}
	if goal > 0 {
		b.ReportMetric(goal, "goal")
	}
}

// Within measures what nothing else is held against: how long one call takes on
// a machine that has nothing else to do, and how long it may. It reports the
// least processor time.
func Within(b *testing.B, limit time.Duration, f func()) {
	b.Helper()
	least := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := spent(b)
		f()
		least = min(least, spent(b)-start)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(least), "ours-ms")
	b.ReportMetric(milliseconds(limit), "goal-ms")
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func timed(b *testing.B, n int, f func()) time.Duration {
	runtime.GC()
	start := spent(b)
	for range n {
		f()
	}
	return spent(b) - start
}

// spent is how much processor time this process has had.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
