package tui

import (
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// StopMsg asks the program to stop as the key for it does: somebody has sent it
// the signal that ctrl-z sends to others.
type StopMsg struct{}

// ContinuedMsg says that the program goes on after it was stopped without being
// asked, or that somebody wakes it who wants to see it. The input of the terminal
// is as the program needs it by now; what is on its screen, and what is switched
// on there, isn't known.
type ContinuedMsg struct{}

// stoppableMsg says that a shell is there which can bring the program back.
type stoppableMsg struct{}

// drawerEnds is how long the terminal rests before the program is stopped. The
// last thing that Bubble Tea's drawing routine does is to stop the ticker that its
// successor draws by; it is about to when the terminal is given back, but nobody
// waits for it, and after the stop it would be too late.
const drawerEnds = 20 * time.Millisecond

// A suspension gives the terminal back, stops the program, and takes it again.
type suspension struct {
	stop func() error
	err  error // why it could not be stopped
}

func (*suspension) SetStdin(io.Reader)  {}
func (*suspension) SetStdout(io.Writer) {}
func (*suspension) SetStderr(io.Writer) {}

// Run keeps its own error apart from those of the terminal.
func (s *suspension) Run() error {
	<-time.After(drawerEnds)
	s.err = s.stop()
	return nil
}

// suspend asks whether somebody can bring the program back, before the terminal
// is given to nobody.
func (m Model) suspend() (Model, tea.Cmd) {
	if m.cfg.Suspend == nil {
		return m.notify(true, "can't be suspended here"), nil
	}
	if m.cfg.Suspendable == nil {
		return m.suspended()
	}
	can := m.cfg.Suspendable
	return m, func() tea.Msg {
		if err := can(); err != nil {
			return answeredMsg{to: request{what: askedSuspend}, err: err}
		}
		return stoppableMsg{}
	}
}

// suspended stops the program until a shell brings it back. What runs goes on.
func (m Model) suspended() (Model, tea.Cmd) {
	s := &suspension{stop: m.cfg.Suspend}
	return m, tea.Exec(s, func(err error) tea.Msg {
		if s.err != nil {
			err = s.err
		}
		return answeredMsg{to: request{what: askedSuspend}, err: err}
	})
}

// retaken switches on again all that the interface needs of a screen, and draws
// it anew. What is on already stays so.
func (m Model) retaken() (Model, tea.Cmd) {
	on := ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + ansi.SetModeBracketedPaste +
		ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr + ansi.SetModifyOtherKeys2 +
		ansi.KittyKeyboard(ansi.KittyDisambiguateEscapeCodes, 1) + ansi.SetWindowTitle(m.windowTitle())
	return m, tea.Sequence(tea.Raw(on), tea.ClearScreen, tea.RequestWindowSize)
}
