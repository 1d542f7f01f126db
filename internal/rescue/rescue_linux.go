package rescue

import (
	"os"

	"golang.org/x/sys/unix"
)

func redirect(from, to int) error { return unix.Dup3(from, to, 0) }

// narrow makes a pipe hold little. A program that dies of a panic then waits
// with most of its trace until the watcher has read the start of it, and put the
// terminal back before the shell goes on.
func narrow(pipe *os.File) {
	_, _ = unix.FcntlInt(pipe.Fd(), unix.F_SETPIPE_SZ, 4096) // else the two may come in any order
}
