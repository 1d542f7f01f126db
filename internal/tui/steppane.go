package tui

import (
	"strings"
	"time"

	"runbook/internal/engine"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// stepLines are the lines of the step pane: how it stands, what its author
// wrote with the commands in their places, and what is expected of it.
func (s session) stepLines(t theme, width int, now time.Time) []string {
	step := s.step()
	lines := append(s.statusLines(t, width, now), sinceLines(t, s.page.since, width)...)
	lines = append(lines, s.besideLines(t, width, now)...)
	if s.at == 0 && strings.TrimSpace(s.plan.Runbook.Intro) != "" {
		lines = append(append(lines, s.prose.lines(s.plan.Runbook.Intro)...), "")
	}
	for _, part := range step.Parts {
		var body []string
		switch {
		case part.Fence != nil:
			body = fenceLines(t, *part.Fence, width)
		case part.Prose != "":
			body = s.prose.lines(part.Prose)
		case part.Block >= 0 && part.Block < len(step.Blocks):
			body = s.blockLines(t, part.Block, width)
		}
		if len(body) > 0 {
			lines = append(append(lines, body...), "")
		}
	}
	lines = append(lines, s.aboutLines(t, width)...)
	return trimEmpty(append(lines, s.checkLines(t, width)...))
}

// statusLines say how the step stands, unless nothing has happened to it.
func (s session) statusLines(t theme, width int, now time.Time) []string {
	st := s.status()
	text := string(st.Status)
	switch st.Status {
	case steps.Pending:
		return nil
	case steps.Running, steps.Waiting:
		next := s.pausedBefore(s.stepID())
		switch {
		case st.Status == steps.Waiting:
			text = "waiting for what it expects"
		case next != nil:
			text = "waits before " + statementOf(next)
		}
		text += ", " + world.Span(now.Sub(st.Started))
		if next != nil {
			text += ": " + oneLine(next.Code)
		}
	case steps.Failed:
		if st.Exit != 0 {
			text += ", exit " + itoa(st.Exit)
		}
	case steps.Ticked:
		text = "ticked off by hand"
	case steps.Satisfied:
		text = "held already; nothing was run"
	case steps.Unsure:
		text = "was running when the record ended; not known how it went"
	case steps.Done:
		text += " in " + world.Span(st.Ended.Sub(st.Started))
	}
	if st.Why != "" {
		text += ": " + oneLine(st.Why)
	}
	return append(hang(t.status(st.Status, false)+" ", text, width), "")
}

// pausedBefore is the statement that a step waits before, or nil.
func (s session) pausedBefore(step string) *engine.Pause {
	if s.busy != step {
		return nil
	}
	return s.paused
}

func statementOf(p *engine.Pause) string {
	return "statement " + itoa(p.Statement) + " of " + itoa(p.Of)
}

// fenceLines are a fence that isn't a command here, and why.
func fenceLines(t theme, f steps.Fence, width int) []string {
	var lines []string
	for _, line := range plainLines(f.Code) {
		for _, part := range cutCode(line, width-2) {
			lines = append(lines, "  "+t.faint.Render(part))
		}
	}
	return append(lines, hang("  - ", t.faint.Render("not run: "+oneLine(f.Reason())), width)...)
}

// blockLines are the commands as they would run, and below them what they are
// or why they are not offered.
func (s session) blockLines(t theme, i, width int) []string {
	block := s.step().Blocks[i]
	style := t.code
	if !block.Offered {
		style = t.faint
	}
	var lines []string
	for _, line := range plainLines(s.codeOf(i)) {
		for _, part := range cutCode(line, width-2) {
			lines = append(lines, "  "+style.Render(part))
		}
	}
	lines = append(lines, s.editedLines(t, i, width)...)
	if !block.Offered {
		return append(lines, hang("  - ", "not offered: "+oneLine(block.Reason()), width)...)
	}
	if s.page.known && i < len(s.page.assessment.Blocks) {
		lines = append(lines, riskLines(t, block, s.page.assessment.Blocks[i], width)...)
	}
	return lines
}

// codeOf is what would run of a block, with the operator's edits, as it may be
// shown.
func (s session) codeOf(i int) string {
	step := s.step()
	code := s.page.code
	if !s.page.known {
		code = step.Code
	}
	if i >= len(code) || code[i] == "" {
		return step.Blocks[i].Code
	}
	return code[i]
}

// riskLines are the class and the number of commands, and the reasons where
// the class is one that asks.
func riskLines(t theme, b steps.Block, r risk.Result, width int) []string {
	what := "action"
	if b.Kind == steps.ShellBlock {
		what = count(len(r.Reasons), "command", "commands")
	}
	lines := []string{"  " + t.class(r.Class) + t.faint.Render(" · "+what)}
	for _, reason := range r.Reasons {
		if reason.Class >= risk.Unknown && reason.Why != "" {
			lines = append(lines, hang("  "+t.unsure.Render("!")+" ", reason.Class.String()+": "+oneLine(reason.Why), width)...)
		}
	}
	for _, note := range r.Notes {
		lines = append(lines, hang("  ! ", oneLine(note), width)...)
	}
	return lines
}

// aboutLines are what else must be known before the step is run.
func (s session) aboutLines(t theme, width int) []string {
	step := s.step()
	var lines []string
	say := func(sign, text string) { lines = append(lines, hang(sign+" ", oneLine(text), width)...) }
	if step.Cost != "" {
		say(t.danger.Render("!"), "cost: "+step.Cost)
	}
	if step.Manual {
		say("-", "done by hand; tick it off when it is")
	}
	if step.Interactive {
		say("-", "takes over the terminal while it runs")
	}
	if step.Background {
		say("-", "keeps running in the background")
	}
	if s.page.known && s.page.assessment.Endless {
		say(t.unsure.Render("!"), "one of its commands never ends by itself; ctrl-c stops it")
	}
	if step.Undo != "" {
		say("-", "taken back by step "+step.Undo)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// checkLines are the checklists, each with what can be said now.
func (s session) checkLines(t theme, width int) []string {
	var lines []string
	for _, list := range []struct {
		role  engine.Role
		title string
	}{{engine.BeforeRole, "Before"}, {engine.DoneRole, "Not needed when"}, {engine.ExpectRole, "Expect"}} {
		first := true
		for _, c := range s.page.checks {
			if c.Role != list.role {
				continue
			}
			if first {
				lines, first = append(lines, t.title.Render(list.title)), false
			}
			lines = append(lines, checkLine(t, c, width)...)
		}
	}
	return lines
}

func checkLine(t theme, c engine.Check, width int) []string {
	text := oneLine(c.Expect.Text)
	if c.Implied {
		text += " (from its commands)"
	}
	lines := hang("  "+t.answer(c.Verdict.Answer)+" ", text, width)
	if why := oneLine(c.Verdict.Why); why != "" {
		lines = append(lines, hang("    ", why, width)...)
	}
	return lines
}
