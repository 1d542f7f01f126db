package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/world"
)

func TestAnAllowedStepRunsAtAKeyPress(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	d.press("enter")
	want := done{step: "secrets", answer: engine.Answer{Fingerprint: "open secrets"}, accepted: true}
	if got := f.doings(); len(got) != 1 || got[0] != want {
		t.Fatalf("did %+v, want %+v", got, want)
	}
	d.say(f.fact(t, steps.StepStarted, "secrets", 0, "", noon))
	d.sees("… 3 Secrets", "running")
	d.press("enter")
	d.sees("it is running; ctrl-c stops it")
	if got := len(f.doings()); got != 1 {
		t.Errorf("%d starts, want 1", got)
	}
}

func TestAStepIsWalkedByStatements(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	d.press("x")
	if f.nexts != 1 || len(f.doings()) != 1 {
		t.Fatalf("%d turns and %+v, want one turn behind the gate", f.nexts, f.doings())
	}
	d.say(f.fact(t, steps.StepStarted, "secrets", 0, "", noon))
	d.say(engine.Paused{Step: "secrets", Next: engine.Pause{Statement: 2, Of: 3, Code: "kubectl get pods", Exit: 4}})
	d.sees("the last one ended with 4; statement 2 of 3 is next: kubectl get pods")
	d.press("tab")
	d.sees("x statement", "enter the rest", "waits before statement 2 of 3", ": kubectl get pods")
	d.lacks("running")
	d.press("x")
	if f.nexts != 2 {
		t.Errorf("%d turns, want two", f.nexts)
	}
	d.press("x")
	d.sees("it is running") // and not paused any more
	if f.nexts != 2 {
		t.Errorf("%d turns for a statement that still runs", f.nexts)
	}
}

func TestTwoQuickKeysStartAStepOnce(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	m, ask := d.m.runStep()
	m, none := m.runStep()
	if none != nil {
		t.Fatal("a second key asks for the gate again")
	}
	d.m = m
	m, do := d.m.heard(ask())
	d.m = m
	d.press("enter") // the step hasn't said yet that it has started
	d.carryOut(do)
	if got := f.doings(); len(got) != 1 {
		t.Errorf("did %+v, want one start", got)
	}
}

func TestAnEngineThatHasEndedRunsNothing(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 100, 30)
	d.tell(engineSaidMsg{from: d.m.run.events})
	d.sees("the engine has ended")
	d.press("enter")
	d.sees("the engine has ended")
	if got := f.doings(); len(got) != 0 {
		t.Errorf("did %+v, want nothing", got)
	}
}

func TestOnlyTheExactWordsTypedConfirm(t *testing.T) {
	d := atTeardown(t, 120, 40)
	d.write("schmetterpause")
	d.press("enter")
	want := done{step: "teardown", answer: engine.Answer{Fingerprint: "gate 1", Words: "schmetterpause"}, accepted: true}
	if got := d.engine().doings(); len(got) != 1 || got[0] != want {
		t.Fatalf("did %+v, want %+v", got, want)
	}
	if len(d.m.dialogs) != 0 {
		t.Errorf("the dialog is still open")
	}
}

func TestEveryOtherAnswerLeavesThingsAsTheyAre(t *testing.T) {
	tests := map[string]struct {
		answer func(d *desk)
		says   string
		closed bool
	}{
		"enter alone":        {func(d *desk) { d.press("enter") }, saidNo, true},
		"escape":             {func(d *desk) { d.write("schmetterpause"); d.press("esc") }, saidNo, true},
		"ctrl-c":             {func(d *desk) { d.write("schmetterpause"); d.press("ctrl+c") }, saidNo, true},
		"wrong words":        {func(d *desk) { d.write("yes"); d.press("enter") }, saidWrong, false},
		"words in caps":      {func(d *desk) { d.write("Schmetterpause"); d.press("enter") }, saidWrong, false},
		"a blank behind":     {func(d *desk) { d.write("schmetterpause "); d.press("enter") }, saidWrong, false},
		"part of it":         {func(d *desk) { d.write("schmetterpause"); d.press("backspace", "enter") }, saidWrong, false},
		"a paste":            {func(d *desk) { d.tell(tea.PasteMsg{Content: "schmetterpause"}) }, saidPaste, false},
		"paste, enter":       {func(d *desk) { d.tell(tea.PasteMsg{Content: "schmetterpause"}); d.press("enter") }, saidNo, true},
		"paste with newline": {func(d *desk) { d.tell(tea.PasteMsg{Content: "schmetterpause\r"}) }, saidPaste, false},
		"the mouse":          {func(d *desk) { d.tell(tea.MouseClickMsg{X: 60, Y: 30, Button: tea.MouseLeft}) }, "Type  schmetterpause", false},
		"y":                  {func(d *desk) { d.press("y", "enter") }, saidWrong, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := atTeardown(t, 120, 40)
			tt.answer(d)
			d.sees(tt.says)
			if got := d.engine().doings(); len(got) != 0 {
				t.Errorf("did %+v, want nothing", got)
			}
			if got := len(d.m.dialogs) == 0; got != tt.closed {
				t.Errorf("closed: %v, want %v", got, tt.closed)
			}
		})
	}
}

func TestAKeyInFlightDoesNotReachTheConfirmation(t *testing.T) {
	d := onRun(t, bringUp(), 120, 40)
	d.press("G", "enter")
	d.sees("keys count once the keyboard was quiet")
	d.write("schmetterpause")
	d.press("enter") // all of it came before the dialog can have been read
	d.sees("keys count once the keyboard was quiet")
	if got := d.m.dialogs[0].(confirm).typed; got != "" {
		t.Errorf("typed %q in the grace period, want nothing", got)
	}
	first := d.timers[0]
	d.timers = d.timers[1:]
	if msg, ok := first().(quietEndedMsg); ok {
		d.tell(msg) // the period that the keys have started anew
	}
	d.write("x")
	if got := d.m.dialogs[0].(confirm).typed; got != "" {
		t.Errorf("typed %q after a period that was cut short, want nothing", got)
	}
	d.quiet()
	d.write("schmetterpause")
	d.press("enter")
	if got := d.engine().doings(); len(got) != 1 || !got[0].accepted {
		t.Errorf("did %+v, want one accepted", got)
	}
}

func TestAResizeKeepsTheDialogAndWhatWasTyped(t *testing.T) {
	d := atTeardown(t, 120, 40)
	d.write("schmetter")
	d.tell(tea.WindowSizeMsg{Width: 60, Height: 16})
	d.sees("schmetter█")
	d.tell(tea.WindowSizeMsg{Width: 20, Height: 5})
	d.lacks("schmetter")
	d.write("pause")
	d.press("enter") // nobody can read what they answer here
	if got := d.engine().doings(); len(got) != 0 {
		t.Errorf("did %+v on a screen too small to read, want nothing", got)
	}
	d.tell(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.sees("schmetter█")
	d.write("pause")
	d.press("enter")
	if got := d.engine().doings(); len(got) != 1 || !got[0].accepted {
		t.Errorf("did %+v, want one accepted", got)
	}
}

func TestAGateThatChangedIsShownAgain(t *testing.T) {
	d := atTeardown(t, 120, 40)
	changed := deletion()
	changed.Fingerprint, changed.Losses = "gate 2", append(changed.Losses, guard.Loss{What: "pvc/new", Irrecoverable: true})
	d.engine().gates["teardown"] = changed
	d.write("schmetterpause")
	d.press("enter")
	d.sees("shown again: the world has changed since", "pvc/new", "keys count once")
	d.quiet()
	d.write("schmetterpause")
	d.press("enter")
	got := d.engine().doings()
	if len(got) != 2 || got[0].accepted || !got[1].accepted || got[1].answer.Fingerprint != "gate 2" {
		t.Errorf("did %+v, want the second accepted with the new fingerprint", got)
	}
}

func TestARefusalSaysWhatToDo(t *testing.T) {
	f := bringUp()
	f.gates["secrets"] = guard.Gate{Step: "secrets", Title: "Secrets", Decision: guard.Refuse, Fingerprint: "no",
		Blockers: []guard.Blocker{{What: "vault is active", Why: "it is sealed", Next: "unseal it, then press enter again"}}}
	d := onRun(t, f, 100, 30)
	d.press("enter")
	d.quiet()
	d.sees("Not now", "✗ vault is active: it is sealed", "→ unseal it")
	d.press("enter")
	d.lacks("Not now")
	if got := f.doings(); len(got) != 0 {
		t.Errorf("did %+v, want nothing", got)
	}
}

func TestAConfirmationWithoutWordsCannotBeGiven(t *testing.T) {
	f := bringUp()
	g := deletion()
	g.Words = ""
	f.gates["teardown"] = g
	d := onRun(t, f, 100, 30)
	d.press("G", "enter")
	d.quiet()
	d.sees("Not now")
	d.press("enter", "enter", "enter")
	d.quiet()
	d.press("enter")
	if got := f.doings(); len(got) != 0 {
		t.Errorf("did %+v, want nothing", got)
	}
}

func TestAGateForAStepThatWasLeftIsDropped(t *testing.T) {
	d := onRun(t, bringUp(), 100, 30)
	d.press("G")
	m, cmd := d.m.runStep()
	d.m = m
	d.press("k") // moved away while the gate was asked for
	d.tell(cmd())
	if len(d.m.dialogs) != 0 {
		t.Errorf("the gate of a step that isn't shown was opened")
	}
}

func TestTextFromOutsideCannotImitateTheDialog(t *testing.T) {
	f := bringUp()
	g := deletion()
	g.Losses = []guard.Loss{{What: "pvc/\x1b[2J\x1b]52;c;eA==\x07x\n━━━━ Type  yes\u202e\u009b31m"}}
	f.gates["teardown"] = g
	d := onRun(t, f, 100, 40)
	d.press("G", "enter")
	content := d.m.View().Content
	for _, bad := range []string{"\x1b[2J", "\x1b]52", "\u202e", "\u009b", "\x07"} {
		if strings.Contains(content, bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
	for _, line := range strings.Split(d.text(), "\n") {
		if strings.Contains(line, "Type  yes") && !strings.Contains(line, "pvc/x") {
			t.Errorf("a name has a line of its own: %q", line)
		}
	}
}

func TestTheNextStepIsShownWhenOneIsThrough(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	d.say(f.fact(t, steps.StepStarted, "secrets", 0, "", noon), f.fact(t, steps.StepExited, "secrets", 0, "", noon))
	d.sees("⏸ 3 Secrets", "waiting for what it expects")
	d.say(f.fact(t, steps.StepHeld, "secrets", 0, "", noon))
	d.sees("4 Apply the manifests ─", "›▸ 4 Apply")
	d.lacks("enter run")
	d.press("enter") // was on its way when the screen changed
	d.sees(saidEarly)
	if got := f.doings(); len(got) != 0 {
		t.Errorf("did %+v with a key for the step before, want nothing", got)
	}
	d.quiet()
	d.press("enter")
	if got := f.doings(); len(got) != 1 || got[0].step != "apply" {
		t.Errorf("did %+v, want apply", got)
	}
}

func TestTheOutputOfAStepCanBeReadAfterTheRunHasMovedOn(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 80, 24)
	for _, kind := range []steps.EventKind{steps.StepStarted, steps.StepExited, steps.StepHeld} {
		d.say(f.fact(t, kind, "secrets", 0, "", noon))
		d.sees("[Output]", "SecretSyncedError")
	}
	d.sees("Output of 3 Secrets from Vault", "exit 0")
	d.quiet()
	d.press("enter") // what would run isn't seen yet
	d.sees("[Step]", "4 Apply the manifests")
	if got := f.doings(); len(got) != 0 {
		t.Errorf("did %+v, want nothing", got)
	}
	d.press("enter")
	d.say(f.fact(t, steps.StepStarted, "apply", 0, "", noon))
	d.sees("[Output]", "running 0s")
	d.lacks("SecretSyncedError")
}

func TestTheNextStepIsShownAlsoFromBehindTheOutputOfTheOneBefore(t *testing.T) {
	for name, facts := range map[string][]steps.EventKind{
		"it has moved on by itself": {steps.StepStarted, steps.StepExited, steps.StepHeld},
		"it is running":             {steps.StepStarted},
	} {
		t.Run(name, func(t *testing.T) {
			f := bringUp()
			d := onRun(t, f, 80, 24)
			for _, kind := range facts {
				d.say(f.fact(t, kind, "secrets", 0, "", noon))
			}
			d.sees("[Output]")
			d.press("space")
			d.sees("[Step]", "4 Apply the manifests")
			d.press("tab", "tab") // past Live
			d.sees("[Output]")
			d.press("space") // the output is that of step 3 still
			d.sees("[Step]", "4 Apply the manifests")
		})
	}
}

func TestWhoHasMovedAwayStaysThere(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	d.say(f.fact(t, steps.StepStarted, "secrets", 0, "", noon))
	d.press("k", "k")
	d.say(f.fact(t, steps.StepExited, "secrets", 0, "", noon), f.fact(t, steps.StepHeld, "secrets", 0, "", noon))
	d.sees("›✓ 1 Check")
}

func TestAStepThatIsNotTakenSaysWhy(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	d.press("j", "j")
	d.sees("- not taken: VARIANT is vault")
	d.press("enter")
	d.sees("! not taken: VARIANT is vault")
}

func TestSkippingNeedsAReason(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 100, 30)
	d.press("s", "enter")
	d.sees("a reason is needed")
	d.write("done last week")
	d.press("enter")
	d.press("t")
	d.tell(tea.PasteMsg{Content: "by\nhand"})
	d.press("enter")
	d.press("n")
	d.write("odd")
	d.press("esc", "n")
	d.write("slow disk")
	d.press("enter")
	want := []string{"skip secrets: done last week", "tick secrets: by hand", "note secrets: slow disk"}
	if !slices.Equal(f.asked, want) {
		t.Errorf("asked %q, want %q", f.asked, want)
	}
}

func TestARequestThatFailsSaysSo(t *testing.T) {
	f := bringUp()
	f.refuse = errors.New("write record /x: no space left")
	d := onRun(t, f, 100, 30)
	d.press("n")
	d.write("x")
	d.press("enter")
	d.sees("! could not note: write record /x: no space left")
	d.press("enter")
	d.sees("! could not run secrets")
}

func TestAnEditKeepsTabsAndIsShown(t *testing.T) {
	f := bringUp()
	s := &f.plan.Steps[3]
	s.Code[0] = "cat <<-X\n\tone\n\tX\n"
	d := onRun(t, f, 100, 30)
	d.press("j", "e")
	d.press("ctrl+s")
	d.sees("left as it was")
	d.press("e")
	d.write("# ")
	d.press("ctrl+s")
	if got, want := f.edits["apply/0"], "# cat <<-X\n\tone\n\tX\n"; got != want {
		t.Errorf("edited to %q, want %q", got, want)
	}
	d.sees("# cat <<-X", "edited; the document says:")
}

func TestCopyTakesTheSourceNotTheScreen(t *testing.T) {
	d := onRun(t, bringUp(), 60, 20)
	d.press("y")
	want := "kubectl -n schmetterpause get externalsecrets.external-secrets.io,secrets --show-labels --output=wide --sort-by=.metadata.name\n\n" +
		"vault kv get <mount>/schmetterpause\n"
	if d.copied != want {
		t.Errorf("copied %q, want %q", d.copied, want)
	}
}

func TestVariablesNeverShowASecret(t *testing.T) {
	d := onRun(t, bringUp(), 100, 30)
	d.press("v")
	d.sees("CLUSTER", "cicd-test2", "given with --set", "••••••", "the runbook's default")
	d.lacks("hunter2")
	d.press("esc")
	d.lacks("given with --set")
}

func TestKeysGoToTheProgramInOrder(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	d.press("i")
	d.sees("nothing runs that could read keys")
	d.say(f.fact(t, steps.StepStarted, "secrets", 0, "", noon))
	d.press("i")
	d.sees("you type to the program")
	d.write("yes q")
	d.press("enter", "ctrl+c", "up", "tab", "backspace", "esc")
	d.tell(tea.PasteMsg{Content: "a\nb"})
	if want := "yes q\r\x03\x1b[A\t\x7f\x1ba\rb"; f.typed != want {
		t.Errorf("typed %q, want %q", f.typed, want)
	}
	if slices.Contains(f.asked, "stop secrets") {
		t.Errorf("ctrl-c stopped the step instead of going to the program")
	}
	d.press("esc", "esc")
	d.lacks("you type to the program")
	d.press("i", "ctrl+]")
	d.lacks("you type to the program")
}

func TestKeysForAProgramThatHasEndedAreDropped(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	d.say(f.fact(t, steps.StepStarted, "secrets", 0, "", noon))
	d.press("i")
	d.write("ye")
	d.say(f.fact(t, steps.StepExited, "secrets", 1, "", noon))
	d.write("s")
	d.press("enter")
	if len(d.m.dialogs) != 0 || len(f.doings()) != 0 {
		t.Fatalf("keys for the program did something: %+v\n%s", f.doings(), d.text())
	}
	d.quiet()
	d.press("s")
	d.sees("Skip 3")
}

func TestCtrlCStopsWhatRunsAndAsksOtherwise(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 100, 30)
	d.press("ctrl+c")
	d.sees("Quit?", "goes on from here")
	d.press("esc")
	if d.quit {
		t.Fatal("quit by escape")
	}
	d.say(f.fact(t, steps.StepStarted, "secrets", 0, "", noon))
	d.press("ctrl+c")
	d.sees("what it has begun elsewhere") // P21: a limit that isn't only in the manual
	if want := []string{"stop secrets"}; !slices.Equal(f.asked, want) {
		t.Errorf("asked %q, want %q", f.asked, want)
	}
	d.press("q")
	d.sees("still running and would be stopped", "begun elsewhere", "resume")
	d.press("q")
	if !d.quit {
		t.Error("not quit")
	}
}

func TestARunThatIsOverIsSummedUp(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 100, 30)
	d.say(f.fact(t, steps.StepSkipped, "secrets", 0, "were there", noon),
		f.fact(t, steps.StepTicked, "apply", 0, "by argo", noon),
		f.fact(t, steps.StepStarted, "teardown", 0, "", noon.Add(time.Minute)),
		f.fact(t, steps.StepExited, "teardown", 0, "", noon.Add(2*time.Minute)),
		f.fact(t, steps.StepHeld, "teardown", 0, "", noon.Add(3*time.Minute)))
	d.quiet()
	d.sees("5 of 5 done", "in 12m", "3 Secrets from Vault: were there", "4 Apply the manifests: by argo", "VARIANT is vault")
	d.press("esc")
	d.sees("5/5")
	d.press("q")
	if !d.quit {
		t.Error("a run that is over asks before it quits")
	}
}

func TestSearchGoesThroughStepsAndOutput(t *testing.T) {
	f := bringUp()
	f.output["secrets"] = engine.Output{Lines: numbered(500)}
	d := onRun(t, f, 120, 40)
	d.press("/")
	d.write("LINE 123")
	d.press("enter")
	d.sees("▸line 123", "┏ Output")
	d.press("esc", "/")
	d.write("manifests")
	d.press("enter")
	d.sees("4 Apply the manifests ━", "▸Apply what stands", "»  kubectl apply -f manifests/")
	d.press("n") // which of them it has come to is seen
	d.sees("»Apply what stands", "▸  kubectl apply -f manifests/")
	d.press("N", "N")
	d.sees("4 Apply the manifests ━")
	d.press("esc", "/")
	d.write("no such thing")
	d.press("enter")
	d.sees("not found: no such thing")
	d.press("n") // is no key of a search that found nothing
	d.sees("Note on 4")
}

func numbered(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i)
	}
	return lines
}

func TestTheOutputFollowsUntilItIsScrolled(t *testing.T) {
	f := bringUp()
	f.output["secrets"] = engine.Output{Lines: numbered(100), Dropped: 7}
	d := onRun(t, f, 120, 40)
	d.sees("line 99", "7 lines before these are in the record")
	d.press("tab", "tab", "tab", "pgup")
	d.lacks("line 99")
	f.output["secrets"] = engine.Output{Lines: numbered(200)}
	d.say(engine.OutputChanged{Step: "secrets"})
	d.lacks("line 199")
	d.press("G")
	d.sees("line 199")
	f.output["secrets"] = engine.Output{Lines: numbered(300)}
	d.say(engine.OutputChanged{Step: "secrets"})
	d.sees("line 299")
}

func TestAFactThatIsNoLongerHeardSaysSinceWhen(t *testing.T) {
	d := onRun(t, bringUp(), 160, 50)
	d.sees("? pvc/db-1", "stale since 11:58:00", "not heard since 11:58:00: the")
	d.lacks("✓ pvc/db-1")
}

func TestStrangersAreDropped(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 100, 30)
	before := d.text()
	d.tell(engineSaidMsg{from: make(chan engine.Event), event: engine.Noticed{Text: "from elsewhere"}, ok: true})
	d.tell(startedMsg{id: 999, err: errors.New("late")})
	d.tell(openedMsg{id: 999})
	d.tell(answeredMsg{to: request{id: 999, what: askedGate, step: "teardown"}, gate: deletion()})
	d.tell(answeredMsg{to: request{id: 999, what: askedDo, step: "teardown"}, err: &engine.GateError{Gate: deletion(), Why: "late"}})
	d.tell(lookedMsg{from: make(chan engine.Event), step: "secrets", code: []string{"rm -rf /"}})
	d.tell(quietEndedMsg{id: 999})
	d.tell(struct{ unknown int }{})
	if got := d.text(); got != before {
		t.Errorf("a stranger changed the screen:\n%s", got)
	}
}

func TestFiveThousandChangesOfTheWorldAreTakenIn(t *testing.T) {
	f := bringUp()
	d := onRun(t, f, 120, 40)
	w := f.world
	for i := range 5000 {
		ref := world.NewRef("secret", "", "schmetterpause", "schmetterpause-app")
		o := w.Objects[ref]
		o.Keys = []string{fmt.Sprint("key-", i)}
		w = w.With(world.Update{Object: &o}, noon)
		next, _ := d.m.Update(engineSaidMsg{from: d.m.run.events, event: engine.WorldChanged{World: w}, ok: true})
		d.m = next.(Model)
	}
	d.sees("key-4999")
}

func TestALongRunbookDrawsOnlyWhatIsSeen(t *testing.T) {
	var all []steps.BoundStep
	for i := range 2000 {
		all = append(all, shellStep(fmt.Sprint("s", i), fmt.Sprint("Step with 宽字符 ", i), "Some *prose*.", "true"))
	}
	f := fakeOf(&steps.Runbook{Title: "Much"}, all...)
	d := onRun(t, f, 120, 40)
	if got := d.m.outlineRows(20, 10); len(got) != 10 {
		t.Errorf("%d rows for a pane of 10", len(got))
	}
	d.press("G")
	d.sees("2000 Step with 宽字符 1999")
	if got := len(d.m.run.prose.done); got > 3 {
		t.Errorf("%d texts were rendered for two that were seen", got)
	}
	d.press("g")
	d.sees("›▸ 1 Step with")
	for range 300 {
		d.press("j")
	}
	d.sees("›· 301 Step")
}

func TestTheMouseLooksAround(t *testing.T) {
	d := onRun(t, bringUp(), 120, 40)
	d.tell(tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseLeft})
	d.sees("›· 4 Apply")
	d.tell(tea.MouseClickMsg{X: 100, Y: 5, Button: tea.MouseLeft})
	d.sees("┏ Live")
	d.tell(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.tell(tea.MouseClickMsg{X: 2, Y: 1, Button: tea.MouseLeft})
	d.sees("[Steps]")
	d.tell(tea.MouseClickMsg{X: 28, Y: 1, Button: tea.MouseLeft})
	d.sees("[Output]")
	d.tell(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
	if got := d.engine().doings(); len(got) != 0 {
		t.Errorf("the mouse ran %+v", got)
	}
}

func TestTheEngineKnowsTheSizeOfTheOutput(t *testing.T) {
	d := onRun(t, bringUp(), 120, 40)
	if got, want := d.engine().size, [2]int{116, 20}; got != want {
		t.Errorf("size %v, want %v", got, want)
	}
	d.tell(tea.WindowSizeMsg{Width: 80, Height: 24})
	if got, want := d.engine().size, [2]int{76, 19}; got != want {
		t.Errorf("size %v, want %v", got, want)
	}
}

func TestTheHeaderSaysHowVaultIs(t *testing.T) {
	now := noon.Add(-time.Second)
	there := world.Fact{Presence: world.Present, Seen: now}
	good := world.Health{Fact: there, Initialized: true}
	sealed, standby, fresh, silent := good, good, good, good
	sealed.Sealed, standby.Standby, fresh.Initialized = true, true, false
	silent.Stale, silent.StaleSince = true, noon.Add(-time.Minute)
	for _, tt := range []struct {
		health world.Health
		token  world.Token
		want   string
	}{
		{good, world.Token{Fact: there, TTL: time.Hour}, "vault active, token 59m "},
		{good, world.Token{Fact: there, TTL: time.Second}, "vault active, token expired"},
		{good, world.Token{Fact: there, Never: true}, "vault active, token doesn't expire"},
		{good, world.Token{Fact: world.Fact{Presence: world.Hidden}}, "vault active, no valid token"},
		{good, world.Token{}, "vault active, token: asking"},
		{standby, world.Token{Fact: there, TTL: time.Hour}, "vault standby, token"},
		{sealed, world.Token{Fact: there, TTL: time.Hour}, "vault sealed "},
		{fresh, world.Token{}, "vault not initialised "},
		{silent, world.Token{Fact: there, TTL: time.Hour}, "vault not heard since 11:59:00 "},
		{world.Health{}, world.Token{}, "vault: asking "},
		{world.Health{Fact: world.Fact{Presence: world.Hidden}}, world.Token{}, "vault can't be asked "},
	} {
		f := bringUp()
		f.world.Health, f.world.Token = tt.health, tt.token
		d := onRun(t, f, 120, 20)
		if got := ansi.Strip(d.m.header(120)); !strings.Contains(got, tt.want) {
			t.Errorf("header %q, want %q in it", got, tt.want)
		}
	}
	d := onRun(t, bringUp(), 70, 20)
	if got := ansi.Strip(d.m.header(70)); !strings.Contains(got, "vault active") || strings.Contains(got, "token") {
		t.Errorf("header %q, want Vault's state without the token", got)
	}
}

func TestHelpNamesEveryKey(t *testing.T) {
	d := onRun(t, bringUp(), 100, 60)
	d.press("?")
	for _, g := range d.m.keys.full() {
		for _, b := range g.keys {
			d.sees(b.Help().Key, b.Help().Desc)
		}
	}
}

func TestNoticesCanBeReadAgain(t *testing.T) {
	d := onRun(t, bringUp(), 100, 30)
	d.say(engine.Noticed{Text: "the session key is unchanged"}, engine.Noticed{Text: "the record could not be written", Bad: true})
	d.sees("! the record could not be written")
	d.press("down")
	d.lacks("the record could not be written")
	d.press("m")
	d.sees("✗ the record could not be written", "· the session key is unchanged")
}
