package shell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/creack/pty"
)

const (
	// lastByte bounds the wait for the end of the output once the shell has
	// ended; something may have stopped the terminal (Ctrl-S).
	lastByte = 2 * time.Second
	// settle is how long processes that are about to end are waited for before
	// they are called left over.
	settle = 150 * time.Millisecond
	// look is how often the processes of a running command are looked up, to
	// know them again should they move away.
	look = time.Second
	// leave is how long the keeper may take to end.
	leave = 2 * time.Second
)

// A Process is a command that was started.
type Process struct {
	session *Session
	command Command
	run     *run
	number  int
	keeper  *exec.Cmd
	master  *os.File   // the terminal, nil on a pipe
	pipes   []*os.File // the ends the output is read from
	status  *os.File   // the keeper writes the pid of the guard and the exit status here
	words   *bufio.Reader
	release *os.File // a line lets the keeper go; closing it alone has the guard end everything

	out   *output
	pane  *pane // nil on a pipe
	typed chan []byte
	mask  typedSecret
	dirty chan struct{}

	done    chan struct{} // result is there
	gone    chan struct{} // the keeper has ended
	over    chan struct{} // nothing of it is left in this program
	emptied atomic.Int32  // how many pipes have been read to the end
	work    sync.WaitGroup

	tree     tree
	stopping atomic.Bool
	stopped  chan struct{} // closed when the first Stop has done its work
	result   Result
}

// launch starts the keeper, which starts the shell. The session is locked.
func (s *Session) launch(ctx context.Context, c Command, r *run) (*Process, error) {
	p := &Process{
		session: s, command: c, run: r, number: s.count,
		typed:   make(chan []byte, 64),
		dirty:   make(chan struct{}, 1),
		done:    make(chan struct{}),
		gone:    make(chan struct{}),
		over:    make(chan struct{}),
		stopped: make(chan struct{}),
	}
	p.result = Result{Started: s.opt.Now(), Exit: -1}
	p.out = newOutput(s.opt.Redactor, s.file(stepFile), c.Record)
	end := "" // what the keeper writes behind the output; nobody else knows it
	if !c.Pipe {
		end = randomName()
		p.out.end = []byte("\x1b_" + end + "\x1b\\")
	}
	env, name := unmarked(s.environ(c, r, terminalName(c)))
	p.keeper = exec.Command("sh", append([]string{s.file("keeper"), end, name}, r.argv...)...)
	p.keeper.Dir = s.dir
	p.keeper.Env = env
	if err := p.start(); err != nil {
		return nil, err
	}
	p.tree = tree{leader: p.keeper.Process.Pid, since: birth(p.keeper.Process.Pid), mark: r.mark}
	p.tree.guard = p.readNumber()
	p.spawn(ctx)
	return p, nil
}

// readNumber reads a line that the keeper writes: a number, or -1 when the
// keeper was killed before.
func (p *Process) readNumber() int {
	line, _ := p.words.ReadString('\n') // without a line it's no number
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return -1
	}
	return n
}

func terminalName(c Command) string {
	if c.Pipe {
		return "dumb"
	}
	return "xterm-256color"
}

// start connects and starts the keeper.
func (p *Process) start() error {
	status, statusEnd, err := os.Pipe()
	if err != nil {
		return err
	}
	releaseEnd, release, err := os.Pipe()
	if err != nil {
		return errors.Join(err, status.Close(), statusEnd.Close())
	}
	p.status, p.words, p.release = status, bufio.NewReader(status), release
	p.keeper.ExtraFiles = []*os.File{statusEnd, releaseEnd}
	if p.command.Pipe {
		err = p.startPiped()
	} else {
		err = p.startOnTerminal()
	}
	_, _ = statusEnd.Close(), releaseEnd.Close()
	if err != nil {
		_, _ = status.Close(), release.Close()
	}
	return err
}

func (p *Process) startOnTerminal() error {
	cols, rows := p.command.Cols, p.command.Rows
	if cols <= 0 {
		cols = 80
	}
	if rows <= 0 {
		rows = 24
	}
	master, err := pty.StartWithSize(p.keeper, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		return fmt.Errorf("open terminal: %w", err)
	}
	// creack/pty leaves the terminal in blocking mode, where Close does not wake
	// a Read.
	if err := syscall.SetNonblock(int(master.Fd()), true); err != nil {
		_ = p.keeper.Process.Kill()
		_ = p.keeper.Wait()
		return errors.Join(err, master.Close())
	}
	p.master, p.pipes = master, []*os.File{master}
	p.pane = newPane(cols, rows, func(b []byte) { _ = p.send(b) })
	p.out.screen = p.pane
	return nil
}

// startPiped gives the command a session without a terminal, so that nothing
// can ask for a password behind the screen.
func (p *Process) startPiped() error {
	p.keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	count := 1
	if p.command.Stdout != nil {
		count = 2
	}
	var ends []*os.File
	for range count {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(append(ends, p.pipes...))
			return err
		}
		p.pipes, ends = append(p.pipes, r), append(ends, w)
	}
	p.keeper.Stdout, p.keeper.Stderr = ends[0], ends[count-1]
	err := p.keeper.Start()
	closeAll(ends)
	if err != nil {
		closeAll(p.pipes)
	}
	return err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// spawn starts the goroutines; supervise waits for all of them.
func (p *Process) spawn(ctx context.Context) {
	var readers sync.WaitGroup
	for i, f := range p.pipes {
		s := p.out.stream()
		if i == 0 {
			s.raw = p.command.Stdout
		}
		readers.Go(func() { p.read(f, s) })
	}
	p.work.Go(func() {
		readers.Wait()
		p.out.finish() // end of file before anything else said so
	})
	if p.pane != nil {
		p.work.Go(p.write)
	}
	p.work.Go(p.paint)
	p.work.Go(p.watch)
	p.work.Go(func() {
		select {
		case <-ctx.Done():
			p.stop(context.WithoutCancel(ctx), everything)
		case <-p.gone:
		case <-p.done:
		}
	})
	go p.supervise()
}

// supervise is the life of a process, from its start until nothing is left.
func (p *Process) supervise() {
	code := p.readNumber() // there when the shell or the keeper has ended
	p.awaitOutput()
	if p.stopping.Load() {
		<-p.stopped
	}
	p.conclude(code)
	var left []Left
	if len(p.result.Left) > 0 {
		left = p.linger()
	}

	_, _ = io.WriteString(p.release, "go\n") // where nobody reads it, nobody has to go
	_ = p.release.Close()
	leaving := time.AfterFunc(leave, func() { _ = p.keeper.Process.Kill() })
	_ = p.keeper.Wait()
	leaving.Stop()
	closeAll(p.pipes)
	_ = p.status.Close()
	close(p.gone)
	if p.pane != nil {
		p.pane.close()
	}
	p.work.Wait()
	p.session.forget(p, left)
	close(p.over)
}

// awaitOutput waits until the last byte of the command was read: up to the
// keeper's mark on a terminal, until it is empty on a pipe.
func (p *Process) awaitOutput() {
	if p.command.Pipe {
		for _, f := range p.pipes {
			_ = f.SetReadDeadline(time.Now()) // wakes read, which then empties it
		}
	}
	timeout := time.NewTimer(lastByte)
	defer timeout.Stop()
	select {
	case <-p.out.ended:
	case <-timeout.C:
		p.out.finish()
	}
}

// conclude makes the result known.
func (p *Process) conclude(code int) {
	res := &p.result
	res.Exit = code
	res.Left = p.settled()
	res.Bytes, res.Err = p.out.total()
	s := p.session
	s.mu.Lock()
	res.Ended = s.opt.Now()
	s.adopt(p.command, p.run, res)
	s.mu.Unlock()
	close(p.done)
}

// settled returns what the command left, once what is just ending has ended.
func (p *Process) settled() []Left {
	deadline := time.After(settle)
	for {
		left := p.left()
		if len(left) == 0 {
			return nil
		}
		select {
		case <-deadline:
			return left
		case <-time.After(settle / 10):
		}
	}
}

func (p *Process) left() []Left { return p.session.describe(&p.tree) }

// linger keeps the terminal open for what was left in the background, as the
// shell would that it was typed into. It returns what has detached itself.
func (p *Process) linger() []Left {
	for {
		left := p.left()
		if !slices.ContainsFunc(left, func(l Left) bool { return !l.Detached }) {
			return left
		}
		select {
		case <-p.stopped:
			return p.left()
		case <-time.After(look / 2):
		}
	}
}

// watch looks up the processes now and then while the command runs.
func (p *Process) watch() {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-p.gone:
			return
		case <-tick.C:
			p.tree.alive()
		}
	}
}

// ended reports whether the result is there.
func (p *Process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Wait waits for the command to end and returns how. What it left in the
// background may still run.
func (p *Process) Wait() Result {
	<-p.done
	return p.result
}

// RecordErr is what has kept output from being recorded so far; nil for
// nothing. The command goes on meanwhile.
func (p *Process) RecordErr() error {
	_, err := p.out.total()
	return err
}

// Done is closed when the command has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Code returns what the process runs.
func (p *Process) Code() string { return p.command.Code }

// Started returns when the command was started.
func (p *Process) Started() time.Time { return p.result.Started }
