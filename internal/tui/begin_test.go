package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/screen"
	"runbook/internal/steps"
)

var _ Engine = (*engine.Engine)(nil)

// asking is a runbook that has everything a form can be made of.
func askingBook() *fakeEngine {
	f := bringUp()
	f.plan.Runbook.Params = []steps.Param{
		{Name: "CLUSTER", Help: "the cluster, as its Vault mount is named", Example: "cicd-test2", Pattern: "[a-z0-9-]+"},
		{Name: "VARIANT", Choices: []string{"vault", "ordinary-secrets"}},
		{Name: "DB_PASSWORD", Help: "of the database", Secret: true},
		{Name: "NAMESPACE", HasDefault: true, Default: "schmetterpause"},
	}
	return f
}

var knownValues = steps.Values{"NAMESPACE": {Text: "schmetterpause", Source: steps.FromDefault}}

// live is a model on a screen whose clock stands still but for the given timers.
func live(t *testing.T, cfg Config) *screen.Screen {
	t.Helper()
	if cfg.Now == nil {
		cfg.Now = atNoon
	}
	cfg.After = func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
		if d != grace {
			return nil // no ages pass
		}
		return func() tea.Msg { return msg(noon) } // the keyboard is quiet at once
	}
	return screen.Start(t, New(t.Context(), cfg), screen.Options{Width: 110, Height: 30})
}

func TestFromTheFormToTheEndOfTheRun(t *testing.T) {
	f := askingBook()
	given := make(chan steps.Values, 1)
	f.started = func(step string) {
		e := f.fact(t, steps.StepStarted, step, 0, "", noon)
		go func() { f.events <- e }()
	}
	s := live(t, Config{Runbook: f.plan.Runbook, Values: knownValues,
		Start: func(_ context.Context, _ *steps.Runbook, v steps.Values) (Engine, error) { given <- v; return f, nil }})
	s.WaitFor("CLUSTER", "as its Vault mount is named", "NAMESPACE", "the runbook's default")
	s.Type("Prod!")
	s.WaitFor("✗ `Prod!` must match [a-z0-9-]+, for example cicd-test2")
	s.Type("\r") // not taken
	s.Type("\x15prod\r")
	s.WaitFor("┃ > vault")
	s.Type("\x1b[B")
	s.WaitFor("┃ > ordinary-secrets")
	s.Type("\r")
	s.WaitFor("┃ DB_PASSWORD")
	s.Type("hunter2")
	s.Type("\r")
	s.WaitFor("3 Secrets from Vault", "cicd-test2 · ns schmetterpause")
	v := <-given
	for name, want := range map[string]steps.Value{
		"CLUSTER":     {Text: "prod", Source: steps.FromForm},
		"VARIANT":     {Text: "ordinary-secrets", Source: steps.FromForm},
		"DB_PASSWORD": {Text: "hunter2", Source: steps.FromForm, Secret: true},
		"NAMESPACE":   {Text: "schmetterpause", Source: steps.FromDefault},
	} {
		if v[name] != want {
			t.Errorf("%s = %+v, want %+v", name, v[name], want)
		}
	}
	if strings.Contains(s.Text(), "hunter2") {
		t.Errorf("the secret is on the screen:\n%s", s.Text())
	}
	s.Type("\r")
	s.WaitFor("… 3 Secrets")
	f.events <- f.fact(t, steps.StepExited, "secrets", 0, "", noon)
	f.events <- f.fact(t, steps.StepHeld, "secrets", 0, "", noon)
	s.WaitFor("›▸ 4 Apply")
	f.events <- f.fact(t, steps.StepSkipped, "apply", 0, "not today", noon)
	s.WaitFor("›▸ 6 Take", "enter run") // before, the key would still be one for the step before
	s.Type("\r")
	s.WaitFor("Type  schmetterpause", "enter: do it")
	s.Paste("schmetterpause")
	s.WaitFor(saidPaste)
	s.Type("schmetterpause\r")
	s.WaitFor("… 6 Take")
	f.events <- f.fact(t, steps.StepExited, "teardown", 0, "", noon)
	f.events <- f.fact(t, steps.StepHeld, "teardown", 0, "", noon)
	s.WaitFor("5 of 5 done", "not today", "q quits")
	s.Type("q")
	if err := s.WaitExit(); err != nil {
		t.Errorf("exit: %v, want none", err)
	}
}

func TestASecretIsNotEchoedWhileItIsTyped(t *testing.T) {
	f := askingBook()
	f.plan.Runbook.Params = f.plan.Runbook.Params[2:]
	d := newDesk(t, Config{Runbook: f.plan.Runbook, Values: knownValues}, 100, 30)
	d.write("hunter2")
	d.lacks("hunter2")
	golden(t, "form-secret", d.text())
}

func TestTheFormIsDrawnAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {40, 10}} {
		f := askingBook()
		d := newDesk(t, Config{Runbook: f.plan.Runbook, Values: knownValues}, size[0], size[1])
		d.write("Prod")
		golden(t, fmt.Sprintf("form-%dx%d", size[0], size[1]), d.text())
	}
}

func TestAnEmptyValueIsNotTaken(t *testing.T) {
	f := askingBook()
	d := newDesk(t, Config{Runbook: f.plan.Runbook, Values: knownValues}, 100, 30)
	d.press("enter")
	d.sees("✗ a value is needed")
	if d.m.phase != asking {
		t.Errorf("phase %d, want the form", d.m.phase)
	}
}

// failure is an error with advice, as the parts that connect return them.
type failure struct{}

func (failure) Error() string { return "reach https://10.0.0.1:6443: connection refused" }
func (failure) Hint() string  { return "is the VPN up?" }

func TestAStartThatFailsSaysWhyAndCanBeTriedAgain(t *testing.T) {
	f := bringUp()
	tries := 0
	d := newDesk(t, Config{Runbook: f.plan.Runbook, Values: f.plan.Values, Target: "context cicd-test2",
		Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) {
			if tries++; tries == 1 {
				return nil, fmt.Errorf("start: %w", failure{})
			}
			return f, nil
		}}, 80, 24)
	golden(t, "start-failed", d.text())
	d.press("r")
	d.sees("3 Secrets from Vault")
}

func TestWhatTakesLongSaysWhatItIs(t *testing.T) {
	f := bringUp()
	now := noon
	var cancelled context.Context
	m := New(t.Context(), Config{Runbook: f.plan.Runbook, Values: f.plan.Values, Target: "context cicd-test2",
		Now: func() time.Time { return now },
		Start: func(ctx context.Context, _ *steps.Runbook, _ steps.Values) (Engine, error) {
			cancelled = ctx
			return nil, errors.New("late")
		}})
	d := &desk{t: t, m: m}
	d.tell(tea.WindowSizeMsg{Width: 80, Height: 24})
	now = noon.Add(5 * time.Second)
	d.sees("… looking at context cicd-test2", "for 5s; nothing has been run")
	late := m.first()
	d.press("q")
	if !d.quit || cancelled.Err() == nil {
		t.Errorf("quit %v, context %v; want it ended", d.quit, cancelled.Err())
	}
	d.tell(late)
}

func TestPickingARunbook(t *testing.T) {
	f := bringUp()
	opened := ""
	cfg := Config{
		Choices: []Choice{
			{Name: "bring-up", Purpose: "bring-up", Title: "Bring up schmetterpause", Steps: 9, Path: "/r/bring-up.md"},
			{Name: "teardown", Purpose: "teardown", Title: "Take it\x1b[2J down", Steps: 1, Path: "/r/teardown.md"},
			{Name: "broken", Title: "Broken", Path: "/r/broken.md"},
		},
		Open: func(path string) (*steps.Runbook, steps.Values, error) {
			opened = path
			if strings.Contains(path, "broken") {
				return nil, nil, errors.New("/r/broken.md:3:1: a fence is never closed")
			}
			return f.plan.Runbook, f.plan.Values, nil
		},
		Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) { return f, nil },
	}
	d := newDesk(t, cfg, 100, 30)
	golden(t, "picker", d.text())
	d.press("G", "enter")
	d.sees("✗ /r/broken.md:3:1: a fence is never closed")
	d.press("/")
	d.write("TAKE")
	d.lacks("bring-up ")
	d.press("enter", "enter")
	if opened != "/r/teardown.md" {
		t.Errorf("opened %q, want the one that is left", opened)
	}
	d.sees("3 Secrets from Vault")
}

func TestQuittingAPickerAndAnEmptyOne(t *testing.T) {
	d := newDesk(t, Config{}, 60, 12)
	d.sees("none were found")
	d.press("enter", "j", "k", "q")
	if !d.quit {
		t.Error("not quit")
	}
}

func TestAStepThatIsThroughAsksBeforeItRunsAgain(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 100, 30)
	d.press("k", "enter")
	d.sees("Run it again?", "This step is done already.")
	d.press("enter", "esc")
	if got := f.doings(); len(got) != 0 {
		t.Fatalf("did %+v, want nothing", got)
	}
	d.press("enter", "r")
	if got := f.doings(); len(got) != 1 || got[0].step != "namespace" {
		t.Errorf("did %+v, want namespace", got)
	}
}

// A line is mostly copied with its end: that is no part of a password.
func TestAPasteIntoTheFormIsOneLineWithoutItsEnd(t *testing.T) {
	f := fakeOf(&steps.Runbook{Title: "Try", Params: []steps.Param{{Name: "TOKEN", Secret: true}}}, shellStep("a", "A", "", "true"))
	var given steps.Values
	s := screen.Start(t, New(t.Context(), Config{Runbook: f.plan.Runbook, Start: func(_ context.Context, _ *steps.Runbook, v steps.Values) (Engine, error) {
		given = v
		return f, nil
	}}), screen.Options{Width: 100, Height: 30})
	s.WaitFor("TOKEN")
	s.Paste("one\ntwo")
	s.WaitFor("a paste of several lines is no value")
	s.Paste("sec")
	s.Paste("ret\r\n")
	s.Type("\r")
	s.WaitFor("0/1")
	if got := given.Text("TOKEN"); got != "secret" {
		t.Errorf("the value is %q, want what was copied without its line break", got)
	}
}
