package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"runbook/internal/redact"
	"runbook/internal/steps"
)

// A page is text that grows line by line. What stands in a record comes from
// outside, so every line is cleaned of escapes.
type page struct{ strings.Builder }

// pageWidth is where lines are broken, in cells; code never is.
const pageWidth = 80

func (p *page) say(format string, args ...any) {
	p.WriteString(redact.Terminal(fmt.Appendf(nil, format, args...)) + "\n")
}

// hang puts text behind a prefix, and what doesn't fit on the line below it. A
// word that is longer than a line stays whole: it is there to be copied.
func (p *page) hang(prefix, text string) {
	indent := strings.Repeat(" ", ansi.StringWidth(prefix))
	for line := range strings.Lines(text + "\n") {
		for _, row := range rows(redact.Terminal([]byte(line)), pageWidth-len(indent)) {
			p.say("%s%s", prefix, row)
			prefix = indent
		}
	}
}

// rows breaks a line at its spaces.
func rows(line string, width int) []string {
	var out []string
	row := ""
	for _, word := range strings.Fields(line) {
		if row != "" && ansi.StringWidth(row)+1+ansi.StringWidth(word) > width {
			out, row = append(out, row), ""
		}
		row = strings.TrimPrefix(row+" "+word, " ")
	}
	return append(out, row)
}

// lines puts text behind a prefix, line by line.
func (p *page) lines(prefix, text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		p.say("%s%s", prefix, strings.TrimRight(line, "\n"))
	}
}

// A headline is one thing that is true of a whole run.
type headline struct{ name, text string }

// head is what is true of the whole run.
func (a accountOf) head() []headline {
	out := []headline{
		{"run", a.Run}, {"state", fmt.Sprintf("%s, %d of %d done", a.State, a.Settled, a.Taken)},
		{"walked", fmt.Sprintf("by %s on %s, %s to %s", a.Operator, a.Host, clock(a.Started), clock(a.Last))},
	}
	for _, r := range a.Resumed {
		out = append(out, headline{"resumed", fmt.Sprintf("by %s on %s, %s", r.Operator, r.Host, clock(r.At))})
	}
	out = append(out, headline{"runbook", a.Path}, headline{"sha256", a.Hash})
	if commit, dirty := strings.CutSuffix(a.Commit, "+"); commit != "" {
		if dirty {
			commit += ", with changes that are in no commit"
		}
		out = append(out, headline{"commit", commit})
	}
	if a.Context != "" {
		out = append(out, headline{"cluster", fmt.Sprintf("context %s, %s, namespace %s", a.Context, a.Server, a.Namespace)}, headline{"", "kube-system " + orDash(a.UID)})
	}
	if a.Vault != "" {
		out = append(out, headline{"vault", a.Vault})
	}
	out = append(out, headline{"program", "runbook " + a.Version}, headline{"record", a.Dir})
	out = append(out, a.parameters()...)
	for _, c := range a.Changed {
		for _, s := range c.Set {
			out = append(out, headline{"changed", fmt.Sprintf("%s, by %s, %s", s, c.Operator, clock(c.At))})
		}
	}
	return out
}

func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

func (a accountOf) parameters() []headline {
	var out []headline
	for _, name := range slices.Sorted(maps.Keys(a.Params)) {
		v := a.Params[name]
		switch {
		case v.Source == steps.FromNone:
		case v.Secret:
			out = append(out, headline{"parameter", fmt.Sprintf("%s: a secret, not kept (%s)", name, v.Source)})
		default:
			out = append(out, headline{"parameter", fmt.Sprintf("%s=%s (%s)", name, v.Value, v.Source)})
		}
	}
	return out
}

// text is the account for people.
func (a accountOf) text() string {
	p := &page{}
	p.hang("", a.Title)
	for _, h := range a.head() {
		p.hang(fmt.Sprintf("%-10s", h.name), h.text)
	}
	for n, s := range a.Walked {
		p.say("")
		p.hang(fmt.Sprintf("%s %d ", sign(s.Status), n+1), s.headline())
		for _, line := range s.lines() {
			line.print(p)
		}
	}
	if a.CutLine {
		p.say("")
		p.hang("", "the last line of the record was cut off while it was written")
	}
	return p.String()
}

// headline says how the step stands.
func (s stepAccount) headline() string {
	line := fmt.Sprintf("%s [%s]: %s", s.Title, s.ID, s.Status)
	if s.Seconds > 0 {
		line += fmt.Sprintf(", %.1fs", s.Seconds)
	}
	if s.Tries > 1 {
		line += fmt.Sprintf(", %d tries", s.Tries)
	}
	return because(line, s.Why)
}

func (l reportLine) print(p *page) {
	prefix := "    " + strings.Repeat(" ", len("15:04:05")) + "   "
	if !l.at.IsZero() {
		prefix = "    " + l.at.Local().Format("15:04:05") + " "
	}
	p.hang(prefix, l.text)
	for _, c := range l.code {
		p.lines("      "+c.sign+" ", c.text)
	}
}

func sign(s steps.Status) string {
	switch {
	case s == steps.NotTaken || s == steps.Skipped:
		return "-"
	case s.Settled():
		return "✓"
	case s == steps.Pending:
		return "·"
	case s == steps.Unsure:
		return "?"
	}
	return "✗"
}
