package printer

import (
	"fmt"
	"strings"
	"time"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
)

func workloads() map[string]Printer {
	images := []string{"+Containers", "+Images", "+Selector"}
	with := func(columns ...string) []string { return append(columns, images...) }
	return map[string]Printer{
		"pods":                     of(pod, "Ready", "Status", "Restarts", "Age", "+IP", "+Node", "+Nominated Node", "+Readiness Gates"),
		"deployments.apps":         of(deployment, with("Ready", "Up-to-date", "Available", "Age")...),
		"replicasets.apps":         of(replicaSet, with("#Desired", "#Current", "#Ready", "Age")...),
		"statefulsets.apps":        of(statefulSet, "Ready", "Age", "+Containers", "+Images"),
		"daemonsets.apps":          of(daemonSet, with("#Desired", "#Current", "#Ready", "#Up-to-date", "#Available", "Node Selector", "Age")...),
		"jobs.batch":               of(job, with("Status", "Completions", "Duration", "Age")...),
		"cronjobs.batch":           of(cronJob, with("Schedule", "Timezone", "?Suspend", "#Active", "Last Schedule", "Age")...),
		"controllerrevisions.apps": of(revision, "Controller", "Revision", "Age"),
	}
}

func containers(s core.PodSpec) (names, images string) {
	var ns, is []string
	for _, c := range s.Containers {
		ns, is = append(ns, c.Name), append(is, c.Image)
	}
	return strings.Join(ns, ","), strings.Join(is, ",")
}

func selector(s *metav1.LabelSelector) string { return none(metav1.FormatLabelSelector(s)) }

func deployment(d *apps.Deployment, now time.Time) []any {
	names, images := containers(d.Spec.Template.Spec)
	return []any{d.Name, ratio(d.Status.ReadyReplicas, value(d.Spec.Replicas)), int64(d.Status.UpdatedReplicas), int64(d.Status.AvailableReplicas), age(d.CreationTimestamp, now), names, images, selector(d.Spec.Selector)}
}

func replicaSet(r *apps.ReplicaSet, now time.Time) []any {
	names, images := containers(r.Spec.Template.Spec)
	return []any{r.Name, int64(value(r.Spec.Replicas)), int64(r.Status.Replicas), int64(r.Status.ReadyReplicas), age(r.CreationTimestamp, now), names, images, selector(r.Spec.Selector)}
}

func statefulSet(s *apps.StatefulSet, now time.Time) []any {
	names, images := containers(s.Spec.Template.Spec)
	return []any{s.Name, ratio(s.Status.ReadyReplicas, value(s.Spec.Replicas)), age(s.CreationTimestamp, now), names, images}
}

func daemonSet(d *apps.DaemonSet, now time.Time) []any {
	names, images := containers(d.Spec.Template.Spec)
	return []any{d.Name, int64(d.Status.DesiredNumberScheduled), int64(d.Status.CurrentNumberScheduled), int64(d.Status.NumberReady),
		int64(d.Status.UpdatedNumberScheduled), int64(d.Status.NumberAvailable), pairs(d.Spec.Template.Spec.NodeSelector), age(d.CreationTimestamp, now), names, images, selector(d.Spec.Selector)}
}

func revision(r *apps.ControllerRevision, now time.Time) []any {
	controller := "<none>"
	if ref := metav1.GetControllerOf(r); ref != nil {
		controller = strings.ToLower(ref.Kind) + "/" + ref.Name
	}
	return []any{r.Name, controller, r.Revision, age(r.CreationTimestamp, now)}
}

func job(j *batch.Job, now time.Time) []any {
	status := "Running"
	for _, c := range []struct {
		is    batch.JobConditionType
		shown string
	}{{batch.JobComplete, "Complete"}, {batch.JobFailed, "Failed"}, {batch.JobSuspended, "Suspended"}, {batch.JobFailureTarget, "FailureTarget"}, {batch.JobSuccessCriteriaMet, "SuccessCriteriaMet"}} {
		if j.DeletionTimestamp == nil && holds(j.Status.Conditions, c.is) {
			status = c.shown
			break
		}
	}
	if j.DeletionTimestamp != nil {
		status = "Terminating"
	}
	completions := fmt.Sprintf("%d/1", j.Status.Succeeded)
	switch {
	case j.Spec.Completions != nil:
		completions = ratio(j.Status.Succeeded, *j.Spec.Completions)
	case value(j.Spec.Parallelism) > 1:
		completions = fmt.Sprintf("%d/1 of %d", j.Status.Succeeded, *j.Spec.Parallelism)
	}
	took := ""
	switch {
	case j.Status.StartTime == nil:
	case j.Status.CompletionTime == nil:
		took = duration.HumanDuration(now.Sub(j.Status.StartTime.Time))
	default:
		took = duration.HumanDuration(j.Status.CompletionTime.Sub(j.Status.StartTime.Time))
	}
	names, images := containers(j.Spec.Template.Spec)
	return []any{j.Name, status, completions, took, age(j.CreationTimestamp, now), names, images, selector(j.Spec.Selector)}
}

func holds(cs []batch.JobCondition, kind batch.JobConditionType) bool {
	for _, c := range cs {
		if c.Type == kind && c.Status == core.ConditionTrue {
			return true
		}
	}
	return false
}

func cronJob(c *batch.CronJob, now time.Time) []any {
	last := "<none>"
	if c.Status.LastScheduleTime != nil {
		last = age(*c.Status.LastScheduleTime, now)
	}
	suspend := "False"
	if value(c.Spec.Suspend) {
		suspend = "True"
	}
	names, images := containers(c.Spec.JobTemplate.Spec.Template.Spec)
	return []any{c.Name, c.Spec.Schedule, none(value(c.Spec.TimeZone)), suspend, int64(len(c.Status.Active)), last, age(c.CreationTimestamp, now), names, images, selector(c.Spec.JobTemplate.Spec.Selector)}
}
