package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"runbook/internal/journal"
	"runbook/internal/steps"
)

func (a *app) runsCommand() *cobra.Command {
	output := "text"
	c := &cobra.Command{
		Use:     "runs",
		Short:   "List the records of runs on this machine",
		Example: "  runbook runs\n  runbook report 20260504T1200\n  runbook resume",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := formats(output, "text", "json"); err != nil {
				return err
			}
			return a.runs(output)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", output, "text or json")
	return c
}

// A runRow is a run as `runbook runs` shows it.
type runRow struct {
	Run      string    `json:"run"`
	Started  time.Time `json:"started"`
	Last     time.Time `json:"last"` // when its record was written last
	Title    string    `json:"title"`
	Path     string    `json:"path"`
	Operator string    `json:"operator"`
	Context  string    `json:"context"`
	Vault    string    `json:"vault"`
	Settled  int       `json:"settled"`
	Taken    int       `json:"taken"`
	State    runState  `json:"state"`
	Step     string    `json:"step,omitempty"` // that the run stands at
	Why      string    `json:"why,omitempty"`
	// Ended are the commands in the background that have ended by themselves:
	// what came after them may have needed them.
	Ended []endedBeside `json:"backgroundEnded,omitempty"`
	Dir   string        `json:"dir"`
}

// An endedBeside is a command in the background that has ended by itself.
type endedBeside struct {
	Step string    `json:"step"`
	At   time.Time `json:"at"`
	journal.BesideData
}

// endedBesides are those of a record that nothing has taken the place of: a later
// try of their step would have.
func endedBesides(rec *journal.Record) []endedBeside {
	var out []endedBeside
	for _, l := range rec.Lines {
		var d journal.BesideData
		var e steps.Event
		switch {
		case l.Kind == journal.Fact && json.Unmarshal(l.Data, &e) == nil && e.Kind == steps.StepStarted:
			out = slices.DeleteFunc(out, func(b endedBeside) bool { return b.Step == l.Step })
		case l.Kind == journal.Beside && json.Unmarshal(l.Data, &d) == nil && d.Stopped == "":
			out = append(out, endedBeside{Step: l.Step, At: l.At, BesideData: d})
		}
	}
	return out
}

// A runState says how a run ended, or that it didn't.
type runState string

// The states of a run.
const (
	runDone     runState = "done"
	runWalked   runState = "in use"  // a process is walking it now
	runFailed   runState = "failed"  // at a step that is the next one still
	runStopped  runState = "stopped" // left in order before its end
	runCutOff   runState = "cut off" // the program ended without a word
	runUnsound  runState = "unsound" // the record was changed
	runNotThere runState = "unreadable"
)

func (a *app) runs(output string) error {
	root, err := a.recordRoot()
	if err != nil {
		return err
	}
	names, err := journal.List(root)
	if err != nil {
		return err
	}
	rows := []runRow{}
	for _, name := range names {
		rows = append(rows, rowOf(filepath.Join(root, name)))
	}
	if output == "json" {
		return a.writeJSON(rows)
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(a.out, "no runs on this machine")
		return err
	}
	_, err = io.WriteString(a.out, runsText(rows, names))
	return err
}

func local(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("Jan _2 15:04") // the name of a run has the year
}

func rowOf(dir string) runRow {
	row := runRow{Run: filepath.Base(dir), Dir: dir}
	rec, err := journal.Read(dir)
	if err != nil {
		row.State, row.Why = runNotThere, err.Error()
		if is[*journal.BrokenError](err) {
			row.State = runUnsound
		}
		if h, err := journal.ReadHeader(filepath.Split(dir)); err == nil {
			row.Title, row.Path, row.Operator, row.Context, row.Vault = h.Title, h.Path, h.Operator, h.Context, h.Vault
		}
		return row
	}
	h, run := rec.Header, rec.Run()
	row.Title, row.Path, row.Operator, row.Context, row.Vault = h.Title, h.Path, h.Operator, h.Context, h.Vault
	row.Started, row.Last = rec.Lines[0].At, rec.Last()
	row.Settled, row.Taken = run.Count()
	row.Step, row.Ended = run.Next(), endedBesides(rec)
	row.State, row.Why = stateOf(rec, run)
	return row
}

func stateOf(rec *journal.Record, run steps.Run) (runState, string) {
	next := run.Next()
	step := run.Steps[next]
	switch last := rec.Lines[len(rec.Lines)-1]; {
	case journal.InUse(rec.Dir):
		return runWalked, ""
	case next == "":
		return runDone, ""
	case last.Kind != journal.Closed:
		return runCutOff, step.Why
	case step.Status == steps.Failed:
		return runFailed, step.Why
	}
	return runStopped, ""
}
