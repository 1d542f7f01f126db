//go:build !linux

package shell

import (
	"os/exec"
	"strconv"
	"strings"
)

// carriers tells of a process whether it was started with NAME=value in its
// environment, as far as ps shows that: for programs that came with the system
// it mostly doesn't.
func carriers(variable string) (carry func(pid int) bool, blind string) {
	const some = "programs that came with the system hide their environment here: whether one of those still runs can't be told"
	text, err := exec.Command("/bin/ps", "-axEww", "-o", "pid=,command=").Output()
	if err != nil {
		return func(int) bool { return false }, "the environment of processes can't be read here"
	}
	found := map[int]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		number, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if pid, err := strconv.Atoi(number); err == nil && strings.Contains(rest+" ", " "+variable+" ") {
			found[pid] = true
		}
	}
	return func(pid int) bool { return found[pid] }, some
}
