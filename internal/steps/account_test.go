package steps

import (
	"maps"
	"slices"
	"testing"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// checkAccounts holds the fences of the raw scan against the steps.
func checkAccounts(t *testing.T, r *Runbook, counts map[string]int) {
	t.Helper()
	seen := map[int]bool{} // lines of code that are spoken of
	note := func(first, last int, what string) {
		counts[what]++
		for l := first - 1; l <= last+1; l++ {
			seen[l] = true
		}
	}
	for _, s := range r.Steps {
		counts["steps"]++
		for _, k := range s.Blocks {
			if k.Offered != (k.Why == "") {
				t.Errorf("%s:%d: offered %v, why %q", r.Path, k.Line, k.Offered, k.Why)
			}
			note(k.Line, k.EndLine, "block "+k.Why)
		}
	}
	for _, f := range r.NotOffered {
		if f.Why == "" {
			t.Errorf("%s:%d: not offered without a reason", r.Path, f.Line)
		}
		note(f.Line, f.EndLine, "fence "+f.Why)
	}
	doc := newDocument(string(r.Source))
	p := &fileParser{book: &Runbook{Path: r.Path}, doc: doc}
	first := p.frontMatter()
	for _, f := range scan(doc, first, outlineOf(doc, r.Source, first).hidden).fences {
		counts["fences"]++
		found := false
		for l := f.open + 1; l <= f.end+1; l++ {
			found = found || seen[l]
		}
		if !found {
			t.Errorf("%s:%d: the fence is not accounted for", r.Path, f.open+1)
		}
	}
}
