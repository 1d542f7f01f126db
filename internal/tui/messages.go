package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/steps"
)

// tickedMsg: a second is over, and every age on the screen with it.
type tickedMsg struct{}

// quietEndedMsg: a grace period is over.
type quietEndedMsg struct{ id int }

// openedMsg: the runbook that was picked has been read, or not.
type openedMsg struct {
	id      int
	runbook *steps.Runbook
	values  steps.Values
	err     error
}

// startedMsg: the engine stands, or could not be built.
type startedMsg struct {
	id     int
	engine Engine
	err    error
}

// engineSaidMsg: the engine reported something, or (ok is false) has ended.
type engineSaidMsg struct {
	from  <-chan engine.Event
	event engine.Event
	ok    bool
}

// lookedMsg: the engine has been asked about a step.
type lookedMsg struct {
	from       <-chan engine.Event
	step       string
	assessment engine.Assessment
	code       []string
	since      []steps.Shift
}

// answeredMsg: a request to the engine was answered.
type answeredMsg struct {
	to   request
	gate guard.Gate // of a request for the gate
	err  error
}

// offerDoneMsg: what was offered has been done, or not.
type offerDoneMsg struct{ said string }

// A request is something that the engine was asked for, and who by.
type request struct {
	id   int
	what requestKind
	step string
}

type requestKind string

const (
	askedGate    requestKind = "ask for the gate"
	askedDo      requestKind = "run"
	askedOn      requestKind = "go on with"
	askedSkip    requestKind = "skip"
	askedTick    requestKind = "tick off"
	askedNote    requestKind = "note"
	askedEdit    requestKind = "edit"
	askedStop    requestKind = "stop"
	askedType    requestKind = "type"
	askedChange  requestKind = "change"
	askedSuspend requestKind = "suspend"
	askedScreen  requestKind = "use the terminal"
)

// waitForEvent waits for the next event; it is asked again after each.
func waitForEvent(from <-chan engine.Event) tea.Cmd {
	return func() tea.Msg {
		event, ok := <-from
		return engineSaidMsg{from: from, event: event, ok: ok}
	}
}

// nextTick is due at the end of the second.
func (m Model) nextTick() tea.Cmd {
	return m.cfg.After(time.Second, func(time.Time) tea.Msg { return tickedMsg{} })
}

// after asks in the background and reports the answer.
func after(to request, ask func() error) tea.Cmd {
	return func() tea.Msg { return answeredMsg{to: to, err: ask()} }
}
