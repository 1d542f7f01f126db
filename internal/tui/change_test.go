package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/steps"
)

// onVariables is a desk with the list of variables open.
func onVariables(t *testing.T, f *fakeEngine, width, height int) *desk {
	t.Helper()
	f.plan.Runbook.Params = []steps.Param{
		{Name: "CLUSTER", Help: "the cluster, as its Vault mount is named", Pattern: "[a-z0-9-]+"},
		{Name: "DB_PASSWORD", Secret: true, Pattern: ".{6,}"},
		{Name: "VARIANT", Choices: []string{"vault", "ordinary-secrets"}},
		{Name: "KIOSK", Type: steps.BoolParam},
		{Name: "REPLICAS", Type: steps.IntParam},
	}
	f.plan.Values["KIOSK"] = steps.Value{Text: "false", Source: steps.FromDefault}
	f.plan.Values["REPLICAS"] = steps.Value{Text: "2", Source: steps.FromDefault}
	d := onRun(t, f, width, height)
	d.press("v")
	d.sees("Variables", "▸ CLUSTER", "cicd-test2", "given with --set")
	d.lacks("hunter2")
	return d
}

func TestAVariableIsChangedFromTheListInAFormThatJudgesWhileItIsTyped(t *testing.T) {
	for _, size := range [][2]int{{160, 50}, {80, 24}, {40, 10}} {
		f := bringUp()
		d := onVariables(t, f, size[0], size[1])
		d.press("enter")
		d.sees("Change CLUSTER", "› cicd-test2")
		d.write("!")
		d.sees("✗", "must match")
		d.press("enter")
		if len(f.changed) != 0 {
			t.Fatalf("%v: a value that may not be was sent: %v", size, f.changed)
		}
		d.press("backspace", "backspace")
		d.write("9")
		d.sees("What it would mean")
		d.press("enter")
		if got := strings.Join(f.changed, " "); got != "CLUSTER=cicd-test9" {
			t.Fatalf("%v: sent %q", size, got)
		}
		d.lacks("Change CLUSTER")
		d.sees("Variables")
	}
}

func TestTheFormIsForTheTypeOfTheParameter(t *testing.T) {
	f := bringUp()
	d := onVariables(t, f, 100, 30)
	d.press("j", "j", "enter")
	d.sees("Change VARIANT", "▸ vault", "now", "ordinary-secrets")
	d.press("down")
	d.sees("▸ ordinary-secrets")
	d.press("enter", "j", "enter")
	d.sees("Change KIOSK", "▸ false", "true")
	d.press("k", "enter", "j", "enter", "backspace")
	d.sees("a value is needed")
	d.write("x")
	d.sees("must be a whole number")
	d.press("backspace")
	d.write("3")
	d.press("enter")
	if got := strings.Join(f.changed, " "); got != "VARIANT=ordinary-secrets KIOSK=true REPLICAS=3" {
		t.Errorf("sent %q", got)
	}
}

func TestASecretIsTypedWithoutEcho(t *testing.T) {
	f := bringUp()
	d := onVariables(t, f, 100, 30)
	d.press("j", "enter")
	d.sees("Change DB_PASSWORD", "typed without echo")
	d.lacks("hunter2")
	d.press("enter")
	d.sees("a value is needed")
	d.write("s3cr3")
	d.sees("something was typed", "the value must match")
	d.lacks("s3cr3")
	d.write("t")
	d.press("enter")
	d.lacks("s3cr3")
	if got := strings.Join(f.changed, " "); got != "DB_PASSWORD=s3cr3t" {
		t.Errorf("sent %q", got)
	}
}

func TestAPastedValueIsOneLine(t *testing.T) {
	f := bringUp()
	d := onVariables(t, f, 100, 30)
	d.press("j", "enter")
	d.tell(tea.PasteMsg{Content: "copied-secret\n"})
	d.sees("something was typed")
	if len(f.changed) != 0 {
		t.Fatal("a paste sent the form")
	}
	d.tell(tea.PasteMsg{Content: "a\nb"})
	d.sees("several lines")
	d.press("enter")
	if got := strings.Join(f.changed, " "); got != "DB_PASSWORD=copied-secret" {
		t.Errorf("sent %q", got)
	}
}

func TestTheFormSaysWhatAValueWouldMeanAndWhyItIsRefused(t *testing.T) {
	f := bringUp()
	f.weigh = func(_, text string) (engine.Meaning, error) {
		if text == "vault" {
			return engine.Meaning{}, nil
		}
		return engine.Meaning{
			Shifts: []steps.Shift{{Name: "VARIANT", Old: "vault", New: text, Had: true}, {Name: "STORE", Old: "a", New: "b", Had: true}},
			Turn:   steps.Turn{Taken: []string{"ordinary"}, NotTaken: map[string]string{"secrets": "VARIANT is ordinary-secrets"}, Reopened: []string{"namespace"}},
			Ran:    []string{"platform"}, Stranded: []string{"namespace"}, Edited: []string{"apply"}, Beside: []string{"platform"},
			Strayed: []string{"VARIANT"}, Namespace: "other", Protects: []string{"session key: other/app is protected then"},
		}, nil
	}
	d := onVariables(t, f, 160, 50)
	d.press("j", "j", "enter")
	d.sees("that is its value now")
	d.press("j")
	d.sees("ran for the other choice; what it did is not taken back: 2 Namespace", "goes on in the background with the old value",
		"a step has set VARIANT itself", "the run moves to namespace other", "session key: other/app", "taken now: 5 Secrets without Vault",
		"no longer taken: 3 Secrets from Vault", "open again, because it held for the old value: 2 Namespace",
		"ran with the old value and stays as it is: 1 Check the platform", "STORE was changed from", "you have edited its commands", "the record names you")
	f.weigh = func(_, text string) (engine.Meaning, error) {
		return engine.Meaning{Shifts: []steps.Shift{{Name: "VARIANT", New: text, Had: true}}, Turn: steps.Turn{NotTaken: map[string]string{"ordinary": "of another reason"}}}, nil
	}
	d.press("k", "k", "j")
	d.sees("VARIANT becomes")
	d.lacks("no longer taken")
	f.weigh = func(string, string) (engine.Meaning, error) {
		return engine.Meaning{}, &engine.ChangeError{Param: "VARIANT", Why: "step secrets is running", Next: "wait for it, or stop it"}
	}
	d.press("j", "j")
	d.sees("step secrets is running", "wait for it, or stop it")
	d.press("enter")
	if len(f.changed) != 0 {
		t.Fatalf("what is refused was sent: %v", f.changed)
	}
	d.press("esc")
	d.sees("VARIANT was left as it was")
}

func TestAChangeThatFailsLeavesItsFormOpenAndSaysWhy(t *testing.T) {
	f := bringUp()
	d := onVariables(t, f, 100, 30)
	f.refuse = errors.New("change CLUSTER: no space left on device")
	d.press("enter")
	d.write("x")
	d.press("enter")
	d.sees("Change CLUSTER", "no space left on device")
	f.refuse = engine.ErrMeaning
	d.press("enter")
	d.sees("what it would mean has changed", "What it would mean")
	f.refuse = nil
	d.press("enter")
	d.lacks("Change CLUSTER")
}

func TestAnAnswerAboutAnotherTextIsDropped(t *testing.T) {
	f := bringUp()
	d := onVariables(t, f, 100, 30)
	d.press("enter")
	d.tell(weighedMsg{id: 1 << 20, text: "x", err: errors.New("of somebody else")})
	d.lacks("of somebody else")
	d.press("esc", "esc")
	d.tell(weighedMsg{id: 3, text: "x", err: errors.New("of a form that is closed")})
	d.lacks("of a form that is closed")
}

func TestTheOutlineAndThePageFollowChangedValues(t *testing.T) {
	f := bringUp()
	d := onVariables(t, f, 160, 50)
	plan := *f.plan
	plan.Steps = append([]steps.BoundStep(nil), plan.Steps...)
	plan.Steps[4].Taken, plan.Steps[2].Taken = true, false
	plan.Values = steps.Values{"CLUSTER": {Text: "cicd-test9", Source: steps.FromChanged}}
	turn := steps.Turn{Taken: []string{"ordinary"}, NotTaken: map[string]string{"secrets": "VARIANT is ordinary-secrets"}}
	f.run = f.run.Turned(turn, noon)
	f.since = map[string][]steps.Shift{"platform": {{Name: "CLUSTER", Old: "cicd-test2", New: "cicd-test9", Had: true}, {Name: "DB_PASSWORD", Secret: true, Had: true}}}
	where := f.where
	where.Namespace = "other"
	shifts := []steps.Shift{{Name: "CLUSTER", Old: "cicd-test2", New: "cicd-test9", Had: true}}
	d.say(engine.ValuesChanged{Plan: &plan, Run: f.run, Where: where, Meaning: engine.Meaning{Shifts: shifts}})
	d.sees("cicd-test9", "changed during this run", "ns other", "CLUSTER was changed from `cicd-test2` to `cicd-test9`")
	d.press("esc")
	d.sees("- 3 Secrets from Vault", "· 5 Secrets without Vault")
	d.press("g")
	d.sees("CLUSTER was cicd-test2 then, and is cicd-test9 now", "DB_PASSWORD has another value now")
	d.press("enter")
	d.sees("Run it again?", "It would run with CLUSTER", "cicd-test9 instead of cicd-test2.")
}

func TestAParameterThatAStepHasSetItselfIsMarked(t *testing.T) {
	f := bringUp()
	f.strayed = []string{"CLUSTER"}
	d := onVariables(t, f, 100, 30)
	d.sees("a step has given it another value")
}
