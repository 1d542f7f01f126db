package tui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/world"
)

// besides lists what steps have left running; one can be looked at and stopped.
type besides struct {
	list []engine.Beside
	at   int
	now  func() time.Time
	area *area
}

func (m Model) showBeside() (Model, tea.Cmd) {
	return m.open(besides{list: m.run.beside, now: m.cfg.Now, area: &area{}}), nil
}

func (b besides) low() bool { return false }

func (b besides) HandleMsg(msg tea.Msg) (dialog, action) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			return b.moved(-1), nil
		case tea.MouseWheelDown:
			return b.moved(1), nil
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "j", "down", "tab", "ctrl+i":
			return b.moved(1), nil
		case "k", "up", "shift+tab":
			return b.moved(-1), nil
		case "enter", "ctrl+m":
			if b.at < len(b.list) {
				return b, showBesideOutput(b.list[b.at])
			}
		case "x", "s":
			if b.at < len(b.list) {
				return b, askStopBeside(b.list[b.at])
			}
		case "esc", "q", "b", "ctrl+c":
			return nil, nil
		}
	}
	return b, nil
}

func (b besides) moved(by int) besides {
	b.at = max(0, min(b.at+by, len(b.list)-1))
	return b
}

// showBesideOutput shows what a command in the background prints, as it comes.
func showBesideOutput(which engine.Beside) action {
	return func(m Model) (Model, tea.Cmd) {
		if which.Before {
			return m.notify(false, "what it prints isn't seen here: it was started by a program that has ended"), nil
		}
		eng := m.run.eng
		p := newPager("Output of "+oneLine(which.Title), func(t theme, width int) []string {
			out := eng.BesideOutput(which.ID)
			var lines []string
			if out.Dropped > 0 {
				lines = append(lines, t.faint.Render(itoa(out.Dropped)+" lines before these are in the record"))
			}
			for _, line := range out.Lines {
				lines = append(lines, cutCode(outputLine(line), width)...)
			}
			if lines = trimEmpty(lines); len(lines) == 0 {
				lines = []string{t.faint.Render("it has printed nothing")}
			}
			return lines
		})
		p.top = 1 << 30 // its end, as it grows
		return m.open(p), nil
	}
}

// askStopBeside asks whether to stop one that runs.
func askStopBeside(which engine.Beside) action {
	return func(m Model) (Model, tea.Cmd) {
		if !which.Running() {
			return m.notify(false, "it has ended already"), nil
		}
		return m.open(question{title: "Stop it?", text: oneLine(which.Code) + " (pid " + itoa(which.PID) + ") and all that it has started. Later steps may need it.",
			options: []option{{key: "s", does: "stop it", then: stopBeside(which)}}}), nil
	}
}

func stopBeside(which engine.Beside) action {
	return func(m Model) (Model, tea.Cmd) {
		m, id := m.newSerial()
		ctx, eng := m.ctx, m.run.eng
		m = m.notify(false, "stopping "+oneLine(which.Code)+" …")
		return m, after(request{id: id, what: askedStop, step: which.Step}, func() error { return eng.StopBeside(ctx, which.ID) })
	}
}

// besideChanged takes over what runs in the background.
func (m Model) besideChanged() Model {
	m.run.beside = m.run.eng.Beside()
	m.run.stale |= staleLines
	stack := append([]dialog(nil), m.dialogs...)
	for i, d := range stack {
		if b, ok := d.(besides); ok {
			b.list = m.run.beside
			stack[i] = b
		}
	}
	m.dialogs = stack
	return m
}

// besideOf are those that a step has left running, or had.
func (s session) besideOf(step string) []engine.Beside {
	var out []engine.Beside
	for _, b := range s.beside {
		if b.Step == step {
			out = append(out, b)
		}
	}
	return out
}

// besideRunning counts what runs in the background now.
func (s session) besideRunning() int {
	n := 0
	for _, b := range s.beside {
		if b.Running() && !b.Before { // what is from before isn't ours to end
			n++
		}
	}
	return n
}

// runsBeside tells whether a step has something running in the background.
func (s session) runsBeside(step string) bool {
	for _, b := range s.beside {
		if b.Step == step && b.Running() {
			return true
		}
	}
	return false
}

func (b besides) draw(t theme, size image.Point) []string {
	width := dialogWidth(size)
	var body []string
	from, to := 0, 0
	for i, one := range b.list {
		if i == b.at {
			from = len(body)
		}
		cursor := "  "
		if i == b.at {
			cursor = t.accent.Render("▸") + " "
		}
		body = append(body, fit(cursor+besideLine(t, one, b.now()), width-4), fit("      "+besideCode(one), width-4))
		if i == b.at {
			to = len(body)
		}
	}
	foot := "enter output · x stop · esc closes"
	if len(b.list) == 0 {
		body, foot = []string{"no step has left anything running"}, "esc closes"
	}
	room := max(1, min(len(body), size.Y-2))
	top := min(max(max(0, min(b.area.lines, len(body)-room)), to-room), from)
	b.area.lines = top
	frame := box{title: t.title.Render("In the background"), note: position(top, room, len(body)), foot: foot,
		lines: window(body, top, room), heavy: true, style: t.focus}
	return frame.draw(image.Pt(width, min(size.Y, room+2)))
}

func besideCode(b engine.Beside) string {
	if b.Step == "" {
		return oneLine(b.Code)
	}
	return oneLine(b.Step) + ": " + oneLine(b.Code)
}

// besideLine is the state of one: running since when, or how it ended.
func besideLine(t theme, b engine.Beside, now time.Time) string {
	if b.Before {
		return t.unsure.Render("…") + " still running from before, pid " + itoa(b.PID)
	}
	if b.Running() {
		return t.running.Render("…") + " running for " + world.Span(now.Sub(b.Since)) + ", pid " + itoa(b.PID)
	}
	ago := world.Span(now.Sub(b.Ended)) + " ago"
	switch {
	case b.Stopped, b.WithRun:
		return t.faint.Render("-") + " stopped " + ago
	case b.Exit == 0:
		return t.unsure.Render("!") + " ended by itself " + ago + ", exit 0"
	case b.Signal != "":
		return t.failed.Render("✗") + " ended by itself " + ago + ", " + b.Signal
	}
	return t.failed.Render("✗") + " ended by itself " + ago + ", exit " + itoa(b.Exit)
}

// besideLines say on the page of a step what it has left running.
func (s session) besideLines(t theme, width int, now time.Time) []string {
	var lines []string
	for _, b := range s.besideOf(s.stepID()) {
		lines = append(lines, hang("", besideLine(t, b, now)+" (b shows it)", width)...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}
