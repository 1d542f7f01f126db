//go:build !linux

package shell

import (
	"bytes"
	"hash/fnv"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// processes lists what runs on this machine. Where there is no /proc, ps
// knows.
func processes() []process {
	text, err := exec.Command("/bin/ps", "-axo", "pid=,ppid=,stat=,lstart=").Output()
	if err != nil {
		return nil
	}
	var out []process
	for line := range bytes.Lines(text) {
		if q, ok := parsePS(string(line)); ok {
			out = append(out, q)
		}
	}
	return out
}

func parsePS(line string) (process, bool) {
	f := strings.Fields(line)
	if len(f) < 4 || strings.HasPrefix(f[2], "Z") {
		return process{}, false
	}
	pid, err := strconv.Atoi(f[0])
	if err != nil {
		return process{}, false
	}
	parent, _ := strconv.Atoi(f[1])
	session, _ := unix.Getsid(pid)
	when := fnv.New64a()
	_, _ = when.Write([]byte(strings.Join(f[3:], " "))) // never fails
	return process{pid: pid, parent: parent, session: session, started: when.Sum64()}, true
}

// birth returns 0: what ps prints can be told apart and not compared.
func birth(int) uint64 { return 0 }

func (q process) same() bool {
	text, err := exec.Command("/bin/ps", "-o", "pid=,ppid=,stat=,lstart=", "-p", strconv.Itoa(q.pid)).Output()
	if err != nil {
		return false
	}
	now, ok := parsePS(string(text))
	return ok && now.started == q.started
}

// marked reports whether the process was started with the mark in its
// environment. The system hides that of its own programs.
func (q process) marked(mark string) bool {
	text, err := exec.Command("/bin/ps", "-Eww", "-o", "command=", "-p", strconv.Itoa(q.pid)).Output()
	return err == nil && bytes.Contains(text, []byte(stepMark+"="+mark))
}

// command returns the command line, for people.
func (q process) command() string {
	text, err := exec.Command("/bin/ps", "-ww", "-o", "command=", "-p", strconv.Itoa(q.pid)).Output()
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(text))
}
