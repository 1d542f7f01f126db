package world

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"runbook/internal/dig"
)

func deploymentReady(s subject) Verdict {
	want := numOr(s.Body, 1, "spec", "replicas")
	if lag := s.behind(); lag != "" || dig.At(s.Body, "status", "observedGeneration") == nil {
		return waits("%s", orElse(lag, "its controller has not seen it yet"))
	}
	if want == 0 {
		return fails("scaled to 0")
	}
	if c, ok := s.cond("ReplicaFailure"); ok && c.is("True") {
		return fails("%s", c.text())
	}
	updated, total := s.num("status", "updatedReplicas"), s.num("status", "replicas")
	available := s.num("status", "availableReplicas")
	if c, ok := s.cond("Progressing"); ok && c.is("False") && c.Reason == "ProgressDeadlineExceeded" {
		return notReady(s, DoesNot, "the rollout is stuck: %d of %d pods are new, %d available", updated, want, available)
	}
	paused := dig.Bool(s.Body, "spec", "paused")
	switch {
	case paused && updated < want:
		return fails("paused: %d of %d pods are new", updated, want)
	case updated < want:
		return notReady(s, TooEarly, "waiting: %d of %d pods updated", updated, want)
	case total > want:
		return waits("waiting: %d old pods still there", total-want)
	case available < want:
		return notReady(s, TooEarly, "waiting: %d of %d pods available", available, want)
	case paused:
		return holdsBut("paused")
	}
	return holds()
}

// notReady adds what the worst pod says; a pod that fails makes the workload
// fail rather than wait.
func notReady(s subject, a Answer, format string, args ...any) Verdict {
	text := fmt.Sprintf(format, args...)
	v, pod := worstPod(s)
	if pod == "" {
		if e, ok := s.event("FailedCreate"); ok {
			return fails("%s; %s", text, e.Message)
		}
		return verdict(a, "%s", []any{text})
	}
	if v.Answer == DoesNot {
		a = DoesNot
	}
	return verdict(a, "%s; pod %s: %s", []any{text, pod, v.Why})
}

// replicasReady trusts kstatus, which counts replicas of these kinds as their
// controllers do, but not with nothing to run.
func replicasReady(s subject) Verdict {
	result, err := status.Compute(&unstructured.Unstructured{Object: s.Body})
	if err != nil {
		return unsure("its status can't be read: %v", err)
	}
	switch result.Status {
	case status.CurrentStatus:
		return nothingToRun(s)
	case status.FailedStatus:
		return notReady(s, DoesNot, "%s", result.Message)
	}
	if lag := s.behind(); lag != "" {
		return waits("%s", lag)
	}
	return notReady(s, TooEarly, "waiting: %s", result.Message)
}

func nothingToRun(s subject) Verdict {
	if s.Kind == "DaemonSet" {
		if s.num("status", "desiredNumberScheduled") == 0 {
			return holdsBut("no node wants a pod of it")
		}
		return holds()
	}
	if numOr(s.Body, 1, "spec", "replicas") == 0 {
		return fails("scaled to 0")
	}
	return holds()
}

func jobReady(s subject) Verdict {
	if c, ok := s.cond("Complete"); ok && c.is("True") {
		return holds()
	}
	for _, kind := range []string{"Failed", "FailureTarget"} {
		if c, ok := s.cond(kind); ok && c.is("True") {
			text := c.text()
			if v, pod := worstPod(s); pod != "" {
				text += "; pod " + pod + ": " + v.Why
			}
			return failsForGood("failed for good: %s", text)
		}
	}
	if dig.Bool(s.Body, "spec", "suspend") {
		return fails("suspended")
	}
	active, failed := s.num("status", "active"), s.num("status", "failed")
	if failed > 0 {
		return notReady(s, TooEarly, "retrying: %d failed, %d more allowed", failed, max(0, numOr(s.Body, 6, "spec", "backoffLimit")+1-failed))
	}
	if active == 0 {
		return notReady(s, TooEarly, "no pod has started")
	}
	return notReady(s, TooEarly, "running for %s", Span(s.since(dig.Time(s.Body, "status", "startTime"))))
}

func cronJobReady(s subject) Verdict {
	if dig.Bool(s.Body, "spec", "suspend") {
		return fails("suspended")
	}
	last, good := dig.Time(s.Body, "status", "lastScheduleTime"), dig.Time(s.Body, "status", "lastSuccessfulTime")
	switch {
	case last.IsZero():
		return holdsBut("never run yet")
	case good.IsZero():
		return holdsBut("last run %s ago, no success so far", Span(s.since(last)))
	}
	return holdsBut("last success %s ago", Span(s.since(good)))
}

func autoscalerReady(s subject) Verdict {
	for _, kind := range []string{"AbleToScale", "ScalingActive"} {
		c, ok := s.cond(kind)
		if !ok {
			return waits("no condition %s yet", kind)
		}
		if v := byCondition(s, c); v.Answer != Holds {
			return v
		}
	}
	return holds()
}
