package steps

import (
	"fmt"
	"strings"
)

// dump writes what a parsed runbook says, for golden files and for people.
func dump(r *Runbook) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title %q purpose %q\n", r.Title, r.Purpose)
	for _, q := range r.Params {
		fmt.Fprintf(&b, "param %s default=%q/%v type=%q pattern=%q choices=%v secret=%v\n", q.Name, q.Default, q.HasDefault, q.Type, q.Pattern, q.Choices, q.Secret)
	}
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "step %d %s %q lines %d-%d", s.N, s.ID, s.Title, s.Line, s.End)
		for w := s.When; w != nil; w = w.Outer {
			fmt.Fprintf(&b, " when %q", w.Text)
		}
		if s.Manual {
			b.WriteString(" manual")
		}
		if s.Interactive {
			b.WriteString(" interactive")
		}
		b.WriteByte('\n')
		for _, e := range s.Expect {
			fmt.Fprintf(&b, "  expect %s %+v %v\n", e.Check, e.Subject, e.Args)
		}
		for _, k := range s.Blocks {
			fmt.Fprintf(&b, "  block %d-%d %s/%s offered=%v", k.Line, k.EndLine, k.Kind, k.Lang, k.Offered)
			if k.Why != "" {
				fmt.Fprintf(&b, " why=%s (%s)", k.Why, k.Detail)
			}
			if k.Placeholders != nil {
				fmt.Fprintf(&b, " placeholders=%q", k.Placeholders)
			}
			b.WriteByte('\n')
			for line := range strings.Lines(k.Code) {
				fmt.Fprintf(&b, "    | %s", line)
			}
		}
	}
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "fault %s catalogue=%v %q steps=%v\n", f.ID, f.Catalogue, f.Title, f.Steps)
	}
	for _, f := range r.NotOffered {
		fmt.Fprintf(&b, "not offered %d-%d %s %s (%s)\n", f.Line, f.EndLine, f.Lang, f.Why, f.Detail)
	}
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&b, "%s %d:%d %s: %s", d.Severity, d.Line, d.Col, d.Rule, d.Message)
		if d.Hint != "" {
			fmt.Fprintf(&b, " [%s]", d.Hint)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
