package lint

import (
	"slices"
	"strings"

	"runbook/internal/steps"
)

// A Group is what a rule is about.
type Group string

// The groups, in the order of the documentation.
const (
	Structure   Group = "structure"
	Language    Group = "language"
	Safety      Group = "safety"
	Portability Group = "portability"
)

// A Rule is one thing that lint knows to look for.
type Rule struct {
	ID    string
	Group Group
	// Severity is the worst that the rule reports; single findings may be milder.
	Severity steps.Severity
	What     string // one sentence, as a title would say it
	Why      string // what happens to whom when nobody minds
	Fix      string
	// Bad gives a finding of this rule and Good gives none. A text that doesn't
	// start like a runbook is the code of a shell fence. ''' stands for a fence.
	Bad, Good string
	// Shown stands for Bad in the documentation where the bytes say nothing.
	Shown string

	check func(*pass) // nil for what the parser reports
}

// Rules are all rules, by group and in the order of their tables.
func Rules() []Rule {
	return slices.Concat(structureRules(), languageRules(), safetyRules(), portabilityRules())
}

// Example makes a runbook of the text of an example.
func Example(text string) []byte {
	text = strings.ReplaceAll(text, "'''", "```")
	if !wholeRunbook(text) {
		text = "# Example\n\n## Step\n\n```sh\n" + strings.TrimRight(text, "\n") + "\n```\n"
	}
	return []byte(text)
}

func wholeRunbook(text string) bool {
	for _, start := range []string{"#", "---", ">", "\x00", "Just", "<"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return text == ""
}
