package main

import (
	"strings"
	"syscall"
	"testing"

	"runbook/internal/shell"
)

func TestWhatACommandLeavesAndLosesIsSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		result shell.Result
		want   string
	}{
		"nothing":            {shell.Result{Exit: 1}, ""},
		"a signal":           {shell.Result{Exit: 143, Signal: syscall.SIGTERM}, "ended by SIGTERM"},
		"a signal said once": {shell.Result{Exit: 137, Signal: syscall.SIGKILL, StateLost: "the step's shell was ended by SIGKILL"}, "the session is as it was before: the step's shell was ended by SIGKILL"},
		"arguments":          {shell.Result{Gone: []string{"the arguments"}}, "nothing that runs later has the arguments: that ended with its shell"},
		"jobs of others":     {shell.Result{Strangers: true}, "wait, jobs, $! and %1 know what this shell has started only: what earlier ones left running is none of it"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := result(tt.result).Note; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := result(shell.Result{Cut: true, Exit: 3}); !got.Cut || got.Exit != 3 || strings.TrimSpace(got.Note) != "" {
		t.Errorf("a statement that ended its shell: got %+v", got)
	}
}
