package tui

import (
	"time"

	"runbook/internal/steps"
	"runbook/internal/world"
)

// outputRows are the visible rows of the output, and for each the index of the
// line that it is of. Only what is seen is broken into rows: a program may have
// printed far more.
func (s session) outputRows(width, height int) (rows []string, from []int) {
	out := s.page.output.Lines
	if width <= 0 || height <= 0 {
		return nil, nil
	}
	if s.loose {
		for i := s.top[outputPane]; i < len(out) && len(rows) < height; i++ {
			for _, part := range cutCode(colourOnly(out[i]), width) {
				rows, from = append(rows, part), append(from, i)
			}
		}
		return rows[:min(len(rows), height)], from[:min(len(from), height)]
	}
	for i := len(out) - 1; i >= 0 && len(rows) < height; i-- {
		parts := cutCode(colourOnly(out[i]), width)
		lines := make([]int, len(parts))
		for j := range lines {
			lines[j] = i
		}
		rows, from = append(parts, rows...), append(lines, from...)
	}
	cut := max(0, len(rows)-height)
	return rows[cut:], from[cut:]
}

// outputNote says at the border of the output how its program stands.
func (s session) outputNote(now time.Time) string {
	st := s.status()
	switch {
	case s.typing.on && s.typing.step == s.stepID():
		return "you type to the program · esc esc leaves"
	case s.page.output.Secret:
		return "asks without echo · i types to it"
	case st.Status == steps.Running:
		return "running " + world.Span(now.Sub(st.Started))
	case st.Started.IsZero():
		return ""
	}
	return "exit " + itoa(s.page.output.Exit)
}

// outputFoot says which part of the output is seen.
func (s session) outputFoot(rows, height int) string {
	out := s.page.output
	foot := ""
	if out.Dropped > 0 {
		foot = itoa(out.Dropped) + " lines before these are in the record"
	}
	if s.loose {
		foot = position(s.top[outputPane], height, len(out.Lines)) + " · end follows"
	}
	if out.Note != "" {
		foot = oneLine(out.Note)
	}
	return foot
}
