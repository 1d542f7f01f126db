package main

import (
	"errors"
	"os/exec"
	"testing"

	"runbook/internal/screen"
)

func TestOnATerminalAResumedRunStandsWhereItWasCutOff(t *testing.T) {
	t.Parallel()
	b := newAscent(t, "external-secrets")
	// The 30th event is in the middle of the fourth step or behind it.
	if out, err := b.run([]string{"DIE=after", "DIE_AT=30"}, "runbook-that-dies", "run", bringUpFile); err == nil {
		t.Fatalf("it came to its end:\n%s", out)
	}
	settled, taken := b.record().Run().Count()
	if settled == 0 || settled == taken {
		t.Fatalf("cut off with %d of %d done, want some", settled, taken)
	}
	cmd := exec.Command("runbook", "resume")
	cmd.Env = append(append([]string{}, b.env...), "TERM=xterm-256color")
	cmd.Dir = "../.."
	s := screen.StartCommand(t, cmd, 160, 50)
	s.WaitFor("/9", "Bring up schmetterpause")
	for _, line := range []string{"✓ 1 Postgres operator", "✓ 2 Gateway"} {
		s.WaitFor(line)
	}
	quits(s)
	var exit *exec.ExitError
	if err := s.WaitExit(); !errors.As(err, &exit) || exit.ExitCode() != int(exitStopped) {
		t.Errorf("left before the end: got %v, want exit status 3", err)
	}
	if now, _ := b.record().Run().Count(); now < settled {
		t.Errorf("%d steps are done, %d were", now, settled)
	}
}
