package tui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/steps"
)

// onCovered is onRun of an interface that knows one secret.
func onCovered(t *testing.T, f *fakeEngine) *desk {
	t.Helper()
	d := newDesk(t, Config{Runbook: f.plan.Runbook, Values: f.plan.Values, Written: func(s string) string { return strings.ReplaceAll(s, hiddenWord, "[redacted]") },
		Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) { return f, nil }}, 120, 40)
	d.quiet()
	return d
}

func TestACopyIsWithoutTheSecretInACommand(t *testing.T) {
	f := bringUp()
	f.plan.Steps[3].Code[0] = "kubectl apply --token " + hiddenWord + "\n"
	d := onCovered(t, f)
	d.press("j")
	d.sees("--token [redacted]")
	d.press("y")
	d.sees("copied 1 line without the secret in it")
	if want := "kubectl apply --token [redacted]\n"; d.copied != want {
		t.Errorf("copied %q, want %q", d.copied, want)
	}
	d.press("e")
	d.sees("it holds a secret, which an editor would show: change it in the runbook")
	d.lacks(hiddenWord)
}

func TestAnEditThatHoldsASecretRunsAndIsNotShown(t *testing.T) {
	f := bringUp()
	f.plan.Steps[3].Code[0] = "echo\n"
	d := onCovered(t, f)
	d.press("j", "e")
	d.tell(tea.PasteMsg{Content: "echo " + hiddenWord + " and "})
	d.sees("echo [redacted] and echo")
	d.press("ctrl+s")
	if got, want := f.edits["apply/0"], "echo "+hiddenWord+" and echo\n"; got != want {
		t.Errorf("edited to %q, want %q", got, want)
	}
	d.sees("echo [redacted] and echo", "edited; the document says:")
	d.press("e") // starts from the document: an editor would show the other one
	d.sees("For this run only")
	d.lacks(hiddenWord)
}

func TestTheTitleOfTheWindowHasNoSecret(t *testing.T) {
	f := bringUp()
	f.plan.Runbook.Title = "About " + hiddenWord
	d := onCovered(t, f)
	d.sees("About [redacted]")
	if got := d.m.View().WindowTitle; strings.Contains(got, hiddenWord) || !strings.Contains(got, "About [redacted]") {
		t.Errorf("the title is %q", got)
	}
}
