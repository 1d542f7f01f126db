package world

import "runbook/internal/dig"

func claimReady(s subject) Verdict {
	switch phase := s.str("status", "phase"); phase {
	case "Bound":
		return holds()
	case "Lost":
		return failsForGood("lost: its volume %s is gone", s.str("spec", "volumeName"))
	default:
		return claimPending(s, phase)
	}
}

// claimPending reads the events: those that explain a pending claim are of
// type Normal more often than not.
func claimPending(s subject, phase string) Verdict {
	e, ok := s.event("ProvisioningFailed", "FailedBinding", "WaitForFirstConsumer", "ExternalProvisioning", "Provisioning", "WaitForPodScheduled")
	switch {
	case !ok:
		return waits("%s for %s, no event says why", orElse(phase, "Pending"), Span(s.age()))
	case e.Reason == "FailedBinding" || e.Reason == "ProvisioningFailed":
		return fails("%s", e.Message)
	case e.Reason == "WaitForFirstConsumer":
		return waits("it is bound when the first pod uses it")
	}
	return waits("%s", e.Message)
}

func volumeReady(s subject) Verdict {
	policy := s.str("spec", "persistentVolumeReclaimPolicy")
	switch phase := s.str("status", "phase"); phase {
	case "Bound", "Available":
		return holds()
	case "Released":
		if policy == "Retain" {
			return fails("released: its data is kept (Retain), and no new claim can bind it")
		}
		return fails("released, reclaim policy %s", policy)
	case "Failed":
		return fails("failed: %s", orElse(s.str("status", "message"), "no message"))
	default:
		return waits("phase %s", orElse(phase, "not set"))
	}
}

// claimed says what a bound claim holds: its size, and whether deleting it
// deletes the data. The policy that counts is the volume's own.
func claimed(s subject) string {
	size := s.str("status", "capacity", "storage")
	volume := s.related("persistentvolume", "", s.str("spec", "volumeName"))
	if volume.Presence != Present {
		return size
	}
	switch policy := dig.Text(volume.Body, "spec", "persistentVolumeReclaimPolicy"); policy {
	case "Delete":
		return size + ", deleted with the claim (Delete)"
	case "Retain":
		return size + ", data outlives the claim (Retain)"
	default:
		return size + ", " + policy
	}
}
