package expect

import (
	"runbook/internal/steps"
	"runbook/internal/world"
)

func judgeVault(e steps.Expectation, w world.World) world.Verdict {
	switch {
	case e.Check == steps.MayRead:
		path := arg(e, 0)
		c := w.Caps[path]
		if c.Path == "" {
			c.Path = path
		}
		return orEarlier(w, c.May("read"))
	case e.Subject.Entry == "token":
		return w.Token.Judge(w.Now)
	case e.Subject.Entry == "":
		return w.Health.Judge()
	}
	entry := w.Entries[e.Subject.Entry]
	switch e.Check {
	case steps.Exists, steps.Ready:
		return orEarlier(w, entry.Judge(w.Now))
	case steps.HasKeys:
		return orEarlier(w, entry.Has(w.Now, e.Args...))
	case steps.Absent:
		return orEarlier(w, entryAbsent(entry))
	}
	return unsure("%q can't be asked of a Vault entry", e.Check)
}

// orEarlier names the earlier cause of what can't be told: a sealed Vault or a
// dead token explains every entry at once.
func orEarlier(w world.World, v world.Verdict) world.Verdict {
	if v.Answer != world.CantTell {
		return v
	}
	for _, cause := range []world.Verdict{w.Health.Judge(), w.Token.Judge(w.Now)} {
		if cause.Answer == world.DoesNot {
			return unsure("Vault: %s", cause.Why)
		}
	}
	return v
}

// entryAbsent doesn't take a deleted version for absence: it can be brought
// back, and a new entry can't be created over it with check-and-set 0.
func entryAbsent(e world.Entry) world.Verdict {
	if v, unknown := world.Unknown(world.Object{Fact: e.Fact}); unknown {
		return v
	}
	switch {
	case e.Presence != world.Present:
		return holds()
	case e.Destroys:
		return fails("version %d is destroyed, but the entry's metadata is still there", e.Version)
	case e.Deleted:
		return fails("version %d is deleted, but can be undeleted", e.Version)
	}
	return fails("it is still there")
}
