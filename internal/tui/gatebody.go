package tui

import (
	"slices"
	"strings"
	"time"

	"runbook/internal/guard"
	"runbook/internal/world"
)

// gateBody is everything that a gate shows, worst first: what changed, the
// warnings, the target, what would be gone, and why it asks.
func gateBody(t theme, g guard.Gate, changed string, width int, now time.Time) []string {
	var lines []string
	if changed != "" {
		lines = append(lines, hang(t.unsure.Render("!")+" ", "shown again: "+oneLine(changed), width)...)
	}
	for _, b := range g.Blockers {
		lines = append(lines, blockerLines(t, b, width)...)
	}
	for _, w := range g.Warnings {
		lines = append(lines, warningLines(t, w, width)...)
	}
	for _, text := range g.Beside {
		lines = append(lines, hang(t.unsure.Render("&")+" ", oneLine(text), width)...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, whereLines(t, g.Where, width, now)...)
	lines = append(lines, lossLines(t, g.Losses, width)...)
	if g.Cost != "" {
		lines = append(lines, "", t.title.Render("Its author says"))
		lines = append(lines, hang("  ", oneLine(g.Cost), width)...)
	}
	if len(g.Reasons) > 0 {
		lines = append(lines, "", t.title.Render("What it would do"))
	}
	for _, r := range g.Reasons {
		lines = append(lines, hang("  "+t.class(r.Class)+" ", oneLine(r.Why), width)...)
		for _, part := range cutCode(oneLine(r.Command), width-4) {
			lines = append(lines, "    "+t.code.Render(part))
		}
	}
	return lines
}

func blockerLines(t theme, b guard.Blocker, width int) []string {
	lines := hang(t.failed.Render("✗")+" ", oneLine(b.String()), width)
	if b.Next != "" {
		lines = append(lines, hang("  → ", oneLine(b.Next), width)...)
	}
	return lines
}

func warningLines(t theme, w guard.Warning, width int) []string {
	text := oneLine(w.Text)
	if w.Protects != "" {
		text = oneLine(w.Protects) + ": " + text
	}
	lines := hang(t.danger.Render("!")+" ", text, width)
	if w.Undo != "" {
		lines = append(lines, hang("  undo: ", oneLine(w.Undo), width)...)
	}
	return lines
}

func whereLines(t theme, w guard.Where, width int, now time.Time) []string {
	lines := []string{t.title.Render("Where")}
	for _, row := range [][2]string{{"context", w.Context}, {"server", w.Server}, {"namespace", w.Namespace}, {"vault", w.Vault}} {
		if row[1] != "" {
			lines = append(lines, hang("  "+fit(row[0], 10), oneLine(row[1]), width)...)
		}
	}
	if len(lines) == 1 {
		lines = append(lines, hang("  ", "this machine: no cluster and no Vault is asked", width)...)
	} else {
		verified := "never"
		if !w.Verified.IsZero() {
			verified = world.Span(now.Sub(w.Verified)) + " ago"
		}
		lines = append(lines, hang("  "+fit("verified", 10), verified, width)...)
	}
	for _, note := range []string{w.Note, w.Drift} {
		if note != "" {
			lines = append(lines, hang(t.unsure.Render("!")+" ", oneLine(note), width)...)
		}
	}
	return lines
}

// lossLines names what can't be brought back first, whatever order it came in,
// and what isn't known before what can be made again.
func lossLines(t theme, losses []guard.Loss, width int) []string {
	if len(losses) == 0 {
		return nil
	}
	sorted := slices.Clone(losses)
	guard.SortLosses(sorted)
	lines := []string{"", t.title.Render("What will be gone") + " (" + itoa(len(losses)) + ")"}
	for _, l := range sorted {
		lines = append(lines, lossLine(t, l, width)...)
	}
	return lines
}

func lossLine(t theme, l guard.Loss, width int) []string {
	var about []string
	prefix := "  - "
	switch {
	case l.Irrecoverable:
		prefix = "  " + t.danger.Render("✗") + " "
		about = append(about, "can't be brought back")
	case l.Unknown:
		prefix = "  " + t.unsure.Render("?") + " "
		about = append(about, "not known")
	}
	if l.Why != "" {
		about = append(about, oneLine(l.Why))
	}
	text := oneLine(l.What)
	if len(about) > 0 {
		text += " — " + strings.Join(about, "; ")
	}
	return hang(prefix, text, width)
}
