package shell

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// read takes the output from one end until it is closed. On Linux a terminal
// whose last writer has gone says EIO, which is its end of file.
func (p *Process) read(f *os.File, s *stream) {
	buf := make([]byte, 64<<10)
	for {
		n, err := f.Read(buf)
		if n > 0 {
			n += more(f, buf[n:])
			s.take(buf[:n])
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			_ = f.SetReadDeadline(time.Time{})
			drain(f, buf, s)
			p.drained()
		default:
			return
		}
	}
}

// more reads what is there already. A terminal gives 4 KiB at a time, and in a
// flood it is cheaper to judge and to record more at once.
func more(f *os.File, buf []byte) (total int) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Read(func(fd uintptr) bool {
		for total < len(buf) {
			n, err := unix.Read(int(fd), buf[total:])
			if n <= 0 || err != nil {
				break // whatever it is, the next Read says so
			}
			total += n
		}
		return true
	})
	return total
}

// pipeSize is more than a pipe can hold; what is read beyond it was written
// after the command had ended.
const pipeSize = 1 << 20

// drain takes what is in a pipe now.
func drain(f *os.File, buf []byte, s *stream) {
	for total := 0; total < pipeSize; {
		n := more(f, buf)
		if n == 0 {
			return
		}
		s.take(buf[:n])
		total += n
	}
}

// drained counts the ends that were emptied; with the last one the output is
// complete.
func (p *Process) drained() {
	if p.emptied.Add(1) == int32(len(p.pipes)) {
		p.out.finish()
	}
}

// write passes on what was typed and what the emulator answers.
func (p *Process) write() {
	for {
		select {
		case b := <-p.typed:
			if _, err := p.master.Write(b); err != nil {
				return
			}
		case <-p.gone:
			return
		}
	}
}

// send queues input. It never waits: a program that does not read must not
// stop the one who types.
func (p *Process) send(b []byte) error {
	select {
	case <-p.done:
		return errors.New("type: the command has ended")
	default:
	}
	select {
	case p.typed <- b:
		return nil
	default:
		return errors.New("type: the command does not read its input")
	}
}

// Type sends bytes as if they had been typed. What is typed while the terminal
// does not echo is taken for a secret and never shown from then on.
func (p *Process) Type(b []byte) error {
	if p.pane == nil {
		return errors.New("type: the command has no terminal")
	}
	if secret, ok := p.mask.take(b, p.EchoOff()); ok {
		p.session.opt.Redactor.Add(secret)
	}
	return p.send(append([]byte(nil), b...))
}

// A typedSecret gathers what is typed without echo up to the end of its line.
type typedSecret struct {
	mu   sync.Mutex
	line []byte
}

func (t *typedSecret) take(b []byte, silent bool) (secret string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !silent {
		t.line = nil
		return "", false
	}
	for _, c := range b {
		switch c {
		case '\r', '\n':
			secret, ok = string(t.line), true
			t.line = nil
		case 0x7f, '\b':
			t.line = t.line[:max(0, len(t.line)-1)]
		case 0x15: // Ctrl-U
			t.line = nil
		default:
			t.line = append(t.line, c)
		}
	}
	return secret, ok
}

// EchoOff reports whether the terminal takes a line without showing it: the
// command asks for a password.
func (p *Process) EchoOff() bool {
	if p.ended() {
		return false
	}
	t, err := p.termios()
	return err == nil && t.Lflag&unix.ECHO == 0 && t.Lflag&unix.ICANON != 0
}

func (p *Process) termios() (t *unix.Termios, err error) {
	if p.master == nil {
		return nil, errors.New("no terminal")
	}
	conn, err := p.master.SyscallConn()
	if err != nil {
		return nil, err
	}
	if cerr := conn.Control(func(fd uintptr) { t, err = unix.IoctlGetTermios(int(fd), readTermios) }); cerr != nil {
		return nil, cerr
	}
	return t, err
}

// Resize changes the size of the terminal in cells and tells the command.
func (p *Process) Resize(cols, rows int) error {
	if p.pane == nil {
		return nil
	}
	p.pane.resize(cols, rows)
	conn, err := p.master.SyscallConn() // pty.Setsize would make the file blocking again
	if err != nil {
		return fmt.Errorf("resize terminal: %w", err)
	}
	size := &unix.Winsize{Col: uint16(cols), Row: uint16(rows)}
	var sizeErr error
	err = conn.Control(func(fd uintptr) { sizeErr = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) })
	if err = errors.Join(err, sizeErr); err != nil {
		return fmt.Errorf("resize terminal: %w", err)
	}
	return nil
}
