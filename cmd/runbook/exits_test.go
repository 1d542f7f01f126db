package main

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits CODE command args… runs a command and wants exactly that exit code.
// What it printed is for stdout and stderr as after exec. No error may come
// with a stack trace.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command [args…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	for _, stream := range []string{"stdout", "stderr"} {
		if text := ts.ReadFile(stream); containsTrace(text) {
			ts.Fatalf("a stack trace on %s:\n%s", stream, text)
		}
	}
}

func containsTrace(text string) bool {
	return strings.Contains(text, "goroutine ") || strings.Contains(text, "panic:")
}
