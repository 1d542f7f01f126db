package engine_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"runbook/internal/engine"
	"runbook/internal/steps"
)

const leaves = "# Try\n\n## Serve\n\n<!-- step\nbackground: true\nexpect: configmap/thing exists\n-->\n\n```sh\nkubectl port-forward svc/x 8080\n```\n"

func TestACommandThatWasToKeepRunningAndEndsBadlyFailsItsStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, leaves)
		defer b.Close()
		b.shell.exits["kubectl port-forward svc/x 8080"] = 1
		if err := b.Do(t.Context(), "serve", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		got := b.status("serve")
		if got.Status != steps.Failed || !strings.Contains(got.Why, "was to keep running and has ended: exit status 1") {
			t.Errorf("got %s: %s, want failed, and why", got.Status, got.Why)
		}
		if line := "serve beside exit status 1 by itself true"; !b.journal.has(line) {
			t.Errorf("no %q in the record: %q", line, b.journal.lines)
		}
	})
}

func TestTheGateOfALaterStepNamesWhatHasEndedInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, strings.Replace(leaves, "expect: configmap/thing exists\n", "", 1)+"\n## Use\n\n```sh\ncurl localhost:8080\n```\n")
		defer b.Close()
		b.shell.hang["kubectl port-forward svc/x 8080"] = true
		if err := b.Do(t.Context(), "serve", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		named := func() string {
			g, err := b.Gate(t.Context(), "use")
			if err != nil {
				t.Fatal(err)
			}
			return strings.Join(g.Beside, "\n")
		}
		if got := named(); got != "" {
			t.Errorf("while it runs: %q", got)
		}
		b.shell.last.end(1)
		synctest.Wait()
		if got := named(); !strings.Contains(got, "of step serve has ended by itself") || !strings.Contains(got, "exit status 1") {
			t.Errorf("after it has ended: %q", got)
		}
	})
}

func TestWhatRunsBesideIsListedAndStoppedByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, leaves)
		defer b.Close()
		b.shell.hang["kubectl port-forward svc/x 8080"] = true
		for range 2 {
			if err := b.Do(t.Context(), "serve", engine.Answer{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if err := b.Stop("serve"); err != nil { // of waiting, not of what runs beside
				t.Fatal(err)
			}
		}
		list := b.Beside()
		if len(list) != 2 || !list[0].Running() || !list[1].Running() || list[0].PID == 0 || list[0].Code != "kubectl port-forward svc/x 8080" {
			t.Fatalf("listed: %+v", list)
		}
		if err := b.StopBeside(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if list = b.Beside(); list[0].Running() || !list[0].Stopped || !list[1].Running() {
			t.Errorf("after the first was stopped: %+v", list)
		}
		if line := "serve beside exit status 0 by itself false"; !b.journal.has(line) {
			t.Errorf("no %q in the record: %q", line, b.journal.lines)
		}
		if err := b.StopBeside(t.Context(), 1); err != nil {
			t.Errorf("once more: %v", err)
		}
		if err := b.StopBeside(t.Context(), 7); err == nil {
			t.Error("one that isn't there was stopped")
		}
	})
}
