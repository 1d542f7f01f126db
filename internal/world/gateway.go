package world

import "runbook/internal/dig"

func gatewayReady(s subject) Verdict {
	if untouched(s) {
		return waitsOrFails(s.young(), "no controller has touched it: does one serve class %q?", s.str("spec", "gatewayClassName"))
	}
	for _, kind := range []string{"Accepted", "Programmed"} {
		c, ok := s.cond(kind)
		if !ok {
			return waits("%s is not known yet", kind)
		}
		if kind == "Programmed" && c.is("False") && !early(s, c) {
			if v, bad := badListener(s); bad && v.Answer == DoesNot {
				return v
			}
		}
		if v := byCondition(s, c); v.Answer != Holds {
			return v
		}
	}
	if len(dig.List(s.Body, "spec", "listeners")) == 0 {
		return fails("it has no listener")
	}
	if v, bad := badListener(s); bad {
		return v
	}
	if len(dig.List(s.Body, "status", "addresses")) == 0 {
		return waitsOrFails(s.age() < addressGrace, "no address")
	}
	if attached(s) == 0 {
		return holdsBut("no route is attached")
	}
	return holds()
}

func early(s subject, c condition) bool { return !c.Since.IsZero() && s.since(c.Since) < grace }

// untouched recognises the status that the CRD itself defaults to.
func untouched(s subject) bool {
	c, ok := s.cond("Accepted")
	return !ok || (c.is("Unknown") && c.Reason == "Pending")
}

// badListener is the verdict of the worst listener, when one isn't ready.
func badListener(s subject) (worst Verdict, bad bool) {
	for _, l := range Listeners(s.Body) {
		if v := l.Ready(); v.Answer != Holds && (!bad || worse(v, worst)) {
			worst, bad = v, true
		}
	}
	return worst, bad
}

func attached(s subject) (n int64) {
	for _, l := range Listeners(s.Body) {
		n += l.Attached
	}
	return n
}

func gatewayClassReady(s subject) Verdict {
	if untouched(s) {
		return waitsOrFails(s.young(), "no controller answers for %s", s.str("spec", "controllerName"))
	}
	c, _ := s.cond("Accepted")
	return byCondition(s, c)
}
