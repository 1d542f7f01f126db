package tui

import (
	"io"

	tea "charm.land/bubbletea/v2"
)

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
	s.err = s.stop()
	return nil
}

// suspend stops the program until a shell brings it back. What runs goes on.
func (m Model) suspend() (Model, tea.Cmd) {
	if m.cfg.Suspend == nil {
		return m.notify(true, "can't be suspended here"), nil
	}
	s := &suspension{stop: m.cfg.Suspend}
	return m, tea.Exec(s, func(err error) tea.Msg {
		if s.err != nil {
			err = s.err
		}
		return answeredMsg{to: request{what: askedSuspend}, err: err}
	})
}
