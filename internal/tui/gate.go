package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/steps"
)

const (
	saidEnded     = "the engine has ended; quit, and resume to go on"
	saidElsewhere = "what it has begun elsewhere, in a cluster or on another machine, may go on"
	saidEarly     = "this step came up just now; press enter again to run it"
)

// runStep asks for the gate of the step that is shown; what follows depends on
// the answer.
func (m Model) runStep() (Model, tea.Cmd) { return m.askRun(false) }

// runStatement is runStep for the next statement only.
func (m Model) runStatement() (Model, tea.Cmd) { return m.askRun(true) }

func (m Model) askRun(single bool) (Model, tea.Cmd) {
	m.run.single = single
	s := m.run
	step := s.step()
	switch {
	case s.hold.id != 0:
		return m.notify(false, saidEarly).held(false)
	case m.layout().narrow && s.focus != stepPane:
		return m.withFocus(stepPane), nil // what would run is not on the screen yet
	case step == nil:
		return m.notify(true, "this runbook has no steps"), nil
	case s.ended:
		return m.notify(true, saidEnded), nil
	case s.doing.id != 0:
		return m.notify(false, "starting "+s.doing.step+" …"), nil
	case s.asked.id != 0:
		return m.notify(false, "still checking what this would do …"), nil
	case !step.Taken:
		return m.notify(true, "not taken: "+step.WhyNot), nil
	case s.busy == step.ID && s.paused != nil:
		return m.goOn()
	case s.busy == step.ID:
		return m.notify(false, "it is running; ctrl-c stops it"), nil
	case s.busy != "":
		return m.notify(true, "step "+s.busy+" is still running; one at a time"), nil
	case step.Manual:
		return m.askTick()
	case !runnable(step):
		return m.notify(true, "nothing here is offered to run; t ticks it off, s skips it"), nil
	case s.status().Status.Settled():
		return m.open(question{title: "Run it again?", text: s.againText(),
			options: []option{{key: "r", does: "run it again", then: again(step.ID)}}}), nil
	}
	return m.askGate()
}

// againText says what running a settled step again means.
func (s session) againText() string {
	text := "This step is " + string(s.status().Status) + " already."
	for _, shift := range s.page.since {
		if shift.Secret {
			text += " " + shift.Name + " has another value now, and it would run with that."
			continue
		}
		text += " It would run with " + shift.Name + " " + oneLine(shift.New) + " instead of " + oneLine(shift.Old) + "."
	}
	if s.runsBeside(s.stepID()) {
		text += " What it has left running in the background goes on, and another one would be started beside it."
	}
	return text
}

// again runs a step that is settled, if it is still the one that is shown.
func again(step string) action {
	return func(m Model) (Model, tea.Cmd) {
		if m.run.stepID() != step || m.run.busy != "" {
			return m, nil
		}
		return m.askGate()
	}
}

func (m Model) askGate() (Model, tea.Cmd) {
	m, id := m.newSerial()
	step := m.run.step()
	m.run.asked = request{id: id, what: askedGate, step: step.ID}
	m = m.notify(false, "checking what this would do …")
	ctx, eng, to := m.ctx, m.run.eng, m.run.asked
	return m, func() tea.Msg {
		g, err := eng.Gate(ctx, to.step)
		return answeredMsg{to: to, gate: g, err: err}
	}
}

func runnable(step *steps.BoundStep) bool {
	for _, b := range step.Blocks {
		if b.Offered {
			return true
		}
	}
	return len(step.Blocks) == 0 // nothing but expectations: running it waits for them
}

// answered takes in what the engine answered to a request.
func (m Model) answered(msg answeredMsg) (Model, tea.Cmd) {
	if m.phase != running {
		return m, nil
	}
	switch msg.to.what {
	case askedGate:
		return m.gateCame(msg)
	case askedDo:
		return m.doAnswered(msg)
	case askedChange:
		return m.changeCame(msg)
	case askedType:
		return m.typedCame(msg)
	case askedEdit:
		m.run.stale = everything
	}
	if msg.err != nil {
		return m.notify(true, "could not "+string(msg.to.what)+": "+msg.err.Error()), nil
	}
	return m, nil
}

// gateCame goes on with a gate, if it is still the one that was asked for.
func (m Model) gateCame(msg answeredMsg) (Model, tea.Cmd) {
	if msg.to != m.run.asked {
		return m, nil
	}
	m.run.asked, m.told = request{}, true
	if msg.err != nil {
		return m.notify(true, "could not ask what this step would do: "+msg.err.Error()), nil
	}
	return m.face(msg.gate, "")
}

// face shows a gate, or passes it when it is open.
func (m Model) face(g guard.Gate, changed string) (Model, tea.Cmd) {
	switch {
	case g.Decision == guard.Allow && changed == "":
		return m.do(g.Step, engine.Answer{Fingerprint: g.Fingerprint})
	case g.Decision == guard.Allow:
		return m.notify(false, changed+"; it may run now, press enter again"), nil
	case g.Decision == guard.Confirm && g.Words != "":
		return m.openQuietly(newConfirm(g, changed, m.cfg.Now))
	}
	return m.openQuietly(refusal(g, changed, m))
}

// refusal shows what stands in the way. A gate to be confirmed that names no
// words can't be, and so is one.
func refusal(g guard.Gate, changed string, m Model) pager {
	if len(g.Blockers) == 0 {
		g.Blockers = []guard.Blocker{{What: "it may not run", Why: "and no reason was given", Next: "refresh with r, and look at the step again"}}
	}
	now := m.cfg.Now
	p := newPager("Not now: "+oneLine(g.Title), func(t theme, width int) []string {
		return gateBody(t, g, changed, width, now())
	})
	p.bad = true
	return p
}

// do starts a step with an answer to its gate.
func (m Model) do(step string, a engine.Answer) (Model, tea.Cmd) {
	m, id := m.newSerial()
	m.run.doing = doing{request: request{id: id, what: askedDo, step: step}}
	ctx, do := m.ctx, m.doer()
	return m, after(m.run.doing.request, func() error { return do(ctx, step, a) })
}

// doer runs what was asked for: the step, or its next statement.
func (m Model) doer() func(context.Context, string, engine.Answer) error {
	if m.run.single {
		return m.run.eng.DoNext
	}
	return m.run.eng.Do
}

// goOn gives a turn to a step that waits for one; its gate has been passed.
func (m Model) goOn() (Model, tea.Cmd) {
	m, id := m.newSerial()
	m.run.paused = nil
	step, ctx, do := m.run.busy, m.ctx, m.doer()
	return m, after(request{id: id, what: askedOn, step: step}, func() error { return do(ctx, step, engine.Answer{}) })
}

// pausedAt says which statement is next, and how the one before it ended.
func (m Model) pausedAt(e engine.Paused) Model {
	if e.Step != m.run.busy {
		return m
	}
	next := e.Next
	m.run.paused = &next
	text := fmt.Sprintf("statement %d of %d is next: %s", next.Statement, next.Of, oneLine(next.Code))
	if next.Exit != 0 {
		text = fmt.Sprintf("the last one ended with %d; %s", next.Exit, text)
	}
	return m.notify(next.Exit != 0, text)
}

func (m Model) doAnswered(msg answeredMsg) (Model, tea.Cmd) {
	if msg.to != m.run.doing.request {
		return m, nil
	}
	m.run.doing.answered = true
	m.run.doing = m.run.doing.settled()
	if msg.err != nil {
		m.run.doing = doing{}
	}
	var gate *engine.GateError
	switch {
	case msg.err == nil:
		return m, nil // the events say how it goes
	case errors.As(msg.err, &gate):
		return m.face(gate.Gate, gate.Why)
	}
	return m.notify(true, "could not run "+msg.to.step+": "+msg.err.Error()), nil
}

// stopOrQuit stops what runs; with nothing running it asks whether to quit.
func (m Model) stopOrQuit() (Model, tea.Cmd) {
	step := m.run.busy
	if step == "" {
		return m.askQuit()
	}
	return m.stop(step)
}

func (m Model) stop(step string) (Model, tea.Cmd) {
	m, id := m.newSerial()
	eng := m.run.eng
	m = m.notify(false, "stopping "+step+" … "+saidElsewhere)
	return m, after(request{id: id, what: askedStop, step: step}, func() error { return eng.Stop(step) })
}

// askQuit leaves at once when nothing is lost by it, and asks otherwise.
func (m Model) askQuit() (Model, tea.Cmd) {
	beside := m.run.besideRunning()
	if m.run.next == "" && m.run.busy == "" && beside == 0 {
		return m.quit()
	}
	q := question{title: "Quit?", text: "The record is kept: runbook resume goes on from here, and looks at the world again first.",
		options: []option{{key: "q", does: "quit", then: Model.quit}}}
	if m.run.busy != "" {
		q.text = "Step " + oneLine(m.run.busy) + " is still running and would be stopped; " + saidElsewhere + ". " + q.text
		q.options[0].does = "stop it and quit"
	}
	if beside > 0 {
		q.text = count(beside, "command in the background is", "commands in the background are") + " stopped. " + q.text
	}
	return m.open(q), nil
}
