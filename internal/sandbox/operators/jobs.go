package operators

import (
	"context"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type jobs struct{ *cluster }

func newJobs(c *cluster) controller {
	return controller{"jobs", []GVR{Jobs, Pods}, (&jobs{c}).pass}
}

func (j *jobs) pass(ctx context.Context) (time.Duration, error) {
	return each(j.cluster, Jobs, func(o *unstructured.Unstructured, job *batchv1.Job) (time.Duration, error) {
		if going(o) || holds(o, "Complete") || holds(o, "Failed") {
			return 0, nil
		}
		return j.reconcile(ctx, o, job)
	})
}

// jobPods sorts the pods of a job by what became of them.
type jobPods struct {
	active                   []*corev1.Pod
	succeeded, failed, ready int64
}

func (j *jobs) pods(o *unstructured.Unstructured) jobPods {
	var p jobPods
	for _, pod := range j.podsOf(o) {
		switch {
		case pod.Status.Phase == corev1.PodSucceeded:
			p.succeeded++
		case pod.Status.Phase == corev1.PodFailed || pod.DeletionTimestamp != nil:
			p.failed++
		default:
			p.active = append(p.active, pod)
			if podReady(pod) {
				p.ready++
			}
			for _, s := range pod.Status.ContainerStatuses {
				p.failed += int64(s.RestartCount)
			}
		}
	}
	return p
}

func (j *jobs) reconcile(ctx context.Context, o *unstructured.Unstructured, job *batchv1.Job) (time.Duration, error) {
	if isTrue(job.Spec.Suspend) {
		return 0, nil
	}
	if job.Status.StartTime == nil {
		return 0, j.setStatus(ctx, Jobs, o, map[string]any{"startTime": stamp(j.now())})
	}
	p := j.pods(o)
	if reason, message := j.over(job, p); reason != "" {
		return 0, j.fail(ctx, o, p, reason, message)
	}
	want := int64(orOne(job.Spec.Completions))
	if p.succeeded >= want {
		return 0, j.complete(ctx, o, p)
	}
	// A failed pod is followed by the next one only after a while, so that a broken job doesn't spin.
	if wait := j.backOff(o, p); wait > 0 && len(p.active) == 0 {
		return wait, j.report(ctx, o, p, nil)
	}
	room := min(int64(orOne(job.Spec.Parallelism)), want-p.succeeded) - int64(len(p.active))
	for range max(room, 0) {
		template := job.Spec.Template.DeepCopy()
		if template.Labels == nil {
			template.Labels = map[string]string{}
		}
		template.Labels[batchv1.JobNameLabel], template.Labels["job-name"] = job.Name, job.Name
		template.Labels[batchv1.ControllerUidLabel] = string(job.UID)
		if err := j.newPod(ctx, o, "job-controller", job.Name+"-"+suffix(5), template); err != nil {
			return 0, err
		}
	}
	return 0, j.report(ctx, o, p, nil)
}

func (j *jobs) backOff(o *unstructured.Unstructured, p jobPods) time.Duration {
	latest := time.Time{}
	for _, pod := range j.podsOf(o) {
		for _, s := range pod.Status.ContainerStatuses {
			if t := s.State.Terminated; t != nil && t.ExitCode != 0 && t.FinishedAt.After(latest) {
				latest = t.FinishedAt.Time
			}
		}
	}
	if latest.IsZero() {
		return 0
	}
	d := j.pace.of(j.pace.delays.BackOff)
	for i := int64(1); i < p.failed && d < j.pace.of(j.pace.delays.MaxBack); i++ {
		d *= 2
	}
	return latest.Add(d).Sub(j.now())
}

// over reports why a job is not tried any more.
func (j *jobs) over(job *batchv1.Job, p jobPods) (reason, message string) {
	limit := int64(6)
	if l := job.Spec.BackoffLimit; l != nil {
		limit = int64(*l)
	}
	if p.failed > limit {
		return batchv1.JobReasonBackoffLimitExceeded, "Job has reached the specified backoff limit"
	}
	if s := job.Spec.ActiveDeadlineSeconds; s != nil && j.now().Sub(job.Status.StartTime.Time) >= time.Duration(*s)*time.Second {
		return batchv1.JobReasonDeadlineExceeded, "Job was active longer than specified deadline"
	}
	return "", ""
}

// fail writes FailureTarget first and Failed when the last pod has gone, as the real controller does.
func (j *jobs) fail(ctx context.Context, o *unstructured.Unstructured, p jobPods, reason, message string) error {
	conds := []cond{{kind: "FailureTarget", status: "True", reason: reason, message: message}}
	if len(p.active) == 0 && holds(o, "FailureTarget") {
		conds = append(conds, cond{kind: "Failed", status: "True", reason: reason, message: message})
		j.warn(ctx, o, "job-controller", reason, message)
	}
	for _, pod := range p.active {
		if err := j.dropPod(ctx, o, "job-controller", pod); err != nil {
			return err
		}
	}
	return j.report(ctx, o, p, conds)
}

func (j *jobs) complete(ctx context.Context, o *unstructured.Unstructured, p jobPods) error {
	message := "Reached expected number of succeeded pods"
	j.normal(ctx, o, "job-controller", "Completed", "Job completed")
	return j.report(ctx, o, p, []cond{
		{kind: "SuccessCriteriaMet", status: "True", reason: "CompletionsReached", message: message},
		{kind: "Complete", status: "True", reason: "CompletionsReached", message: message},
	})
}

func (j *jobs) report(ctx context.Context, o *unstructured.Unstructured, p jobPods, conds []cond) error {
	status, _, _ := unstructured.NestedMap(o.Object, "status")
	for k, n := range map[string]int64{"active": int64(len(p.active)), "succeeded": p.succeeded, "failed": p.failed} {
		delete(status, k)
		if n > 0 {
			status[k] = n
		}
	}
	status["ready"] = p.ready
	if all := merged(conditionsOf(o.Object, "status", "conditions"), j.now(), conds...); len(all) > 0 {
		for _, c := range all {
			if m := c.(map[string]any); m["lastProbeTime"] == nil {
				m["lastProbeTime"] = m["lastTransitionTime"]
			}
		}
		status["conditions"] = all
		if pick(all, "Complete") != nil {
			status["completionTime"] = stamp(j.now())
		}
	}
	return j.setStatus(ctx, Jobs, o, status)
}
