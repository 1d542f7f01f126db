package operators

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// phase is where a container stands on its way.
type phase int

const (
	fresh       phase = iota // nothing done yet
	pulling                  // the image is on its way
	unpullable               // the image is not there; tried again at due
	configuring              // environment and mounts are being put together; tried again at due
	starting                 // created, not started
	running
	ended
	backingOff // crashed; started again at due
)

// containerRun is what the node knows about one container.
type containerRun struct {
	phase           phase
	due             time.Time
	reason, message string // of waiting
	restarts        int32
	crashes         int // in a row, for the back-off
	startedAt       time.Time
	finishedAt      time.Time
	code            int32
	last            *corev1.ContainerStateTerminated
	env             map[string]string
	outcome         outcome
	ready           bool
	probeAt         time.Time
	failures        int32
	pulls           int
	log, previous   []line
	over            chan struct{} // closed when the run that wrote log has ended
}

type line struct {
	at   time.Time
	text string
}

func (r *containerRun) running() bool { return r.phase == running }

// work is one pass over one pod.
type work struct {
	*kubelet
	ctx    context.Context
	object *unstructured.Unstructured
	pod    *corev1.Pod
	run    *podRun
	now    time.Time
	next   time.Duration
}

// containers moves the init containers one after the other and, when all are through, the others side by side.
func (w *work) containers() {
	for i := range w.pod.Spec.InitContainers {
		c := &w.pod.Spec.InitContainers[i]
		r := w.run.runs[c.Name]
		w.move(c, r, true)
		if sidecar(c) && r.phase == running {
			continue
		}
		if r.phase != ended || r.code != 0 {
			return
		}
	}
	for i := range w.pod.Spec.Containers {
		c := &w.pod.Spec.Containers[i]
		w.move(c, w.run.runs[c.Name], false)
	}
}

func sidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// move takes steps until the container has to wait for time or for the world.
func (w *work) move(c *corev1.Container, r *containerRun, init bool) {
	for {
		before := r.phase
		if wait := r.due.Sub(w.now); wait > 0 {
			w.next = sooner(w.next, wait)
			return
		}
		w.step(c, r, init)
		if r.phase == before {
			if wait := r.due.Sub(w.now); wait > 0 {
				w.next = sooner(w.next, wait)
			}
			return
		}
	}
}

func (w *work) step(c *corev1.Container, r *containerRun, init bool) {
	switch r.phase {
	case fresh, unpullable:
		w.pull(c, r)
	case pulling:
		took := w.pace.of(w.pace.delays.Pull)
		w.images[c.Image] = true
		w.event(c, "Normal", "Pulled", fmt.Sprintf("Successfully pulled image %q in %s (%s including waiting). Image size: 41943040 bytes.", c.Image, took, took))
		w.wait(r, configuring, 0)
	case configuring:
		w.configure(c, r)
	case starting:
		w.start(c, r, init)
	case running:
		w.watch(c, r)
	case ended:
		w.again(c, r, init)
	case backingOff:
		w.restart(c, r)
	}
}

// wait puts r into phase p for as long as d takes at the present pace.
func (w *work) wait(r *containerRun, p phase, d time.Duration) { w.rest(r, p, w.pace.of(d)) }

// rest is wait for a time that has been paced already.
func (w *work) rest(r *containerRun, p phase, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r.phase, r.due = p, w.now.Add(d)
}

func (w *work) event(c *corev1.Container, kind, reason, message string) {
	w.container(w.ctx, w.object, c.Name, kind, reason, message)
}

func (w *work) pull(c *corev1.Container, r *containerRun) {
	switch {
	case slices.Contains(w.missing, c.Image):
		w.notPulled(c, r)
	case w.images[c.Image]:
		w.event(c, "Normal", "Pulled", fmt.Sprintf("Container image %q already present on machine", c.Image))
		w.wait(r, configuring, 0)
	default:
		r.reason, r.message = "ContainerCreating", ""
		w.event(c, "Normal", "Pulling", fmt.Sprintf("Pulling image %q", c.Image))
		w.wait(r, pulling, w.pace.delays.Pull)
	}
}

// notPulled alternates between the failed attempt and the back-off after it, as the kubelet does.
func (w *work) notPulled(c *corev1.Container, r *containerRun) {
	r.pulls++
	if r.pulls%2 == 1 {
		text := fmt.Sprintf("failed to pull and unpack image %q: failed to resolve reference %q: %s: not found", c.Image, c.Image, c.Image)
		r.reason, r.message = "ErrImagePull", "rpc error: code = NotFound desc = "+text
		w.event(c, "Normal", "Pulling", fmt.Sprintf("Pulling image %q", c.Image))
		w.event(c, "Warning", "Failed", fmt.Sprintf("Failed to pull image %q: %s", c.Image, r.message))
		w.event(c, "Warning", "Failed", "Error: ErrImagePull")
		w.wait(r, unpullable, w.pace.delays.Pull)
		return
	}
	r.reason, r.message = "ImagePullBackOff", fmt.Sprintf("Back-off pulling image %q", c.Image)
	w.event(c, "Normal", "BackOff", r.message)
	w.event(c, "Warning", "Failed", "Error: ImagePullBackOff")
	w.rest(r, unpullable, w.backOff(r.pulls/2))
}

// shortestBackOff keeps a crashing container from spinning however fast the operators are.
const shortestBackOff = 20 * time.Millisecond

// backOff is how long the n-th wait in a row takes: it doubles from the first delay to the longest.
func (w *work) backOff(n int) time.Duration {
	d := w.pace.delays.BackOff
	for i := 1; i < n && d < w.pace.delays.MaxBack; i++ {
		d *= 2
	}
	return max(w.pace.of(min(d, w.pace.delays.MaxBack)), shortestBackOff)
}

func (w *work) configure(c *corev1.Container, r *containerRun) {
	if volume, text := w.unmounted(c); text != "" {
		r.reason, r.message = "ContainerCreating", ""
		w.warn(w.ctx, w.object, "kubelet", "FailedMount", fmt.Sprintf("MountVolume.SetUp failed for volume %q : %s", volume, text))
		w.wait(r, configuring, w.pace.delays.Retry)
		return
	}
	env, err := w.environment(c)
	if err != nil {
		r.reason, r.message = "CreateContainerConfigError", err.Error()
		w.event(c, "Warning", "Failed", "Error: "+err.Error())
		w.wait(r, configuring, w.pace.delays.Retry)
		return
	}
	r.env = env
	w.event(c, "Normal", "Created", "Created container: "+c.Name)
	w.wait(r, starting, w.pace.delays.Start)
}

func (w *work) start(c *corev1.Container, r *containerRun, init bool) {
	w.event(c, "Normal", "Started", "Started container "+c.Name)
	once := (init && !sidecar(c)) || w.pod.Spec.RestartPolicy == corev1.RestartPolicyNever || w.pod.Spec.RestartPolicy == corev1.RestartPolicyOnFailure
	var said []line
	p := &process{
		namespace: w.pod.Namespace, pod: w.pod.Name, container: c.Name, env: r.env, once: once,
		words: slices.Concat(c.Command, c.Args), volumes: w.claimed(), net: w.network(),
		work: w.pace.delays.Work, say: func(text string) { said = append(said, line{w.now, text}) },
	}
	out := programFor(c.Image, p)(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	r.previous, r.log, r.over = r.log, said, make(chan struct{})
	r.phase, r.startedAt, r.outcome = running, w.now, out
	r.reason, r.message, r.failures, r.probeAt = "", "", 0, w.now
	r.ready = c.ReadinessProbe == nil
	r.due = w.now
	if out.ends {
		r.due = w.now.Add(w.pace.of(out.after))
	}
}

// watch ends a container that has finished and asks the probes of one that has not.
func (w *work) watch(c *corev1.Container, r *containerRun) {
	if r.outcome.ends {
		w.end(r, r.outcome.code)
		return
	}
	if c.ReadinessProbe == nil && c.LivenessProbe == nil {
		return
	}
	if wait := r.probeAt.Sub(w.now); wait > 0 {
		w.next = sooner(w.next, wait)
		return
	}
	every := w.pace.of(w.pace.delays.Probe)
	r.probeAt = w.now.Add(every)
	w.next = sooner(w.next, every)
	if ok, text := probe(c.ReadinessProbe, r.outcome.handler); c.ReadinessProbe != nil {
		r.ready = ok
		if !ok {
			w.event(c, "Warning", "Unhealthy", "Readiness probe failed: "+text)
		}
	}
	ok, text := probe(c.LivenessProbe, r.outcome.handler)
	if ok {
		r.failures = 0
		return
	}
	r.failures++
	w.event(c, "Warning", "Unhealthy", "Liveness probe failed: "+text)
	if r.failures >= max(c.LivenessProbe.FailureThreshold, 3) {
		w.event(c, "Normal", "Killing", fmt.Sprintf("Container %s failed liveness probe, will be restarted", c.Name))
		w.end(r, 137)
	}
}

func (w *work) end(r *containerRun, code int32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r.phase, r.code, r.finishedAt, r.ready, r.due = ended, code, w.now, false, w.now
	close(r.over)
}

// again decides what becomes of a container that has ended.
func (w *work) again(c *corev1.Container, r *containerRun, init bool) {
	policy := w.pod.Spec.RestartPolicy
	if policy == "" {
		policy = corev1.RestartPolicyAlways
	}
	if init && policy == corev1.RestartPolicyAlways && !sidecar(c) {
		policy = corev1.RestartPolicyOnFailure // an init container that succeeded has done its work
	}
	if policy == corev1.RestartPolicyNever || (policy == corev1.RestartPolicyOnFailure && r.code == 0) {
		return
	}
	if w.now.Sub(r.startedAt) > 10*w.pace.of(w.pace.delays.MaxBack) {
		r.crashes = 0 // it had run long enough for the back-off to be forgotten
	}
	r.crashes++
	r.last = terminated(c, r)
	if r.crashes == 1 {
		w.restart(c, r)
		return
	}
	d := w.backOff(r.crashes - 1)
	name := fmt.Sprintf("%s pod=%s_%s(%s)", c.Name, w.pod.Name, w.pod.Namespace, w.pod.UID)
	r.reason, r.message = "CrashLoopBackOff", fmt.Sprintf("back-off %s restarting failed container=%s", d, name)
	w.event(c, "Warning", "BackOff", fmt.Sprintf("Back-off restarting failed container %s in pod %s_%s(%s)", c.Name, w.pod.Name, w.pod.Namespace, w.pod.UID))
	w.rest(r, backingOff, d)
}

func (w *work) restart(c *corev1.Container, r *containerRun) {
	r.restarts++
	r.reason, r.message = "ContainerCreating", ""
	w.event(c, "Normal", "Pulled", fmt.Sprintf("Container image %q already present on machine", c.Image))
	w.wait(r, configuring, 0)
}

// terminated describes how r ended. The message is there only when the container asked for its last words to be kept.
func terminated(c *corev1.Container, r *containerRun) *corev1.ContainerStateTerminated {
	t := &corev1.ContainerStateTerminated{
		ExitCode: r.code, Reason: "Completed", ContainerID: "sandbox://" + c.Name,
		StartedAt: timeOf(r.startedAt), FinishedAt: timeOf(r.finishedAt),
	}
	if r.code == 0 {
		return t
	}
	t.Reason = "Error"
	if c.TerminationMessagePolicy == corev1.TerminationMessageFallbackToLogsOnError {
		var said []string
		for _, l := range r.log {
			said = append(said, l.text)
		}
		t.Message = strings.Join(said, "\n")
	}
	return t
}
