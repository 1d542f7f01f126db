package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"runbook/internal/steps"
)

func TestARecordOfAnotherUserIsNotGoneOnWith(t *testing.T) {
	w := create(t)
	must(t, w.Close())
	if err := os.Chown(filepath.Join(w.Dir(), file), os.Geteuid()+1, -1); err != nil {
		t.Skipf("only root can give a file away: %v", err)
	}
	before := read(t, filepath.Join(w.Dir(), file))
	if _, err := Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), time.Now); !errors.Is(err, ErrOther) {
		t.Errorf("got %v, want %v", err, ErrOther)
	}
	if got := read(t, filepath.Join(w.Dir(), file)); string(got) != string(before) {
		t.Error("it was written to before it was refused")
	}
}

func TestAClockThatGoesBackLeavesTheOrderOfThingsAsItWas(t *testing.T) {
	now := noon
	w, err := Create(filepath.Join(t.TempDir(), "runs"), header(), hiding(), func() time.Time { now = now.Add(-time.Hour); return now })
	must(t, err)
	for i, kind := range []steps.EventKind{steps.StepStarted, steps.StepExited, steps.StepHeld} {
		e := fact(kind, "a")
		e.At = noon.Add(-time.Duration(i) * time.Hour)
		must(t, w.Event(e))
	}
	must(t, w.Close())
	w, err = Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), func() time.Time { return noon.Add(-24 * time.Hour) })
	must(t, err)
	must(t, w.Close())
	r, err := Read(w.Dir())
	must(t, err)
	if got := r.Run().Steps["a"]; got.Status != steps.Done || r.Run().Next() != "b" {
		t.Errorf("got %+v, next %s, want a done and b next", got, r.Run().Next())
	}
}
