package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/steps"
)

// byHand asks for a text and hands it to the engine.
func (m Model) byHand(what requestKind, title, help string, required bool, send func(e Engine, step, text string) error) (Model, tea.Cmd) {
	step := m.run.step()
	if step == nil {
		return m, nil
	}
	id := step.ID
	p := m.newPrompt(title+" "+itoa(step.N)+" "+oneLine(step.Title), help, func(text string) action {
		return func(m Model) (Model, tea.Cmd) {
			m, serial := m.newSerial()
			eng := m.run.eng
			return m, after(request{id: serial, what: what, step: id}, func() error { return send(eng, id, text) })
		}
	})
	p.required = required
	return m.open(p), nil
}

func (m Model) askSkip() (Model, tea.Cmd) {
	if why := m.unsettling(); why != "" {
		return m.notify(true, why), nil
	}
	return m.byHand(askedSkip, "Skip", "Why is it left out?", true, Engine.Skip)
}

func (m Model) askTick() (Model, tea.Cmd) {
	if why := m.unsettling(); why != "" {
		return m.notify(true, why), nil
	}
	manual := m.run.step() != nil && m.run.step().Manual
	help := "How was it done? Nothing is run."
	return m.byHand(askedTick, "Tick off", help, !manual, Engine.Tick)
}

// unsettling says why the step can't be skipped or ticked off now.
func (m Model) unsettling() string {
	step := m.run.step()
	switch {
	case step == nil:
		return "this runbook has no steps"
	case !step.Taken:
		return "not taken: " + step.WhyNot
	case m.run.busy == step.ID:
		return "it is running; ctrl-c stops it"
	}
	return ""
}

func (m Model) askNote() (Model, tea.Cmd) {
	return m.byHand(askedNote, "Note on", "It goes into the record.", true, func(e Engine, step, text string) error {
		return e.Note(step, text)
	})
}

// askEdit edits the commands of the step; with several blocks it asks which.
func (m Model) askEdit() (Model, tea.Cmd) {
	if why := m.unsettling(); why != "" {
		return m.notify(true, why), nil
	}
	step := m.run.step()
	var options []option
	for i, b := range step.Blocks {
		if b.Kind != steps.ShellBlock || !b.Offered || len(options) == 9 {
			continue
		}
		first, _, _ := strings.Cut(m.run.codeOf(i), "\n")
		options = append(options, option{key: itoa(len(options) + 1), does: oneLine(first), then: editBlock(step.ID, i)})
	}
	switch len(options) {
	case 0:
		return m.notify(true, "there is no command here to edit"), nil
	case 1:
		return options[0].then(m)
	}
	return m.open(question{title: "Edit which?", options: options}), nil
}

func editBlock(step string, block int) action {
	return func(m Model) (Model, tea.Cmd) {
		if m.run.stepID() != step {
			return m, nil
		}
		keep := func(code string) action {
			return func(m Model) (Model, tea.Cmd) {
				m, id := m.newSerial()
				eng := m.run.eng
				return m, after(request{id: id, what: askedEdit, step: step}, func() error { return eng.Edit(step, block, code) })
			}
		}
		code, ok := m.editable(step, block)
		if !ok {
			return m.notify(true, "it holds a secret, which an editor would show: change it in the runbook"), nil
		}
		return m.open(m.newEditor("For this run only", code, keep)), nil
	}
}

// editable is the text that an editor starts with: what would run, or what the
// document has where an earlier edit holds a secret, or nothing where both do.
func (m Model) editable(step string, block int) (code string, ok bool) {
	for _, code := range [][]string{m.run.eng.Code(step), m.run.eng.Plan().Step(step).Code} {
		if block < len(code) && m.cfg.Written(code[block]) == code[block] {
			return code[block], true
		}
	}
	return "", false
}

// copyCode puts the commands on the clipboard as they would run: from the
// source, never from the screen, where lines are broken. A secret stays behind:
// other programs read a clipboard too, and some keep all that was ever in it.
func (m Model) copyCode() (Model, tea.Cmd) {
	step := m.run.step()
	if step == nil {
		return m, nil
	}
	var code []string
	runs := m.run.eng.Code(step.ID)
	for i := range step.Blocks {
		text := m.run.codeOf(i)
		if i < len(runs) && runs[i] != "" {
			text = runs[i]
		}
		code = append(code, strings.TrimRight(text, "\n"))
	}
	if len(code) == 0 {
		return m.notify(true, "there is no code here to copy"), nil
	}
	whole := strings.Join(code, "\n\n") + "\n"
	text, without := m.cfg.Written(whole), ""
	if text != whole {
		without = " without the secret in it"
	}
	return m.notify(without != "", "copied "+count(strings.Count(text, "\n"), "line", "lines")+without+", if the terminal allows it"), tea.SetClipboard(text)
}

func (m Model) refresh() (Model, tea.Cmd) {
	eng := m.run.eng
	return m.notify(false, "asked again"), func() tea.Msg { eng.Refresh(); return nil }
}
