package engine

import (
	"fmt"
	"syscall"
)

// exitText says an exit status, and what shells mean by it where they agree
// (POSIX, "Exit Status for Commands").
func exitText(exit int) string {
	text := fmt.Sprintf("exit status %d", exit)
	switch {
	case exit == 126:
		return text + ": a command was found that can't be executed"
	case exit == 127:
		return text + ": a command wasn't found; the shell of a run reads no startup files, so your aliases and functions aren't known to it"
	case exit > 128 && exit <= 128+64:
		return fmt.Sprintf("%s: ended by a signal (%v)", text, syscall.Signal(exit-128))
	}
	return text
}
