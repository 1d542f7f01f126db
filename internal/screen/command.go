package screen

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// silence is how long the terminal must be quiet after the command has exited:
// a grandchild may hold it open for ever, so its end can't be waited for.
const silence = 200 * time.Millisecond

// StartCommand runs the command on a pseudo-terminal until it ends or the test
// does. With no Env, cmd gets the test's own and a TERM. A tap is called with
// every piece that the program prints, after it was drawn.
func StartCommand(t testing.TB, cmd *exec.Cmd, width, height int, taps ...func(s *Screen, printed []byte)) *Screen {
	t.Helper()
	if cmd.Env == nil {
		cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	}
	s := newScreen(t, width, height)
	ptmx, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		t.Fatalf("start %s: %v", cmd.Path, err)
	}
	// The terminal comes in blocking mode, where a deadline has no effect.
	if err := syscall.SetNonblock(int(ptmx.Fd()), true); err != nil {
		t.Fatalf("start %s: %v", cmd.Path, err)
	}
	s.input, s.pty = ptmx, ptmx
	s.resize = func(width, height int) { setSize(t, ptmx, width, height) }

	answered := make(chan struct{})
	go func() { defer close(answered); s.answer(ptmx) }()
	go s.follow(cmd, ptmx, taps)
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // its own session, so its own group; gone already is fine
		<-s.exited
		_ = ptmx.Close()
		s.end(answered)
	})
	return s
}

// Modes returns how the terminal of a command treats what goes through it. It
// may be asked after the command has ended, too.
func (s *Screen) Modes() unix.Termios {
	s.t.Helper()
	if s.pty == nil {
		s.t.Fatal("a model in this process has no terminal")
	}
	conn, err := s.pty.SyscallConn()
	if err != nil {
		s.t.Fatalf("modes of the terminal: %v", err)
	}
	var modes *unix.Termios
	if cerr := conn.Control(func(fd uintptr) { modes, err = unix.IoctlGetTermios(int(fd), readTermios) }); cerr != nil || err != nil {
		s.t.Fatalf("modes of the terminal: %v %v", cerr, err)
	}
	return *modes
}

// answer carries the emulator's answers to queries to the program.
func (s *Screen) answer(ptmx io.Writer) {
	_, _ = io.Copy(ptmx, s.term)
	_, _ = io.Copy(io.Discard, s.term) // the program is gone; keep the pipe moving
}

// follow draws until the command has ended and its terminal is silent.
func (s *Screen) follow(cmd *exec.Cmd, ptmx *os.File, taps []func(*Screen, []byte)) {
	waited := make(chan error, 1)
	ended := make(chan struct{})
	go func() {
		waited <- cmd.Wait()
		close(ended)
		_ = ptmx.SetReadDeadline(time.Now().Add(silence)) // for a read that waits already
	}()
	buf := make([]byte, 32<<10)
	for {
		select {
		case <-ended:
			_ = ptmx.SetReadDeadline(time.Now().Add(silence))
		default:
		}
		n, err := ptmx.Read(buf)
		if n > 0 {
			_, _ = s.Write(buf[:n])
			for _, tap := range taps {
				tap(s, buf[:n])
			}
		}
		if err != nil { // EIO on Linux when the last writer has gone
			break
		}
	}
	_ = s.draw(s.frames.rest())
	s.err = <-waited
	close(s.exited)
}

// setSize doesn't use pty.Setsize, which would make the file blocking again.
func setSize(t testing.TB, ptmx *os.File, width, height int) {
	t.Helper()
	conn, err := ptmx.SyscallConn()
	if err != nil {
		t.Fatalf("resize: %v", err)
	}
	size := &unix.Winsize{Col: uint16(width), Row: uint16(height)}
	var sizeErr error
	err = conn.Control(func(fd uintptr) { sizeErr = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) })
	if err != nil || sizeErr != nil {
		t.Fatalf("resize: %v %v", err, sizeErr)
	}
}
