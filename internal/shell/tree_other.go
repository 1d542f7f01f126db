//go:build !linux

package shell

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// psColumns are those that [parsePS] reads, with the environment.
var psColumns = []string{"-Eww", "-o", "pid=,ppid=,stat=,lstart=,command="}

// processes lists what runs on this machine. Where there is no /proc, ps
// knows: one call for all that is asked of any process.
func processes() []process {
	text, err := exec.Command("/bin/ps", append([]string{"-ax"}, psColumns...)...).Output()
	if err != nil {
		return nil
	}
	var out []process
	for line := range bytes.Lines(text) {
		if q, ok := parsePS(string(line)); ok {
			q.session, _ = unix.Getsid(q.pid) // 0 when it has just ended
			out = append(out, q)
		}
	}
	return out
}

// birth returns 0: what ps prints can be told apart and not compared.
func birth(int) uint64 { return 0 }

func (q process) same() bool {
	text, err := exec.Command("/bin/ps", append([]string{"-p", strconv.Itoa(q.pid)}, psColumns...)...).Output()
	if err != nil {
		return false
	}
	now, ok := parsePS(string(text))
	return ok && now.started == q.started
}

// marked reports whether the process was started with the mark in its
// environment. The system hides that of its own programs.
func (q process) marked(mark string) bool { return strings.Contains(q.text, stepMark+"="+mark) }

// command returns the command line, for people.
func (q process) command() string {
	text, err := exec.Command("/bin/ps", "-ww", "-o", "command=", "-p", strconv.Itoa(q.pid)).Output()
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(text))
}
