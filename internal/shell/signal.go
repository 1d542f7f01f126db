package shell

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName returns SIGKILL for 9, and the like.
func signalName(s syscall.Signal) string {
	if n := unix.SignalName(s); n != "" {
		return n
	}
	return s.String()
}
