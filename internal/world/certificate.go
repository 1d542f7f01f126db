package world

import (
	"strings"
	"time"

	"runbook/internal/dig"
)

func certificateReady(s subject) Verdict {
	ready, ok := s.cond("Ready")
	if !ok {
		return waitsOrFails(s.young(), "no status yet")
	}
	issuing, hasIssuing := s.cond("Issuing")
	failed := hasIssuing && issuing.is("False") && issuing.Reason == "Failed"
	if !ready.is("True") {
		switch {
		case failed:
			return fails("%s%s%s", issuing.Message, challenge(s), nextTry(s))
		case hasIssuing && issuing.is("True"):
			return waits("being issued: %s%s", orElse(issuing.text(), "no reason given"), challenge(s))
		}
		return byCondition(s, ready)
	}
	if v := byCondition(s, ready); v.Answer != Holds {
		return v
	}
	expires, renews := dig.Time(s.Body, "status", "notAfter"), dig.Time(s.Body, "status", "renewalTime")
	switch {
	case !expires.IsZero() && !s.now.Before(expires):
		return fails("expired at %s", expires.UTC().Format(time.DateOnly))
	case s.num("status", "failedIssuanceAttempts") > 0 || failed:
		return fails("renewal has failed %d times, it expires on %s%s", s.num("status", "failedIssuanceAttempts"), expires.UTC().Format(time.DateOnly), nextTry(s))
	case !renews.IsZero() && s.now.After(renews):
		return fails("due for renewal since %s", renews.UTC().Format(time.DateOnly))
	}
	return certificateStored(s)
}

// certificateStored looks at the Secret where it is known; the condition
// already covers it, but lags.
func certificateStored(s subject) Verdict {
	name := s.str("spec", "secretName")
	if s.related("secret", s.namespace(), name).Presence == Gone {
		return fails("its secret %s does not exist", name)
	}
	return holds()
}

// challenge says what the first open challenge of the certificate waits for:
// that is where issuing hangs for hours while the certificate says nothing. Its
// name begins with the certificate's.
func challenge(s subject) string {
	all, _ := s.relatives("challenge")
	for _, c := range all {
		v := acmeReady(subject{Object: c, now: s.now})
		if v.Answer != Holds && strings.HasPrefix(dig.Text(c.Body, "metadata", "name"), s.name()+"-") {
			return "; challenge for " + dig.Text(c.Body, "spec", "dnsName") + ": " + v.Why
		}
	}
	return ""
}

// nextTry is when cert-manager tries again: an hour after the first failure,
// doubled with each, 32 hours at most.
func nextTry(s subject) string {
	last, n := dig.Time(s.Body, "status", "lastFailureTime"), s.num("status", "failedIssuanceAttempts")
	if last.IsZero() || n < 1 {
		return ""
	}
	next := last.Add(time.Hour << min(n-1, 5))
	if s.now.After(next) {
		return "; the next try is due"
	}
	return "; tried again in " + Span(next.Sub(s.now))
}

func acmeReady(s subject) Verdict {
	state, reason := s.str("status", "state"), s.str("status", "reason")
	text := joinText(s.Kind+" is "+orElse(state, "new"), reason)
	switch state {
	case "valid":
		return holds()
	case "invalid", "expired", "errored":
		return failsForGood("%s", text)
	}
	if s.Kind == "Challenge" && dig.Bool(s.Body, "status", "presented") && reason != "" {
		return waits("%s (for %s)", reason, Span(s.age()))
	}
	return waits("%s", text)
}
