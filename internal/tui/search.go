package tui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"runbook/internal/steps"
)

// search is what was looked for last. An empty query is no search.
type search struct {
	query string // lower case
	typed string // as it was asked for
	pane  pane   // of the hit that is shown
	line  int    // of the hit in its pane's text; -1 before the first
}

func (m Model) askFind() (Model, tea.Cmd) {
	p := m.newPrompt("Find in steps and output", "", func(text string) action {
		return func(m Model) (Model, tea.Cmd) {
			m.run.search = search{query: strings.ToLower(text), typed: text, pane: stepPane, line: -1}
			if text == "" {
				m.run.search = search{}
				return m, nil
			}
			return m.found(1), nil
		}
	})
	p.atBottom = true
	return m.open(p), nil
}

func (s search) in(line string) bool {
	if s.query == "" {
		return false
	}
	if strings.ContainsFunc(line, mayEscape) {
		line = ansi.Strip(line)
	}
	return strings.Contains(strings.ToLower(line), s.query)
}

// mayEscape tells whether a character may begin an escape sequence.
func mayEscape(r rune) bool {
	return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == unicode.ReplacementChar
}

// marks are the signs beside the visible rows of a pane, which show the lines
// of its text that are given: hits have one, and the hit that n has come to another.
func (s search) marks(p pane, rows []string, lines []int) []string {
	if s.query == "" {
		return nil
	}
	marks := make([]string, len(rows))
	for i, row := range rows {
		switch {
		case p == s.pane && lines[i] == s.line:
			marks[i] = "▸"
		case s.in(row):
			marks[i] = "»"
		}
	}
	return marks
}

// found goes to the next hit (by is 1) or the one before (-1): first in the
// step that is shown and its output, then in the other steps, around the end.
func (m Model) found(by int) Model {
	if hit, ok := m.run.hitHere(by); ok {
		return m.showHit(hit)
	}
	n := len(m.run.plan.Steps)
	for d := 1; d <= n; d++ {
		i := ((m.run.at+by*d)%n + n) % n
		if !m.run.search.in(stepText(&m.run.plan.Steps[i])) && i != m.run.at {
			continue
		}
		at := m
		if i != m.run.at {
			at = m.selected(i)
		}
		at.run.search.pane, at.run.search.line = stepPane, -1
		if by < 0 {
			at.run.search.pane, at.run.search.line = outputPane, 1<<30
		}
		at.run = at.run.composed(newLayout(m.size, stepPane, m.run.zoom, m.run.alert()), m.theme, m.cfg.Now())
		if hit, ok := at.run.hitHere(by); ok {
			return at.showHit(hit)
		}
	}
	typed := m.run.search.typed
	m.run.search = search{} // the keys of a search go with it
	return m.notify(true, "not found: "+m.cfg.Written(typed))
}

// hitHere is the next hit in the step that is shown, from the last one on.
func (s session) hitHere(by int) (search, bool) {
	texts := []struct {
		pane  pane
		lines []string
	}{{stepPane, s.page.step}, {outputPane, s.page.output.Lines}}
	if by < 0 {
		texts[0], texts[1] = texts[1], texts[0]
	}
	from := s.search
	for _, text := range texts {
		if text.pane != from.pane && (text.pane < from.pane) == (by > 0) {
			continue // already behind
		}
		i := from.line + by
		if text.pane != from.pane {
			i = 0
			if by < 0 {
				i = len(text.lines) - 1
			}
		}
		for i = min(i, len(text.lines)-1); i >= 0 && i < len(text.lines); i += by {
			if from.in(text.lines[i]) {
				return search{query: from.query, typed: from.typed, pane: text.pane, line: i}, true
			}
		}
	}
	return search{}, false
}

// showHit scrolls to a hit.
func (m Model) showHit(hit search) Model {
	m = m.withFocus(hit.pane)
	m.run.search = hit
	room := m.layout().inner(hit.pane).Y
	top := max(0, hit.line-room/2)
	if hit.pane == outputPane {
		m.run = m.run.scrollOutput(-1<<20, room).scrollOutput(top, room)
		return m
	}
	m.run.top[stepPane] = top
	return m
}

// stepText is everything of a step that is searched without drawing it.
func stepText(step *steps.BoundStep) string {
	var b strings.Builder
	b.WriteString(step.Title + "\n")
	for _, p := range step.Parts {
		b.WriteString(p.Prose + "\n")
		if p.Fence != nil {
			b.WriteString(p.Fence.Code + "\n")
		}
	}
	for _, blk := range step.Blocks {
		b.WriteString(blk.Code + "\n")
	}
	b.WriteString(strings.Join(step.Code, "\n"))
	return b.String()
}
