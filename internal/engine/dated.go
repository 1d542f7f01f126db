package engine

import (
	"time"

	"runbook/internal/expect"
	"runbook/internal/world"
)

// datedChecks are the checks of a step as they are recorded: an answer is worth
// as much as what it was made from is new.
func (e *Engine) datedChecks(step string) []Check {
	w := e.World()
	checks := e.Checks(step)
	for i, c := range checks {
		for _, n := range expect.Needs(c.Expect, e.Where().Namespace) {
			seen := seenAt(w, n)
			if !seen.IsZero() && (checks[i].Seen.IsZero() || seen.Before(checks[i].Seen)) {
				checks[i].Seen = seen
			}
		}
	}
	return checks
}

// seenAt is when the oldest fact of a need was last known to be true; zero for
// what was never answered.
func seenAt(w world.World, n expect.Need) time.Time {
	wants := wanted(n)
	var facts []world.Fact
	for _, r := range wants.Objects {
		facts = append(facts, w.Objects[r].Fact)
	}
	for _, p := range wants.Entries {
		facts = append(facts, w.Entries[p].Fact)
	}
	for _, p := range wants.Caps {
		facts = append(facts, w.Caps[p].Fact)
	}
	for _, u := range wants.URLs {
		facts = append(facts, w.Probes[u].Fact)
	}
	var oldest time.Time
	for _, f := range facts {
		if !f.Seen.IsZero() && (oldest.IsZero() || f.Seen.Before(oldest)) {
			oldest = f.Seen
		}
	}
	return oldest
}
