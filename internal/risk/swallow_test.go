package risk

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNoShapeSwallowsAWorseWord holds the tables to their own rule: among lines of the same
// rank the later one wins, so a shape such as batch-* must not stand below the word
// batch-delete-image, or it makes a deletion harmless.
func TestNoShapeSwallowsAWorseWord(t *testing.T) {
	seen := map[*tool]bool{}
	set := tables()
	for name := range set.sections {
		tl := set.tool(name)
		if tl == nil || seen[tl] {
			continue
		}
		seen[tl] = true
		for i, r := range tl.rules {
			for _, later := range tl.rules[i+1:] {
				if r.class > later.class && sameShape(r, later) {
					for _, s := range swallowed(r, later) {
						t.Errorf("%s: %s (%s) falls under a later line that says %s", tl.name, s, r.class, later.class)
					}
				}
			}
		}
	}
}

// sameShape says that two lines compete: the same places, and no flags.
func sameShape(a, b *rule) bool {
	if a.rank() != b.rank() || len(a.words) != len(b.words) || len(a.conds)+len(b.conds) > 0 || a.end != b.end || len(a.words) == 0 {
		return false
	}
	for i := range a.words[:len(a.words)-1] {
		if fmt.Sprint(a.words[i]) != fmt.Sprint(b.words[i]) {
			return false
		}
	}
	return true
}

// swallowed are the last words of a line that a shape of a later line takes.
func swallowed(r, later *rule) []string {
	var out []string
	p, q := r.words[len(r.words)-1], later.words[len(later.words)-1]
	try := func(s string) {
		for _, g := range q.globs {
			if globMatch(g, s) && !slices.Contains(q.words, s) {
				out = append(out, s)
			}
		}
	}
	for _, w := range p.words {
		try(w)
	}
	for _, g := range p.globs {
		try(strings.ReplaceAll(g, "*", "x"))
	}
	return out
}
