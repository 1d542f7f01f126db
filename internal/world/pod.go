package world

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"runbook/internal/dig"
)

// failing are the waiting reasons that don't go away by waiting a little. A
// container that is merely being made has ContainerCreating or PodInitializing.
var failing = []string{
	"CrashLoopBackOff", "CreateContainerConfigError", "CreateContainerError", "ErrImagePull",
	"ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "RunContainerError",
	"RegistryUnavailable", "ImageInspectError", "PreCreateHookError", "PostStartHookError",
}

// schedulingWindow is how long a pod may be unschedulable before that is news:
// autoscalers and volume binders answer within it.
const schedulingWindow = 15 * time.Second

func podReady(s subject) Verdict {
	switch s.str("status", "phase") {
	case "Succeeded":
		return holdsBut("completed")
	case "Failed":
		return failsForGood("failed: %s", podFailure(s))
	}
	if why, bad := brokenContainer(s); bad {
		return fails("%s", why)
	}
	if c, ok := s.cond("PodScheduled"); ok && c.is("False") {
		return waitsOrFails(s.age() < schedulingWindow, "not scheduled: %s", c.text())
	}
	if s.isTrue("Ready") {
		return holdsBut("%s", restarted(s))
	}
	if e, ok := s.event("FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox"); ok && !started(s) {
		return waitsOrFails(s.young(), "%s: %s", e.Reason, e.Message)
	}
	return waits("%s", podProgress(s))
}

// podFailure says why a pod is in phase Failed.
func podFailure(s subject) string {
	reason := orElse(s.str("status", "message"), s.str("status", "reason"))
	if reason != "" {
		return reason
	}
	for _, c := range containers(s) {
		if t := dig.At(c.status, "state", "terminated"); t != nil && dig.Int(t, "exitCode") != 0 {
			return c.label + " " + exitText(t)
		}
	}
	return "no reason given"
}

// A container is one container's status and what to call it.
type container struct {
	label  string
	status any
}

// containers lists the statuses with the init containers first, in the order
// in which they run: the first bad one is the cause of the rest.
func containers(s subject) []container {
	var out []container
	for _, c := range dig.List(s.Body, "status", "initContainerStatuses") {
		out = append(out, container{"init container " + dig.Text(c, "name"), c})
	}
	for _, c := range dig.List(s.Body, "status", "containerStatuses") {
		out = append(out, container{"container " + dig.Text(c, "name"), c})
	}
	return out
}

func brokenContainer(s subject) (why string, bad bool) {
	for _, c := range containers(s) {
		reason, message := dig.Text(c.status, "state", "waiting", "reason"), dig.Text(c.status, "state", "waiting", "message")
		if slices.Contains(failing, reason) {
			return c.label + ": " + reason + detail(c.status, reason, message), true
		}
		ended := dig.At(c.status, "state", "terminated")
		if ended != nil && dig.Int(ended, "exitCode") != 0 {
			return c.label + " " + exitText(ended), true
		}
	}
	return "", false
}

// detail is what stands behind a waiting reason. For a crash loop that is the
// last words of the container, not the kubelet's remark that it backs off.
func detail(status any, reason, message string) string {
	last := dig.At(status, "lastState", "terminated")
	if reason == "CrashLoopBackOff" && last != nil {
		if words := essence(dig.Text(last, "message")); words != "" {
			return ", " + words
		}
		return ", last run " + exitText(last)
	}
	if message == "" {
		return ""
	}
	return ", " + essence(message)
}

func exitText(terminated any) string {
	text := fmt.Sprintf("exited with %d", dig.Int(terminated, "exitCode"))
	if reason := dig.Text(terminated, "reason"); reason != "" && reason != "Error" {
		text += " (" + reason + ")"
	}
	if words := essence(dig.Text(terminated, "message")); words != "" {
		text += ": " + words
	}
	return text
}

var telling = regexp.MustCompile(`lookup \S+?( on \S+)?: (no such host|server misbehaving)|dial tcp \S+: .*|password authentication failed for user "[^"]*"|database "[^"]*" does not exist|role "[^"]*" does not exist`)

// essence is the part of a program's last words that says what is wrong: the
// innermost known cause, else the last line.
func essence(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	for _, line := range slices.Backward(lines) {
		if cause := telling.FindString(line); cause != "" {
			return Clean(cause)
		}
	}
	return Clean(last)
}

func started(s subject) bool {
	return slices.ContainsFunc(containers(s), func(c container) bool {
		return dig.At(c.status, "state", "running") != nil || dig.Int(c.status, "restartCount") > 0
	})
}

func podProgress(s subject) string {
	for _, c := range containers(s) {
		if dig.At(c.status, "state", "running") != nil && !dig.Bool(c.status, "ready") {
			text := c.label + " runs, not ready"
			if e, ok := s.event("Unhealthy"); ok {
				text += ": " + essence(e.Message)
			}
			return text
		}
		if reason := dig.Text(c.status, "state", "waiting", "reason"); reason != "" && reason != "PodInitializing" {
			return c.label + ": " + reason
		}
	}
	if c, ok := s.cond("Ready"); ok && c.text() != "" {
		return c.text()
	}
	return "phase " + orElse(s.str("status", "phase"), "unknown")
}

// restarted is the caveat of a pod that is ready now and wasn't before.
func restarted(s subject) string {
	n, last := restarts(s)
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("%d restarts", n)
	if n == 1 {
		text = "1 restart"
	}
	if !last.IsZero() {
		text += ", the last " + Span(s.since(last)) + " ago"
	}
	return text
}

func restarts(s subject) (n int64, last time.Time) {
	for _, c := range containers(s) {
		n += dig.Int(c.status, "restartCount")
		if t := dig.Time(c.status, "lastState", "terminated", "finishedAt"); t.After(last) {
			last = t
		}
	}
	return n, last
}

// worstPod is the verdict that explains a workload which isn't ready: the
// first pod that fails, else the first that isn't ready.
func worstPod(s subject) (Verdict, string) {
	var found Verdict
	var name string
	pods, _ := s.relatives("pod")
	for _, p := range pods {
		if dig.Text(p.Body, "metadata", "deletionTimestamp") != "" {
			continue
		}
		v := podReady(subject{Object: p, now: s.now})
		if v.Answer != Holds && (name == "" || (v.Answer == DoesNot && found.Answer != DoesNot)) {
			found, name = v, dig.Text(p.Body, "metadata", "name")
		}
	}
	return found, name
}
