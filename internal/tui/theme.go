package tui

import (
	"strconv"

	"charm.land/lipgloss/v2"

	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A theme is the few roles that colour has. Every one of them goes along with
// a sign or a word, so that nothing is lost without colour.
type theme struct {
	dark    bool
	passed  lipgloss.Style
	failed  lipgloss.Style
	running lipgloss.Style
	unsure  lipgloss.Style
	faint   lipgloss.Style
	accent  lipgloss.Style
	danger  lipgloss.Style
	title   lipgloss.Style
	border  lipgloss.Style
	focus   lipgloss.Style
	chosen  lipgloss.Style
	code    lipgloss.Style
}

// newTheme uses the terminal's own sixteen colours: they are the ones its owner
// chose to be readable.
func newTheme(dark bool) theme {
	pick := lipgloss.LightDark(dark)
	fg := func(light, dark string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(pick(lipgloss.Color(light), lipgloss.Color(dark)))
	}
	return theme{
		dark:    dark,
		passed:  fg("2", "10"),
		failed:  fg("1", "9"),
		running: fg("4", "12"),
		unsure:  fg("3", "11"),
		faint:   fg("8", "8"),
		accent:  fg("6", "14"),
		danger:  fg("1", "9").Bold(true),
		title:   lipgloss.NewStyle().Bold(true),
		border:  fg("8", "8"),
		focus:   fg("4", "12"),
		chosen:  lipgloss.NewStyle().Bold(true),
		code:    fg("5", "13"),
	}
}

// status is the sign of a step and its colour.
func (t theme) status(s steps.Status, next bool) string {
	switch s {
	case steps.Done, steps.Satisfied, steps.Ticked:
		return t.passed.Render("✓")
	case steps.Failed:
		return t.failed.Render("✗")
	case steps.Running:
		return t.running.Render("…")
	case steps.Waiting:
		return t.running.Render("⏸")
	case steps.Skipped, steps.NotTaken:
		return t.faint.Render("-")
	case steps.Unsure:
		return t.unsure.Render("?")
	}
	if next {
		return t.accent.Render("▸")
	}
	return t.faint.Render("·")
}

// answer is the sign of a verdict and its colour.
func (t theme) answer(a world.Answer) string {
	switch a {
	case world.Holds:
		return t.passed.Render(a.Sign())
	case world.DoesNot:
		return t.failed.Render(a.Sign())
	case world.TooEarly:
		return t.running.Render(a.Sign())
	}
	return t.unsure.Render(a.Sign())
}

// class is the name of a risk class and its colour.
func (t theme) class(c risk.Class) string {
	switch c {
	case risk.Destroy, risk.Rotate:
		return t.danger.Render(c.String())
	case risk.Interrupt, risk.Unknown:
		return t.unsure.Render(c.String())
	}
	return t.accent.Render(c.String())
}

func itoa(n int) string { return strconv.Itoa(n) }
