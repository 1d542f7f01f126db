package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"runbook/internal/risk"
	"runbook/internal/steps"
)

// Check returns what is to be said of a runbook: what the parser found and
// what the rules find, in the order of the file. Values are the parameters as
// far as they are known; with nil, the defaults of the runbook are taken.
func Check(r *steps.Runbook, v steps.Values) []steps.Diagnostic {
	p := newPass(r, v)
	p.found = slices.Clone(r.Diagnostics)
	for _, rule := range Rules() {
		if rule.check == nil {
			continue
		}
		p.rule = rule
		rule.check(p)
	}
	p.found = slices.DeleteFunc(p.found, p.saidBetter)
	slices.SortStableFunc(p.found, func(a, b steps.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(rank(a.Severity), rank(b.Severity)), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.Compact(p.found)
}

// Expressions returns what is wrong with the CEL expressions of a runbook. It
// is the one rule that is heeded when a runbook is opened: an expression that
// doesn't compile would be found out in the middle of a teardown.
func Expressions(r *steps.Runbook) []steps.Diagnostic {
	if !bytes.Contains(r.Source, []byte("cel:")) {
		return nil
	}
	p := newPass(r, nil)
	for _, rule := range Rules() {
		if rule.ID == "cel" {
			p.rule = rule
			rule.check(p)
		}
	}
	return p.found
}

// saidBetter tells whether another finding in the same place asks for the same:
// who is told that a protected key is overwritten needn't be told that it costs.
func (p *pass) saidBetter(d steps.Diagnostic) bool {
	return d.Rule == "cost-missing" && slices.ContainsFunc(p.found, func(o steps.Diagnostic) bool { return o.Rule == "rotates-protected" && o.Line == d.Line })
}

func rank(s steps.Severity) int {
	return slices.Index([]steps.Severity{steps.Error, steps.Warning, steps.Info}, s)
}

// A pass is one look at one runbook.
type pass struct {
	book    *steps.Runbook
	plan    *steps.Plan
	lines   []string
	scripts []*script
	of      map[*steps.Step][]*script
	reading reading
	secrets []string // literal values of secrets in the file
	rule    Rule
	found   []steps.Diagnostic
}

func newPass(r *steps.Runbook, v steps.Values) *pass {
	if v == nil {
		// The error names values that aren't allowed; without sources there are none.
		v, _ = r.Resolve(steps.Sources{})
	}
	// What can't be bound is an action whose parameters have no value yet; the
	// plan holds everything else.
	plan, _ := r.Bind(v)
	p := &pass{book: r, plan: plan, lines: strings.Split(string(r.Source), "\n"),
		reading: newReading(), of: map[*steps.Step][]*script{}}
	context := risk.Context{Env: map[string]string{}}
	for name, value := range plan.Values {
		if !value.Secret {
			context.Env[name] = value.Text
		}
	}
	for i := range r.Steps {
		p.readStep(&r.Steps[i], context)
	}
	p.literals(func(_ steps.Pos, _, value string) { p.secrets = append(p.secrets, value) })
	return p
}

// readStep takes the blocks that a person may run: those that are offered, and
// those that only wait for a placeholder to be filled in. The parser has found
// both to be shell of a sane depth.
func (p *pass) readStep(s *steps.Step, c risk.Context) {
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Kind == steps.ShellBlock && (b.Offered || len(b.Placeholders) > 0 && b.Why == steps.WhyPlaceholder) {
			x := newScript(p.reading, p.lines, s, b, c)
			p.scripts = append(p.scripts, x)
			p.of[s] = append(p.of[s], x)
		}
	}
}

// report adds a finding of the rule that is being checked.
func (p *pass) report(at steps.Pos, message, hint string) {
	p.reportAs(p.rule.Severity, at, message, hint)
}

func (p *pass) reportAs(severity steps.Severity, at steps.Pos, message, hint string) {
	line := min(max(at.Line, 1), len(p.lines))
	col := min(max(at.Col, 1), len(p.lines[line-1])+1)
	d := steps.Diagnostic{Path: p.book.Path, Line: line, Col: col, Severity: severity, Rule: p.rule.ID, Message: p.hide(message), Hint: p.hide(hint)}
	p.found = append(p.found, d.OneLine())
}

// calls yields every command of every script.
func (p *pass) calls(f func(*call)) {
	for _, s := range p.scripts {
		for _, c := range s.calls {
			f(c)
		}
	}
}

// find returns the place of a text in a line of the file, or the line's start.
func (p *pass) find(line int, text string) steps.Pos {
	if line < 1 || line > len(p.lines) {
		return steps.Pos{Line: line, Col: 1}
	}
	return steps.Pos{Line: line, Col: max(strings.Index(p.lines[line-1], text), 0) + 1}
}

// quote shows a piece of code in a message: its first line, not too long, and
// without the secrets in it.
func (p *pass) quote(code string) string { return quote(p.hide(code)) }

// hide takes the secrets that stand in the file out of a text. A report is
// shown to more people, and kept for longer, than the file.
func (p *pass) hide(text string) string {
	for _, secret := range p.secrets {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}

func quote(code string) string {
	const longest = 70
	code, _, more := strings.Cut(strings.TrimSpace(code), "\n")
	code = strings.TrimSuffix(strings.TrimRight(code, " "), `\`)
	if r := []rune(code); len(r) > longest {
		code, more = string(r[:longest]), true
	}
	if more {
		code = strings.TrimRight(code, " ") + " …"
	}
	return "`" + strings.ReplaceAll(code, "`", "'") + "`"
}

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }
