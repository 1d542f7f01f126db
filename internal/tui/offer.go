package tui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
)

// An offer is a question that opened by itself.
type offer struct {
	quiet
	question
}

func (o offer) quietID() int       { return o.quiet.id }
func (o offer) hush(id int) dialog { o.quiet = quiet{id}; return o }

func (o offer) HandleMsg(msg tea.Msg) (dialog, action) {
	if _, key := msg.(tea.KeyPressMsg); key && o.quiet.on() {
		return o, keepQuiet
	}
	d, follow := o.question.HandleMsg(msg)
	if d == nil {
		return nil, follow
	}
	return o, follow
}

func (o offer) draw(t theme, size image.Point) []string {
	q := o.question
	if o.quiet.on() {
		q.text += " Keys count once the keyboard was quiet for a moment."
	}
	return q.draw(t, size)
}

// offered asks whether something shall be done; leaving the question does nothing.
func (m Model) offered(e engine.Offered) (Model, tea.Cmd) {
	ctx := m.ctx
	do := func(m Model) (Model, tea.Cmd) {
		return m.notify(false, e.Does+" …"), func() tea.Msg { return offerDoneMsg{said: e.Do(ctx)} }
	}
	q := question{title: oneLine(e.Title), text: oneLine(e.Text), leave: "leave it as it is",
		options: []option{{key: "s", does: oneLine(e.Does), then: do}}}
	return m.openQuietly(offer{question: q})
}
