package tui

import (
	"image"

	tea "charm.land/bubbletea/v2"
)

// A pager shows a text; any of its keys closes it.
type pager struct {
	quiet
	scroller
	title string
	text  func(t theme, width int) []string
	foot  string
	onKey map[string]action // keys that do more than close it
	bad   bool
	area  *area
}

func newPager(title string, text func(t theme, width int) []string) pager {
	return pager{title: title, text: text, foot: "esc closes", area: &area{}}
}

func (p pager) quietID() int       { return p.quiet.id }
func (p pager) hush(id int) dialog { p.quiet = quiet{id}; return p }
func (p pager) low() bool          { return false }

func (p pager) HandleMsg(msg tea.Msg) (dialog, action) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() { // pagers take the keys of the panes too
		case "j":
			msg = tea.KeyPressMsg{Code: tea.KeyDown}
		case "k":
			msg = tea.KeyPressMsg{Code: tea.KeyUp}
		case "space":
			msg = tea.KeyPressMsg{Code: tea.KeyPgDown}
		}
	}
	if s, ok := p.move(msg); ok {
		p.scroller = s.within(p.area.lines, p.area.room)
		return p, nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return p, nil
	}
	if p.on() {
		return p, keepQuiet
	}
	if follow, ok := p.onKey[k.String()]; ok {
		return nil, follow
	}
	switch k.String() {
	case "esc", "enter", "ctrl+m", "q", "?", "ctrl+c":
		return nil, nil
	}
	return p, nil
}

func (p pager) draw(t theme, size image.Point) []string {
	width := dialogWidth(size)
	body := p.text(t, width-4)
	room := max(1, min(len(body), size.Y-2))
	*p.area = area{lines: len(body), room: room}
	top := p.within(len(body), room).top
	b := box{title: t.title.Render(p.title), note: position(top, room, len(body)), foot: p.foot,
		lines: window(body, top, room), heavy: true, style: t.focus}
	if p.bad {
		b.style = t.danger
	}
	if len(body) > room {
		b.foot = "↑/↓ scroll · " + b.foot
	}
	if p.on() {
		b.foot = "… keys count in a moment"
	}
	return b.draw(image.Pt(width, min(size.Y, room+2)))
}
