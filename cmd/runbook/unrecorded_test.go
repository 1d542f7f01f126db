package main

import (
	"bytes"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"runbook/internal/engine"
)

func TestAStepThatIsNotInTheRecordEndsTheProgramAsFailed(t *testing.T) {
	err := fmt.Errorf("walk: %w", &engine.UnrecordedError{Step: "make", Err: syscall.ENOSPC})
	if got := codeOf(err); got != exitFailed {
		t.Errorf("exit code %d, want %d", got, exitFailed)
	}
	var out bytes.Buffer
	report(&out, err)
	for _, want := range []string{"step make: not all that happened is in the record: no space left", "hint: make room for the record, then runbook resume"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it says %q, want %q in it", out.String(), want)
		}
	}
}
