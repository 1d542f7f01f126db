package shell

import (
	"bytes"
	"os"
	"strconv"
)

// carriers tells of a process whether it was started with NAME=value in its
// environment. What belongs to somebody else can't be read, and isn't ours.
func carriers(variable string) (carry func(pid int) bool, blind string) {
	if _, err := os.ReadFile("/proc/self/environ"); err != nil {
		return func(int) bool { return false }, "the environment of processes can't be read here"
	}
	return func(pid int) bool {
		env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		return err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+variable+"\x00"))
	}, ""
}
