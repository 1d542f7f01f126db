package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"runbook/internal/journal"
	"runbook/internal/redact"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A page is text that grows line by line. What stands in a record comes from
// outside, so every line is cleaned of escapes.
type page struct{ strings.Builder }

func (p *page) say(format string, args ...any) {
	p.WriteString(redact.Terminal(fmt.Appendf(nil, format, args...)) + "\n")
}

// lines puts text behind a prefix, line by line.
func (p *page) lines(prefix, text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		p.say("%s%s", prefix, strings.TrimRight(line, "\n"))
	}
}

// text is the account for people.
func (a accountOf) text() string {
	p := &page{}
	p.say("%s", a.Title)
	p.say("run       %s: %s, %d of %d done", a.Run, a.State, a.Settled, a.Taken)
	p.say("walked    by %s on %s, %s to %s", a.Operator, a.Host, clock(a.Started), clock(a.Last))
	for _, r := range a.Resumed {
		p.say("resumed   by %s on %s, %s", r.Operator, r.Host, clock(r.At))
	}
	p.say("runbook   %s, sha256 %s", a.Path, a.Hash)
	if a.Commit != "" {
		p.say("commit    %s%s", strings.TrimSuffix(a.Commit, "+"), map[bool]string{true: ", with changes that are in no commit"}[strings.HasSuffix(a.Commit, "+")])
	}
	if a.Context != "" {
		p.say("cluster   context %s, server %s, kube-system %s, namespace %s", a.Context, a.Server, a.UID, a.Namespace)
	}
	if a.Vault != "" {
		p.say("vault     %s", a.Vault)
	}
	p.say("program   runbook %s", a.Version)
	p.say("record    %s", a.Dir)
	a.params(p)
	for _, c := range a.Changed {
		for _, s := range c.Set {
			p.say("changed   %s, by %s, %s", s, c.Operator, clock(c.At))
		}
	}
	for n, s := range a.Walked {
		p.say("")
		s.text(p, n+1)
	}
	if a.CutLine {
		p.say("\nthe last line of the record was cut off while it was written")
	}
	return p.String()
}

func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

func (a accountOf) params(p *page) {
	for _, name := range slices.Sorted(maps.Keys(a.Params)) {
		v := a.Params[name]
		switch {
		case v.Source == steps.FromNone:
		case v.Secret:
			p.say("parameter %s: a secret, not kept (%s)", name, v.Source)
		default:
			p.say("parameter %s=%s (%s)", name, v.Value, v.Source)
		}
	}
}

const inset = "    "

func (s stepAccount) text(p *page, n int) {
	line := fmt.Sprintf("%s %d %s [%s]: %s", sign(s.Status), n, s.Title, s.ID, s.Status)
	if s.Seconds > 0 {
		line += fmt.Sprintf(", %.1fs", s.Seconds)
	}
	if s.Tries > 1 {
		line += fmt.Sprintf(", %d tries", s.Tries)
	}
	if s.Why != "" {
		line += ": " + s.Why
	}
	p.say("%s", line)
	began := false // since it was started last
	for _, e := range s.Entries {
		switch {
		case e.Fact != nil:
			began = e.Fact.Kind != steps.StepStarted
		case e.Code != nil:
			began = true
		case len(e.Checks) > 0 && !began:
			p.say("%s%s before it ran:", inset, e.At.Local().Format("15:04:05"))
		}
		e.text(p)
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

func (e entryOf) text(p *page) {
	at := e.At.Local().Format("15:04:05")
	switch {
	case e.Fact != nil:
		e.Fact.At = e.At
		line := fmt.Sprintf("%s%s %s", inset, at, e.Fact.Kind)
		if e.Fact.Exit != 0 {
			line += fmt.Sprintf(" %d", e.Fact.Exit)
		}
		if e.Fact.Why != "" {
			line += ": " + e.Fact.Why
		}
		p.say("%s", line)
	case e.Gate != nil:
		gateText(p, at, *e.Gate)
	case e.Code != nil:
		e.codeText(p)
	case e.Ended != nil:
		p.say("%s%s block %d: %s", inset, at, e.Ended.Block+1, exitText(*e.Ended))
	case e.Note != "":
		p.lines(inset+at+" note: ", e.Note)
	}
	for _, c := range e.Checks {
		line := fmt.Sprintf("%s%s %s %s: %s", inset, at, world.Answer(c.Answer).Sign(), c.Role, c.Text)
		if c.Why != "" {
			line += ": " + c.Why
		}
		p.say("%s", line)
	}
	for _, c := range e.Changes {
		line := fmt.Sprintf("%s%s %s in %s: %s", inset, at, c.Protects, c.Layer, c.Now)
		if c.Why != "" {
			line += ": " + c.Why
		}
		p.say("%s", line)
	}
}

func exitText(e journal.EndData) string {
	text := fmt.Sprintf("exit %d", e.Exit)
	if e.Statement > 0 {
		text = fmt.Sprintf("statement %d of %d: %s", e.Statement, e.Of, text)
	}
	if e.Why != "" {
		text += ": " + e.Why
	}
	return text
}

func gateText(p *page, at string, g journal.GateData) {
	answer := "passed"
	switch {
	case !g.Passed:
		answer = "not passed"
	case g.Accepted:
		answer = "accepted beforehand"
	case g.Words != "":
		answer = "confirmed by typing: " + g.Words
	}
	p.say("%s%s gate: %s, %s, %s", inset, at, g.Decision, g.Class, answer)
	for _, list := range []struct {
		name string
		text []string
	}{{"warning", g.Warnings}, {"reason", g.Reasons}, {"lost", g.Losses}} {
		for _, text := range list.text {
			p.say("%s  %s: %s", inset, list.name, text)
		}
	}
}

func (e entryOf) codeText(p *page) {
	if strings.TrimSpace(e.Code.Code) != "" {
		p.lines(inset+"  $ ", e.Code.Code)
	}
	if e.Code.Edited {
		p.say("%s  edited by the operator; the document says:", inset)
		p.lines(inset+"  - ", e.Code.Document)
	}
	size := fmt.Sprintf("%d bytes", e.Bytes)
	if e.Lost {
		size = "missing"
	}
	p.say("%s  output: %s, %s", inset, filepath.Base(e.Code.Output), size)
}
