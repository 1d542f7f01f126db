package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the program: scripts call it as runbook, and
// stories run it on a terminal.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"runbook": main, "runbook-that-dies": dyingMain, "runbook-that-waits": waitingMain, "runbook-that-breaks": breakingMain})
}
