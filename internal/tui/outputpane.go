package tui

import (
	"slices"
	"strings"
	"time"

	"runbook/internal/steps"
	"runbook/internal/world"
)

// longestLine is how many bytes of one line of output are drawn.
const longestLine = 16 << 10

// outputLine is a line of output as it may be drawn.
func outputLine(line string) string {
	if len(line) > longestLine {
		line = strings.ToValidUTF8(line[:longestLine], "") + " … (the rest of this line is in the record)"
	}
	return colourOnly(line)
}

// outputRows are the visible rows of the output, and of which line each is. Only
// what is seen is broken into rows: a program may have printed far more.
func (s session) outputRows(width, height int) (rows []string, of []int) {
	out := s.page.output.Lines
	if width <= 0 || height <= 0 {
		return nil, nil
	}
	row := func(i int) ([]string, []int) {
		cut := cutCode(outputLine(out[i]), width)
		return cut, slices.Repeat([]int{i}, len(cut))
	}
	if s.loose {
		for i := s.top[outputPane]; i < len(out) && len(rows) < height; i++ {
			text, line := row(i)
			rows, of = append(rows, text...), append(of, line...)
		}
		n := min(len(rows), height)
		return rows[:n], of[:n]
	}
	for i := len(out) - 1; i >= 0 && len(rows) < height; i-- {
		text, line := row(i)
		rows, of = append(text, rows...), append(line, of...)
	}
	n := max(0, len(rows)-height)
	return rows[n:], of[n:]
}

// outputNote says at the border of the output how its program stands.
func (s session) outputNote(now time.Time) string {
	st := s.state.Steps[s.outputOf()]
	switch {
	case s.typing.on && s.typing.step == s.outputOf():
		return "you type to the program · esc esc leaves"
	case s.page.output.Secret:
		return "asks without echo · i types to it"
	case st.Status == steps.Running && s.pausedBefore(s.outputOf()) != nil:
		return "waits before " + statementOf(s.paused)
	case st.Status == steps.Running:
		return "running " + world.Span(now.Sub(st.Started))
	case st.Status == steps.Waiting:
		return "exit 0, waiting for what it expects"
	case s.runsBeside(s.outputOf()):
		return "goes on in the background"
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
