package tui

import (
	tea "charm.land/bubbletea/v2"

	"runbook/internal/steps"
	"runbook/internal/world"
)

func (m Model) showMessages() (Model, tea.Cmd) {
	notices := m.notices
	return m.open(newPager("Messages, newest first", func(t theme, width int) []string {
		var lines []string
		for i := len(notices) - 1; i >= 0; i-- {
			sign := "· "
			if notices[i].bad {
				sign = t.failed.Render("✗") + " "
			}
			lines = append(lines, hang(sign, notices[i].text, width)...)
		}
		if len(lines) == 0 {
			lines = []string{"none so far"}
		}
		return lines
	})), nil
}

func (m Model) showHelp() (Model, tea.Cmd) {
	groups := m.keys.full()
	return m.open(newPager("Keys", func(t theme, width int) []string {
		var lines []string
		for _, g := range groups {
			lines = append(lines, t.title.Render(g.name))
			for _, b := range g.keys {
				lines = append(lines, hang("  "+t.accent.Render(fit(b.Help().Key, 14))+" ", b.Help().Desc, width)...)
			}
		}
		lines = append(lines, t.title.Render("Signs"),
			"  ✓ done   ▸ next   · to do   ✗ failed", "  … runs   ⏸ waits  - left out   ? not known", "  & runs in the background")
		return lines
	})), nil
}

// donePager sums up a run that is over.
func donePager(s session) pager {
	p := newPager("Done", func(t theme, width int) []string { return doneLines(t, s, width) })
	p.foot = "q quits · esc looks around"
	p.onKey = map[string]action{"q": Model.quit}
	if s.besideRunning() > 0 {
		p.onKey["b"] = Model.showBeside
	}
	return p
}

func doneLines(t theme, s session, width int) []string {
	settled, taken := s.state.Count()
	lines := []string{t.passed.Render("✓") + " " + itoa(settled) + " of " + itoa(taken) + " done"}
	if n := s.besideRunning(); n > 0 {
		lines = append(lines, hang(t.running.Render("&")+" ", count(n, "command still runs", "commands still run")+" in the background; quitting stops what runs, b lists it", width)...)
	}
	if !s.spent.from.IsZero() && s.spent.to.After(s.spent.from) {
		lines = append(lines, "  in "+world.Span(s.spent.to.Sub(s.spent.from)))
	}
	for _, list := range []struct {
		status steps.Status
		title  string
	}{{steps.Skipped, "Skipped"}, {steps.Ticked, "Ticked off by hand"}, {steps.Satisfied, "Held already"}, {steps.NotTaken, "Not taken"}} {
		first := true
		for i := range s.plan.Steps {
			step := &s.plan.Steps[i]
			st := s.state.Steps[step.ID]
			if st.Status != list.status {
				continue
			}
			if first {
				lines, first = append(lines, "", t.title.Render(list.title)), false
			}
			text := itoa(step.N) + " " + oneLine(step.Title)
			if st.Why != "" {
				text += ": " + oneLine(st.Why)
			}
			lines = append(lines, hang("  "+t.status(st.Status, false)+" ", text, width)...)
		}
	}
	return lines
}
