package screen

import (
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// patience is when a test that waits for something is taken to hang. Nothing
// is measured with it: a slow machine only has to be faster than this.
const patience = 30 * time.Second

// A Screen is a running program and the terminal it draws on.
type Screen struct {
	t       testing.TB
	term    *vt.SafeEmulator
	input   io.Writer
	pty     *os.File // of a command; nil for a model
	resize  func(width, height int)
	changed chan struct{} // holds at most one token: something was drawn
	exited  chan struct{} // closed once err is set
	err     error
	frames  frames // of the one goroutine that writes

	mu   sync.Mutex // guards said
	said []byte
}

func newScreen(t testing.TB, width, height int) *Screen {
	s := &Screen{
		t:       t,
		term:    vt.NewSafeEmulator(width, height),
		changed: make(chan struct{}, 1),
		exited:  make(chan struct{}),
	}
	s.knowsFrames()
	return s
}

// Write draws what the program prints, whole frames at a time.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.said = append(s.said, p...)
	s.mu.Unlock()
	if err := s.draw(s.frames.whole(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (s *Screen) draw(p []byte) error {
	_, err := s.term.Write(p)
	select {
	case s.changed <- struct{}{}:
	default: // somebody is about to look already
	}
	return err
}

// end ends the emulator. Its own Close races with Read, so the pipe is closed
// and the reader joined instead.
func (s *Screen) end(answered <-chan struct{}) {
	_ = s.term.InputPipe().(io.Closer).Close()
	<-answered
}

// Type sends keys as a terminal would: "\r" is enter, "\x1b" escape.
func (s *Screen) Type(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.input, keys); err != nil {
		s.t.Fatalf("type %q: %v; the screen was:\n%s", keys, err, s.Text())
	}
}

// Paste sends text the way terminals do that were asked for bracketed paste.
func (s *Screen) Paste(text string) {
	s.t.Helper()
	s.Type("\x1b[200~" + text + "\x1b[201~")
}

// Resize changes the size of the terminal and tells the program.
func (s *Screen) Resize(width, height int) {
	s.term.Resize(width, height)
	s.resize(width, height)
}

// Text returns the visible text without colours and trailing blanks.
func (s *Screen) Text() string {
	lines := strings.Split(ansi.Strip(s.term.Render()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Said returns all that the program has printed, as it printed it.
func (s *Screen) Said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.said)
}

// Styled returns what is visible with its colours.
func (s *Screen) Styled() string { return s.term.Render() }

// WaitFor waits until all of the texts are on the screen at once.
func (s *Screen) WaitFor(wants ...string) {
	s.t.Helper()
	s.waitUntil(func(text string) string {
		for _, want := range wants {
			if !strings.Contains(text, want) {
				return "missing: " + want
			}
		}
		return ""
	})
}

// WaitGone waits until the text is no longer on the screen.
func (s *Screen) WaitGone(unwanted string) {
	s.t.Helper()
	s.waitUntil(func(text string) string {
		if strings.Contains(text, unwanted) {
			return "still there: " + unwanted
		}
		return ""
	})
}

// waitUntil looks again whenever something was drawn, until lacks finds nothing
// to say. A program that has ended draws no more.
func (s *Screen) waitUntil(lacks func(text string) string) {
	s.t.Helper()
	hung := time.NewTimer(patience)
	defer hung.Stop()
	for {
		why := lacks(s.Text())
		if why == "" {
			return
		}
		select {
		case <-s.changed:
		case <-s.exited:
			if why = lacks(s.Text()); why == "" {
				return
			}
			s.t.Fatalf("%s; the program has ended (%v); the screen was:\n%s", why, s.err, s.Text())
		case <-hung.C:
			s.t.Fatalf("%s; the screen was:\n%s", why, s.Text())
		}
	}
}

// WaitExit waits for the program to end and returns its error.
func (s *Screen) WaitExit() error {
	s.t.Helper()
	hung := time.NewTimer(patience)
	defer hung.Stop()
	select {
	case <-s.exited:
	case <-hung.C:
		s.t.Fatalf("still running; the screen was:\n%s", s.Text())
	}
	return s.err
}
