package tui

import (
	"image"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// pressed sends a key to who has the keyboard. Escape pressed twice arrives as
// one key with alt where a slow line has put both into one read.
func (m Model) pressed(k tea.KeyPressMsg) (Model, tea.Cmd) {
	if k.Code == tea.KeyEscape && k.Mod == tea.ModAlt {
		k.Mod = 0
		m, first := m.pressed(k)
		m, second := m.pressed(k)
		return m, tea.Batch(first, second)
	}
	if m.size.X > 0 && m.layout().small {
		return m.pressedSmall(k)
	}
	m.told = true
	switch {
	case len(m.dialogs) > 0:
		return m.toDialog(k)
	case m.phase == picking:
		return m.pick(k)
	case m.phase == asking:
		return m.toForm(k)
	case m.phase == starting:
		return m.pressedStarting(k)
	case m.run.typing.on:
		return m.typed(k)
	case m.run.hold.all && !key.Matches(k, m.keys.Stop):
		return m.held(true)
	}
	return m.pressedRun(k)
}

// pressedSmall follows a key while nothing can be seen: no answer is taken
// that nobody can have read the question of.
func (m Model) pressedSmall(k tea.KeyPressMsg) (Model, tea.Cmd) {
	if !key.Matches(k, m.keys.Stop) || m.run.busy != "" {
		return m, nil
	}
	return m.quit()
}

// pressedRun follows a key of the run.
func (m Model) pressedRun(k tea.KeyPressMsg) (Model, tea.Cmd) {
	if m.run.search.query != "" {
		switch {
		case key.Matches(k, m.keys.FindNext):
			return m.found(1), nil
		case key.Matches(k, m.keys.FindBack):
			return m.found(-1), nil
		case k.String() == "esc":
			m.run.search = search{}
			return m, nil
		}
	}
	for _, b := range m.bindings() {
		if key.Matches(k, b.key) {
			return b.does(m)
		}
	}
	return m, nil
}

type binding struct {
	key  key.Binding
	does action
}

// bindings say what the keys of the run do.
func (m Model) bindings() []binding {
	k := m.keys
	return []binding{
		{k.Run, Model.runStep},
		{k.Statement, Model.runStatement},
		{k.Next, Model.showNext},
		{k.Stop, Model.stopOrQuit},
		{k.Quit, Model.askQuit},
		{k.Skip, Model.askSkip},
		{k.Tick, Model.askTick},
		{k.Note, Model.askNote},
		{k.Edit, Model.askEdit},
		{k.Input, Model.startTyping},
		{k.Copy, Model.copyCode},
		{k.Find, Model.askFind},
		{k.Up, scrolled(-1)},
		{k.Down, scrolled(1)},
		{k.PageUp, paged(-1)},
		{k.PageDown, paged(1)},
		{k.Top, scrolled(-1 << 30)},
		{k.Bottom, scrolled(1 << 30)},
		{k.Focus, focused(1)},
		{k.FocusBack, focused(-1)},
		{k.Zoom, Model.zoomed},
		{k.Variables, Model.showVariables},
		{k.Beside, Model.showBeside},
		{k.Messages, Model.showMessages},
		{k.Refresh, Model.refresh},
		{k.Help, Model.showHelp},
		{k.Suspend, Model.suspend},
	}
}

// showNext shows the next step. Behind the output of the one before, where there
// is room for one pane only, that is the step that the run has moved on to.
func (m Model) showNext() (Model, tea.Cmd) {
	if !m.oneAtATime() || m.run.focus != outputPane {
		return m.selected(m.run.at + 1), nil
	}
	if m.run.outputOf() == m.run.stepID() {
		m = m.selected(m.run.at + 1)
	}
	return m.withFocus(stepPane), nil
}

// scrolled moves in the pane that has the focus: to another step in the list
// of steps, by lines elsewhere.
func scrolled(by int) action {
	return func(m Model) (Model, tea.Cmd) { return m.scroll(m.run.focus, by), nil }
}

func paged(by int) action {
	return func(m Model) (Model, tea.Cmd) {
		page := max(1, m.layout().inner(m.run.focus).Y-1)
		return m.scroll(m.run.focus, by*page), nil
	}
}

func (m Model) scroll(p pane, by int) Model {
	switch p {
	case stepsPane:
		last := len(m.run.plan.Steps) - 1
		return m.selected(min(max(0, m.run.at+max(-last-1, min(by, last+1))), last))
	case outputPane:
		m.run = m.run.scrollOutput(by, m.layout().inner(outputPane).Y)
	default:
		m.run.top[p] = max(0, min(m.run.top[p]+by, 1<<20)) // settle clamps to what there is
	}
	return m
}

// scrollOutput leaves the end of the output, or goes back to following it.
func (s session) scrollOutput(by, height int) session {
	end := max(0, len(s.page.output.Lines)-height)
	if !s.loose {
		s.top[outputPane] = end
	}
	s.top[outputPane] = max(0, min(s.top[outputPane]+max(-1<<20, min(by, 1<<20)), end))
	s.loose = s.top[outputPane] < end
	return s
}

func focused(by int) action {
	return func(m Model) (Model, tea.Cmd) {
		return m.withFocus((m.run.focus + pane(by) + paneCount) % paneCount), nil
	}
}

func (m Model) withFocus(p pane) Model {
	m.run.focus = p
	m.run.stale |= staleLines
	return m.keepInView()
}

func (m Model) zoomed() (Model, tea.Cmd) {
	m.run.zoom = !m.run.zoom
	m.run.stale |= staleLines
	return m.sized().keepInView(), nil
}

// keepInView scrolls the list of steps to the one that is shown.
func (m Model) keepInView() Model {
	if room := m.layout().inner(stepsPane).Y; room > 0 {
		m.run.top[stepsPane] = max(m.run.at-room+1, min(m.run.top[stepsPane], m.run.at))
	}
	return m
}

// moused follows the mouse, which can look around but never answer.
func (m Model) moused(msg tea.MouseMsg) (Model, tea.Cmd) {
	_, wheel := msg.(tea.MouseWheelMsg)
	if len(m.dialogs) > 0 {
		if wheel {
			return m.toDialog(msg)
		}
		return m, nil
	}
	if m.phase != running || m.layout().small {
		return m, nil
	}
	at := msg.Mouse()
	l := m.layout()
	p, ok := l.at(image.Pt(at.X, at.Y))
	_, click := msg.(tea.MouseClickMsg)
	switch {
	case click && image.Pt(at.X, at.Y).In(l.tabs):
		return m.clickedTab(at.X), nil
	case !ok:
	case click:
		return m.clicked(p, at.Y-l.panes[p].Min.Y-1), nil
	case wheel && at.Button == tea.MouseWheelUp:
		return m.wheel(p, -3), nil
	case wheel && at.Button == tea.MouseWheelDown:
		return m.wheel(p, 3), nil
	}
	return m, nil
}

// wheel scrolls a pane without choosing another step.
func (m Model) wheel(p pane, by int) Model {
	if p == stepsPane {
		m.run.top[p] = max(0, m.run.top[p]+by)
		return m
	}
	return m.scroll(p, by)
}

func (m Model) clicked(p pane, row int) Model {
	m = m.withFocus(p)
	if i := m.run.top[stepsPane] + row; p == stepsPane && row >= 0 && i < len(m.run.plan.Steps) && row < m.layout().inner(p).Y {
		m = m.selected(i)
	}
	return m
}

func (m Model) clickedTab(x int) Model {
	left := 1
	for p := range paneCount {
		right := left + len(p.name()) + 2
		if x >= left && x < right {
			return m.withFocus(p)
		}
		left = right + 1
	}
	return m
}
