package world

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// unknownFact is the verdict about a fact of which nothing can be said now.
func unknownFact(f Fact) (Verdict, bool) {
	return Unknown(Object{Fact: f})
}

// Judge says whether Vault is active: initialised, unsealed and the node that
// serves.
func (h Health) Judge() Verdict {
	if v, unknown := unknownFact(h.Fact); unknown {
		return v
	}
	switch {
	case h.Presence != Present:
		return fails("%s", orElse(h.Why, "no Vault answers at "+h.Address))
	case !h.Initialized:
		return fails("not initialised")
	case h.Sealed:
		return fails("sealed: somebody has to unseal it")
	case h.Standby:
		return fails("%s: this node doesn't serve, another one does", orElse(h.Mode, "standby"))
	}
	return holds()
}

// soon is how little life of a token is worth a word.
const soon = 15 * time.Minute

// Judge says whether the token is good at now.
func (t Token) Judge(now time.Time) Verdict {
	if v, unknown := unknownFact(t.Fact); unknown {
		return v
	}
	if t.Presence != Present {
		return fails("%s", orElse(t.Why, "there is no token"))
	}
	if t.Never {
		return holds()
	}
	left := t.TTL - now.Sub(t.Seen)
	switch {
	case left <= 0:
		return fails("expired %s ago: log in again", Span(-left))
	case left < soon:
		return holdsBut("expires in %s", Span(left))
	}
	return holds()
}

// Judge says whether the entry is there to be read at now.
func (e Entry) Judge(now time.Time) Verdict {
	if v, unknown := unknownFact(e.Fact); unknown {
		return v
	}
	switch {
	case e.Presence != Present:
		return fails("%s", orElse(e.Why, "not found"))
	case e.Destroys:
		return failsForGood("version %d is destroyed", e.Version)
	case e.Deleted:
		return fails("version %d is deleted (it can be undeleted)", e.Version)
	case !e.Deletes.IsZero() && !e.Deletes.After(now):
		return fails("version %d was deleted %s ago", e.Version, Span(now.Sub(e.Deletes)))
	case !e.Deletes.IsZero():
		return holdsBut("deletes itself in %s", Span(e.Deletes.Sub(now)))
	}
	return holds()
}

// Has says whether the entry is there with all the keys. Keys that can't be
// listed are never taken for there.
func (e Entry) Has(now time.Time, keys ...string) Verdict {
	v := e.Judge(now)
	if v.Answer != Holds {
		return v
	}
	if e.KeysWhy != "" {
		return unsure("its keys can't be listed: %s", e.KeysWhy)
	}
	if missing := Missing(e.Keys, keys); len(missing) > 0 {
		return fails("lacks %s%s", strings.Join(missing, ", "), similar(e.Keys, missing))
	}
	return v
}

// similar points at a present key that is a missing one but for case, dashes
// and underscores.
func similar(have, missing []string) string {
	fold := func(s string) string { return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s)) }
	for _, m := range missing {
		for _, h := range have {
			if fold(h) == fold(m) {
				return fmt.Sprintf(" (it has %s)", h)
			}
		}
	}
	return ""
}

// May says whether the token may do what at the path.
func (c Capabilities) May(what string) Verdict {
	if v, unknown := unknownFact(c.Fact); unknown {
		return v
	}
	switch {
	case slices.Contains(c.List, "deny") || len(c.List) == 0:
		return fails("the policy denies %s", c.Path)
	case slices.Contains(c.List, "root"), slices.Contains(c.List, what):
		return holds()
	}
	return fails("at %s the policy allows only %s", c.Path, strings.Join(c.List, ", "))
}

// Judge says whether the address answers without an error.
func (p Probe) Judge() Verdict {
	if v, unknown := unknownFact(p.Fact); unknown {
		return v
	}
	if p.Presence != Present {
		return fails("%s", orElse(p.Why, "no answer"))
	}
	if p.Status >= 200 && p.Status < 400 {
		return holds()
	}
	return fails("answers %d", p.Status)
}
