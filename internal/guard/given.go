package guard

import (
	"slices"

	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A Given is a value that a step would write, for comparing and never for
// showing. It is not known where only the running step decides it.
type Given func() (value string, known bool)

// GivenTo are the values that results give to protected keys of Secrets, by the
// names of what is protected. A Secret that isn't named may be the one.
func GivenTo(protects []steps.Protect, results []risk.Result) map[string][]Given {
	out := map[string][]Given{}
	for _, p := range protects {
		h := homeOf(p, world.World{})
		for _, r := range results {
			for _, t := range r.Touches {
				if t.Kind == "secret" && t.Op == "apply" && h.here(t.Namespace) && named(t.Name, h.name) && slices.Contains(t.Keys, p.Key) {
					out[p.Name] = append(out[p.Name], func() (string, bool) { return t.Given.Value(p.Key) })
				}
			}
		}
	}
	return out
}
