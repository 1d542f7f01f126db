package build

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// often is how often a build says how far it is.
const often = 20 * time.Second

// follow runs a build and says now and then how many packages are done. What `go build -v` prints besides the packages'
// names is the reason when it fails.
func (m Module) follow(ctx context.Context, cmd *exec.Cmd, log io.Writer) error {
	begun := time.Now()
	fmt.Fprintf(log, "building %s in %s (%s the first time; kept in the cache folder afterwards)\n", m.Name, m.Dir, m.Takes)
	total := m.packages(ctx)
	lines, err := start(cmd)
	if err != nil {
		return err
	}
	done, last, words := 0, "", []string{}
	tick := time.NewTicker(often)
	defer tick.Stop()
	for open := true; open; {
		select {
		case line, ok := <-lines:
			switch {
			case !ok:
				open = false
			case strings.ContainsAny(line, " \t"):
				words = append(words, line)
			default:
				done, last = done+1, line
			}
		case <-tick.C:
			fmt.Fprintf(log, "building %s: %s, %d packages of at most %d, now after %s\n", m.Name, since(begun), done, total, last)
		}
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("go build in %s: %w\n%s", m.Dir, err, strings.Join(words, "\n"))
	}
	fmt.Fprintf(log, "built %s in %s\n", m.Name, since(begun))
	return nil
}

func since(t time.Time) time.Duration { return time.Since(t).Round(time.Second) }

// packages counts what the binary is made of; 0 when that can't be told, which the build itself will explain.
func (m Module) packages(ctx context.Context) int {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", ".")
	cmd.Dir, cmd.Env = m.Dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		return 0
	}
	return strings.Count(string(out), "\n")
}

// start runs the command in a process group of its own, so that its compilers end with it, and returns what it says.
func start(cmd *exec.Cmd) (<-chan string, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	out, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(out)
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			lines <- scan.Text()
		}
		_, _ = io.Copy(io.Discard, out) // a line too long must not stop the build
	}()
	return lines, nil
}
