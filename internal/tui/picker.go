package tui

import (
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// A picker is a list of runbooks, narrowed down by what is typed behind "/".
type picker struct {
	choices []Choice
	shown   []int // indexes into choices
	at      int   // index into shown
	filter  string
	typing  bool
	opening int // the request under way, or 0
	said    string
}

func newPicker(choices []Choice) picker {
	p := picker{choices: choices}
	return p.filtered("")
}

func (p picker) filtered(by string) picker {
	p.filter, p.at, p.shown = by, 0, nil
	for i, c := range p.choices {
		text := strings.ToLower(c.Name + " " + c.Purpose + " " + c.Title)
		if strings.Contains(text, strings.ToLower(by)) {
			p.shown = append(p.shown, i)
		}
	}
	return p
}

func (p picker) moved(by int) picker {
	p.at = max(0, min(p.at+by, len(p.shown)-1))
	return p
}

// pick follows a key of the picker.
func (m Model) pick(k tea.KeyPressMsg) (Model, tea.Cmd) {
	p := m.picker
	p.said = ""
	if p.typing {
		m.picker = p.typed(k)
		return m, nil
	}
	switch k.String() {
	case "j", "down":
		p = p.moved(1)
	case "k", "up":
		p = p.moved(-1)
	case "pgdown":
		p = p.moved(max(1, m.size.Y-4))
	case "pgup":
		p = p.moved(-max(1, m.size.Y-4))
	case "g", "home":
		p = p.moved(-len(p.shown))
	case "G", "end":
		p = p.moved(len(p.shown))
	case "/":
		p.typing = true
	case "esc":
		p = p.filtered("")
	case "q", "ctrl+c":
		return m.quit()
	case "enter", "ctrl+m":
		m.picker = p
		return m.openChoice()
	}
	m.picker = p
	return m, nil
}

func (p picker) typed(k tea.KeyPressMsg) picker {
	switch k.String() {
	case "enter", "ctrl+m":
		p.typing = false
	case "esc", "ctrl+c":
		p = p.filtered("")
		p.typing = false
	case "backspace":
		if r := []rune(p.filter); len(r) > 0 {
			p = p.filtered(string(r[:len(r)-1]))
		}
	default:
		if printable(k.Text) {
			p = p.filtered(p.filter + k.Text)
		}
	}
	return p
}

func (m Model) openChoice() (Model, tea.Cmd) {
	if m.picker.opening != 0 || len(m.picker.shown) == 0 {
		return m, nil
	}
	m, id := m.newSerial()
	m.picker.opening = id
	path, open := m.picker.choices[m.picker.shown[m.picker.at]].Path, m.cfg.Open
	return m, func() tea.Msg {
		rb, values, err := open(path)
		return openedMsg{id: id, runbook: rb, values: values, err: err}
	}
}

func (m Model) opened(msg openedMsg) (Model, tea.Cmd) {
	if m.phase != picking || msg.id != m.picker.opening {
		return m, nil
	}
	m.picker.opening = 0
	if msg.err != nil {
		m.picker.said = oneLine(msg.err.Error())
		return m, nil
	}
	return m.begin(msg.runbook, msg.values)
}

// drawPicker draws the list around the choice.
func (m Model) drawPicker() []string {
	p, t, w := m.picker, m.theme, m.size.X
	rows := []string{fit(t.title.Render(" Which runbook?")+"  "+t.faint.Render(count(len(p.shown), "runbook", "runbooks")), w), fit("", w)}
	room := max(1, m.size.Y-4)
	top := max(0, min(p.at-room/2, len(p.shown)-room))
	for i := top; i < min(len(p.shown), top+room); i++ {
		rows = append(rows, p.row(t, i, w))
	}
	if len(p.shown) == 0 {
		none := "   none were found"
		if p.filter != "" {
			none = "   none that match"
		}
		rows = append(rows, fit(none, w))
	}
	rows = append(rows, blank(image.Pt(w, m.size.Y-2-len(rows)))...)
	rows = append(rows, fit(p.status(t), w))
	return append(rows, fit(" "+t.faint.Render("enter open · j/k move · / narrow down · q quit"), w))
}

func (p picker) row(t theme, i, width int) string {
	c := p.choices[p.shown[i]]
	cursor, name := "   ", oneLine(c.Name)
	if i == p.at {
		cursor, name = " "+t.accent.Render("▸")+" ", t.chosen.Render(name)
	}
	if width < 80 {
		return fit(cursor+name+"  "+t.faint.Render(oneLine(c.Title)), width)
	}
	left := cursor + fit(name, 26) + " " + t.accent.Render(fit(oneLine(c.Purpose), 14)) + " " + oneLine(c.Title)
	return sides(left, t.faint.Render(count(c.Steps, "step", "steps"))+" ", width)
}

func (p picker) status(t theme) string {
	switch {
	case p.opening != 0:
		return " … opening " + ansi.Truncate(oneLine(p.choices[p.shown[p.at]].Path), 60, "…")
	case p.said != "":
		return " " + t.failed.Render("✗") + " " + p.said
	case p.typing:
		return " / " + oneLine(p.filter) + "█"
	case p.filter != "":
		return " / " + oneLine(p.filter)
	}
	return ""
}
