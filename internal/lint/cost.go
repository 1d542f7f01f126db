package lint

import (
	"regexp"
	"strings"

	"runbook/internal/risk"
	"runbook/internal/steps"
)

// warns finds a text that warns, in the languages that runbooks here are written in.
var warns = regexp.MustCompile(`(?i)\b(warning|caution|danger(ous)?|careful(ly)?|attention|beware|irrevers\w*|irrecover\w*|can(no|')t be (undone|recovered|restored|brought back)|data[ -]loss|los(e|es|t|ing)|destroy\w*|destructive|wipe[sd]?|gone|downtime|outage|interrupt\w*|unavailable|logged out|achtung|vorsicht|warnung|gefahr|verlor\w*|verlust|unwiderruflich|ausfall)\b|⚠|:warning:`)

func checkCost(p *pass) {
	for i := range p.book.Steps {
		s := &p.book.Steps[i]
		if s.Cost != "" {
			continue
		}
		if at, why, ok := p.worst(s); ok && !warned(s) {
			p.report(at, sprintf("%s; the step doesn't say what that costs", why), "add `cost:` to the step's annotation, in words that people affected would use")
		}
	}
}

func warned(s *steps.Step) bool {
	for _, part := range s.Parts {
		if warns.MatchString(part.Prose) {
			return true
		}
	}
	return false
}

// worst is the command of a step that is hardest to take back, if any is.
func (p *pass) worst(s *steps.Step) (at steps.Pos, why string, found bool) {
	class := risk.Unknown
	for _, x := range p.of[s] {
		for _, c := range x.calls {
			if r := c.risk(); r.Class > class && !onlyTemporary(r) {
				class, at, why, found = r.Class, x.at(c.node.Pos()), sprintf("%s: %s", p.quote(c.source()), reasonOf(r)), true
			}
		}
		// What a redirection or a here-document does belongs to no command.
		if r := &x.result; r.Class > class && !onlyTemporary(r) {
			class, at, why, found = r.Class, x.locate(r.Reasons[0].Command), sprintf("%s: %s", p.quote(r.Reasons[0].Command), r.Reasons[0].Why), true
		}
	}
	for _, b := range s.Blocks {
		if b.Action != nil && b.Action.Verb == steps.VaultRotate && class < risk.Rotate && !p.costOf(b.Action) {
			return b.Action.Pos, sprintf("a new value for %s of %s replaces the old one", b.Action.Property, b.Action.Entry), true
		}
	}
	return at, why, found
}

func reasonOf(r *risk.Result) string {
	for _, x := range r.Reasons {
		if x.Class == r.Class {
			return x.Why
		}
	}
	return "is of class " + r.Class.String()
}

// onlyTemporary tells whether all that is removed are temporary files.
func onlyTemporary(r *risk.Result) bool {
	if len(r.Touches) == 0 {
		return false
	}
	for _, t := range r.Touches {
		if !strings.HasPrefix(t.Path, "/tmp/") && !strings.HasPrefix(t.Path, "$TMP") {
			return false
		}
	}
	return true
}

// costOf tells whether the front matter says what a rotation costs.
func (p *pass) costOf(a *steps.Action) bool {
	for _, q := range p.book.Protects {
		if q.Vault == a.Entry && q.Property == a.Property && q.Cost != "" {
			return true
		}
	}
	return false
}
