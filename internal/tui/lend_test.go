package tui

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/screen"
	"runbook/internal/steps"
)

// asProgram makes the test binary run the interface on its own terminal.
const asProgram = "RUNBOOK_TUI_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(lendingProgram())
	}
	os.Exit(m.Run())
}

// lendingProgram is a run whose step wants the terminal.
func lendingProgram() int {
	f := bringUp()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f.started = func(step string) {
		go func() {
			f.events <- engine.TerminalWanted{Step: step, Cmd: exec.Command("sh", "-c", "printf 'name? '; read x; echo hello $x; exit 4"),
				Done: func(err error) { f.events <- engine.Noticed{Text: "came back with " + err.Error()} }}
		}()
	}
	m := New(ctx, Config{Runbook: f.plan.Runbook, Values: f.plan.Values,
		Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) { return f, nil }})
	if _, err := tea.NewProgram(m, tea.WithContext(ctx)).Run(); err != nil {
		return 1
	}
	return 0
}

func TestAnInteractiveStepGetsTheRealTerminal(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm-256color")
	s := screen.StartCommand(t, cmd, 110, 30)
	s.WaitFor("3 Secrets from Vault", "enter run")
	s.Type("\r")
	s.WaitFor("name?")
	s.WaitGone("Secrets from Vault") // nothing of the run is left on the program's screen
	s.Type("first key\r")
	s.WaitFor("hello first key", "[exit status 4] press enter to return")
	s.Type("\r")
	s.WaitFor("came back with exit status 4", "3 Secrets from Vault")
	if n := strings.Count(s.Said(), "\x1b[?1002h"); n < 2 {
		t.Errorf("the mouse was switched on %d times, want again after the loan", n)
	}
	s.Type("j") // the first key after the loan reaches the run
	s.WaitFor("›· 4 Apply")
	s.Type("q")
	s.WaitFor("Quit?")
	s.Type("q")
	if err := s.WaitExit(); err != nil {
		t.Errorf("exit: %v, want none", err)
	}
}
