package tui

import (
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"runbook/internal/engine"
	"runbook/internal/guard"
)

// View draws the present moment; it only reads. (A dialog notes how much room
// it had, which is what its next scrolling is clamped to.)
func (m Model) View() tea.View {
	v := tea.NewView(strings.Join(m.frame(), "\n"))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = m.windowTitle()
	v.ProgramStatus = m.programStatus()
	return v
}

// frame is every row of the screen, each exactly as wide as it.
func (m Model) frame() []string {
	if m.size.X <= 0 || m.size.Y <= 0 {
		return nil // the size comes after the first view
	}
	if m.layout().small {
		return m.drawSmall()
	}
	rows := m.drawPhase()
	if last := len(m.dialogs) - 1; last >= 0 { // what is below it comes back when it closes
		d := m.dialogs[last]
		lines := d.draw(m.theme, m.size)
		at := m.size.Sub(image.Pt(cells(lines[0]), len(lines))).Div(2)
		if d.low() {
			at.X, at.Y = 0, m.size.Y-len(lines)
		}
		rows = over(rows, lines, at)
	}
	for i, row := range rows {
		rows[i] = drawable(row)
	}
	return rows
}

func (m Model) drawPhase() []string {
	switch m.phase {
	case picking:
		return m.drawPicker()
	case asking:
		return m.drawForm()
	case starting:
		return m.drawStart()
	}
	return m.drawRun()
}

// drawSmall says what size is needed. Nothing can be confirmed meanwhile.
func (m Model) drawSmall() []string {
	rows := blank(m.size)
	text := "needs " + itoa(minWidth) + "×" + itoa(minHeight) + ", has " + itoa(m.size.X) + "×" + itoa(m.size.Y)
	for i, line := range wrapWords(text, m.size.X) {
		if i < len(rows) {
			rows[i] = fit(line, m.size.X)
		}
	}
	return rows
}

func (m Model) drawRun() []string {
	l, s, t := m.layout(), m.run, m.theme
	rows := []string{m.header(l.header.Dx())}
	if s.alert() {
		rows = append(rows, fit(" "+t.danger.Render("!")+" "+t.unsure.Render(oneLine(s.where.Drift)), l.header.Dx()))
	}
	if l.narrow {
		rows = append(rows, fit(m.tabBar(), l.tabs.Dx()))
		rows = append(rows, m.paneBox(s.focus).draw(l.panes[s.focus].Size())...)
	} else {
		var columns [][]string
		for _, p := range []pane{stepsPane, stepPane, livePane} {
			columns = append(columns, m.paneBox(p).draw(l.panes[p].Size()))
		}
		rows = append(rows, beside(columns...)...)
		rows = append(rows, m.paneBox(outputPane).draw(l.panes[outputPane].Size())...)
	}
	return append(rows, fit(" "+m.bottomLine(l.footer.Dx()-2, t), l.footer.Dx()))
}

// paneBox is a pane with its visible lines.
func (m Model) paneBox(p pane) box {
	l, s, t := m.layout(), m.run, m.theme
	in := l.inner(p)
	b := box{title: p.name(), heavy: s.focus == p, style: t.border}
	if b.heavy {
		b.style = t.focus
	}
	switch p {
	case stepsPane:
		b.lines = m.outlineRows(in.X, in.Y)
		b.foot = position(s.top[p], in.Y, len(s.plan.Steps))
	case stepPane:
		if step := s.step(); step != nil {
			b.title = itoa(step.N) + " " + oneLine(step.Title)
		}
		b.lines = window(s.page.step, s.top[p], in.Y)
		b.foot = position(s.top[p], in.Y, len(s.page.step))
		b.marks = s.search.marks(p, b.lines, from(s.top[p], len(b.lines)))
	case livePane:
		b.lines = window(s.page.liveLines, s.top[p], in.Y)
		b.foot = position(s.top[p], in.Y, len(s.page.liveLines))
	case outputPane:
		if id := s.outputOf(); id != s.stepID() {
			step := &s.plan.Steps[s.index[id]]
			b.title += " of " + itoa(step.N) + " " + oneLine(step.Title)
		}
		rows, of := s.outputRows(in.X, in.Y)
		b.lines = rows
		b.note = s.outputNote(m.cfg.Now())
		b.foot = s.outputFoot(len(b.lines), in.Y)
		b.marks = s.search.marks(p, rows, of)
	}
	b.title = t.title.Render(b.title)
	return b
}

// tabBar names the panes and marks the one that is shown, in words as well as
// in bold.
func (m Model) tabBar() string {
	var tabs []string
	for p := range paneCount {
		name := p.name()
		if p == m.run.focus {
			name = m.theme.title.Render("[" + name + "]")
		} else {
			name = " " + name + " "
		}
		tabs = append(tabs, name)
	}
	return " " + strings.Join(tabs, " ")
}

// outlineRows are the visible steps.
func (m Model) outlineRows(width, height int) []string {
	s, t := m.run, m.theme
	var rows []string
	for i := s.top[stepsPane]; i < len(s.plan.Steps) && len(rows) < height; i++ {
		step := &s.plan.Steps[i]
		st := s.state.Steps[step.ID]
		cursor, title := " ", itoa(step.N)+" "+oneLine(step.Title)
		if i == s.at {
			cursor, title = t.accent.Render("›"), t.chosen.Render(title)
		} else if st.Status.Settled() {
			title = t.faint.Render(title)
		}
		beside := " "
		if s.runsBeside(step.ID) {
			beside = t.running.Render("&")
		}
		rows = append(rows, fit(cursor+t.status(st.Status, step.ID == s.next)+beside+title, width))
	}
	return rows
}

// bottomLine is the newest notice, until a key is pressed, or what keys do.
func (m Model) bottomLine(width int, t theme) string {
	if n := len(m.notices); n > 0 && !m.told {
		sign := t.accent.Render("·")
		if m.notices[n-1].bad {
			sign = t.danger.Render("!")
		}
		return sign + " " + ansi.Truncate(m.notices[n-1].text, max(0, width-2), "… (m shows all)")
	}
	if len(m.dialogs) > 0 {
		return "" // the keys are the dialog's
	}
	s := m.run
	at := situation{typing: s.typing.on, hits: s.search.query != "", busy: s.busy != "" && s.busy == s.stepID(), held: s.hold.id != 0, paused: s.paused != nil && s.busy == s.stepID(),
		beside: slices.ContainsFunc(s.beside, engine.Beside.Running), narrow: width < 50}
	return t.helpLine(m.keys.short(at), width)
}

func (m Model) windowTitle() string {
	title := "runbook"
	if m.runbook != nil {
		title += ": " + m.cfg.Written(m.runbook.Title)
	}
	if c := m.run.where.Context; c != "" {
		title += " · " + c
	}
	return oneLine(title)
}

// programStatus tells terminals that ask whether somebody is needed.
func (m Model) programStatus() *tea.ProgramStatus {
	status := &tea.ProgramStatus{State: tea.ProgramStateIdle, App: "runbook", Title: m.windowTitle()}
	asks := false
	for _, d := range m.dialogs {
		if c, ok := d.(confirm); ok && c.gate.Decision == guard.Confirm {
			asks = true
		}
	}
	switch {
	case m.leaving && m.run.next != "": // the report stays behind when the program is gone
	case asks || m.phase == asking:
		status.State = tea.ProgramStateBlocked
	case m.phase == starting && m.start.err != nil:
		status.State = tea.ProgramStateError
	case m.phase == starting || m.run.busy != "":
		status.State = tea.ProgramStateWorking
	case m.phase == running && m.run.next == "":
		status.State = tea.ProgramStateDone
	}
	return status
}
