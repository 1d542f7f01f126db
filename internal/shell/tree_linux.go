package shell

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// processes lists what runs on this machine, without what has ended and only
// waits to be reaped.
func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var out []process
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if q, ok := lookUp(pid); ok {
				out = append(out, q)
			}
		}
	}
	return out
}

// lookUp reads /proc/PID/stat; see proc(5). The name in parentheses may hold
// anything, so fields are counted from its end.
func lookUp(pid int) (process, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return process{}, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(string(fields[i]))
		return n
	}
	started, _ := strconv.ParseUint(string(fields[19]), 10, 64)
	return process{pid: pid, parent: number(1), session: number(3), started: started}, true
}

// birth returns when a process started, to compare with others.
func birth(pid int) uint64 {
	q, _ := lookUp(pid)
	return q.started
}

func (q process) same() bool {
	now, ok := lookUp(q.pid)
	return ok && now.started == q.started
}

// marked reports whether the process was started with the mark in its
// environment, which survives setsid, nohup and losing the parent.
func (q process) marked(mark string) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(q.pid) + "/environ")
	return err == nil && bytes.Contains(env, []byte(stepMark+"="+mark))
}

// command returns the command line, for people.
func (q process) command() string {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(q.pid) + "/cmdline")
	if err != nil || len(line) == 0 {
		return "?"
	}
	return strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
}
