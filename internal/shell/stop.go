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
	p.tree.signal(syscall.SIGTERM, which)
	p.tree.signal(syscall.SIGCONT, which) // what is stopped cannot end
	grace := p.command.Grace
	if grace == 0 {
		grace = defaultGrace
	}
	deadline := time.NewTimer(grace)
	defer deadline.Stop()
	tick := time.NewTicker(settle / 10)
	defer tick.Stop()
	for p.tree.signal(0, which) > 0 {
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		case <-deadline.C:
		}
		break
	}
	// Each round finds what was started during the one before. A process that
	// hangs in the kernel survives all of them and is named.
	for range 50 {
		if p.tree.signal(syscall.SIGKILL, which) == 0 {
			return
		}
		<-tick.C
	}
}
