package tui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A dialog has the keys while it is on top. It knows nothing of the engine:
// what follows from it is an action.
type dialog interface {
	// HandleMsg returns the dialog after a key, a paste or a turn of the wheel,
	// nil when it closes, and what follows, or nil.
	HandleMsg(msg tea.Msg) (dialog, action)
	// draw returns the dialog's lines, all of one width, at most of the size.
	draw(t theme, size image.Point) []string
	// low dialogs stand at the bottom, so that what they are about stays seen.
	low() bool
}

// An action is what follows from a dialog, once it has been put back or closed.
type action func(Model) (Model, tea.Cmd)

// grace is for how long the keyboard must be quiet before a dialog that opened
// by itself listens: a key that was on its way was meant for something else.
const grace = 700 * time.Millisecond

// A quiet is a grace period of a dialog; the zero value is over.
type quiet struct{ id int }

func (q quiet) on() bool { return q.id != 0 }

// hushed are the dialogs with a grace period.
type hushed interface {
	dialog
	quietID() int
	hush(id int) dialog
}

// open puts a dialog on top.
func (m Model) open(d dialog) Model {
	m.dialogs = append(m.dialogs[:len(m.dialogs):len(m.dialogs)], d)
	return m
}

// openQuietly puts a dialog on top that nobody's key press opened just now.
func (m Model) openQuietly(d hushed) (Model, tea.Cmd) {
	return m.open(d).hushTop()
}

// hushTop starts the grace period of the top dialog, again if need be.
func (m Model) hushTop() (Model, tea.Cmd) {
	last := len(m.dialogs) - 1
	if last < 0 {
		return m, nil
	}
	d, ok := m.dialogs[last].(hushed)
	if !ok {
		return m, nil
	}
	m, id := m.newSerial()
	return m.replaceTop(d.hush(id)), m.quietAfter(id)
}

func (m Model) quietAfter(id int) tea.Cmd {
	return m.cfg.After(grace, func(time.Time) tea.Msg { return quietEndedMsg{id: id} })
}

func (m Model) replaceTop(d dialog) Model {
	stack := append([]dialog(nil), m.dialogs...)
	stack[len(stack)-1] = d
	m.dialogs = stack
	return m
}

// quietEnded lets keys count again, if the period is still the one it was.
func (m Model) quietEnded(msg quietEndedMsg) Model {
	if m.run.hold.id == msg.id {
		m.run.hold = hold{}
	}
	stack := append([]dialog(nil), m.dialogs...)
	for i := range stack {
		if d, ok := stack[i].(hushed); ok && d.quietID() == msg.id {
			stack[i] = d.hush(0)
		}
	}
	m.dialogs = stack
	return m
}

// toDialog gives a message to the top dialog and does what follows.
func (m Model) toDialog(msg tea.Msg) (Model, tea.Cmd) {
	last := len(m.dialogs) - 1
	d, follow := m.dialogs[last].HandleMsg(msg)
	if d == nil {
		m.dialogs = m.dialogs[:last:last]
	} else {
		m = m.replaceTop(d)
	}
	if follow == nil {
		return m, nil
	}
	return follow(m)
}

// say is an action that shows a notice.
func say(bad bool, text string) action {
	return func(m Model) (Model, tea.Cmd) { return m.notify(bad, text), nil }
}

// keepQuiet is what follows from a key that came in a grace period.
func keepQuiet(m Model) (Model, tea.Cmd) { return m.hushTop() }

// dialogWidth is how wide dialogs are.
func dialogWidth(size image.Point) int {
	if size.X < 70 {
		return size.X
	}
	return min(size.X-6, 92)
}

// A scroller is the place in a text that is longer than its room.
type scroller struct{ top int }

// move follows a key or the wheel, and tells whether it was for scrolling. The
// upper end is clamped when drawing, where the room is known.
func (s scroller) move(msg tea.Msg) (scroller, bool) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			s.top -= 3
		case tea.MouseWheelDown:
			s.top += 3
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "up":
			s.top--
		case "down":
			s.top++
		case "pgup":
			s.top -= 8
		case "pgdown":
			s.top += 8
		case "home":
			s.top = 0
		case "end":
			s.top = 1 << 30
		default:
			return s, false
		}
	default:
		return s, false
	}
	s.top = max(0, s.top)
	return s, true
}

// within is the scroller moved to where there is something to see.
func (s scroller) within(lines, room int) scroller {
	s.top = max(0, min(s.top, lines-room))
	return s
}
