package tui

import (
	"errors"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/steps"
)

// A change asks for another value of a parameter, and says while it is given
// whether it may be that, and what it would mean for the run.
type change struct {
	scroller
	param   steps.Param
	now     steps.Value
	input   textinput.Model          // unless it is chosen
	written func(text string) string // see [Config.Written]
	choices []string
	pick    int
	weighed weighed
	sending int    // the request that carries it, or 0
	said    string // what became of the last key
	hasty   bool   // enter came before it was said what the value would mean
	area    *area
}

// weighed is what the engine said a text would mean; while id isn't 0 it has
// been asked about another one.
type weighed struct {
	id      int
	text    string
	known   bool
	meaning engine.Meaning
	err     error
	lines   func(t theme, width int) []string
}

// weighedMsg: the engine has said what a value would mean.
type weighedMsg struct {
	id      int
	text    string
	meaning engine.Meaning
	err     error
}

// editVariable opens the form for a parameter.
func editVariable(p steps.Param) action {
	return func(m Model) (Model, tea.Cmd) {
		c := newChange(p, m.run.plan.Values[p.Name])
		c.written = m.cfg.Written
		return weigh(m.open(c))
	}
}

func newChange(p steps.Param, now steps.Value) change {
	c := change{param: p, now: now, choices: p.Choices, area: &area{}}
	if p.Type == steps.BoolParam && len(c.choices) == 0 {
		c.choices = []string{"true", "false"}
	}
	if len(c.choices) > 0 {
		c.pick = max(0, slices.Index(c.choices, now.Text))
		return c
	}
	c.input = newInput()
	if p.Example != "" {
		c.input.Placeholder = "e.g. " + oneLine(p.Example)
	}
	if p.Secret {
		c.input.EchoMode, c.input.Placeholder = textinput.EchoNone, ""
	} else {
		c.input.SetValue(now.Text)
	}
	return c
}

// newInput is a line to type in.
func newInput() textinput.Model {
	in := textinput.New()
	in.Prompt = "› "
	in.KeyMap.Paste.SetEnabled(false) // would read the clipboard of the machine, which over SSH is another one
	styles := in.Styles()
	styles.Cursor.Blink = false
	in.SetStyles(styles)
	in.Focus()
	return in
}

func (c change) low() bool { return false }

// text is the value as it stands in the form.
func (c change) text() string {
	if len(c.choices) > 0 {
		return c.choices[c.pick]
	}
	return c.input.Value()
}

// complaint is why the text can't be the value; nobody is blamed for a secret
// that isn't typed yet.
func (c change) complaint() string {
	if c.param.Secret && c.text() == "" {
		return ""
	}
	if err := c.param.Admit(c.text()); err != nil {
		return oneLine(err.Error())
	}
	return ""
}

func (c change) HandleMsg(msg tea.Msg) (dialog, action) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		c.scroller, _ = c.move(msg)
		c.scroller = c.within(c.area.lines, c.area.room)
		return c, nil
	case tea.PasteMsg:
		return c.pasted(msg)
	case tea.KeyPressMsg:
		return c.key(msg)
	}
	return c, nil
}

func (c change) key(k tea.KeyPressMsg) (dialog, action) {
	c.said, c.hasty = "", false
	switch k.String() {
	case "esc", "ctrl+c":
		return nil, say(false, c.param.Name+" was left as it was")
	case "enter", "ctrl+m":
		return c.enter()
	case "pgup", "pgdown":
		c.scroller, _ = c.move(k)
		c.scroller = c.within(c.area.lines, c.area.room)
		return c, nil
	}
	if len(c.choices) == 0 {
		return c.typed(k)
	}
	switch k.String() {
	case "j", "down", "tab", "ctrl+i", "right", "l", "space":
		c.pick = (c.pick + 1) % len(c.choices)
	case "k", "up", "shift+tab", "left", "h":
		c.pick = (c.pick + len(c.choices) - 1) % len(c.choices)
	default:
		return c, nil
	}
	return c, weigh
}

// typed gives a key or a paste to the line.
func (c change) typed(msg tea.Msg) (dialog, action) {
	before := c.text()
	c.input, _ = c.input.Update(msg)
	if c.text() == before {
		return c, nil
	}
	return c, weigh
}

// pasted takes what is one line.
func (c change) pasted(msg tea.PasteMsg) (dialog, action) {
	text, ok := pastedLine(msg.Content)
	switch {
	case len(c.choices) > 0:
		return c, nil
	case !ok:
		c.said = saidLines
		return c, nil
	}
	c.said = ""
	return c.typed(tea.PasteMsg{Content: text})
}

// enter sends the value, once it has been said what it would mean.
func (c change) enter() (dialog, action) {
	switch {
	case c.sending != 0:
		return c, nil
	case c.complaint() != "" || c.param.Secret && c.text() == "":
		c.said = c.complaint()
		if c.said == "" {
			c.said = "a value is needed"
		}
		return c, nil
	case c.weighed.id != 0 || !c.weighed.known || c.weighed.text != c.text():
		c.hasty = true
		return c, nil
	case c.weighed.err != nil:
		return c, nil
	case len(c.weighed.meaning.Shifts) == 0:
		return nil, say(false, c.param.Name+" was left as it was")
	}
	return c, sendChange
}

// topChange is the form, when it is on top.
func (m Model) topChange() (change, bool) {
	if len(m.dialogs) == 0 {
		return change{}, false
	}
	c, ok := m.dialogs[len(m.dialogs)-1].(change)
	return c, ok
}

// weigh asks what the text in the form would mean.
func weigh(m Model) (Model, tea.Cmd) {
	c, ok := m.topChange()
	if !ok {
		return m, nil
	}
	c.weighed, c.scroller = weighed{}, scroller{}
	text := c.text()
	if c.complaint() != "" || c.param.Secret && text == "" {
		return m.replaceTop(c), nil
	}
	m, id := m.newSerial()
	c.weighed.id = id
	eng, name := m.run.eng, c.param.Name
	return m.replaceTop(c), func() tea.Msg {
		meaning, err := eng.Consider(name, text)
		return weighedMsg{id: id, text: text, meaning: meaning, err: err}
	}
}

// weighedCame shows what a value would mean, in the form that asked.
func (m Model) weighedCame(msg weighedMsg) Model {
	stack := slices.Clone(m.dialogs)
	for i, d := range stack {
		if c, ok := d.(change); ok && c.weighed.id == msg.id && msg.id != 0 {
			c.weighed = weighed{text: msg.text, known: true, meaning: msg.meaning, err: msg.err, lines: meaningLines(m.run, msg.meaning)}
			stack[i] = c
		}
	}
	m.dialogs = stack
	return m
}

// sendChange gives the parameter the value in the form.
func sendChange(m Model) (Model, tea.Cmd) {
	c, ok := m.topChange()
	if !ok {
		return m, nil
	}
	m, id := m.newSerial()
	c.sending = id
	ctx, eng, name, text, meaning := m.ctx, m.run.eng, c.param.Name, c.weighed.text, c.weighed.meaning
	return m.replaceTop(c), after(request{id: id, what: askedChange}, func() error { return eng.Change(ctx, name, text, meaning) })
}

// changeCame closes the form, or says in it why the value stays.
func (m Model) changeCame(msg answeredMsg) (Model, tea.Cmd) {
	for i, d := range m.dialogs {
		c, ok := d.(change)
		if !ok || c.sending != msg.to.id {
			continue
		}
		if msg.err == nil {
			m.dialogs = slices.Delete(slices.Clone(m.dialogs), i, i+1)
			return m, nil // the event says what has changed
		}
		c.sending = 0
		c.said = errorText(msg.err)
		m.dialogs = slices.Clone(m.dialogs)
		m.dialogs[i] = c
		if errors.Is(msg.err, engine.ErrMeaning) {
			return weigh(m)
		}
		return m, nil
	}
	if msg.err != nil { // the form was closed meanwhile
		return m.notify(true, errorText(msg.err)), nil
	}
	return m, nil
}

// errorText is an error with what to do next.
func errorText(err error) string {
	text := oneLine(err.Error())
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) && hinted.Hint() != "" {
		text += "; " + oneLine(hinted.Hint())
	}
	return text
}

// valuesChanged takes over what the run stands on now.
func (m Model) valuesChanged(e engine.ValuesChanged) Model {
	m.run.plan, m.run.where = e.Plan.Covered(m.cfg.Written), e.Where
	m.run = m.run.withRun(e.Run)
	m.run.stale, m.run.page.known = everything, false
	stack := slices.Clone(m.dialogs)
	for i, d := range stack {
		if v, ok := d.(variables); ok {
			stack[i] = v.refreshed(m.run)
		}
	}
	m.dialogs = stack
	var texts []string
	for _, s := range e.Meaning.Shifts {
		texts = append(texts, s.String())
	}
	return m.notify(false, strings.Join(texts, "; ")).keepInView()
}
