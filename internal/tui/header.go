package tui

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"runbook/internal/engine"
	"runbook/internal/world"
)

// header is the first row. The cluster and the namespace that will be hit are
// always in it; the title gives way to them.
func (m Model) header(width int) string {
	s, t := m.run, m.theme
	settled, taken := s.state.Count()
	right := itoa(settled) + "/" + itoa(taken)
	target := oneLine(s.where.Context)
	if s.where.Namespace != "" {
		target += " · ns " + oneLine(s.where.Namespace)
	}
	vault, token := s.vaultState(m.cfg.Now()), s.tokenState(m.cfg.Now())
	full := vault
	if vault != "" && token != "" {
		full += ", " + token
	}
	room := width - cells(right) - 3
	for _, middle := range []string{joinDots(target, full), joinDots(target, vault), target} {
		if left := room - cells(middle) - 3; left >= 12 || middle == target {
			title := ansi.Truncate(oneLine(s.plan.Runbook.Title), max(0, left), "…")
			return sides(" "+t.title.Render(title)+gap(title)+t.accent.Render(middle), right+" ", width)
		}
	}
	return ""
}

// alert tells whether the line below the header is needed: the operator's own
// kubeconfig names another target by now.
func (s session) alert() bool { return s.where.Drift != "" }

// drifted says that it does, or no longer.
func (m Model) drifted(e engine.Drifted) Model {
	m.run.where = e.Where
	m.run.stale |= staleLines
	text := e.Where.Drift
	if text == "" {
		text = "the kubeconfig names the target of this run again"
	}
	return m.notify(m.run.alert(), text).sized().keepInView()
}

func gap(title string) string {
	if title == "" {
		return ""
	}
	return "   "
}

func joinDots(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " · ")
}

// vaultState is Vault's own state, or "" without a Vault.
func (s session) vaultState(now time.Time) string {
	if s.where.Vault == "" {
		return ""
	}
	h := s.world.Health
	switch {
	case h.Stale:
		return "vault not heard since " + h.StaleSince.Format("15:04:05")
	case h.Presence == world.Hidden || h.Presence == world.NoKind:
		return "vault can't be asked"
	case h.Presence != world.Present:
		return "vault: asking"
	case !h.Initialized:
		return "vault not initialised"
	case h.Sealed:
		return "vault sealed"
	case h.Standby:
		return "vault standby"
	}
	return "vault active"
}

// tokenState is how long the token lives, or "" while Vault doesn't answer.
func (s session) tokenState(now time.Time) string {
	tok, h := s.world.Token, s.world.Health
	switch {
	case h.Stale || h.Presence != world.Present || h.Sealed || !h.Initialized:
		return ""
	case tok.Presence == world.Asking:
		return "token: asking"
	case tok.Presence != world.Present:
		return "no valid token"
	case tok.Never:
		return "token doesn't expire"
	}
	left := tok.TTL - now.Sub(tok.Seen)
	if left <= 0 {
		return "token expired"
	}
	return "token " + world.Span(left)
}
