package plain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// printers are the two ways in which a walk is told.
var printers = map[string]func(io.Writer) Printer{
	"text": func(w io.Writer) Printer { return NewText(w, false) },
	"json": func(w io.Writer) Printer { return NewJSON(w) },
}

// eventful is a walk in which everything that can be told happens.
func eventful(t *testing.T) *fake {
	f := newFake(t, three)
	f.settles["namespace"] = "namespace/shop is active"
	f.gates["database"] = destroying()
	f.course["database"] = []act{
		prints("database", "cluster.postgresql.cnpg.io/db", "and"), func(f *fake) engine.Event {
			o := f.output["database"]
			o.Lines, o.Open = append(o.Lines, "anoth"), true
			f.output["database"] = o
			return engine.OutputChanged{Step: "database"}
		}, func(f *fake) engine.Event {
			o := f.output["database"]
			o.Lines, o.Open = append(slices.Clone(o.Lines[:2]), "another"), false
			f.output["database"] = o
			return engine.OutputChanged{Step: "database"}
		},
		notices(engine.Noticed{Step: "database", Text: "session key in Vault: removed", Bad: true}),
		fact(steps.StepExited, "database", 0, ""),
		finds("database", world.DoesNot, "1 of 3 instances are ready"), finds("database", world.DoesNot, "1 of 3 instances are ready"),
		finds("database", world.CantTell, "forbidden"), finds("database", world.Holds, ""),
		fact(steps.StepHeld, "database", 0, ""),
	}
	f.course["check"] = []act{
		prints("check", "curl: (22) 503"), fact(steps.StepExited, "check", 22, "exit status 22"),
	}
	return f
}

func TestAWalkIsToldInOrderAndEndsWhereItFails(t *testing.T) {
	for name, printer := range printers {
		t.Run(name, func(t *testing.T) {
			f := eventful(t)
			var out bytes.Buffer
			err := Walk(t.Context(), f, Options{Accept: []string{"database"}, Notes: []engine.Noticed{{Text: "going on with a run"}}}, printer(&out))
			var failed *FailedError
			if !errors.As(err, &failed) || failed.Step != "check" || err.Error() != "step check: exit status 22" {
				t.Errorf("got %v", err)
			}
			if got := strings.Join(f.did, ","); got != "database,check" {
				t.Errorf("did %s", got)
			}
			golden(t, "eventful."+name, out.Bytes())
		})
	}
}

func TestAStepThatMustBeConfirmedIsRefusedAndNothingOfItRuns(t *testing.T) {
	for name, printer := range printers {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, three)
			f.gates["namespace"] = destroying()
			var out bytes.Buffer
			err := Walk(t.Context(), f, Options{Accept: []string{"database", "check"}}, printer(&out))
			var refused *RefusedError
			if !errors.As(err, &refused) || refused.Why != "takes the session key away" || !strings.HasSuffix(refused.Next, "--accept-risk namespace") {
				t.Errorf("got %#v", err)
			}
			if len(f.did) > 0 {
				t.Errorf("did %s", f.did)
			}
			for _, want := range []string{"deletes cluster/db", "pvc/db-1 (8Gi)", "takes the session key away", "a minute without the shop", "backups"} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("doesn't say %q:\n%s", want, out.String())
				}
			}
		})
	}
}

func TestARefusalSaysTheWorstThingFirst(t *testing.T) {
	g := destroying()
	for _, c := range []struct {
		change func(*guard.Gate)
		want   string
	}{
		{func(*guard.Gate) {}, "takes the session key away"},
		{func(g *guard.Gate) { g.Warnings = nil }, "destroy: deletes cluster/db"},
		{func(g *guard.Gate) { g.Reasons = nil }, "its author says it can destroy"},
		{func(g *guard.Gate) { g.Class = risk.Unknown }, "what it does can't be determined"},
		{func(g *guard.Gate) {
			g.Decision, g.Blockers = guard.Refuse, []guard.Blocker{{What: "vault is active", Why: "Vault is sealed", Next: "unseal it"}}
		}, "vault is active: Vault is sealed"},
	} {
		c.change(&g)
		f := newFake(t, three)
		f.gates["namespace"] = g
		err := Walk(t.Context(), f, Options{}, NewText(io.Discard, false))
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.Why != c.want {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestWhatAGuardForbidsNoFlagAllows(t *testing.T) {
	f := newFake(t, three)
	f.gates["namespace"] = guard.Gate{Decision: guard.Refuse, Blockers: []guard.Blocker{{Why: "Vault is sealed", Next: "unseal it"}}}
	var out bytes.Buffer
	err := Walk(t.Context(), f, Options{Accept: []string{"namespace"}}, NewText(&out, false))
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Next != "unseal it" || len(f.did) > 0 {
		t.Errorf("got %v, did %v", err, f.did)
	}
	if strings.Count(out.String(), "✗ Vault is sealed") != 1 {
		t.Errorf("not said once:\n%s", out.String())
	}
}

func TestIDsAreCheckedBeforeAnythingIsSaidOrDone(t *testing.T) {
	for _, o := range []Options{
		{Accept: []string{"namespace", "databse"}}, {Only: []string{"databse"}}, {From: "databse"}, {Accept: []string{""}},
	} {
		f := newFake(t, three)
		var out bytes.Buffer
		err := Walk(t.Context(), f, o, NewText(&out, false))
		var unknown *engine.UnknownStepError
		if !errors.As(err, &unknown) || out.Len() > 0 || len(f.did) > 0 {
			t.Errorf("%+v: got %v, did %v, said %q", o, err, f.did, out.String())
		}
	}
}

func TestAnAcceptanceThatNobodyNeedsChangesNothing(t *testing.T) {
	f := newFake(t, three)
	for _, id := range []string{"namespace", "database", "check"} {
		f.course[id] = comesTrue(id, "output of "+id)
	}
	var out bytes.Buffer
	if err := Walk(t.Context(), f, Options{Accept: []string{"check", "check"}}, NewText(&out, false)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), "3 of 3 done\n") || strings.Contains(out.String(), "lost") {
		t.Errorf("said\n%s", out.String())
	}
}

func TestFromAndOnlyChooseTheSteps(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "namespace,database,check"},
		{Options{From: "database"}, "database,check"},
		{Options{Only: []string{"check", "namespace"}}, "namespace,check"}, // in the order of the runbook
		{Options{From: "database", Only: []string{"namespace", "check"}}, "check"},
	} {
		f := newFake(t, three)
		for _, id := range []string{"namespace", "database", "check"} {
			f.course[id] = comesTrue(id)
		}
		if err := Walk(t.Context(), f, c.o, NewText(io.Discard, false)); err != nil {
			t.Error(err)
		}
		if got := strings.Join(f.did, ","); got != c.want {
			t.Errorf("%+v: did %s, want %s", c.o, got, c.want)
		}
	}
}

func TestAStepOfAnotherChoiceIsNamedAndNeverSilentlyPassedOver(t *testing.T) {
	f := newFake(t, three)
	f.plan.Steps[1].Taken, f.plan.Steps[1].WhyNot = false, "VARIANT is vault"
	f.run = steps.NewRun(f.plan)
	f.course["namespace"], f.course["check"] = comesTrue("namespace"), comesTrue("check")
	var out bytes.Buffer
	if err := Walk(t.Context(), f, Options{}, NewText(&out, false)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "- 2 Database (not taken: VARIANT is vault)") || !strings.HasSuffix(out.String(), "2 of 2 done\n") {
		t.Errorf("said\n%s", out.String())
	}
	err := Walk(t.Context(), f, Options{Only: []string{"database"}}, NewText(io.Discard, false))
	var not *NotTakenError
	if !errors.As(err, &not) || err.Error() != "step database: not taken: VARIANT is vault" {
		t.Errorf("got %v", err)
	}
}

func TestWhatNeedsAPersonStopsTheWalk(t *testing.T) {
	for _, c := range []struct {
		set  func(*fake)
		why  string
		next string
	}{
		{func(f *fake) { f.plan.Steps[1].Manual = true }, "is for a person", "--from"},
		{func(f *fake) { f.plan.Steps[1].Interactive = true }, "needs a terminal", "--from"},
		{func(f *fake) { f.endless["database"] = true }, "never ends by itself", "background"},
		{func(f *fake) { f.unclear["database"] = "was running when the run was cut off" }, "was running when the run was cut off", "--accept-risk database; to go on behind it: --from check"},
	} {
		f := newFake(t, three)
		f.course["namespace"] = comesTrue("namespace")
		c.set(f)
		err := Walk(t.Context(), f, Options{}, NewText(io.Discard, false))
		var person *PersonError
		if !errors.As(err, &person) || !strings.Contains(person.Why, c.why) || !strings.Contains(person.Next, c.next) {
			t.Errorf("got %#v, want %q", err, c.why)
		}
		if got := strings.Join(f.did, ","); got != "namespace" {
			t.Errorf("%s: did %s", c.why, got)
		}
	}
}

func TestAnEndlessCommandThatStaysBehindIsNoPersonsBusiness(t *testing.T) {
	f := newFake(t, three)
	f.endless["namespace"], f.plan.Steps[0].Background = true, true
	f.course["namespace"] = comesTrue("namespace")
	if err := Walk(t.Context(), f, Options{Only: []string{"namespace"}}, NewText(io.Discard, false)); err != nil {
		t.Error(err)
	}
}

func TestAStepOfWhichNobodyCanTellIsNeverToldAsDone(t *testing.T) {
	for name, printer := range printers {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, three)
			f.course["namespace"] = []act{
				fact(steps.StepExited, "namespace", 0, ""), finds("namespace", world.CantTell, "namespaces is forbidden"),
				fact(steps.StepUnmet, "namespace", 0, "can't tell whether namespace/shop is active: namespaces is forbidden"),
			}
			var out bytes.Buffer
			err := Walk(t.Context(), f, Options{}, printer(&out))
			var failed *FailedError
			if !errors.As(err, &failed) || !strings.Contains(failed.Why, "can't tell") {
				t.Errorf("got %v", err)
			}
			if strings.Contains(out.String(), "✓") || strings.Contains(out.String(), "holds") || !strings.Contains(out.String(), "namespaces is forbidden") {
				t.Errorf("said\n%s", out.String())
			}
		})
	}
}

func TestALineOfAMegabyteIsOneLine(t *testing.T) {
	long := strings.Repeat("long line ", 100_000) + "end"
	for name, printer := range printers {
		f := newFake(t, three)
		f.course["namespace"] = comesTrue("namespace", long)
		var out bytes.Buffer
		if err := Walk(t.Context(), f, Options{Only: []string{"namespace"}}, printer(&out)); err != nil {
			t.Fatal(err)
		}
		found := false
		for line := range strings.Lines(out.String()) {
			if name == "text" {
				found = found || strings.TrimSpace(line) == long
				continue
			}
			var o struct{ Line string }
			if err := json.Unmarshal([]byte(line), &o); err != nil {
				t.Fatal(err)
			}
			found = found || o.Line == long
		}
		if !found {
			t.Errorf("%s: the line isn't there as it was", name)
		}
	}
}

func TestLinesThatWentByTooFastAreCountedAndNoneIsToldTwice(t *testing.T) {
	f := newFake(t, three)
	fast := func(first, n int) act {
		return func(f *fake) engine.Event {
			o := engine.Output{Dropped: first}
			for i := range n {
				o.Lines = append(o.Lines, fmt.Sprint("line ", first+i))
			}
			f.output["namespace"] = o
			return engine.OutputChanged{Step: "namespace"}
		}
	}
	f.course["namespace"] = []act{fast(0, 3), fast(1, 3), fast(8, 2), fact(steps.StepExited, "namespace", 0, ""), fact(steps.StepHeld, "namespace", 0, "")}
	var out bytes.Buffer
	if err := Walk(t.Context(), f, Options{Only: []string{"namespace"}}, NewText(&out, false)); err != nil {
		t.Fatal(err)
	}
	var told []string
	for line := range strings.Lines(out.String()) {
		if s := strings.TrimSpace(line); strings.HasPrefix(s, "line ") || strings.HasPrefix(s, "… ") {
			told = append(told, s)
		}
	}
	want := []string{"line 0", "line 1", "line 2", "line 3", "… 4 lines are in the record only", "line 8", "line 9"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestAStepThatIsNotRecordedIsNotDoneAndNothingGoesOnBehindIt(t *testing.T) {
	f := newFake(t, three)
	f.settles["namespace"] = "namespace/shop is active"
	f.course["database"] = []act{fact(steps.StepExited, "database", 0, ""), finds("database", world.Holds, ""), fact(steps.StepHeld, "database", 0, "")}
	f.unrecorded = &engine.UnrecordedError{Step: "database", Err: errors.New("no space left on device")}
	var out bytes.Buffer
	err := Walk(t.Context(), f, Options{}, NewText(&out, false))
	if !errors.Is(err, f.unrecorded) {
		t.Errorf("got %v, want %v", err, f.unrecorded)
	}
	if strings.Contains(out.String(), "Checking") || strings.Contains(out.String(), "of 3 done") {
		t.Errorf("it goes on:\n%s", out.String())
	}
}
