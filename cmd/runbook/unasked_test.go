package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// A question that the terminal answers too late ends up on the command line of
// whoever types next, and one that it never answers costs seconds.
func TestAnErrorAsksTheTerminalNothing(t *testing.T) {
	for _, args := range [][]string{{"no-such-runbook"}, {"lint", "no-such-runbook"}, {"--no-such-flag"}, {"steps"}} {
		cmd := exec.CommandContext(t.Context(), "runbook", args...)
		cmd.Env = append(os.Environ(), "TERM=xterm-256color", "XDG_STATE_HOME="+t.TempDir())
		terminal, err := pty.Start(cmd)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(terminal) // its end is an error on Linux
		_ = cmd.Wait()
		_ = terminal.Close()
		if got := string(out); !strings.HasPrefix(got, "runbook: ") || strings.Contains(got, "\x1b") {
			t.Errorf("runbook %s: got %q, want a sentence without escapes", strings.Join(args, " "), got)
		}
	}
}
