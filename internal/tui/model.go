package tui

import (
	"context"
	"image"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/steps"
)

// A phase is what the interface is busy with.
type phase int

const (
	picking  phase = iota // a runbook is picked
	asking                // parameters are asked for
	starting              // the engine is built
	running               // the run is on the screen
)

// A Model is the interface at one moment.
type Model struct {
	ctx     context.Context
	cfg     Config
	size    image.Point // of the terminal in cells; zero until it is known
	theme   theme
	keys    keyMap
	phase   phase
	first   tea.Cmd // what the initial phase needs done
	serial  int     // the identity of the newest request or grace period
	runbook *steps.Runbook
	values  steps.Values
	picker  picker
	form    form
	start   start
	run     session
	dialogs []dialog // the last one is on top and has the keys
	notices []notice
	leaving bool
	told    bool // the newest notice has been read: a key was pressed since
}

// A notice is something that the operator should read.
type notice struct {
	text string
	bad  bool
}

// noticesKept is how many notices can be read again.
const noticesKept = 200

// Init starts what the first phase needs.
func (m Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.first, m.nextTick())
}

// Update is where everything arrives. It never waits.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := m.heard(msg)
	m, look := m.look()
	return m.settle(), tea.Batch(cmd, look)
}

func (m Model) heard(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return m.resized(msg)
	case tea.BackgroundColorMsg:
		return m.relit(msg.IsDark()).toForm(msg)
	case tea.KeyPressMsg:
		return m.pressed(msg)
	case tea.PasteMsg:
		return m.pasted(msg)
	case StopMsg:
		return m.suspend()
	case ContinuedMsg:
		return m.retaken()
	case stoppableMsg:
		return m.suspended()
	case tea.MouseMsg:
		return m.moused(msg)
	case tickedMsg:
		m.run.stale |= staleLines
		return m, m.nextTick()
	case quietEndedMsg:
		return m.quietEnded(msg), nil
	case openedMsg:
		return m.opened(msg)
	case startedMsg:
		return m.started(msg)
	case engineSaidMsg:
		return m.engineSaid(msg)
	case lookedMsg:
		return m.looked(msg), nil
	case weighedMsg:
		return m.weighedCame(msg), nil
	case answeredMsg:
		return m.answered(msg)
	case offerDoneMsg:
		return m.notify(false, msg.said), nil
	}
	return m.toForm(msg) // the form's own messages, and what nobody knows
}

// settle brings what is derived up to date, once for each message.
func (m Model) settle() Model {
	if m.phase == running {
		m.run = m.run.composed(m.layout(), m.theme, m.cfg.Now())
	}
	return m
}

func (m Model) layout() layout { return newLayout(m.size, m.run.focus, m.run.zoom, m.run.alert()) }

func (m Model) resized(msg tea.WindowSizeMsg) (Model, tea.Cmd) {
	first := m.size == image.Point{}
	m.size = image.Pt(max(0, msg.Width), max(0, msg.Height))
	if m.phase == running {
		if first {
			m.run.focus = m.firstFocus()
		}
		m.run.stale = everything
		m = m.sized()
	}
	return m.toForm(msg)
}

func (m Model) relit(dark bool) Model {
	m.theme = newTheme(dark)
	m.run.prose, m.run.stale = nil, everything
	return m
}

// newSerial gives out an identity that no request has had.
func (m Model) newSerial() (Model, int) {
	m.serial++
	return m, m.serial
}

// notify shows a text on the bottom line until the next key press.
func (m Model) notify(bad bool, text string) Model {
	m.notices = append(m.notices, notice{text: oneLine(text), bad: bad})
	if extra := len(m.notices) - noticesKept; extra > 0 {
		m.notices = m.notices[extra:]
	}
	m.told = false
	return m
}

// begin goes on with a runbook: to its form, or right to the start.
func (m Model) begin(rb *steps.Runbook, known steps.Values) (Model, tea.Cmd) {
	m.runbook, m.values = rb, known
	if missing := rb.Missing(known); len(missing) > 0 {
		return m.ask(missing)
	}
	return m.startEngine()
}

func (m Model) quit() (Model, tea.Cmd) {
	if m.start.cancel != nil && m.phase == starting {
		m.start.cancel()
	}
	m.leaving = true
	return m, tea.Quit
}
