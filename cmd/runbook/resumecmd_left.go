package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"runbook/internal/engine"
	"runbook/internal/redact"
	"runbook/internal/shell"
)

// stopGrace is how long a process that is left over may take to end by itself.
const stopGrace = 5 * time.Second

// strays are what earlier processes of a run have left running.
type strays struct {
	run   string
	hide  *redact.Redactor
	found []shell.Left // when the run went on, before it started anything
	blind string       // what couldn't be looked into on this system; "" when nothing
}

func findStrays(run string, hide *redact.Redactor) *strays {
	s := &strays{run: run, hide: hide}
	s.found, s.blind = shell.Survivors(run, hide)
	return s
}

// Running looks only where something was found: most runs leave nothing.
func (s *strays) Running() []engine.Stray {
	if len(s.found) == 0 {
		return nil
	}
	return inEngine(shell.StillLeft(s.run, s.found, s.hide))
}

func (s *strays) Stop(ctx context.Context, pid int) []engine.Stray {
	one := slices.DeleteFunc(slices.Clone(s.found), func(l shell.Left) bool { return l.PID != pid })
	return inEngine(shell.StopSurvivors(ctx, s.run, one, stopGrace, s.hide))
}

func inEngine(left []shell.Left) []engine.Stray {
	var out []engine.Stray
	for _, l := range left {
		out = append(out, engine.Stray{PID: l.PID, Command: l.Command})
	}
	return out
}

// stillRunning says what an earlier process of the run has left running, and how
// to stop it: nothing is stopped without being asked for.
func (s *strays) stillRunning() []engine.Noticed {
	var notes []engine.Noticed
	for _, l := range s.found {
		notes = append(notes, engine.Noticed{Bad: true, Text: fmt.Sprintf("still running from before: %s (pid %d); kill %d stops it", l.Command, l.PID, l.PID)})
	}
	if s.blind != "" {
		notes = append(notes, engine.Noticed{Text: "can't tell whether something still runs from before: " + s.blind})
	}
	return notes
}

// offerToStop is stillRunning for an operator who can be asked.
func (s *strays) offerToStop(w *walk) {
	if s.blind != "" {
		w.Notice(engine.Noticed{Text: "can't tell whether something still runs from before: " + s.blind})
	}
	if len(s.found) == 0 {
		return
	}
	w.Offer(engine.Offered{
		Title: "Still running from before",
		Text:  named(s.found) + ". It was started by this run, and goes on beside whatever runs now; b lists it.",
		Does:  "stop " + map[bool]string{true: "it", false: "them"}[len(s.found) == 1],
		Do: func(ctx context.Context) string {
			rest := shell.StopSurvivors(ctx, s.run, s.found, stopGrace, s.hide)
			w.Refresh()
			if len(rest) > 0 {
				return "still running: " + named(rest)
			}
			return "stopped: " + named(s.found)
		},
	})
}

func named(left []shell.Left) string {
	var names []string
	for _, l := range left {
		names = append(names, fmt.Sprintf("%s (pid %d)", l.Command, l.PID))
	}
	return strings.Join(names, ", ")
}
