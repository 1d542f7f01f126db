package world

import (
	"strings"

	"runbook/internal/dig"
)

func namespaceReady(s subject) Verdict {
	if s.str("metadata", "deletionTimestamp") == "" && s.str("status", "phase") != "Terminating" {
		if s.str("status", "phase") == "Active" {
			return holds()
		}
		return waits("phase %s", orElse(s.str("status", "phase"), "not set"))
	}
	text := "Terminating for " + Span(s.since(dig.Time(s.Body, "metadata", "deletionTimestamp")))
	return fails("%s", strings.Join(append([]string{text}, namespaceHolds(s)...), "; "))
}

// namespaceHolds lists what keeps a namespace from going away. The conditions
// don't cover finalizers on the Namespace itself, so those are named too.
func namespaceHolds(s subject) []string {
	var out []string
	for _, kind := range []string{
		"NamespaceDeletionDiscoveryFailure", "NamespaceDeletionGroupVersionParsingFailure",
		"NamespaceDeletionContentFailure", "NamespaceContentRemaining", "NamespaceFinalizersRemaining",
	} {
		if c, ok := s.cond(kind); ok && c.is("True") {
			out = append(out, orElse(c.Message, c.Reason))
		}
	}
	if held := strs(s.Body, "metadata", "finalizers"); len(held) > 0 {
		out = append(out, "the Namespace itself has finalizer "+strings.Join(held, ", "))
	}
	return out
}

func nodeReady(s subject) Verdict {
	c, ok := s.cond("Ready")
	if !ok {
		return waits("no Ready condition yet")
	}
	if !c.is("True") {
		return byCondition(s, c)
	}
	var notes []string
	if dig.Bool(s.Body, "spec", "unschedulable") {
		notes = append(notes, "cordoned")
	}
	for _, kind := range []string{"MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"} {
		if s.isTrue(kind) {
			notes = append(notes, kind)
		}
	}
	return holdsBut("%s", strings.Join(notes, ", "))
}

func definitionReady(s subject) Verdict {
	if c, ok := s.cond("NamesAccepted"); ok && c.is("False") {
		return fails("its names are taken: %s", c.text())
	}
	c, ok := s.cond("Established")
	if !ok {
		return waits("not established yet")
	}
	return byCondition(s, c)
}

func apiServiceReady(s subject) Verdict {
	c, ok := s.cond("Available")
	if !ok {
		return waits("no Available condition yet")
	}
	return byCondition(s, c)
}
