package journal

import (
	"testing"
	"time"

	"runbook/internal/steps"
)

func TestATraceTellsWhatWasRunningWhenTheRecordEnds(t *testing.T) {
	w := create(t)
	must(t, w.Event(fact(steps.StepStarted, "a")), w.Checks("a", []CheckData{{Text: "x", Answer: "does not"}}),
		w.Code("a", CodeData{Block: 0}), w.Ended("a", EndData{Block: 0}), w.Code("a", CodeData{Block: 1}))
	trace := func() Trace {
		r, err := Read(w.Dir())
		must(t, err)
		return r.Trace("a")
	}
	got := trace()
	if exit, ended := got.Ended[0]; !ended || exit != 0 || !got.Began[1] || len(got.Ended) != 1 || len(got.Before) != 1 {
		t.Fatalf("got %+v, want block 0 ended and block 1 begun", got)
	}
	must(t, w.f.Close())
	w, err := Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), time.Now)
	must(t, err)
	must(t, w.Event(fact(steps.StepStarted, "a")))
	if got := trace(); len(got.Ended) != 1 || !got.Began[1] {
		t.Fatalf("a try that was cut off belongs to the next one; got %+v", got)
	}
	must(t, w.Code("a", CodeData{Block: 1}), w.Ended("a", EndData{Block: 1, Exit: 3}), w.Event(steps.Event{Kind: steps.StepExited, Step: "a", Exit: 3}))
	if got := trace(); got.Ended[1] != 3 {
		t.Fatalf("got %+v, want exit 3 of block 1", got)
	}
	must(t, w.Event(fact(steps.StepStarted, "a")))
	if got := trace(); len(got.Began) != 0 || len(got.Ended) != 0 {
		t.Fatalf("a new try after one that failed starts from nothing; got %+v", got)
	}
	must(t, w.Close())
}

func TestATraceTellsThatTheOperatorsTextRan(t *testing.T) {
	w := create(t)
	must(t, w.Event(fact(steps.StepStarted, "a")), w.Code("a", CodeData{Code: "y", Edited: true, Document: "x"}), w.Close())
	r, err := Read(w.Dir())
	must(t, err)
	if got := r.Trace("a").Edited; got[0] != "y" || len(r.Trace("b").Edited) > 0 {
		t.Error("want a edited, and b not")
	}
}

func TestAStatementInTheMiddleDoesNotEndItsBlock(t *testing.T) {
	w := create(t)
	must(t, w.Event(fact(steps.StepStarted, "a")), w.Code("a", CodeData{Statement: 1, Of: 2}), w.Ended("a", EndData{Statement: 1, Of: 2}), w.Close())
	r, err := Read(w.Dir())
	must(t, err)
	if got := r.Trace("a"); len(got.Ended) != 0 || !got.Began[0] {
		t.Errorf("got %+v, want the block begun and not ended", got)
	}
}
