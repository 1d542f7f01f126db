package tui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"runbook/internal/engine"
	"runbook/internal/screen"
	"runbook/internal/steps"
)

// awkward is a runbook whose author has not thought of small terminals: wide
// characters everywhere, endless titles, and a help text as long as a page.
func awkward() *fakeEngine {
	rb := &steps.Runbook{
		Title: "本番環境のクラスタを立ち上げる手順書 👩‍🚀 with a title that is longer than any header has room for, on any terminal",
		Params: []steps.Param{
			{Name: "REGION", Help: strings.Repeat("地域の名前。 A help text that goes on and on, and on. ", 12), Example: "東京"},
			{Name: "SIZE", Choices: []string{"小さい", "medium 🚀"}},
		},
	}
	f := fakeOf(rb,
		shellStep("check", "確認 🚀 とても長いタイトルなので画面に収まらない, a very very long title indeed", "> 引用文も長くなることがあり、左側の線は切れてはいけない。 A quoted line that is wrapped.", "echo 日本語"),
		shellStep("second", "Second", "", "echo 2"))
	f.plan.Values = steps.Values{"REGION": {Text: "東京", Source: steps.FromForm}, "SIZE": {Text: "小さい", Source: steps.FromForm}}
	f.output["check"] = engine.Output{Lines: []string{strings.Repeat("長い行", 60), "日本語の出力 👩‍🚀 ❤️ 🇩🇪", "a\tb"}}
	f.gates["second"] = deletion()
	return f
}

// seated runs the interface on a terminal in memory.
func seated(t *testing.T, f *fakeEngine, known steps.Values, width, height int) *screen.Screen {
	t.Helper()
	m := New(t.Context(), Config{Runbook: f.plan.Runbook, Values: known,
		Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) { return f, nil }})
	return screen.Start(t, m, screen.Options{Width: width, Height: height})
}

// everySize are the terminals that a walk is held on, the small ones first.
var everySize = [][2]int{{40, 10}, {60, 20}, {80, 24}, {160, 50}}

func TestAFieldIsSeenHoweverLongItsHelpIs(t *testing.T) {
	for _, size := range everySize {
		s := seated(t, awkward(), nil, size[0], size[1])
		s.WaitFor("REGION", "地域の名前", "> e.g. 東京", "enter next")
		if size[1] < 20 && !strings.Contains(s.Text(), " …") {
			t.Errorf("%v: the help was cut without saying so:\n%s", size, s.Text())
		}
		s.Type("大阪\r")
		s.WaitFor("> 小さい")
		s.Type("\r")
		s.WaitFor("0/2")
	}
}

func TestNothingOverflowsWhateverItsAuthorWrote(t *testing.T) {
	f := awkward()
	for _, size := range everySize {
		s := seated(t, f, f.plan.Values, size[0], size[1])
		s.WaitFor("0/2")
		for _, page := range []struct{ keys, sees string }{
			{"", "引用文"}, {"\t\t", "日本語の出力"}, {"?", "run the step"}, {"\x1b", "enter run"},
			{"v", "REGION"}, {"\r", "Change REGION"}, {"\x1b", "Variables"}, {"\x1b", "enter run"}, {"m", "Messages"}, {"\x1b", "enter run"},
		} {
			s.Type(page.keys)
			s.WaitFor(page.sees)
			for _, row := range strings.Split(s.Text(), "\n") {
				if ansi.StringWidth(row) > size[0] {
					t.Errorf("%v: a row of %d cells: %q", size, ansi.StringWidth(row), row)
				}
			}
		}
	}
}

func TestTheKeysOfADialogAreInIt(t *testing.T) {
	f := awkward()
	for _, size := range [][2]int{everySize[0], everySize[3]} {
		s := seated(t, f, f.plan.Values, size[0], size[1])
		s.WaitFor("0/2")
		for _, d := range []struct{ keys, title, how string }{
			{"?", "Keys", "esc closes"}, {"v", "Variables", "esc closes"}, {"v\r", "Change REGION", "esc leaves it"}, {"vj\r", "Change SIZE", "↑/↓ choose"},
			{"b", "In the background", "esc closes"}, {"s", "Skip 1", "esc leaves"}, {"e", "For this run only", "ctrl+s keeps"}, {"q", "Quit?", "esc"},
		} {
			s.Type(d.keys)
			s.WaitFor(d.title, d.how)
			s.Type("\x1b")
			s.WaitGone(d.how)
			if strings.HasPrefix(d.keys, "v") && len(d.keys) > 1 {
				s.WaitFor("Variables")
				s.Type("\x1b")
			}
			s.WaitGone("Variables")
		}
	}
}

func TestADialogSurvivesEveryResizeWithWhatWasTyped(t *testing.T) {
	f := awkward()
	s := seated(t, f, f.plan.Values, 160, 50)
	s.WaitFor("0/2")
	s.Type("v\r")
	s.WaitFor("Change REGION")
	s.Type("都")
	for _, size := range [][2]int{{60, 20}, {40, 10}, {20, 4}, {5, 2}, {80, 24}, {160, 50}} {
		s.Resize(size[0], size[1])
		if size[0] < minWidth || size[1] < minHeight {
			s.WaitFor("needs")
			continue
		}
		s.WaitFor("Change REGION", "› 東京都")
	}
	s.WaitFor("REGION becomes 東京都")
	s.Type("\r")
	s.WaitGone("Change REGION")
	f.locked(func() {
		if got := strings.Join(f.changed, " "); got != "REGION=東京都" {
			t.Errorf("changed %q", got)
		}
	})
}

func TestNothingIsTypedIntoADialogThatIsTooSmallToBeSeen(t *testing.T) {
	f := bringUp()
	d := onVariables(t, f, 80, 24)
	d.press("enter")
	d.tell(tea.WindowSizeMsg{Width: 20, Height: 4})
	d.write("x")
	d.press("enter", "esc")
	d.tell(tea.PasteMsg{Content: "y"})
	d.tell(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.sees("Change CLUSTER", "› cicd-test2 ")
	if len(f.changed) != 0 {
		t.Errorf("sent %v", f.changed)
	}
}

func TestEscapeTwiceInOneReadIsEscapeTwice(t *testing.T) {
	s := seated(t, bringUp(), bringUp().plan.Values, 80, 24)
	s.WaitFor("2/5")
	s.Type("v\r")
	s.WaitFor("Change CLUSTER")
	s.Type("\x1b\x1b")
	s.WaitGone("Change CLUSTER")
	s.WaitGone("Variables")
}

func TestOneDialogIsSeenAtATime(t *testing.T) {
	d := onRun(t, bringUp(), 40, 10)
	d.press("v", "enter")
	d.sees("Change CLUSTER")
	d.lacks("enter changes it · esc closes") // of the list below it
	d.press("esc")
	d.sees("Variables", "enter changes it · esc closes")
}
