package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A Request is everything that decides about a step.
type Request struct {
	Step     steps.BoundStep
	Class    risk.Class    // the worst of its commands and of what its author says
	Results  []risk.Result // of the blocks that would run
	Unmet    []Unmet       // before expectations that don't hold
	Losses   []Loss        // from live reads
	Foreseen []Change      // what the step would give protected keys of Secrets, compared with what is there
	Unclear  string        // what isn't known of an earlier try of the step; empty when all is
	Left     []string      // commands that an earlier process of the run has left running
	Begun    bool          // the step was begun before in this run
	Died     []string      // what was to run in the background beside it, and how it has ended
	Where    Where
	Protects []steps.Protect // bound
	World    world.World
}

// An Unmet is a before expectation that doesn't hold, with what is known.
type Unmet struct {
	Text    string
	Verdict world.Verdict
}

// Decide says what stands between the operator and a step.
func Decide(q Request) Gate {
	g := Gate{
		Step: q.Step.ID, Title: q.Step.Title, Class: q.Class, Decision: Allow,
		Reasons: reasons(q.Results), Where: q.Where, Cost: q.Step.Cost,
	}
	g.Warnings = append(protectWarnings(q), targetWarnings(q)...)
	if q.Unclear != "" {
		g.Warnings = append(g.Warnings, Warning{Text: q.Unclear})
	}
	beside(q, &g)
	g.Losses = slices.Concat(protectLosses(q), q.Losses, untold(q.Results))
	SortLosses(g.Losses)
	blocked, unsure := unmet(q.Unmet)
	g.Blockers = append(nothingToRun(q.Step), blocked...)
	g.Warnings = append(g.Warnings, unsure...)
	switch {
	case len(g.Blockers) > 0:
		g.Decision = Refuse
	case asks(q.Class) || len(g.Warnings) > 0:
		g.Decision = Confirm
		g.Words = words(q)
	}
	g.Fingerprint = fingerprint(g)
	return g
}

// beside says what would run beside the step, and what should and doesn't. A
// step that was begun before would do the same beside its own first try: that is
// asked about. A step that only reads can't be in anybody's way.
func beside(q Request, g *Gate) {
	for _, l := range q.Left {
		text := "still running from before: " + l
		if q.Class > risk.Read && (q.Begun || q.Unclear != "") {
			g.Warnings = append(g.Warnings, Warning{Text: text + "; this step was begun before, and would run once more beside it"})
			continue
		}
		g.Beside = append(g.Beside, text)
	}
	g.Beside = append(g.Beside, q.Died...)
}

// untold are the commands that take away what can't be named beforehand: a
// file that wasn't read, a request to an address. An empty list would look like
// nothing.
func untold(results []risk.Result) []Loss {
	var out []Loss
	for _, r := range results {
		if deletes(r) {
			continue
		}
		for _, x := range r.Reasons {
			if x.Class == risk.Destroy {
				out = append(out, Loss{What: "whatever this takes away: " + x.Command, Why: x.Why + "; it can't be told beforehand", Unknown: true})
			}
		}
	}
	return out
}

// asks tells which classes need typed words.
func asks(c risk.Class) bool { return c >= risk.Unknown }

// reasons are those of the commands that change something, worst first.
func reasons(results []risk.Result) []risk.Reason {
	var out []risk.Reason
	for _, r := range results {
		for _, x := range r.Reasons {
			if x.Class > risk.Read {
				out = append(out, x)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b risk.Reason) int { return int(b.Class) - int(a.Class) })
	return out
}

// unmet splits before expectations: what is known not to hold blocks, what
// can't be told is for the operator to weigh.
func unmet(us []Unmet) (blocked []Blocker, unsure []Warning) {
	for _, u := range us {
		switch u.Verdict.Answer {
		case world.CantTell:
			unsure = append(unsure, Warning{Text: "can't tell whether " + u.Text + ": " + u.Verdict.Why})
		case world.TooEarly:
			blocked = append(blocked, Blocker{What: u.Text, Why: u.Verdict.Why, Next: "wait; it may come true by itself"})
		default:
			blocked = append(blocked, Blocker{What: u.Text, Why: u.Verdict.Why, Next: "go back to the step that brings it about"})
		}
	}
	return blocked, unsure
}

// nothingToRun blocks a step whose fences aren't offered: running it would
// look like success and do nothing.
func nothingToRun(s steps.BoundStep) []Blocker {
	if s.Manual {
		return []Blocker{{What: "a person does this one", Next: "do it, then tick it off"}}
	}
	var out []Blocker
	for _, b := range s.Blocks {
		if !b.Offered {
			out = append(out, Blocker{What: "its commands are not offered", Why: b.Reason(), Next: "read them, edit the step, or do it by hand and tick it off"})
		}
	}
	if len(out) < len(s.Blocks) {
		return nil // some of it can run; what can't is shown beside it
	}
	return out
}

// fingerprint changes when anything that the operator was shown changes. How
// long ago the target was verified is not part of it.
func fingerprint(g Gate) string {
	g.Fingerprint = ""
	g.Where.Verified = g.Where.Verified.Truncate(0)
	b, err := json.Marshal(struct {
		Gate
		Where string
	}{g, strings.Join([]string{g.Where.Context, g.Where.Server, g.Where.Namespace, g.Where.UID, g.Where.Vault, g.Where.VaultNamespace, g.Where.Note, g.Where.Drift}, "\x00")})
	if err != nil { // every field is a plain value
		panic("fingerprint of a gate: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}
