package tui

import "time"

// composed asks the engine for what is stale and draws the lines of the panes
// from it. It runs once for each message, so that drawing the screen only
// takes the visible part.
func (s session) composed(l layout, t theme, now time.Time) session {
	step := s.step()
	if step == nil || l.small {
		return s
	}
	if s.stale&staleChecks != 0 && s.page.known {
		s.page.checks, s.page.live = s.eng.Checks(step.ID), s.eng.Live(step.ID)
	}
	if s.stale&staleOutput != 0 {
		s.page.output = s.eng.Output(s.outputOf())
	}
	if s.stale&^staleCode != 0 {
		if in := l.inner(stepPane); in.X > 0 {
			if s.prose == nil || s.prose.width != in.X {
				s.prose = newProse(t.dark, in.X)
			}
			s.page.step = s.stepLines(t, in.X, now)
		}
		if in := l.inner(livePane); in.X > 0 {
			s.page.liveLines = s.liveLines(t, in.X, now)
		}
	}
	s.stale &= staleCode
	return s.clamped(l)
}

// clamped keeps every pane where it has something to show.
func (s session) clamped(l layout) session {
	total := [paneCount]int{stepsPane: len(s.plan.Steps), stepPane: len(s.page.step),
		livePane: len(s.page.liveLines), outputPane: len(s.page.output.Lines)}
	for p := range paneCount {
		if room := l.inner(p).Y; room > 0 {
			s.top[p] = max(0, min(s.top[p], total[p]-room))
		}
	}
	return s
}
