package journal

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"runbook/internal/steps"
)

// watched is a disk that notes what is asked of it.
type watched struct {
	*os.File
	asked []string
}

func (d *watched) Write(p []byte) (int, error) {
	d.asked = append(d.asked, "write")
	return d.File.Write(p)
}

func (d *watched) Sync() error {
	d.asked = append(d.asked, "sync")
	return d.File.Sync()
}

func TestEveryLineIsOnDiskBeforeItsWriterGoesOn(t *testing.T) {
	w := create(t)
	d := &watched{File: w.f.(*os.File)}
	w.f = d
	for name, write := range map[string]func() error{
		"event":   func() error { return w.Event(fact(steps.StepStarted, "a")) },
		"gate":    func() error { return w.Gate("a", GateData{Decision: "allow"}) },
		"code":    func() error { return w.Code("a", CodeData{Code: "date"}) },
		"ended":   func() error { return w.Ended("a", EndData{}) },
		"checked": func() error { return w.Checks("a", []CheckData{{Text: "x"}}) },
		"changed": func() error { return w.Changes("a", []ChangeData{{Protects: "key"}}) },
		"note":    func() error { return w.Note("a", "hello") },
	} {
		d.asked = nil
		if err := write(); err != nil {
			t.Fatal(err)
		}
		if want := []string{"write", "sync"}; !slices.Equal(d.asked, want) {
			t.Errorf("%s: the disk was asked to %s, want %s: one write, and a sync before anything goes on", name, fmt.Sprint(d.asked), want)
		}
	}
	d.asked = nil
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"write", "sync"}; !slices.Equal(d.asked, want) {
		t.Errorf("the end: the disk was asked to %s, want %s", d.asked, want)
	}
}
