package rescue

import (
	"crypto/rand"
	_ "embed" // the watcher
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

//go:embed scripts/watch.sh
var watchScript string

// stderrFD is the descriptor that the Go runtime writes its last words to.
const stderrFD = 2

// Options say what is watched over.
type Options struct {
	Terminal *os.File // whose modes are put back; nil when there is none
	Folder   string   // gets the details of a panic, in a file of mode 0600
	Program  string   // name and version, for the details
}

// A Watcher is a process that outlives this one by a moment. While it is there
// it holds the standard error of the process, so that neither a trace nor the
// logs of a library tear the screen. A nil one does nothing.
type Watcher struct {
	cmd    *exec.Cmd
	token  string
	stderr *os.File // what standard error was before

	mu     sync.Mutex // guards the orders and what becomes of them
	orders *os.File
	closed bool
}

// Stderr is standard error as it is now, and stays so while a watcher holds the
// descriptor.
func Stderr() *os.File {
	fd, err := unix.FcntlInt(stderrFD, unix.F_DUPFD_CLOEXEC, stderrFD+1)
	if err != nil {
		return os.Stderr // it is closed
	}
	return os.NewFile(uintptr(fd), os.Stderr.Name())
}

// Start starts a watcher, which gets what is written to [os.Stderr] from then
// on. What a person shall read goes to what [Stderr] has returned before.
func Start(o Options) (*Watcher, error) {
	w, err := start(o)
	if err != nil {
		return nil, fmt.Errorf("watch over the terminal: %w", err)
	}
	debug.SetTraceback("all")
	return w, nil
}

func start(o Options) (_ *Watcher, err error) {
	var files []*os.File
	defer func() {
		for _, f := range files {
			_ = f.Close() // the watcher has its own, or there is none
		}
	}()
	pipe := func() (r, w *os.File) {
		if err == nil {
			if r, w, err = os.Pipe(); err == nil {
				files = append(files, r)
			}
		}
		return r, w
	}
	in, orders := pipe()
	ready, known := pipe()
	script, text := pipe()
	if err != nil {
		return nil, err
	}
	files = append(files, known)
	_, err = io.WriteString(text, watchScript) // less than a pipe holds
	if err = errors.Join(err, text.Close()); err != nil {
		return nil, errors.Join(err, orders.Close())
	}
	// The Go runtime doesn't try again when a write would block.
	if err := unix.SetNonblock(int(orders.Fd()), false); err != nil {
		return nil, errors.Join(err, orders.Close())
	}
	narrow(orders)
	w := &Watcher{token: token(), orders: orders, stderr: Stderr()}
	// Not with -c: a list of processes would show all of it.
	w.cmd = exec.Command("sh", "/dev/fd/5", w.token, o.Folder, o.Program)
	w.cmd.Stdin, w.cmd.Stderr = in, w.stderr
	w.cmd.ExtraFiles = []*os.File{o.Terminal, known, script}
	if err := w.cmd.Start(); err != nil {
		return nil, errors.Join(err, orders.Close())
	}
	_ = known.Close()
	_, _ = io.ReadAll(ready) // ends when the watcher knows what to put back
	if err := redirect(int(orders.Fd()), stderrFD); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// token starts the lines that are orders; nobody else knows it.
func token() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Stderr is what standard error was before; nil without a watcher.
func (w *Watcher) Stderr() *os.File {
	if w == nil {
		return nil
	}
	return w.stderr
}

// Taken says that the screen is in use, and has to be given back.
func (w *Watcher) Taken() { w.order("taken") }

// Left says that the terminal has been given back in order.
func (w *Watcher) Left() { w.order("left") }

// Run names the command that goes on with what would be cut off.
func (w *Watcher) Run(command string) { w.order("run " + command) }

// Private names the private folder of a run, which is removed if the program
// can't do so itself and nothing of the run is left that may need it.
func (w *Watcher) Private(run, folder string) {
	if !strings.ContainsAny(run+folder, "\r\n") && !strings.Contains(run, " ") {
		w.order("private " + run + " " + folder)
	}
}

// Broke says that a panic was caught, whose trace has been written to standard
// error, and waits until the watcher has reported it.
func (w *Watcher) Broke() { w.end("broke") }

// Close ends the watcher: the program ends in order. Further calls do nothing.
func (w *Watcher) Close() { w.end("bye") }

func (w *Watcher) order(text string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tell(text)
}

// tell is order, with the lock held. Where nobody watches any more, nobody can
// be told.
func (w *Watcher) tell(text string) {
	if !w.closed {
		_, _ = fmt.Fprintf(w.orders, "\n%s %s\n", w.token, text)
	}
}

func (w *Watcher) end(last string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.tell(last)
	w.closed = true
	_ = redirect(int(w.stderr.Fd()), stderrFD) // of two descriptors that are open
	_ = w.orders.Close()
	_ = w.cmd.Wait() // it may have been killed, which is no fault of what it watched
}
