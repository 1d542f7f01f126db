package engine_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"runbook/internal/engine"
	"runbook/internal/steps"
)

const twoBlocks = "# Try\n\n## Look\n\n```sh\nkubectl get a\nkubectl get b\n```\n\n```sh\nkubectl get c\n```\n\n## Away\n\n```sh\nkubectl delete ns x\nkubectl get ns\n```\n"

func byLines(c *engine.Config) {
	c.Split = func(code, _ string) []string { return strings.Split(strings.TrimSpace(code), "\n") }
}

func TestStatementsRunOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, twoBlocks, byLines)
		defer b.Close()
		for _, want := range []string{"kubectl get a", "kubectl get a; kubectl get b", "kubectl get a; kubectl get b; kubectl get c"} {
			if err := b.DoNext(t.Context(), "look", engine.Answer{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := b.shell.history(); got != want {
				t.Fatalf("ran %q, want %q", got, want)
			}
		}
		if got := b.status("look").Status; got != steps.Done {
			t.Errorf("after the last statement: %s, want done", got)
		}
	})
}

func TestAPauseSaysWhatComesNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, twoBlocks, byLines)
		defer b.Close()
		b.shell.exits["kubectl get a"] = 1
		if err := b.DoNext(t.Context(), "look", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		got, ok := b.Pausing("look")
		if want := (engine.Pause{Block: 0, Statement: 2, Of: 2, Code: "kubectl get b", Exit: 1}); !ok || got != want {
			t.Fatalf("got %+v, %v, want %+v", got, ok, want)
		}
		if got := b.status("look").Status; got != steps.Running {
			t.Errorf("between statements: %s, want running", got)
		}
	})
}

func TestTheRestOfTheStatementsRunsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, twoBlocks, byLines)
		defer b.Close()
		if err := b.DoNext(t.Context(), "look", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := b.Do(t.Context(), "look", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		if got, want := b.status("look").Status, steps.Done; got != want || b.shell.history() != "kubectl get a; kubectl get b; kubectl get c" {
			t.Errorf("got %s after %q", got, b.shell.history())
		}
	})
}

func TestAPausedStepCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, twoBlocks, byLines)
		defer b.Close()
		if err := b.DoNext(t.Context(), "look", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := b.Stop("look"); err != nil {
			t.Fatal(err)
		}
		if got := b.status("look").Status; got != steps.Failed || b.shell.history() != "kubectl get a" {
			t.Errorf("got %s after %q, want failed after the first", got, b.shell.history())
		}
		if _, ok := b.Pausing("look"); ok {
			t.Error("it still waits")
		}
	})
}

func TestTheFirstStatementPassesTheGateOfItsStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, twoBlocks, byLines)
		defer b.Close()
		if err := b.DoNext(t.Context(), "away", engine.Answer{}); err == nil {
			t.Fatal("a step that destroys was begun without its words")
		}
		if got := b.shell.history(); got != "" {
			t.Errorf("ran %q", got)
		}
		if err := b.DoNext(t.Context(), "away", engine.Answer{Accepted: true}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := b.shell.history(); got != "kubectl delete ns x" {
			t.Errorf("ran %q, want the first statement", got)
		}
	})
}

func TestAStatementThatEndsItsShellEndsItsBlockAsInAScript(t *testing.T) {
	for name, tt := range map[string]struct {
		exit      int
		ran, says string
		want      steps.Status
	}{
		"with a failure": {3, "kubectl get a", "nothing behind statement 1 of 2 runs: it ended the shell with 3", steps.Failed},
		"with success":   {0, "kubectl get a; kubectl get c", "nothing behind statement 1 of 2 runs: it ended the shell with 0", steps.Done},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := resume(t, twoBlocks, byLines)
				defer b.Close()
				b.shell.exits["kubectl get a"], b.shell.cuts["kubectl get a"] = tt.exit, true
				for b.status("look").Status != tt.want {
					if err := b.DoNext(t.Context(), "look", engine.Answer{}); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					if got := b.shell.history(); !strings.HasPrefix(tt.ran, got) {
						t.Fatalf("ran %q, want %q", got, tt.ran)
					}
				}
				if got := b.shell.history(); got != tt.ran {
					t.Errorf("ran %q, want %q", got, tt.ran)
				}
				if got := b.notices(); !strings.Contains(got, tt.says) {
					t.Errorf("it says %q, want %q in it", got, tt.says)
				}
			})
		})
	}
}

func TestAStatementIsToldHowTheOneBeforeItEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, twoBlocks, byLines)
		defer b.Close()
		b.shell.exits["kubectl get a"] = 7
		for range 3 {
			if err := b.DoNext(t.Context(), "look", engine.Answer{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if got, want := b.shell.after, []int{0, 7, 0}; !slices.Equal(got, want) {
			t.Errorf("told %v, want %v", got, want)
		}
	})
}
