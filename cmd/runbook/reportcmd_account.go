package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"runbook/internal/journal"
	"runbook/internal/steps"
)

// An accountOf is a record put in the order of its steps.
type accountOf struct {
	journal.Header
	Dir     string        `json:"record"`
	Started time.Time     `json:"started"`
	Last    time.Time     `json:"last"`
	State   runState      `json:"state"`
	Settled int           `json:"settled"`
	Taken   int           `json:"taken"`
	Resumed []resumeOf    `json:"resumed,omitempty"`
	Changed []amendOf     `json:"changed,omitempty"` // parameters, while it was walked
	Walked  []stepAccount `json:"walked"`
	CutLine bool          `json:"cutOff,omitempty"` // the last line was cut off
}

// A resumeOf says when and by whom a run went on.
type resumeOf struct {
	At time.Time `json:"at"`
	journal.ResumeData
}

// A stepAccount is what a record has of one step.
type stepAccount struct {
	ID      string       `json:"id"`
	Title   string       `json:"title"`
	Status  steps.Status `json:"status"`
	Why     string       `json:"why,omitempty"`
	Started time.Time    `json:"started,omitzero"`
	Ended   time.Time    `json:"ended,omitzero"`
	Seconds float64      `json:"seconds,omitempty"`
	Tries   int          `json:"tries,omitempty"`
	Entries []entryOf    `json:"entries,omitempty"` // in the order of the record
}

// An entryOf is one line of a record, by what it is about.
type entryOf struct {
	At      time.Time            `json:"at"`
	Fact    *steps.Event         `json:"fact,omitempty"`
	Gate    *journal.GateData    `json:"gate,omitempty"`
	Code    *journal.CodeData    `json:"code,omitempty"`
	Bytes   int64                `json:"outputBytes,omitempty"` // of the output file of Code
	Lost    bool                 `json:"outputMissing,omitempty"`
	Intent  *journal.IntentData  `json:"intent,omitempty"`
	Ended   *journal.EndData     `json:"ended,omitempty"`
	Beside  *journal.BesideData  `json:"background,omitempty"`
	Checks  []journal.CheckData  `json:"checks,omitempty"`
	Changes []journal.ChangeData `json:"changes,omitempty"`
	Edit    *journal.EditData    `json:"edit,omitempty"`
	Note    string               `json:"note,omitempty"`
}

// account puts a record in the order of its steps.
func account(rec *journal.Record) accountOf {
	run := rec.Run()
	acc := accountOf{Header: rec.Header, Dir: rec.Dir, Started: rec.Lines[0].At, Last: rec.Last(), CutLine: rec.Cut}
	acc.Changed = amendments(rec)
	acc.State, _ = stateOf(rec, run)
	acc.Settled, acc.Taken = run.Count()
	entries := map[string][]entryOf{}
	for _, l := range rec.Lines {
		if l.Kind == journal.Resumed {
			r := resumeOf{At: l.At}
			_ = json.Unmarshal(l.Data, &r.ResumeData) // what can't be read stays empty
			acc.Resumed = append(acc.Resumed, r)
		}
		if l.Step != "" {
			entries[l.Step] = append(entries[l.Step], entry(rec.Dir, l))
		}
	}
	for _, id := range run.Order {
		s := run.Steps[id]
		sa := stepAccount{ID: id, Title: rec.Header.Titles[id], Status: s.Status, Why: s.Why, Started: s.Started, Ended: s.Ended, Tries: s.Tries, Entries: entries[id]}
		if !s.Started.IsZero() && s.Ended.After(s.Started) {
			sa.Seconds = s.Ended.Sub(s.Started).Seconds()
		}
		acc.Walked = append(acc.Walked, sa)
	}
	return acc
}

func entry(dir string, l journal.Line) entryOf {
	e := entryOf{At: l.At}
	var into any
	switch l.Kind {
	case journal.Fact:
		e.Fact = &steps.Event{}
		into = e.Fact
	case journal.Gate:
		e.Gate = &journal.GateData{}
		into = e.Gate
	case journal.Code:
		e.Code = &journal.CodeData{}
		into = e.Code
	case journal.Edited:
		e.Edit = &journal.EditData{}
		into = e.Edit
	case journal.Intent:
		e.Intent = &journal.IntentData{}
		into = e.Intent
	case journal.Ended:
		e.Ended = &journal.EndData{}
		into = e.Ended
	case journal.Beside:
		e.Beside = &journal.BesideData{}
		into = e.Beside
	case journal.Checked:
		into = &e.Checks
	case journal.Changed:
		into = &e.Changes
	case journal.Noted:
		into = &e.Note
	default:
		return e
	}
	if json.Unmarshal(l.Data, into) != nil {
		return entryOf{At: l.At} // a line of a later version; its time is all that is known of it
	}
	if e.Code != nil {
		info, err := os.Stat(filepath.Join(dir, filepath.Base(e.Code.Output)))
		if e.Lost = err != nil; !e.Lost {
			e.Bytes = info.Size()
		}
	}
	return e
}
