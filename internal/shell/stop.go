package shell

import (
	"context"
	"syscall"
	"time"
)

// defaultGrace is how long a command that is told to stop may take to end by
// itself.
const defaultGrace = 5 * time.Second

// Interrupt does what Ctrl-C does: it reaches what is in the foreground.
func (p *Process) Interrupt() error {
	if p.pane == nil {
		return syscall.Kill(-p.keeper.Process.Pid, syscall.SIGINT)
	}
	return p.send([]byte{3})
}

// Stop ends the command and all that it started, wherever that has moved to:
// SIGTERM, the grace time or the end of ctx, then SIGKILL. It returns what
// still runs after that.
func (p *Process) Stop(ctx context.Context) []Left {
	return p.end(ctx, everything)
}

func everything(process) bool { return true }

// dismiss ends the process with its session: what a step left in its terminal
// is stopped, what has detached itself on purpose is not.
func (p *Process) dismiss(ctx context.Context) {
	if p.ended() && !p.command.Background {
		p.end(ctx, p.tree.attached)
		return
	}
	p.Stop(ctx)
}

func (p *Process) end(ctx context.Context, which func(process) bool) []Left {
	p.stop(ctx, which)
	<-p.over
	return p.left()
}

// stop kills the chosen processes and lets go of the rest.
func (p *Process) stop(ctx context.Context, which func(process) bool) {
	if p.stopping.CompareAndSwap(false, true) {
		p.kill(ctx, which)
		close(p.stopped)
	}
}

// kill signals the chosen processes until none is left.
func (p *Process) kill(ctx context.Context, which func(process) bool) {
	grace := p.command.Grace
	if grace == 0 {
		grace = defaultGrace
	}
	deadline := time.NewTimer(grace)
	defer deadline.Stop()
	tick := time.NewTicker(settle / 5)
	defer tick.Stop()
	for told := map[int]string{}; p.terminate(told, which) > 0; {
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		case <-deadline.C:
		}
		break // it had its time
	}
	// Each round finds what was started during the one before. A process that
	// hangs in the kernel survives all of them and is named.
	for range 50 {
		if p.destroy(which) == 0 {
			return
		}
		<-tick.C
	}
}

// terminate asks the chosen processes to end, each once, and returns how many
// there are. One that has become another program since is asked again: between
// its fork and its exec bash loses a signal where an EXIT trap is set.
func (p *Process) terminate(told map[int]string, which func(process) bool) int {
	n := 0
	for _, q := range p.tree.alive() {
		if !which(q) {
			continue
		}
		n++
		if name := q.command(); told[q.pid] != name {
			told[q.pid] = name
			q.signal(syscall.SIGTERM)
			q.signal(syscall.SIGCONT) // what is stopped cannot end
		}
	}
	return n
}

// destroy kills the chosen processes and returns how many there were.
func (p *Process) destroy(which func(process) bool) int {
	n := 0
	for _, q := range p.tree.alive() {
		if which(q) {
			n++
			q.signal(syscall.SIGKILL)
		}
	}
	return n
}
