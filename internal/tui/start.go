package tui

import (
	"context"
	"errors"
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/steps"
	"runbook/internal/world"
)

// A start is the building of the engine, which may take long or fail.
type start struct {
	id     int
	cancel context.CancelFunc
	since  time.Time
	err    error
}

// startEngine builds the engine in the background.
func (m Model) startEngine() (Model, tea.Cmd) {
	m, id := m.newSerial()
	ctx, cancel := context.WithCancel(m.ctx)
	m.phase = starting
	m.start = start{id: id, cancel: cancel, since: m.cfg.Now()}
	build, rb, values := m.cfg.Start, m.runbook, m.values
	return m, func() tea.Msg {
		eng, err := build(ctx, rb, values)
		return startedMsg{id: id, engine: eng, err: err}
	}
}

func (m Model) started(msg startedMsg) (Model, tea.Cmd) {
	if m.phase != starting || msg.id != m.start.id {
		return m, nil // given up; its context has ended
	}
	if msg.err != nil {
		m.start.cancel()
		m.start.err = msg.err
		return m, nil
	}
	return m.enter(msg.engine)
}

// pressedStarting follows a key while the engine is built.
func (m Model) pressedStarting(k tea.KeyPressMsg) (Model, tea.Cmd) {
	failed := m.start.err != nil
	switch k.String() {
	case "q", "ctrl+c":
		return m.quit()
	case "r", "enter", "ctrl+m":
		if failed {
			return m.startEngine()
		}
	case "e", "esc":
		if asked := m.askedFor(); len(asked) > 0 {
			m.start.cancel()
			return m.ask(asked)
		}
	}
	return m, nil
}

// askedFor are the parameters that came from the form and can be given again.
func (m Model) askedFor() []steps.Param {
	var asked []steps.Param
	for _, p := range m.runbook.Params {
		if m.values[p.Name].Source == steps.FromForm {
			asked = append(asked, p)
		}
	}
	return asked
}

func (m Model) drawStart() []string {
	t, w := m.theme, m.size.X
	lines := []string{"", " " + t.title.Render(oneLine(m.cfg.Written(m.runbook.Title))), ""}
	if m.start.err == nil {
		lines = append(lines, m.busyLines(w)...)
	} else {
		lines = append(lines, m.failedLines(w)...)
	}
	rows := make([]string, 0, m.size.Y)
	for _, line := range window(lines, 0, m.size.Y-1) {
		rows = append(rows, fit(line, w))
	}
	rows = append(rows, blank(image.Pt(w, m.size.Y-1-len(rows)))...)
	return append(rows, fit(" "+t.faint.Render(m.startHelp()), w))
}

func (m Model) startHelp() string {
	help := "q quit"
	if len(m.askedFor()) > 0 {
		help = "e other values · " + help
	}
	if m.start.err != nil {
		help = "r try again · " + help
	}
	return help
}

func (m Model) busyLines(width int) []string {
	doing := "getting ready"
	if m.cfg.Target != "" {
		doing = "looking at " + oneLine(m.cfg.Target)
	}
	lines := hang(" "+m.theme.running.Render("…")+" ", doing, width)
	if waited := m.cfg.Now().Sub(m.start.since); waited >= 3*time.Second {
		lines = append(lines, "   "+m.theme.faint.Render("for "+world.Span(waited)+"; nothing has been run"))
	}
	return lines
}

// failedLines say what went wrong, why, and what to do.
func (m Model) failedLines(width int) []string {
	lines := hang(" "+m.theme.failed.Render("✗")+" ", "the run could not be started; nothing has been run", width)
	lines = append(lines, hang("   ", oneLine(m.start.err.Error()), width)...)
	var hinted interface{ Hint() string }
	if errors.As(m.start.err, &hinted) && hinted.Hint() != "" {
		lines = append(lines, hang("   → ", oneLine(hinted.Hint()), width)...)
	}
	return lines
}
