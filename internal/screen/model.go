package screen

import (
	"io"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Options are the terminal that a model runs on.
type Options struct {
	Width, Height int                  // in cells; 80 by 24 when zero
	Profile       colorprofile.Profile // the colours it can show; none when zero
}

// Start runs the model until it quits or the test ends.
func Start(t testing.TB, m tea.Model, o Options) *Screen {
	t.Helper()
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 80, 24
	}
	if o.Profile == colorprofile.Unknown {
		o.Profile = colorprofile.NoTTY
	}
	s := newScreen(t, o.Width, o.Height)
	_, _ = s.term.Write([]byte("\x1b[20h")) // \n also returns the carriage: no tty driver does it for us
	keys, typed := io.Pipe()
	s.input = typed
	p := tea.NewProgram(m, tea.WithContext(t.Context()), tea.WithInput(keys), tea.WithOutput(s),
		tea.WithWindowSize(o.Width, o.Height), tea.WithColorProfile(o.Profile),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignals())
	s.resize = func(width, height int) { p.Send(tea.WindowSizeMsg{Width: width, Height: height}) }

	answered := make(chan struct{})
	go func() { defer close(answered); _, _ = io.Copy(io.Discard, s.term) }() // the emulator blocks if its answers aren't read
	go func() {
		defer close(s.exited)
		_, s.err = p.Run()
		_ = keys.CloseWithError(io.ErrClosedPipe) // a test that types on must not hang
	}()
	t.Cleanup(func() { // t.Context is cancelled by now
		<-s.exited
		s.end(answered)
	})
	return s
}
