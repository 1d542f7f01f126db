package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"runbook/internal/journal"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A reportLine is one thing that a record tells, in words; whoever prints it
// wraps the text, and never the code.
type reportLine struct {
	at   time.Time // zero behind a line that has it
	text string
	code []reportCode
}

// A reportCode is text that somebody may want to copy.
type reportCode struct {
	sign string // "$" for what ran, "-" and "+" for what was replaced
	text string
}

// lines are the entries of a step in words.
func (s stepAccount) lines() []reportLine {
	var out []reportLine
	began := false // since it was started last
	for _, e := range s.Entries {
		switch {
		case e.Fact != nil:
			began = e.Fact.Kind != steps.StepStarted
		case e.Code != nil:
			began = true
		case len(e.Checks) > 0 && !began:
			out = append(out, reportLine{at: e.At, text: "before it ran:"})
		}
		out = append(out, e.lines()...)
	}
	return out
}

func (e entryOf) lines() []reportLine {
	switch {
	case e.Fact != nil:
		return []reportLine{{at: e.At, text: factText(*e.Fact)}}
	case e.Gate != nil:
		return gateLines(e.At, *e.Gate)
	case e.Code != nil:
		return e.codeLines()
	case e.Ended != nil:
		return []reportLine{{at: e.At, text: fmt.Sprintf("block %d: %s", e.Ended.Block+1, exitText(*e.Ended))}}
	case e.Intent != nil:
		return []reportLine{{at: e.At, text: intentText(*e.Intent)}}
	case e.Beside != nil:
		return []reportLine{{at: e.At, text: besideText(*e.Beside)}}
	case e.Edit != nil:
		return []reportLine{editLine(e.At, *e.Edit)}
	case e.Note != "":
		return []reportLine{{at: e.At, text: "note: " + e.Note}}
	}
	var out []reportLine
	for _, c := range e.Checks {
		out = append(out, reportLine{at: e.At, text: checkText(e.At, c)})
	}
	for _, c := range e.Changes {
		out = append(out, reportLine{at: e.At, text: because(c.Protects+" in "+c.Layer+": "+c.Now, c.Why)})
	}
	return out
}

// factText is a fact about a step in words.
func factText(f steps.Event) string {
	text := map[steps.EventKind]string{
		steps.StepExited: "its commands are through", steps.StepHeld: "done: all that is expected holds", steps.StepUnmet: "what is expected doesn't hold",
		steps.StepSatisfied: "satisfied, nothing was run", steps.StepTicked: "ticked off by hand", steps.StepSkipped: "skipped",
		steps.StepCancelled: "stopped", steps.StepReopened: "open again", steps.StepFailed: "could not be carried out",
	}[f.Kind]
	switch {
	case f.Kind == steps.StepCancelled && f.Why == "":
		return text + " by the operator"
	case f.Kind == steps.StepExited && f.Exit != 0:
		return fmt.Sprintf("failed: exit status %d", f.Exit)
	case text == "":
		text = string(f.Kind)
	}
	return because(text, f.Why)
}

func because(text, why string) string {
	if why == "" {
		return text
	}
	return text + ": " + why
}

func checkText(at time.Time, c journal.CheckData) string {
	text := fmt.Sprintf("%s %s: %s", world.Answer(c.Answer).Sign(), c.Role, because(c.Text, c.Why))
	if age := at.Sub(c.Seen); !c.Seen.IsZero() && age >= time.Second {
		text += " (" + world.Span(age) + " old)"
	}
	return text
}

func exitText(e journal.EndData) string {
	text := fmt.Sprintf("exit %d", e.Exit)
	if e.Exit < 0 {
		text = "could not be carried out"
	}
	if e.Statement > 0 {
		text = fmt.Sprintf("statement %d of %d: %s", e.Statement, e.Of, text)
	}
	return because(text, e.Why)
}

func intentText(i journal.IntentData) string {
	text := fmt.Sprintf("block %d: is about to write the new value", i.Block+1)
	if i.Version > 0 {
		text += fmt.Sprintf(" on top of version %d", i.Version)
	}
	return text
}

// besideText says how a command in the background ended.
func besideText(b journal.BesideData) string {
	how := fmt.Sprintf("exit status %d", b.Exit)
	if b.Signal != "" {
		how = b.Signal
	}
	why := map[journal.StopReason]string{"": "ended by itself", journal.StoppedByOperator: "was stopped by the operator", journal.StoppedWithRun: "was ended with the run"}[b.Stopped]
	if why == "" {
		why = "was ended"
	}
	return fmt.Sprintf("block %d in the background %s: %s (pid %d, since %s)", b.Block+1, why, how, b.PID, b.Since.Local().Format("15:04:05"))
}

func gateLines(at time.Time, g journal.GateData) []reportLine {
	answer := "passed"
	switch {
	case !g.Passed:
		answer = "not passed"
	case g.Accepted:
		answer = "accepted beforehand"
	case g.Words != "":
		answer = "confirmed by typing: " + g.Words
	}
	out := []reportLine{{at: at, text: fmt.Sprintf("gate: %s, %s, %s", g.Decision, g.Class, answer)}}
	for _, list := range []struct {
		name string
		text []string
	}{{"warning", g.Warnings}, {"reason", g.Reasons}, {"lost", g.Losses}} {
		for _, text := range list.text {
			out = append(out, reportLine{text: list.name + ": " + text})
		}
	}
	return out
}

func (e entryOf) codeLines() []reportLine {
	ran := reportLine{at: e.At, text: fmt.Sprintf("runs block %d", e.Code.Block+1)}
	if e.Code.Statement > 0 {
		ran.text += fmt.Sprintf(", statement %d of %d", e.Code.Statement, e.Code.Of)
	}
	if e.Code.Edited {
		ran.text += ", as the operator edited it"
	}
	if strings.TrimSpace(e.Code.Code) == "" {
		ran.text += ", an action"
	} else {
		ran.code = []reportCode{{"$", e.Code.Code}}
	}
	size := fmt.Sprintf("%d bytes", e.Bytes)
	if e.Lost {
		size = "missing"
	}
	return []reportLine{ran, {text: "output: " + filepath.Base(e.Code.Output) + ", " + size}}
}

func editLine(at time.Time, d journal.EditData) reportLine {
	line := reportLine{at: at, text: fmt.Sprintf("the operator edited block %d", d.Block+1)}
	switch {
	case d.Withheld:
		line.text += "; a secret was in it, which isn't kept"
	case d.Code == d.Document:
		line.text += " back to what the document says"
		return line
	}
	line.code = []reportCode{{"-", d.Document}, {"+", d.Code}}
	return line
}
