package tui

import (
	"strings"
	"time"

	"runbook/internal/engine"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// liveLines are the things that belong to the step, each with its age.
func (s session) liveLines(t theme, width int, now time.Time) []string {
	var lines []string
	for _, item := range s.page.live {
		for _, l := range s.summary(item, now) {
			l.Text = s.eng.Shown(l.Text)
			lines = append(lines, s.liveLine(t, l, width)...)
		}
	}
	if len(lines) == 0 && s.page.known {
		for _, l := range hang("", "nothing to watch: this step names no object, Vault entry or URL", width) {
			lines = append(lines, t.faint.Render(l))
		}
	}
	return lines
}

// liveLine is one thing with its age at the right. The namespace of the run is
// in the header already.
func (s session) liveLine(t theme, l world.Line, width int) []string {
	if l.Detail {
		return hang("    ", oneLine(l.Text), width)
	}
	text := oneLine(l.Text)
	if s.where.Namespace != "" {
		text = strings.Replace(text, " in "+s.where.Namespace, "", 1)
	}
	lines := hang(t.answer(l.Answer)+" ", text, width)
	last, age := len(lines)-1, oneLine(l.Age)
	if cells(lines[last])+1+cells(age) > width {
		return append(lines, sides("", t.faint.Render(age), width))
	}
	lines[last] = sides(lines[last], t.faint.Render(age), width)
	return lines
}

func (s session) summary(item engine.LiveItem, now time.Time) []world.Line {
	switch sub := item.Subject; sub.Source {
	case steps.Kube:
		ref := subjectRef(sub)
		object, ok := s.world.Objects[ref]
		if !ok {
			object.Ref = ref
		}
		return world.Summary(object, now)
	case steps.Vault:
		return s.vaultSummary(sub.Entry, now)
	case steps.HTTP:
		probe, ok := s.world.Probes[sub.URL]
		if !ok {
			probe.URL = sub.URL
		}
		return probe.Summary(now)
	}
	return nil
}

func (s session) vaultSummary(entry string, now time.Time) []world.Line {
	switch entry {
	case "":
		return s.world.Health.Summary(now)
	case "token":
		return s.world.Token.Summary(now)
	}
	e, ok := s.world.Entries[entry]
	if !ok {
		e.Path = entry
	}
	return e.Summary(now)
}

// subjectRef is where the world keeps what a subject names; the engine has put
// in the namespace already.
func subjectRef(s steps.Subject) world.Ref {
	return world.NewRef(s.Kind, s.Group, s.Namespace, s.Name)
}
