package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"runbook/internal/engine"
	"runbook/internal/shell"
)

// stopGrace is how long a process that is left over may take to end by itself.
const stopGrace = 5 * time.Second

// stillRunning says what an earlier process of the run has left running, and how
// to stop it: nothing is stopped without being asked for.
func (a *app) stillRunning(w *walk) []engine.Noticed {
	left, blind := shell.Survivors(w.record.Run(), w.hide)
	var notes []engine.Noticed
	for _, l := range left {
		notes = append(notes, engine.Noticed{Bad: true, Text: fmt.Sprintf("still running from before: %s (pid %d); kill %d stops it", l.Command, l.PID, l.PID)})
	}
	if blind != "" {
		notes = append(notes, engine.Noticed{Text: "can't tell whether something still runs from before: " + blind})
	}
	return notes
}

// offerToStop is stillRunning for an operator who can be asked.
func (a *app) offerToStop(w *walk) {
	run := w.record.Run()
	left, blind := shell.Survivors(run, w.hide)
	if blind != "" {
		w.Notice(engine.Noticed{Text: "can't tell whether something still runs from before: " + blind})
	}
	if len(left) == 0 {
		return
	}
	w.Offer(engine.Offered{
		Title: "Still running from before",
		Text:  named(left) + ". It was started by this run, and goes on beside whatever runs now.",
		Does:  "stop " + map[bool]string{true: "it", false: "them"}[len(left) == 1],
		Do: func(ctx context.Context) string {
			rest := shell.StopSurvivors(ctx, run, left, stopGrace, w.hide)
			if len(rest) > 0 {
				return "still running: " + named(rest)
			}
			return "stopped: " + named(left)
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
