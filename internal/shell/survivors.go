package shell

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"runbook/internal/redact"
)

// RunMark is the variable that every command of a run is started with; its
// value is the name of the run.
const RunMark = "RUNBOOK_RUN"

// unmarked takes the name of the run out of an environment: the keeper and its
// guard are none of the work of a run, and the guard outlives a program that was
// killed by a moment.
func unmarked(env []string) (others []string, run string) {
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); name == RunMark {
			run = value
		} else {
			others = append(others, kv)
		}
	}
	return others, run
}

// Survivors names what still runs of an earlier process of a run: whatever has
// the run's name in its environment, which outlives setsid, nohup and a parent
// that was killed. This process and those that it was started by aren't among
// them. blind says what couldn't be looked into on this system; "" when nothing.
func Survivors(run string, r *redact.Redactor) (left []Left, blind string) {
	found, blind := survivors(run)
	return named(found, r), blind
}

// StillLeft returns those of what [Survivors] has named that run now.
func StillLeft(run string, of []Left, r *redact.Redactor) []Left {
	return named(thoseOf(run, of), r)
}

func named(found []process, r *redact.Redactor) []Left {
	var left []Left
	for _, q := range found {
		left = append(left, Left{PID: q.pid, Command: shortened(r.Text(q.command())), Detached: true, started: q.started})
	}
	return left
}

// thoseOf are the processes of a run that were named before. Neither the pid nor
// the name of the run alone is proof: after a restart of the machine pids begin
// anew, and a run that goes on starts others.
func thoseOf(run string, of []Left) []process {
	began := map[int]uint64{}
	for _, l := range of {
		began[l.PID] = l.started
	}
	found, _ := survivors(run)
	return slices.DeleteFunc(found, func(q process) bool {
		started, ok := began[q.pid]
		return !ok || started != 0 && started != q.started
	})
}

// StopSurvivors ends those that are named, and only while they are still what
// they were: SIGTERM, the grace time or the end of ctx, then SIGKILL. It
// returns what runs after that.
func StopSurvivors(ctx context.Context, run string, of []Left, grace time.Duration, r *redact.Redactor) []Left {
	mine := func() []process { return thoseOf(run, of) }
	for _, q := range mine() {
		q.signal(syscall.SIGTERM)
		q.signal(syscall.SIGCONT) // what is stopped cannot end
	}
	if !gone(ctx, grace, mine) {
		for _, q := range mine() {
			q.signal(syscall.SIGKILL)
		}
		gone(context.WithoutCancel(ctx), time.Second, mine)
	}
	return named(mine(), r)
}

// gone waits until none is left, for at most a time or the end of ctx.
func gone(ctx context.Context, within time.Duration, mine func() []process) bool {
	deadline := time.NewTimer(within)
	defer deadline.Stop()
	tick := time.NewTicker(settle / 5)
	defer tick.Stop()
	for len(mine()) > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		case <-deadline.C:
			return false
		}
	}
	return true
}

// survivors are the processes that carry the name of a run.
func survivors(run string) ([]process, string) {
	carry, blind := carriers(RunMark + "=" + run)
	all := processes()
	own := ancestors(all)
	return slices.DeleteFunc(all, func(q process) bool { return own[q.pid] || !carry(q.pid) }), blind
}

// ancestors are this process and those that it was started by.
func ancestors(all []process) map[int]bool {
	parent := map[int]int{}
	for _, q := range all {
		parent[q.pid] = q.parent
	}
	own := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !own[pid]; pid = parent[pid] {
		own[pid] = true
	}
	return own
}

// shortened is a command line as it fits into a sentence.
func shortened(command string) string {
	if len(command) <= 200 {
		return command
	}
	return strings.ToValidUTF8(command[:200], "") + " …"
}
