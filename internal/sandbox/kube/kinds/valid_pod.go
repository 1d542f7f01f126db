package kinds

import (
	"fmt"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func same(a, b any) bool { return equality.Semantic.DeepEqual(a, b) }

func validPod(p *core.Pod) field.ErrorList { return validPodSpec(&p.Spec, specPath()) }

func validPodSpec(s *core.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	volumes := map[string]bool{}
	for i, v := range s.Volumes {
		errs = append(errs, label(v.Name, at.Child("volumes").Index(i).Child("name"))...)
		if volumes[v.Name] {
			errs = append(errs, field.Duplicate(at.Child("volumes").Index(i).Child("name"), v.Name))
		}
		volumes[v.Name] = true
	}
	if len(s.Containers) == 0 {
		errs = append(errs, field.Required(at.Child("containers"), ""))
	}
	names := map[string]bool{}
	errs = append(errs, validContainers(s.InitContainers, names, volumes, at.Child("initContainers"))...)
	errs = append(errs, validContainers(s.Containers, names, volumes, at.Child("containers"))...)
	errs = append(errs, oneOf(at.Child("restartPolicy"), s.RestartPolicy,
		[]core.RestartPolicy{core.RestartPolicyAlways, core.RestartPolicyNever, core.RestartPolicyOnFailure})...)
	return errs
}

func validContainers(cs []core.Container, names, volumes map[string]bool, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range cs {
		here := at.Index(i)
		errs = append(errs, label(c.Name, here.Child("name"))...)
		if names[c.Name] {
			errs = append(errs, field.Duplicate(here.Child("name"), c.Name))
		}
		names[c.Name] = true
		if c.Image == "" {
			errs = append(errs, field.Required(here.Child("image"), ""))
		}
		for m, mount := range c.VolumeMounts {
			if !volumes[mount.Name] {
				errs = append(errs, field.NotFound(here.Child("volumeMounts").Index(m).Child("name"), mount.Name))
			}
			if mount.MountPath == "" {
				errs = append(errs, field.Required(here.Child("volumeMounts").Index(m).Child("mountPath"), ""))
			}
		}
		for p, port := range c.Ports {
			for _, msg := range validation.IsValidPortNum(int(port.ContainerPort)) {
				errs = append(errs, field.Invalid(here.Child("ports").Index(p).Child("containerPort"), port.ContainerPort, msg))
			}
		}
		for name, limit := range c.Resources.Limits {
			if request, ok := c.Resources.Requests[name]; ok && request.Cmp(limit) > 0 {
				errs = append(errs, field.Invalid(here.Child("resources", "requests"), request.String(),
					fmt.Sprintf("must be less than or equal to %s limit of %s", name, limit.String())))
			}
		}
	}
	return errs
}

func label(name string, at *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	var errs field.ErrorList
	for _, msg := range validation.IsDNS1123Label(name) {
		errs = append(errs, field.Invalid(at, name, msg))
	}
	return errs
}

// fixedPod: of a pod's spec only images, deadlines and added tolerations may change.
func fixedPod(p, old *core.Pod) field.ErrorList {
	a, b := p.Spec.DeepCopy(), old.Spec.DeepCopy()
	for _, cs := range [][2][]core.Container{{a.Containers, b.Containers}, {a.InitContainers, b.InitContainers}} {
		for i := range cs[0] {
			if i < len(cs[1]) {
				cs[1][i].Image = cs[0][i].Image
			}
		}
	}
	b.ActiveDeadlineSeconds, b.Tolerations = a.ActiveDeadlineSeconds, a.Tolerations
	b.TerminationGracePeriodSeconds = a.TerminationGracePeriodSeconds
	if same(a, b) {
		return nil
	}
	return field.ErrorList{field.Forbidden(specPath(), "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n"+diff.Diff(b, a))}
}

func validWorkload(kind string, sel *metav1.LabelSelector, t *core.PodTemplateSpec) field.ErrorList {
	var errs field.ErrorList
	at := specPath()
	if sel == nil {
		errs = append(errs, field.Required(at.Child("selector"), ""))
	} else {
		errs = append(errs, metavalidation.ValidateLabelSelector(sel, metavalidation.LabelSelectorValidationOptions{}, at.Child("selector"))...)
		if len(sel.MatchLabels)+len(sel.MatchExpressions) == 0 {
			errs = append(errs, field.Invalid(at.Child("selector"), sel, "empty selector is invalid for "+kind))
		}
	}
	s, err := metav1.LabelSelectorAsSelector(sel)
	if err == nil && !s.Empty() && !s.Matches(labels.Set(t.Labels)) {
		errs = append(errs, field.Invalid(at.Child("template", "metadata", "labels"), t.Labels, "`selector` does not match template `labels`"))
	}
	errs = append(errs, validPodSpec(&t.Spec, at.Child("template", "spec"))...)
	if t.Spec.RestartPolicy != core.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(at.Child("template", "spec", "restartPolicy"), t.Spec.RestartPolicy, []core.RestartPolicy{core.RestartPolicyAlways}))
	}
	return errs
}

func replicas(n *int32) field.ErrorList {
	if n == nil {
		return nil
	}
	return apivalidation.ValidateNonnegativeField(int64(*n), specPath().Child("replicas"))
}

func validDeployment(d *apps.Deployment) field.ErrorList {
	errs := append(replicas(d.Spec.Replicas), validWorkload("deployment", d.Spec.Selector, &d.Spec.Template)...)
	if d.Spec.Strategy.Type == apps.RecreateDeploymentStrategyType && d.Spec.Strategy.RollingUpdate != nil {
		errs = append(errs, field.Forbidden(specPath().Child("strategy", "rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'"))
	}
	return errs
}

func validReplicaSet(r *apps.ReplicaSet) field.ErrorList {
	return append(replicas(r.Spec.Replicas), validWorkload("replicaset", r.Spec.Selector, &r.Spec.Template)...)
}

func validStatefulSet(s *apps.StatefulSet) field.ErrorList {
	return append(replicas(s.Spec.Replicas), validWorkload("statefulset", s.Spec.Selector, &s.Spec.Template)...)
}

func validDaemonSet(d *apps.DaemonSet) field.ErrorList {
	return validWorkload("daemonset", d.Spec.Selector, &d.Spec.Template)
}

func fixedDeployment(d, old *apps.Deployment) field.ErrorList {
	return apivalidation.ValidateImmutableField(d.Spec.Selector, old.Spec.Selector, specPath().Child("selector"))
}

func fixedReplicaSet(r, old *apps.ReplicaSet) field.ErrorList {
	return apivalidation.ValidateImmutableField(r.Spec.Selector, old.Spec.Selector, specPath().Child("selector"))
}

func fixedDaemonSet(d, old *apps.DaemonSet) field.ErrorList {
	return apivalidation.ValidateImmutableField(d.Spec.Selector, old.Spec.Selector, specPath().Child("selector"))
}

func fixedStatefulSet(s, old *apps.StatefulSet) field.ErrorList {
	a, b := s.Spec.DeepCopy(), old.Spec.DeepCopy()
	b.Replicas, b.Template, b.UpdateStrategy = a.Replicas, a.Template, a.UpdateStrategy
	b.RevisionHistoryLimit, b.Ordinals, b.MinReadySeconds = a.RevisionHistoryLimit, a.Ordinals, a.MinReadySeconds
	b.PersistentVolumeClaimRetentionPolicy = a.PersistentVolumeClaimRetentionPolicy
	if same(a, b) {
		return nil
	}
	return field.ErrorList{field.Forbidden(specPath(), "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden")}
}

func validJob(j *batch.Job) field.ErrorList {
	return validJobTemplate(&j.Spec.Template, specPath().Child("template", "spec"))
}

func validJobTemplate(t *core.PodTemplateSpec, at *field.Path) field.ErrorList {
	errs := validPodSpec(&t.Spec, at)
	if t.Spec.RestartPolicy == core.RestartPolicyAlways {
		errs = append(errs, field.Required(at.Child("restartPolicy"), "valid values: \"OnFailure\", \"Never\""))
	}
	return errs
}

func fixedJob(j, old *batch.Job) field.ErrorList {
	var errs field.ErrorList
	errs = append(errs, apivalidation.ValidateImmutableField(j.Spec.Selector, old.Spec.Selector, specPath().Child("selector"))...)
	errs = append(errs, apivalidation.ValidateImmutableField(j.Spec.Completions, old.Spec.Completions, specPath().Child("completions"))...)
	return append(errs, apivalidation.ValidateImmutableField(j.Spec.Template, old.Spec.Template, specPath().Child("template"))...)
}

func validCronJob(c *batch.CronJob) field.ErrorList {
	errs := validJobTemplate(&c.Spec.JobTemplate.Spec.Template, specPath().Child("jobTemplate", "spec", "template", "spec"))
	if c.Spec.Schedule == "" {
		errs = append(errs, field.Required(specPath().Child("schedule"), ""))
	}
	return errs
}
