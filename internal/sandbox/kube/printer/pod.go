package printer

import (
	"fmt"
	"strconv"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"
)

func pod(p *core.Pod, now time.Time) []any {
	total := len(p.Spec.Containers)
	ready, restarts, last := 0, 0, time.Time{}
	sidecars := map[string]bool{}
	for _, c := range p.Spec.InitContainers {
		if value(c.RestartPolicy) == core.ContainerRestartPolicyAlways {
			sidecars[c.Name] = true
			total++
		}
	}
	status, initializing := initStatus(p, sidecars)
	count := func(cs core.ContainerStatus) {
		restarts += int(cs.RestartCount)
		if t := cs.LastTerminationState.Terminated; t != nil && t.FinishedAt.After(last) {
			last = t.FinishedAt.Time
		}
	}
	for _, cs := range p.Status.InitContainerStatuses {
		if initializing || sidecars[cs.Name] {
			count(cs)
		}
		if sidecars[cs.Name] && cs.Ready && value(cs.Started) {
			ready++
		}
	}
	if !initializing {
		running := false
		for i := len(p.Status.ContainerStatuses) - 1; i >= 0; i-- {
			cs := p.Status.ContainerStatuses[i]
			count(cs)
			status = containerStatus(cs, status)
			if cs.Ready && cs.State.Running != nil {
				ready++
				running = true
			}
		}
		if status == "Completed" && running {
			status = "NotReady"
			if conditionTrue(p, core.PodReady) {
				status = "Running"
			}
		}
	}
	if p.DeletionTimestamp != nil {
		status = "Terminating"
		if p.Status.Reason == "NodeLost" {
			status = "Unknown"
		}
	}
	shown := strconv.Itoa(restarts)
	if restarts > 0 && !last.IsZero() {
		shown = fmt.Sprintf("%d (%s ago)", restarts, duration.HumanDuration(now.Sub(last)))
	}
	return append([]any{p.Name, fmt.Sprintf("%d/%d", ready, total), status, shown, age(p.CreationTimestamp, now)}, podWide(p)...)
}

func podWide(p *core.Pod) []any {
	gates := "<none>"
	if n := len(p.Spec.ReadinessGates); n > 0 {
		met := 0
		for _, g := range p.Spec.ReadinessGates {
			if conditionTrue(p, g.ConditionType) {
				met++
			}
		}
		gates = fmt.Sprintf("%d/%d", met, n)
	}
	return []any{none(p.Status.PodIP), none(p.Spec.NodeName), none(p.Status.NominatedNodeName), gates}
}

func conditionTrue(p *core.Pod, kind core.PodConditionType) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == kind {
			return c.Status == core.ConditionTrue
		}
	}
	return false
}

// initStatus is a pod's status as far as its phase and init containers say, and whether these are what
// it is at.
func initStatus(p *core.Pod, sidecars map[string]bool) (string, bool) {
	status := string(p.Status.Phase)
	if p.Status.Reason != "" {
		status = p.Status.Reason
	}
	for _, c := range p.Status.Conditions {
		if c.Type == core.PodScheduled && c.Reason == core.PodReasonSchedulingGated {
			status = core.PodReasonSchedulingGated
		}
	}
	for i, cs := range p.Status.InitContainerStatuses {
		t, w := cs.State.Terminated, cs.State.Waiting
		switch {
		case t != nil && t.ExitCode == 0:
			continue
		case sidecars[cs.Name] && value(cs.Started):
			continue
		case t != nil:
			return "Init:" + terminated(*t), true
		case w != nil && w.Reason != "" && w.Reason != "PodInitializing":
			return "Init:" + w.Reason, true
		}
		return fmt.Sprintf("Init:%d/%d", i, len(p.Spec.InitContainers)), true
	}
	return status, false
}

func containerStatus(cs core.ContainerStatus, otherwise string) string {
	switch t, w := cs.State.Terminated, cs.State.Waiting; {
	case w != nil && w.Reason != "":
		return w.Reason
	case t != nil:
		return terminated(*t)
	}
	return otherwise
}

func terminated(t core.ContainerStateTerminated) string {
	switch {
	case t.Reason != "":
		return t.Reason
	case t.Signal != 0:
		return fmt.Sprintf("Signal:%d", t.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", t.ExitCode)
}
