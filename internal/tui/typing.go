package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// typing is the mode in which keys go to the program that runs.
type typing struct {
	on     bool
	step   string
	escape bool   // the last key was escape
	queue  []byte // not sent yet
	sent   int    // the request that carries keys, or 0
}

// startTyping gives the keyboard to the program of the step.
func (m Model) startTyping() (Model, tea.Cmd) {
	if m.run.busy == "" {
		return m.notify(true, "nothing runs that could read keys"), nil
	}
	if m.run.busy != m.run.stepID() {
		m = m.selected(m.run.index[m.run.busy])
	}
	m.run.typing = typing{on: true, step: m.run.busy}
	return m.withFocus(outputPane), nil
}

// stopTyping takes the keyboard back. When the program has ended by itself,
// keys that were meant for it are still on their way.
func (m Model) stopTyping(ended bool) (Model, tea.Cmd) {
	m.run.typing = typing{}
	if ended {
		return m.held(true)
	}
	return m, nil
}

// typed sends a key to the program; ctrl-] or a second escape leaves.
func (m Model) typed(k tea.KeyPressMsg) (Model, tea.Cmd) {
	escape := k.String() == "esc"
	if k.String() == "ctrl+]" || escape && m.run.typing.escape {
		return m.stopTyping(false)
	}
	m.run.typing.escape = escape
	return m.sendKeys(keyBytes(k))
}

// pasted goes where keys go, but never answers a question.
func (m Model) pasted(msg tea.PasteMsg) (Model, tea.Cmd) {
	switch {
	case m.size.X > 0 && m.layout().small:
		return m, nil
	case len(m.dialogs) > 0:
		return m.toDialog(msg)
	case m.phase == asking:
		text, ok := pastedLine(msg.Content)
		if !ok {
			m.form.said = saidLines
			return m, nil
		}
		return m.toForm(tea.PasteMsg{Content: text})
	case m.phase == picking && m.picker.typing:
		m.picker = m.picker.filtered(m.picker.filter + oneLine(msg.Content))
	case m.phase == running && m.run.typing.on:
		m.run.typing.escape = false
		return m.sendKeys([]byte(strings.ReplaceAll(msg.Content, "\n", "\r")))
	}
	return m, nil
}

const saidLines = "a paste of several lines is no value; nothing of it was taken"

// pastedLine is a paste as a value. The line break behind a copied line isn't
// part of it; one inside would become something else without a word.
func pastedLine(content string) (text string, ok bool) {
	text = strings.TrimRight(content, "\r\n")
	return text, !strings.ContainsAny(text, "\r\n")
}

// sendKeys keeps the order of keys: one request at a time carries them.
func (m Model) sendKeys(keys []byte) (Model, tea.Cmd) {
	t := &m.run.typing
	t.queue = append(t.queue[:len(t.queue):len(t.queue)], keys...)
	if t.sent != 0 || len(t.queue) == 0 {
		return m, nil
	}
	m, id := m.newSerial()
	step, eng, send := m.run.typing.step, m.run.eng, m.run.typing.queue
	m.run.typing.sent, m.run.typing.queue = id, nil
	return m, after(request{id: id, what: askedType, step: step}, func() error { return eng.Type(step, send) })
}

func (m Model) typedCame(msg answeredMsg) (Model, tea.Cmd) {
	if msg.err != nil {
		m = m.notify(true, "could not type: "+msg.err.Error())
	}
	if msg.to.id != m.run.typing.sent {
		return m, nil
	}
	m.run.typing.sent = 0
	return m.sendKeys(nil)
}

// keyBytes is what a terminal sends for a key.
func keyBytes(k tea.KeyPressMsg) []byte {
	prefix := ""
	if k.Mod.Contains(tea.ModAlt) {
		prefix = "\x1b"
	}
	if special, ok := specialKeys[k.Code]; ok {
		return []byte(prefix + special)
	}
	if k.Mod.Contains(tea.ModCtrl) {
		if c := k.Code; c == '?' {
			return []byte(prefix + "\x7f")
		} else if c == ' ' || c >= '@' && c <= '_' || c >= 'a' && c <= 'z' {
			return []byte(prefix + string(c&0x1f))
		}
	}
	if k.Text != "" {
		return []byte(prefix + k.Text)
	}
	if k.Mod.Contains(tea.ModAlt) && k.Code < 0x7f && k.Code >= ' ' {
		return []byte(prefix + string(k.Code))
	}
	return nil
}

var specialKeys = map[rune]string{
	tea.KeyEnter: "\r", tea.KeyTab: "\t", tea.KeyBackspace: "\x7f", tea.KeyEscape: "\x1b",
	tea.KeyUp: "\x1b[A", tea.KeyDown: "\x1b[B", tea.KeyRight: "\x1b[C", tea.KeyLeft: "\x1b[D",
	tea.KeyHome: "\x1b[H", tea.KeyEnd: "\x1b[F", tea.KeyInsert: "\x1b[2~", tea.KeyDelete: "\x1b[3~",
	tea.KeyPgUp: "\x1b[5~", tea.KeyPgDown: "\x1b[6~",
	tea.KeyF1: "\x1bOP", tea.KeyF2: "\x1bOQ", tea.KeyF3: "\x1bOR", tea.KeyF4: "\x1bOS",
	tea.KeyF5: "\x1b[15~", tea.KeyF6: "\x1b[17~", tea.KeyF7: "\x1b[18~", tea.KeyF8: "\x1b[19~",
	tea.KeyF9: "\x1b[20~", tea.KeyF10: "\x1b[21~", tea.KeyF11: "\x1b[23~", tea.KeyF12: "\x1b[24~",
}
