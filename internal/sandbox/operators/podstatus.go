package operators

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func timeOf(t time.Time) metav1.Time { return metav1.NewTime(t.Truncate(time.Second)) }

// status is what the kubelet reports about the pod now.
func (w *work) status() *corev1.PodStatus {
	s := w.pod.Status.DeepCopy()
	since := timeOf(w.run.since)
	s.HostIP, s.PodIP, s.StartTime = hostIP, w.run.ip, &since
	s.HostIPs, s.PodIPs = []corev1.HostIP{{IP: hostIP}}, []corev1.PodIP{{IP: w.run.ip}}
	s.InitContainerStatuses, s.ContainerStatuses = nil, nil
	var initLeft, unready []string
	for i := range w.pod.Spec.InitContainers {
		c := &w.pod.Spec.InitContainers[i]
		r := w.run.runs[c.Name]
		st := w.containerStatus(c, r)
		st.Ready = r.phase == ended && r.code == 0 || sidecar(c) && r.running()
		if !st.Ready {
			initLeft = append(initLeft, c.Name)
		}
		s.InitContainerStatuses = append(s.InitContainerStatuses, st)
	}
	for i := range w.pod.Spec.Containers {
		c := &w.pod.Spec.Containers[i]
		st := w.containerStatus(c, w.run.runs[c.Name])
		if len(w.pod.Spec.InitContainers) == 0 && st.State.Waiting != nil && st.State.Waiting.Reason == "PodInitializing" {
			st.State.Waiting.Reason = "ContainerCreating"
		}
		if !st.Ready {
			unready = append(unready, c.Name)
		}
		s.ContainerStatuses = append(s.ContainerStatuses, st)
	}
	s.Phase = w.phase()
	w.conditions(s, initLeft, unready)
	return s
}

func (w *work) containerStatus(c *corev1.Container, r *containerRun) corev1.ContainerStatus {
	started := r.running()
	st := corev1.ContainerStatus{
		Name: c.Name, Image: c.Image, RestartCount: r.restarts, Ready: r.running() && r.ready, Started: &started,
	}
	if w.images[c.Image] {
		st.ImageID = c.Image
	}
	if r.last != nil {
		st.LastTerminationState.Terminated = r.last
	}
	switch r.phase {
	case running:
		st.ContainerID = "sandbox://" + c.Name
		st.State.Running = &corev1.ContainerStateRunning{StartedAt: timeOf(r.startedAt)}
	case ended:
		st.ContainerID = "sandbox://" + c.Name
		st.State.Terminated = terminated(c, r)
	case fresh, pulling, unpullable, configuring, starting, backingOff:
		st.State.Waiting = &corev1.ContainerStateWaiting{Reason: r.reason, Message: r.message}
	}
	return st
}

// phase sums the containers up as the kubelet does: a pod whose init containers are not through is Pending.
func (w *work) phase() corev1.PodPhase {
	policy := w.pod.Spec.RestartPolicy
	for i := range w.pod.Spec.InitContainers {
		c := &w.pod.Spec.InitContainers[i]
		r := w.run.runs[c.Name]
		switch {
		case sidecar(c) && r.running():
		case r.phase == ended && r.code != 0 && policy == corev1.RestartPolicyNever:
			return corev1.PodFailed
		case r.phase != ended || r.code != 0:
			return corev1.PodPending
		}
	}
	var live, failed, waiting int
	for _, c := range w.pod.Spec.Containers {
		switch r := w.run.runs[c.Name]; {
		case r.running(), r.phase == backingOff, r.restarts > 0 && r.phase != ended:
			live++
		case r.phase == ended && r.code != 0:
			failed++
		case r.phase != ended:
			waiting++
		}
	}
	switch {
	case waiting > 0:
		return corev1.PodPending
	case live > 0:
		return corev1.PodRunning
	case failed > 0:
		return corev1.PodFailed
	default:
		return corev1.PodSucceeded
	}
}

func (w *work) conditions(s *corev1.PodStatus, initLeft, unready []string) {
	set := func(kind corev1.PodConditionType, ok bool, reason, message string) {
		status := corev1.ConditionTrue
		if !ok {
			status = corev1.ConditionFalse
		} else {
			reason, message = "", ""
		}
		s.Conditions = withPodCondition(s.Conditions, corev1.PodCondition{
			Type: kind, Status: status, Reason: reason, Message: message, LastTransitionTime: timeOf(w.now)})
	}
	done := s.Phase == corev1.PodSucceeded
	list := func(names []string) string { return strings.Join(names, " ") }
	notReady, why := fmt.Sprintf("containers with unready status: [%s]", list(unready)), "ContainersNotReady"
	if done {
		notReady, why = "", "PodCompleted"
	}
	set("PodReadyToStartContainers", !done, "", "")
	set(corev1.PodInitialized, len(initLeft) == 0, "ContainersNotInitialized", fmt.Sprintf("containers with incomplete status: [%s]", list(initLeft)))
	ready := len(initLeft) == 0 && len(unready) == 0 && s.Phase == corev1.PodRunning
	set(corev1.PodReady, ready, why, notReady)
	set(corev1.ContainersReady, ready, why, notReady)
	set(corev1.PodScheduled, true, "", "")
}

// withPodCondition replaces the condition of the same type and keeps its transition time while the status stays.
func withPodCondition(all []corev1.PodCondition, c corev1.PodCondition) []corev1.PodCondition {
	for i, old := range all {
		if old.Type != c.Type {
			continue
		}
		if old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		}
		all[i] = c
		return all
	}
	return append(all, c)
}
