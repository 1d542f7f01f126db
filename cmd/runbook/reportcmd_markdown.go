package main

import (
	"strings"

	"runbook/internal/redact"
)

// markdown is the account for a wiki or a ticket. What stands in a record comes
// from outside: it can neither format the page nor put anything into it.
func (a accountOf) markdown() string {
	p := &page{}
	p.say("# %s", literal(a.Title))
	p.say("")
	p.say("| | |")
	p.say("|---|---|")
	for _, h := range a.head() {
		p.say("| %s | %s |", h.name, literal(h.text))
	}
	for n, s := range a.Walked {
		p.say("")
		p.say("## %d %s", n+1, literal(s.Title))
		p.say("")
		p.say("**%s** %s", sign(s.Status), literal(s.headline()))
		p.say("")
		for _, line := range s.lines() {
			line.markdown(p)
		}
	}
	if a.CutLine {
		p.say("")
		p.say("The last line of the record was cut off while it was written.")
	}
	return p.String()
}

func (l reportLine) markdown(p *page) {
	text := literal(l.text)
	if l.at.IsZero() {
		p.say("  - %s", text)
	} else {
		p.say("- %s %s", l.at.Local().Format("15:04:05"), text)
	}
	for _, c := range l.code {
		fenced(p, c)
	}
}

// fenced is code in a fence that nothing in it can close.
func fenced(p *page, c reportCode) {
	fence := "```"
	for strings.Contains(c.text, fence) {
		fence += "`"
	}
	lang := map[string]string{"$": "sh", "-": "diff", "+": "diff"}[c.sign]
	prefix := "  "
	if lang == "diff" {
		prefix += c.sign
	}
	p.say("")
	p.say("  %s%s", fence, lang)
	p.lines(prefix, c.text)
	p.say("  %s", fence)
}

// literal is text that Markdown shows as it is, on one line.
func literal(text string) string {
	text = strings.Join(strings.Fields(redact.Terminal([]byte(text))), " ")
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_[]<>|~&$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
