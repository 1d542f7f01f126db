package tui

import (
	"cmp"
	"image"
	"strings"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// A prompt asks for one line.
type prompt struct {
	title    string
	help     string
	input    textinput.Model
	required bool
	atBottom bool
	said     string
	written  func(text string) string // see [Config.Written]
	then     func(text string) action
}

func (m Model) newPrompt(title, help string, then func(text string) action) prompt {
	return prompt{title: title, help: help, input: newInput(), written: m.cfg.Written, then: then}
}

func (p prompt) low() bool { return p.atBottom }

func (p prompt) HandleMsg(msg tea.Msg) (dialog, action) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch msg.String() {
		case "esc", "ctrl+c":
			return nil, nil
		case "enter", "ctrl+m":
			text := strings.TrimSpace(p.input.Value())
			if text == "" && p.required {
				p.said = "a reason is needed; it goes into the record"
				return p, nil
			}
			return nil, p.then(text)
		}
		p.said = ""
	case tea.PasteMsg:
		msg.Content = oneLine(msg.Content)
		p.input, _ = p.input.Update(msg)
		return p, nil
	case tea.MouseMsg:
		return p, nil
	}
	p.input, _ = p.input.Update(msg)
	return p, nil
}

func (p prompt) draw(t theme, size image.Point) []string {
	width := dialogWidth(size)
	if p.atBottom {
		width = size.X
	}
	in := covered(p.input, p.written)
	in.SetWidth(max(1, width-8))
	lines := []string{}
	if p.help != "" {
		lines = append(lines, wrapWords(p.help, width-4)...)
	}
	lines = append(lines, in.View())
	if p.said != "" {
		lines = append(lines, t.failed.Render("✗ "+p.said))
	}
	lines = window(lines, len(lines)-max(1, size.Y-2), size.Y-2)
	b := box{title: t.title.Render(p.title), foot: "enter · esc leaves", lines: lines, heavy: true, style: t.focus}
	return b.draw(image.Pt(width, len(lines)+2))
}

// covered is a line for the eye: a known secret that was typed, or pasted, is
// covered as soon as it is whole.
func covered(in textinput.Model, written func(string) string) textinput.Model {
	if shown := written(in.Value()); shown != in.Value() {
		in.SetValue(shown)
		in.CursorEnd()
	}
	return in
}

// An editor changes the code of one block.
type editor struct {
	title string
	was   string
	area  textarea.Model

	written func(text string) string // see [Config.Written]
	then    func(code string) action
}

// shownTab stands for a tab while code is edited: the text area would make
// blanks of it, and a here-document would no longer be the same.
const shownTab = "⇥"

func (m Model) newEditor(title, code string, then func(code string) action) editor {
	in := textarea.New()
	in.ShowLineNumbers = false
	in.Prompt = ""
	in.CharLimit = 0
	in.MaxHeight = 0
	in.KeyMap.Paste.SetEnabled(false)
	styles := in.Styles()
	styles.Cursor.Blink = false
	in.SetStyles(styles)
	in.SetValue(strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\t", shownTab))
	in.MoveToBegin()
	in.Focus()
	return editor{title: title, was: code, area: in, written: m.cfg.Written, then: then}
}

func (e editor) low() bool { return false }

func (e editor) HandleMsg(msg tea.Msg) (dialog, action) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch msg.String() {
		case "esc", "ctrl+c":
			return nil, say(false, "left as it was")
		case "ctrl+s":
			return e.keep()
		case "tab", "ctrl+i":
			e.area.InsertString(shownTab)
			return e, nil
		}
	case tea.MouseMsg:
		return e, nil
	}
	e.area, _ = e.area.Update(msg)
	return e, nil
}

func (e editor) keep() (dialog, action) {
	code := strings.ReplaceAll(e.area.Value(), shownTab, "\t")
	if strings.HasSuffix(e.was, "\n") {
		code += "\n"
	}
	if code == e.was {
		return nil, say(false, "left as it was")
	}
	return nil, e.then(code)
}

func (e editor) draw(t theme, size image.Point) []string {
	width, height := dialogWidth(size), max(3, min(size.Y, max(e.area.LineCount()+4, 8)))
	in := e.area
	if shown := e.written(in.Value()); shown != in.Value() { // as a line is [covered]
		row := in.Line()
		in.SetValue(shown)
		in.MoveToBegin()
		for range row {
			in.CursorDown()
		}
		in.CursorEnd()
	}
	in.SetWidth(max(1, width-4))
	in.SetHeight(max(1, height-2))
	b := box{title: t.title.Render(e.title), foot: "ctrl+s keeps · esc leaves it as it was",
		lines: strings.Split(in.View(), "\n"), heavy: true, style: t.focus}
	return b.draw(image.Pt(width, height))
}

// An option is an answer to a question.
type option struct {
	key  string
	does string
	then action
}

// A question has a few answers, each under its own key. Escape is none of them.
type question struct {
	title   string
	text    string
	options []option
	leave   string // what esc does; "stay" when empty
}

func (q question) low() bool { return false }

func (q question) HandleMsg(msg tea.Msg) (dialog, action) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return q, nil
	}
	for _, o := range q.options {
		if k.String() == o.key {
			return nil, o.then
		}
	}
	if k.String() == "esc" {
		return nil, nil
	}
	return q, nil
}

func (q question) draw(t theme, size image.Point) []string {
	width := min(dialogWidth(size), 64)
	lines := append(wrapWords(q.text, width-4), "")
	for _, o := range append(q.options, option{key: "esc", does: cmp.Or(q.leave, "stay")}) {
		lines = append(lines, fit(t.accent.Render(o.key), 8)+o.does)
	}
	lines = window(lines, len(lines)-max(1, size.Y-2), size.Y-2)
	b := box{title: t.title.Render(q.title), lines: lines, heavy: true, style: t.focus}
	return b.draw(image.Pt(width, len(lines)+2))
}
