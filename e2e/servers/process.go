package servers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// process is a server in a process group of its own, with a folder for its files and its log.
type process struct {
	name   string
	dir    string
	cmd    *exec.Cmd
	ended  chan struct{} // closed once err is set
	err    error
	minder *exec.Cmd
	word   io.WriteCloser // to the minder
}

// mind waits for a word. When none comes because the test is gone, whatever became of it, it ends the server's group and
// removes the folder.
const mind = `read -r word; [ "$word" = done ] || { kill -s KILL -- "-$1"; rm -rf -- "$2"; }`

// run starts a server whose files are in dir. It ends with stop.
func run(name, dir string, cmd *exec.Cmd) (*process, error) {
	log, err := os.Create(filepath.Join(dir, name+".log"))
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	defer func() { _ = log.Close() }() // the child has its own
	if cmd.Stdout == nil {
		cmd.Stdout = log
	}
	cmd.Stderr = log
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &process{name: name, dir: dir, cmd: cmd, ended: make(chan struct{})}
	if err := p.leaveWithMinder(); err != nil {
		_ = p.signal(syscall.SIGKILL)
		return nil, fmt.Errorf("start %s: %w", name, errors.Join(err, cmd.Wait()))
	}
	go func() {
		defer close(p.ended)
		p.err = cmd.Wait()
	}()
	return p, nil
}

// leaveWithMinder starts the minder, in a group of its own too: what interrupts a test must not reach it.
func (p *process) leaveWithMinder() error {
	p.minder = exec.Command("/bin/sh", "-c", mind, "minder", strconv.Itoa(p.cmd.Process.Pid), p.dir)
	p.minder.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	word, err := p.minder.StdinPipe()
	if err != nil {
		return err
	}
	p.word = word
	return p.minder.Start()
}

// sweep waits for a word, and without one removes a folder.
const sweep = `read -r word; [ "$word" = done ] || rm -rf -- "$1"`

// Folder makes a temporary folder that is removed by remove, or when this process ends without having called it.
func Folder() (dir string, remove func() error, err error) {
	if dir, err = os.MkdirTemp("", "runbook-e2e-"); err != nil {
		return "", nil, fmt.Errorf("make folder: %w", err)
	}
	minder := exec.Command("/bin/sh", "-c", sweep, "minder", dir)
	minder.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	word, err := minder.StdinPipe()
	if err == nil {
		err = minder.Start()
	}
	if err != nil {
		return "", nil, fmt.Errorf("make folder: %w", errors.Join(err, os.RemoveAll(dir)))
	}
	return dir, func() error {
		err := os.RemoveAll(dir)
		_, said := io.WriteString(word, "done\n")
		return errors.Join(err, said, word.Close(), minder.Wait())
	}, nil
}

func (p *process) signal(s syscall.Signal) error { return syscall.Kill(-p.cmd.Process.Pid, s) }

// grace is how long a server may take to end by itself. What it holds is thrown away anyway.
const grace = 5 * time.Second

// stop ends the server, its minder and everything it has started, and waits for them.
func (p *process) stop() error {
	_ = p.signal(syscall.SIGTERM) // gone already is what is wanted
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-p.ended:
	case <-t.C:
	}
	_ = p.signal(syscall.SIGKILL)
	<-p.ended
	_, err := io.WriteString(p.word, "done\n")
	return errors.Join(err, p.word.Close(), p.minder.Wait())
}

// words are the last lines of the server's log, for a message.
func (p *process) words() string {
	raw, err := os.ReadFile(filepath.Join(p.dir, p.name+".log"))
	if err != nil {
		return err.Error()
	}
	const enough = 2000
	return string(raw[max(0, len(raw)-enough):])
}
