package tui

import (
	"slices"
	"strings"

	"runbook/internal/engine"
	"runbook/internal/steps"
)

// meaningLines say in words what a change of values means, worst first.
func meaningLines(s session, m engine.Meaning) func(t theme, width int) []string {
	name := func(ids []string) string { return stepNames(s.plan, ids) }
	left := leaving(s, m.Turn)
	return func(t theme, width int) []string {
		lines := []string{"", t.title.Render("What it would mean")}
		say := func(sign, text string) { lines = append(lines, hang(sign+" ", text, width)...) }
		list := func(sign, before string, ids []string, after string) {
			if len(ids) > 0 {
				say(sign, before+name(ids)+after)
			}
		}
		bad, note := t.unsure.Render("!"), "·"
		if len(m.Shifts) > 0 && !m.Shifts[0].Secret {
			say(note, m.Shifts[0].Name+" becomes "+oneLine(m.Shifts[0].New))
		}
		list(bad, "ran for the other choice; what it did is not taken back: ", m.Stranded, undoing(s.plan, m.Stranded))
		list(bad, "goes on in the background with the old value until it is stopped: ", m.Beside, "")
		list(bad, "you have edited its commands; they stay as you typed them: ", m.Edited, "")
		if len(m.Strayed) > 0 {
			say(bad, "a step has set "+strings.Join(m.Strayed, ", ")+" itself; later steps get your value instead")
		}
		if m.Namespace != "" {
			say(bad, "the run moves to namespace "+oneLine(m.Namespace))
		}
		for _, p := range m.Protects {
			say(bad, oneLine(p))
		}
		list(note, "taken now: ", m.Turn.Taken, "")
		list(note, "no longer taken: ", left, "")
		list(note, "open again, because it held for the old value: ", m.Turn.Reopened, "")
		list(note, "ran with the old value and stays as it is: ", m.Ran, "; run it again where the new one is needed")
		for _, shift := range m.Shifts[min(1, len(m.Shifts)):] {
			say(note, oneLine(shift.String())+", because it is made from it")
		}
		say(note, "every step that hasn't run yet follows; the record names you")
		return lines
	}
}

// leaving are the steps that are taken now and would not be: of others only the
// reason changes.
func leaving(s session, t steps.Turn) []string {
	var ids []string
	for id := range t.NotTaken {
		if step := s.plan.Step(id); step != nil && step.Taken {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return s.index[a] - s.index[b] })
	return ids
}

// stepNames are steps as a person calls them.
func stepNames(p *steps.Plan, ids []string) string {
	var names []string
	for _, id := range ids {
		if s := p.Step(id); s != nil {
			names = append(names, itoa(s.N)+" "+oneLine(s.Title))
		}
	}
	return strings.Join(names, ", ")
}

// undoing names the steps that take back what others did, where there are any.
func undoing(p *steps.Plan, ids []string) string {
	var by []string
	for _, id := range ids {
		if s := p.Step(id); s != nil && s.Undo != "" && !slices.Contains(by, s.Undo) {
			by = append(by, s.Undo)
		}
	}
	if len(by) == 0 {
		return ""
	}
	return " (taken back by " + stepNames(p, by) + ")"
}

// sinceLines say which values have changed since the step ran.
func sinceLines(t theme, shifts []steps.Shift, width int) []string {
	var lines []string
	for _, s := range shifts {
		text := s.Name + " has another value now"
		switch {
		case s.Secret:
		case s.Had:
			text = s.Name + " was " + s.Old + " then, and is " + s.New + " now"
		default:
			text = s.Name + " had no value then, and is " + s.New + " now"
		}
		lines = append(lines, hang(t.unsure.Render("!")+" ", oneLine(text), width)...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}
