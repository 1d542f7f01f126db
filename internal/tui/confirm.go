package tui

import (
	"image"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/guard"
)

// A confirm asks for the words of a gate. Everything but the exact words,
// typed, leaves things as they are.
type confirm struct {
	quiet
	scroller
	gate    guard.Gate
	changed string // why it is shown once more
	typed   string
	said    string // what became of the last key
	now     func() time.Time
	area    *area // of the last drawing, for clamping
}

// An area remembers how much room a text had when it was last drawn.
type area struct{ lines, room int }

const (
	saidNo    = "not confirmed; nothing was run"
	saidWrong = "those are not the words; nothing was run"
	saidPaste = "type it; a paste does not answer"
	typedMost = 200
)

func newConfirm(g guard.Gate, changed string, now func() time.Time) confirm {
	return confirm{gate: g, changed: changed, now: now, area: &area{}}
}

func (c confirm) quietID() int       { return c.quiet.id }
func (c confirm) hush(id int) dialog { c.quiet = quiet{id}; return c }
func (c confirm) low() bool          { return false }

func (c confirm) HandleMsg(msg tea.Msg) (dialog, action) {
	if s, ok := c.move(msg); ok {
		c.scroller = s.within(c.area.lines, c.area.room)
		return c, nil
	}
	switch msg := msg.(type) {
	case tea.PasteMsg:
		c.said = saidPaste
		return c, nil
	case tea.KeyPressMsg:
		if c.on() {
			return c, keepQuiet
		}
		return c.key(msg)
	}
	return c, nil
}

func (c confirm) key(k tea.KeyPressMsg) (dialog, action) {
	switch k.String() {
	case "esc", "ctrl+c":
		return nil, say(false, saidNo)
	case "enter", "ctrl+m":
		return c.enter()
	case "backspace", "ctrl+h":
		if r := []rune(c.typed); len(r) > 0 {
			c.typed = string(r[:len(r)-1])
		}
	case "ctrl+u":
		c.typed = ""
	default:
		if printable(k.Text) && len(c.typed)+len(k.Text) <= typedMost {
			c.typed += k.Text
		}
	}
	c.said = ""
	return c, nil
}

func (c confirm) enter() (dialog, action) {
	switch {
	case c.typed == "":
		return nil, say(false, saidNo)
	case c.gate.Words == "" || c.typed != c.gate.Words:
		c.typed, c.said = "", saidWrong
		return c, nil
	}
	step, answer := c.gate.Step, engine.Answer{Fingerprint: c.gate.Fingerprint, Words: c.typed}
	return nil, func(m Model) (Model, tea.Cmd) { return m.do(step, answer) }
}

func printable(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

func (c confirm) draw(t theme, size image.Point) []string {
	width := dialogWidth(size)
	foot := c.footer(t, width-4)
	body := gateBody(t, c.gate, c.changed, width-4, c.now())
	room := max(1, min(len(body), size.Y-2-len(foot)))
	*c.area = area{lines: len(body), room: room}
	top := c.within(len(body), room).top
	b := box{
		title: t.danger.Render(strings.ToUpper(c.gate.Class.String())) + t.title.Render(" "+oneLine(c.gate.Title)),
		note:  position(top, room, len(body)),
		lines: append(append([]string(nil), window(body, top, room)...), foot...),
		heavy: true,
		style: t.danger,
	}
	return b.draw(image.Pt(width, min(size.Y, room+len(foot)+2)))
}

// footer is what is always seen: the words, what has been typed, and the way out.
func (c confirm) footer(t theme, width int) []string {
	lines := []string{t.border.Render(strings.Repeat("─", width))}
	lines = append(lines, hang("Type  ", oneLine(c.gate.Words), width)...)
	lines = append(lines, fit("›     "+t.title.Render(c.typed)+"█", width))
	state := "enter: do it · any other answer, or esc: leave everything as it is"
	switch {
	case c.on():
		state = "… keys count once the keyboard was quiet for a moment"
	case c.said != "":
		state = "✗ " + c.said
	case width < 70:
		state = "enter: do it · esc: leave it"
	}
	return append(lines, t.faint.Render(fit(state, width)))
}
