package tui

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/steps"
)

// variables lists the parameters of the run; one can be chosen and changed.
type variables struct {
	params  []steps.Param
	values  steps.Values
	strayed []string // that a step has given another value in the session
	at      int
	area    *area
}

func (m Model) showVariables() (Model, tea.Cmd) {
	v := variables{params: m.run.plan.Runbook.Params, area: &area{}}
	return m.open(v.refreshed(m.run)), nil
}

// refreshed is the list with the values as they are now.
func (v variables) refreshed(s session) variables {
	v.values, v.strayed = s.plan.Values, s.eng.Strayed()
	return v
}

func (v variables) low() bool { return false }

func (v variables) HandleMsg(msg tea.Msg) (dialog, action) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			return v.moved(-1), nil
		case tea.MouseWheelDown:
			return v.moved(1), nil
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "j", "down", "tab", "ctrl+i":
			return v.moved(1), nil
		case "k", "up", "shift+tab":
			return v.moved(-1), nil
		case "g", "home", "pgup":
			return v.moved(-len(v.params)), nil
		case "G", "end", "pgdown":
			return v.moved(len(v.params)), nil
		case "enter", "ctrl+m", "e":
			if v.at < len(v.params) {
				return v, editVariable(v.params[v.at])
			}
		case "esc", "q", "v", "ctrl+c":
			return nil, nil
		}
	}
	return v, nil
}

func (v variables) moved(by int) variables {
	v.at = max(0, min(v.at+by, len(v.params)-1))
	return v
}

func (v variables) draw(t theme, size image.Point) []string {
	width := dialogWidth(size)
	var body []string
	from, to := 0, 0 // the lines of the chosen one
	for i, p := range v.params {
		if i == v.at {
			from = len(body)
		}
		body = append(body, v.lines(t, i, p, width-4)...)
		if i == v.at {
			to = len(body)
		}
	}
	foot := "enter changes it · esc closes"
	if len(v.params) == 0 {
		body, foot = []string{"this runbook asks for nothing"}, "esc closes"
	}
	room := max(1, min(len(body), size.Y-2))
	top := max(0, min(v.area.lines, len(body)-room)) // where it was
	top = min(max(top, to-room), from)
	v.area.lines = top
	b := box{title: t.title.Render("Variables"), note: position(top, room, len(body)), foot: foot,
		lines: window(body, top, room), heavy: true, style: t.focus}
	return b.draw(image.Pt(width, min(size.Y, room+2)))
}

// nameWidth is the room for names: of the longest, but never more than a third.
func (v variables) nameWidth(width int) int {
	longest := 0
	for _, p := range v.params {
		longest = max(longest, cells(oneLine(p.Name)))
	}
	return min(longest, width/3)
}

func (v variables) lines(t theme, i int, p steps.Param, width int) []string {
	cursor := "  "
	if i == v.at {
		cursor = t.accent.Render("▸") + " "
	}
	value := v.values[p.Name]
	line, source := cursor+fit(oneLine(p.Name), v.nameWidth(width))+" "+valueText(t, p, value), sourceText(value.Source)
	var lines []string
	if cells(line)+2+cells(source) <= width {
		lines = []string{line + t.faint.Render("  "+source)}
	} else {
		lines = []string{fit(line, width), fit("    "+t.faint.Render(source), width)}
	}
	if p.Help != "" {
		help := hang("    ", oneLine(p.Help), width)
		if most := 2; len(help) > most {
			help = append(help[:most-1:most-1], fit(help[most-1]+" "+help[most], width))
		}
		lines = append(lines, help...)
	}
	if slices.Contains(v.strayed, p.Name) {
		lines = append(lines, hang("  "+t.unsure.Render("!")+" ", "a step has given it another value: commands see that one, until it is changed here", width)...)
	}
	return lines
}
