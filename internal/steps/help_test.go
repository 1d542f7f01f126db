package steps

import (
	"slices"
	"strings"
	"testing"
)

// md lets test sources write fences with apostrophes.
func md(s string) string { return strings.ReplaceAll(s, "'''", "```") }

func parseText(s string) *Runbook { return Parse("x.md", []byte(md(s))) }

// why returns the verdict on the fence whose code holds part: "" when it is
// offered.
func why(t *testing.T, r *Runbook, part string) string {
	t.Helper()
	for _, s := range r.Steps {
		for _, b := range s.Blocks {
			if strings.Contains(b.Code, part) {
				return b.Why
			}
		}
	}
	for _, f := range r.NotOffered {
		if strings.Contains(f.Code, part) {
			return f.Why
		}
	}
	t.Fatalf("no fence holds %q:\n%s", part, dump(r))
	return ""
}

// codes returns the code of all blocks that are offered.
func codes(r *Runbook) []string {
	var out []string
	for _, s := range r.Steps {
		for _, b := range s.Blocks {
			if b.Offered {
				out = append(out, b.Code)
			}
		}
	}
	return out
}

func ids(r *Runbook) []string {
	var out []string
	for _, s := range r.Steps {
		out = append(out, s.ID)
	}
	return out
}

func titles(r *Runbook) []string {
	var out []string
	for _, s := range r.Steps {
		out = append(out, s.Title)
	}
	return out
}

// ruleAt returns the line of the first diagnostic of a rule, or 0.
func ruleAt(r *Runbook, rule string) int {
	for _, d := range r.Diagnostics {
		if d.Rule == rule {
			return d.Line
		}
	}
	return 0
}

func wantWhy(t *testing.T, r *Runbook, verdicts map[string]string) {
	t.Helper()
	for _, part := range sortedKeys(verdicts) {
		if got := why(t, r, part); got != verdicts[part] {
			t.Errorf("%q: got %q, want %q", part, got, verdicts[part])
		}
	}
	if t.Failed() {
		t.Log("\n" + dump(r))
	}
}

func wantCodes(t *testing.T, r *Runbook, want ...string) {
	t.Helper()
	if got := codes(r); !slices.Equal(got, want) {
		t.Errorf("offered:\n%q\nwant:\n%q\n%s", got, want, dump(r))
	}
}

// wantDiagnostic asks for a diagnostic of a rule at a line, with text in its
// message or hint.
func wantDiagnostic(t *testing.T, r *Runbook, rule string, line int, text string) {
	t.Helper()
	for _, d := range r.Diagnostics {
		if d.Rule == rule && d.Line == line && strings.Contains(d.Message+" "+d.Hint, text) {
			return
		}
	}
	t.Errorf("no %s in line %d with %q:\n%s", rule, line, text, dump(r))
}
