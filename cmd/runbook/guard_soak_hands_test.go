package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	tea "charm.land/bubbletea/v2"
)

// A tally is what became of one tale.
type tally struct {
	tale                                              string
	events, runs, asked, started, gated, turned, bare int
}

func table(counts []*tally) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "runbook\tevents\truns\tgates asked\tturned away\tcommands run\tof these dangerous\twithout words\t")
	var sum tally
	for _, c := range counts {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", c.tale, c.events, c.runs, c.asked, c.turned, c.started, c.gated, c.bare)
		sum.events, sum.runs, sum.asked, sum.turned = sum.events+c.events, sum.runs+c.runs, sum.asked+c.asked, sum.turned+c.turned
		sum.started, sum.gated, sum.bare = sum.started+c.started, sum.gated+c.gated, sum.bare+c.bare
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", sum.events, sum.runs, sum.asked, sum.turned, sum.started, sum.gated, sum.bare)
	_ = w.Flush() // to memory
	return b.String()
}

var soakKeys = []string{"enter", "enter", "enter", "space", "space", "esc", "tab", "j", "k", "G", "up", "down", "pgdown", "ctrl+c", "s", "t", "n", "N", "e",
	"i", "y", "/", "v", "m", "?", "z", "q", "r", "x", "X", "ctrl+u", "ctrl+s", "ctrl+d", "ctrl+]", "g", "backspace"}

var soakTexts = []string{"schmetterpause", "schmetterpause-db", "rotate session key", "yes", "y", "database", "namespace",
	"kubectl delete ns schmetterpause", "vault kv put cicd-test2/schmetterpause password=x", "because"}

func (s *soak) press(name string) {
	s.remember(name, "")
	s.tell(soakKey(name))
}

func (s *soak) write(text string) {
	for _, r := range text {
		s.remember("", string(r))
		s.tell(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// remember keeps what was really typed.
func (s *soak) remember(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case text != "":
		s.typed = append(s.typed, text...)
	case name == "enter":
		s.typed = append(s.typed, '\n')
	case name == "space":
		s.typed = append(s.typed, ' ')
	case name == "backspace":
		if n := len(s.typed); n > 0 && s.typed[n-1] != '\n' && s.typed[n-1] != 0 {
			s.typed = s.typed[:n-1]
		}
	case len(name) == 1:
		s.typed = append(s.typed, name...)
	case name == "ctrl+u":
		s.typed = append(s.typed, 0)
	}
}

func soakKey(name string) tea.KeyPressMsg {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
		"up": tea.KeyUp, "down": tea.KeyDown, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace}
	switch code, ok := special[name]; {
	case name == "space":
		return tea.KeyPressMsg{Code: code, Text: " "}
	case ok:
		return tea.KeyPressMsg{Code: code}
	case strings.HasPrefix(name, "ctrl+"):
		return tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
}
