package steps

import (
	"testing"
	"testing/quick"
	"time"
)

func run1(t *testing.T, taken bool, events ...EventKind) (StepState, error) {
	t.Helper()
	r := NewRun(&Plan{Steps: []BoundStep{{Step: Step{ID: "a"}, Taken: taken, WhyNot: "V is b"}}})
	var err error
	for i, k := range events {
		e := Event{Kind: k, Step: "a", At: time.Unix(int64(i), 0)}
		if k == "exited 1" {
			e.Kind, e.Exit = StepExited, 1
		}
		if r, err = r.Apply(e); err != nil {
			return r.Steps["a"], err
		}
	}
	return r.Steps["a"], nil
}

func TestEventsLeadToStatuses(t *testing.T) {
	const failed = EventKind("exited 1")
	for _, c := range []struct {
		events []EventKind
		want   Status
	}{
		{nil, Pending},
		{[]EventKind{StepStarted}, Running},
		{[]EventKind{StepStarted, StepExited}, Waiting},
		{[]EventKind{StepStarted, StepExited, StepHeld}, Done},
		{[]EventKind{StepStarted, StepExited, StepUnmet}, Failed},
		{[]EventKind{StepStarted, failed}, Failed},
		{[]EventKind{StepStarted, failed, StepStarted, StepExited, StepHeld}, Done},
		{[]EventKind{StepStarted, StepCancelled}, Failed},
		{[]EventKind{StepStarted, StepExited, StepCancelled}, Failed},
		{[]EventKind{StepStarted, StepFailed}, Failed},
		{[]EventKind{StepStarted, StepLost}, Unsure},
		{[]EventKind{StepStarted, StepLost, StepStarted, StepExited, StepHeld}, Done},
		{[]EventKind{StepSatisfied}, Satisfied},
		{[]EventKind{StepTicked}, Ticked},
		{[]EventKind{StepSkipped}, Skipped},
		{[]EventKind{StepSkipped, StepReopened}, Pending},
		{[]EventKind{StepStarted, StepExited, StepHeld, StepReopened}, Pending},
	} {
		got, err := run1(t, true, c.events...)
		if err != nil || got.Status != c.want {
			t.Errorf("%v: got %s, %v; want %s", c.events, got.Status, err, c.want)
		}
	}
}

func TestEventsThatCannotFollowAreRefused(t *testing.T) {
	for _, events := range [][]EventKind{
		{StepExited}, {StepHeld}, {StepUnmet}, {StepCancelled}, {StepLost}, {StepReopened},
		{StepStarted, StepStarted}, {StepStarted, StepHeld}, {StepStarted, StepSkipped}, {StepStarted, StepTicked},
		{StepStarted, StepExited, StepExited}, {StepStarted, "exited 1", StepHeld}, {StepStarted, StepExited, StepHeld, StepUnmet}, {"nonsense"},
	} {
		if got, err := run1(t, true, events...); err == nil {
			t.Errorf("%v: got %s", events, got.Status)
		}
	}
	for _, k := range []EventKind{StepStarted, StepSatisfied, StepTicked, StepSkipped, StepReopened} {
		got, err := run1(t, false, k)
		if err == nil || got.Status != NotTaken || got.Why != "V is b" {
			t.Errorf("%s on a step that isn't taken: %+v, %v", k, got, err)
		}
	}
}

// Whatever happens in whatever order, a step never counts as passed after it
// failed without having been started again, and what is refused changes nothing.
func TestNoOrderOfEventsMakesAStepBothPassedAndFailed(t *testing.T) {
	kinds := []EventKind{StepStarted, StepExited, StepHeld, StepUnmet, StepSatisfied, StepTicked, StepSkipped, StepCancelled, StepLost, StepReopened, StepFailed}
	check := func(seq []byte) bool {
		r := NewRun(&Plan{Steps: []BoundStep{{Step: Step{ID: "a"}, Taken: true}, {Step: Step{ID: "b"}, Taken: true}}})
		for i, n := range seq {
			before := r.Steps["a"]
			e := Event{Kind: kinds[int(n)%len(kinds)], Step: "a", At: time.Unix(int64(i), 0), Exit: int(n) / 128}
			next, err := r.Apply(e)
			after := next.Steps["a"]
			switch {
			case err != nil && after != before:
				return false
			case err == nil && before.Status == Failed && after.Status == Done:
				return false // only a new start leads there
			case after.Status == Done && (after.Exit != 0 || after.Tries == 0):
				return false
			case after.Status.Settled() && after.Status == Failed:
				return false
			case next.Steps["b"].Status != Pending:
				return false
			case r.Steps["a"] != before:
				return false // the old run is a value of its own
			}
			r = next
		}
		return true
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func TestARunKnowsWhatIsNext(t *testing.T) {
	r := NewRun(&Plan{Steps: []BoundStep{{Step: Step{ID: "a"}, Taken: true}, {Step: Step{ID: "b"}}, {Step: Step{ID: "c"}, Taken: true}}})
	if got := r.Next(); got != "a" {
		t.Errorf("next is %q", got)
	}
	r, err := r.Apply(Event{Kind: StepTicked, Step: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if done, all := r.Count(); r.Next() != "c" || done != 1 || all != 2 {
		t.Errorf("next is %q, %d of %d", r.Next(), done, all)
	}
	if _, err := r.Apply(Event{Kind: StepTicked, Step: "x"}); err == nil {
		t.Error("an event of a stranger is accepted")
	}
	r, _ = r.Apply(Event{Kind: StepSkipped, Step: "c"})
	if got := r.Next(); got != "" {
		t.Errorf("next is %q", got)
	}
}
