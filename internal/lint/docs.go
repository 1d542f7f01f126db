package lint

import (
	"fmt"
	"strings"

	"runbook/internal/steps"
)

// Docs is the text of docs/lint.md.
func Docs() string {
	var b strings.Builder
	b.WriteString(`# What lint looks for

` + "`runbook lint FILE…`" + ` reads runbooks without running anything, and says what is
wrong with them, what is dangerous in them, and what won't work on the next
person's machine. Each finding has the place, a rule of this page and a way out.
The exit code is 1 when there is an error among them. ` + "`-o sarif`" + ` is for code
hosts that show findings beside the lines; ` + "`-o json`" + ` prints

    {"files": [{"path": "…", "diagnostics": [{"line": 1, "col": 1, "severity": "error|warning|info",
      "rule": "…", "message": "…", "hint": "…"}]}], "errors": 0, "warnings": 0, "infos": 0}

The values of secrets that are found in a file are not repeated in a report.

There is no comment that turns a rule off: what is said here is true of the file
for everybody who reads it. A finding that is wrong is a bug of the rule.

`)
	for _, g := range []Group{Structure, Language, Safety, Portability} {
		var links []string
		for _, r := range Rules() {
			if r.Group == g {
				links = append(links, fmt.Sprintf("[%s](#%s)", r.ID, r.ID))
			}
		}
		fmt.Fprintf(&b, "- **%s**: %s\n", g, strings.Join(links, " · "))
	}
	for _, r := range Rules() {
		writeRule(&b, r)
	}
	return b.String()
}

func writeRule(b *strings.Builder, r Rule) {
	fmt.Fprintf(b, "\n## %s\n\n%s · %s\n\n**What.** %s\n\n**Why.** %s\n\n**How to fix.** %s\n\n", r.ID, r.Group, r.Severity, r.What, r.Why, r.Fix)
	if r.Shown != "" {
		fmt.Fprintf(b, "Found in:\n\n    %s\n\n", r.Shown)
	} else {
		b.WriteString("Found in:\n\n" + shown(r.Bad))
	}
	b.WriteString("Not in:\n\n" + shown(r.Good))
}

// shown is an example as a fence, longer than those in it.
func shown(text string) string {
	lang := "sh"
	if wholeRunbook(text) {
		lang = "markdown"
	}
	text = strings.TrimRight(strings.ReplaceAll(text, "'''", "```"), "\n")
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + lang + "\n" + text + "\n" + mark + "\n\n"
}

// Text is a finding as a person reads it: the place as editors know it, what is
// wrong, the rule, and below it what to do.
func Text(d steps.Diagnostic) string {
	text := fmt.Sprintf("%s:%d:%d: %s: %s [%s]\n", d.Path, d.Line, d.Col, d.Severity, d.Message, d.Rule)
	if d.Hint != "" {
		text += "    " + d.Hint + "\n"
	}
	return text
}
