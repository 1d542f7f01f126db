package screen

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// echo shows what it was told and quits on q.
type echo struct {
	size tea.WindowSizeMsg
	said []string
}

func (echo) Init() tea.Cmd { return nil }

func (e echo) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		e.size = msg
	case tea.PasteMsg:
		e.said = append(e.said, "pasted "+msg.Content)
	case tea.KeyPressMsg:
		if msg.String() == "q" {
			return e, tea.Quit
		}
		e.said = append(e.said, "key "+msg.String())
	}
	return e, nil
}

func (e echo) View() tea.View {
	red := lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Render("red")
	v := tea.NewView(fmt.Sprintf("%dx%d %s\n%s", e.size.Width, e.size.Height, red, strings.Join(e.said, "\n")))
	v.AltScreen = true
	return v
}

func TestAModelSeesKeysPastesAndSizes(t *testing.T) {
	s := Start(t, echo{}, Options{Width: 50, Height: 8})
	s.WaitFor("50x8 red")
	s.Type("a\r")
	s.WaitFor("key a", "key enter")
	s.Paste("two words")
	s.WaitFor("pasted two words")
	s.Resize(60, 10)
	s.WaitFor("60x10")
	s.WaitGone("50x8")
	s.Type("q")
	if err := s.WaitExit(); err != nil {
		t.Errorf("exit: %v, want none", err)
	}
}

func TestColoursAreThoseOfTheProfile(t *testing.T) {
	for profile, want := range map[colorprofile.Profile]bool{colorprofile.NoTTY: false, colorprofile.ANSI: true} {
		s := Start(t, echo{}, Options{Width: 20, Height: 3, Profile: profile})
		s.WaitFor("20x3 red")
		if got := strings.Contains(s.Styled(), "\x1b[31m"); got != want {
			t.Errorf("%v: red is coloured: %v, want %v in %q", profile, got, want, s.Styled())
		}
		s.Type("q")
		_ = s.WaitExit()
	}
}

func TestACommandRunsOnARealTerminal(t *testing.T) {
	script := `stty -echo; stty size; read x; echo "got $x"; trap 'stty size; exit 3' WINCH; echo ready; while :; do read y; done`
	s := StartCommand(t, exec.Command("bash", "-c", script), 40, 6)
	s.WaitFor("6 40")
	s.Type("hello\n")
	s.WaitFor("got hello", "ready")
	s.Resize(50, 9)
	s.Type("\n") // bash runs the trap once read returns
	s.WaitFor("9 50")
	var exit *exec.ExitError
	if err := s.WaitExit(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("exit: %v, want status 3", err)
	}
}

func TestTheLastLinesOfACommandAreKept(t *testing.T) {
	s := StartCommand(t, exec.Command("seq", "1", "5000"), 20, 5)
	if err := s.WaitExit(); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Text(), "4997\n4998\n4999\n5000"; got != want {
		t.Errorf("screen %q, want %q", got, want)
	}
}
