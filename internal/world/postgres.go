package world

import (
	"slices"
	"strings"

	"runbook/internal/dig"
)

// The phases of a CloudNativePG Cluster that are neither healthy nor on the
// way there, as its API names them.
var (
	postgresFailed = []string{
		"Cluster is unrecoverable and needs manual intervention", "Unable to create required cluster objects",
		"Invalid cluster definition", "Not enough disk space",
		"Instance Status Extraction Error: HTTP communication issue",
		"Cluster cannot proceed to reconciliation due to an unknown plugin being required",
		"Cluster has incomplete or invalid image catalog",
		"Cluster cannot execute instance online upgrade due to missing architecture binary",
	}
	postgresPaused = []string{"Waiting for user action"}
)

const postgresHealthy = "Cluster in healthy state"

func postgresReady(s subject) Verdict {
	phase := s.str("status", "phase")
	if why := postgresPause(s, phase); why != "" {
		return fails("paused: %s", why)
	}
	switch {
	case phase == "":
		if s.young() {
			return waits("no status yet")
		}
		return fails("nobody has looked at it for %s: is the CloudNativePG operator running?", Span(s.age()))
	case slices.Contains(postgresFailed, phase), strings.HasSuffix(phase, "error while interacting with plugins"):
		// Only this one says of itself that nothing but a person helps.
		v := fails("%s", joinText(phase, s.str("status", "phaseReason")))
		v.Final = strings.Contains(phase, "unrecoverable")
		return v
	case phase != postgresHealthy:
		return notReady(s, TooEarly, "%s", joinText(phase, s.str("status", "phaseReason")))
	}
	return postgresServes(s)
}

func postgresPause(s subject, phase string) string {
	switch {
	case slices.Contains(postgresPaused, phase):
		return joinText(phase, s.str("status", "phaseReason"))
	case s.isTrue("cnpg.io/hibernation"):
		return "hibernated"
	case dig.Text(dig.At(s.Body, "metadata", "annotations"), "cnpg.io/reconciliationLoop") == "disabled":
		return "its reconciliation is disabled by annotation"
	}
	return ""
}

func postgresServes(s subject) Verdict {
	want, ready := numOr(s.Body, 1, "spec", "instances"), s.num("status", "readyInstances")
	current, target := s.str("status", "currentPrimary"), s.str("status", "targetPrimary")
	switch {
	case ready < want:
		return notReady(s, TooEarly, "waiting: %d of %d instances ready", ready, want)
	case current == "" || current != target:
		return waits("the primary moves from %s to %s", orElse(current, "none"), orElse(target, "none"))
	}
	if c, ok := s.cond("ContinuousArchiving"); ok && c.is("False") {
		return holdsBut("but no backups are being made: %s", c.Message)
	}
	return holds()
}

func joinText(a, b string) string {
	if b == "" {
		return a
	}
	return a + ": " + b
}
