package tui

import (
	"context"
	"testing"

	"runbook/internal/engine"
)

func TestWhatIsOfferedIsDoneForItsKeyOnly(t *testing.T) {
	d := onRun(t, bringUp(), 100, 30)
	done := 0
	offer := engine.Offered{Title: "Still running from before", Text: "sleep 1000 (pid 12).", Does: "stop it",
		Do: func(context.Context) string { done++; return "stopped: sleep 1000 (pid 12)" }}

	d.say(offer)
	d.sees("Still running from before", "sleep 1000 (pid 12)", "stop it", "leave it as it is")
	d.press("s") // was on its way when the question opened
	if d.sees("stop it"); done != 0 {
		t.Fatal("a key that was in flight did it")
	}
	d.quiet()
	d.press("enter", "y", "esc")
	d.lacks("Still running from before")
	if done != 0 {
		t.Fatal("leaving the question did it")
	}

	d.say(offer)
	d.quiet()
	d.press("s")
	d.sees("stopped: sleep 1000 (pid 12)")
	if done != 1 {
		t.Errorf("done %d times, want once", done)
	}
}
