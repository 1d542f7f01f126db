package kinds

import (
	"maps"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	rbac "k8s.io/api/rbac/v1"
	storage "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func defaultNamespace(n *core.Namespace) {
	if n.Name != "" {
		if n.Labels == nil {
			n.Labels = map[string]string{}
		}
		n.Labels[core.LabelMetadataName] = n.Name
	}
}

func createNamespace(n *core.Namespace) {
	n.Status = core.NamespaceStatus{Phase: core.NamespaceActive}
	for _, f := range n.Spec.Finalizers {
		if f == core.FinalizerKubernetes {
			return
		}
	}
	n.Spec.Finalizers = append(n.Spec.Finalizers, core.FinalizerKubernetes)
}

func createPod(p *core.Pod) {
	p.Status = core.PodStatus{Phase: core.PodPending, QOSClass: qosClass(&p.Spec)}
}

// qosClass: Guaranteed when every container limits cpu and memory and requests just as much, BestEffort
// when none says anything about them, Burstable otherwise.
func qosClass(s *core.PodSpec) core.PodQOSClass {
	guaranteed, any := true, false
	for _, c := range append(append([]core.Container{}, s.InitContainers...), s.Containers...) {
		for _, name := range []core.ResourceName{core.ResourceCPU, core.ResourceMemory} {
			limit, limited := c.Resources.Limits[name]
			request, requested := c.Resources.Requests[name]
			any = any || limited || requested
			guaranteed = guaranteed && limited && (!requested || request.Cmp(limit) == 0)
		}
	}
	switch {
	case !any:
		return core.PodQOSBestEffort
	case guaranteed:
		return core.PodQOSGuaranteed
	}
	return core.PodQOSBurstable
}

func createService(s *core.Service) { s.Status = core.ServiceStatus{} }

func defaultClaim(c *core.PersistentVolumeClaim) {
	point(&c.Spec.VolumeMode, core.PersistentVolumeFilesystem)
}

func createClaim(c *core.PersistentVolumeClaim) {
	c.Status = core.PersistentVolumeClaimStatus{Phase: core.ClaimPending}
	// The protection finalizer comes from admission in the real server, so it is there from the start.
	c.Finalizers = appendOnce(c.Finalizers, "kubernetes.io/pvc-protection")
}

func defaultVolume(v *core.PersistentVolume) {
	set(&v.Spec.PersistentVolumeReclaimPolicy, core.PersistentVolumeReclaimRetain)
	point(&v.Spec.VolumeMode, core.PersistentVolumeFilesystem)
}

func createVolume(v *core.PersistentVolume) {
	v.Status = core.PersistentVolumeStatus{Phase: core.VolumePending}
	v.Finalizers = appendOnce(v.Finalizers, "kubernetes.io/pv-protection")
}

func appendOnce(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

func defaultSecret(s *core.Secret) {
	set(&s.Type, core.SecretTypeOpaque)
	if len(s.StringData) > 0 && s.Data == nil {
		s.Data = map[string][]byte{}
	}
	for k, v := range s.StringData {
		s.Data[k] = []byte(v)
	}
	s.StringData = nil
}

func defaultDeployment(d *apps.Deployment) {
	point(&d.Spec.Replicas, 1)
	point(&d.Spec.RevisionHistoryLimit, 10)
	point(&d.Spec.ProgressDeadlineSeconds, 600)
	set(&d.Spec.Strategy.Type, apps.RollingUpdateDeploymentStrategyType)
	if d.Spec.Strategy.Type == apps.RollingUpdateDeploymentStrategyType {
		if d.Spec.Strategy.RollingUpdate == nil {
			d.Spec.Strategy.RollingUpdate = &apps.RollingUpdateDeployment{}
		}
		point(&d.Spec.Strategy.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
		point(&d.Spec.Strategy.RollingUpdate.MaxSurge, intstr.FromString("25%"))
	}
	defaultTemplate(&d.Spec.Template)
}

func defaultReplicaSet(r *apps.ReplicaSet) {
	point(&r.Spec.Replicas, 1)
	defaultTemplate(&r.Spec.Template)
}

func defaultStatefulSet(s *apps.StatefulSet) {
	point(&s.Spec.Replicas, 1)
	point(&s.Spec.RevisionHistoryLimit, 10)
	set(&s.Spec.PodManagementPolicy, apps.OrderedReadyPodManagement)
	set(&s.Spec.UpdateStrategy.Type, apps.RollingUpdateStatefulSetStrategyType)
	if s.Spec.UpdateStrategy.Type == apps.RollingUpdateStatefulSetStrategyType {
		if s.Spec.UpdateStrategy.RollingUpdate == nil {
			s.Spec.UpdateStrategy.RollingUpdate = &apps.RollingUpdateStatefulSetStrategy{}
		}
		point(&s.Spec.UpdateStrategy.RollingUpdate.Partition, 0)
	}
	if s.Spec.PersistentVolumeClaimRetentionPolicy == nil {
		s.Spec.PersistentVolumeClaimRetentionPolicy = &apps.StatefulSetPersistentVolumeClaimRetentionPolicy{}
	}
	set(&s.Spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted, apps.RetainPersistentVolumeClaimRetentionPolicyType)
	set(&s.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled, apps.RetainPersistentVolumeClaimRetentionPolicyType)
	for i := range s.Spec.VolumeClaimTemplates {
		defaultClaim(&s.Spec.VolumeClaimTemplates[i])
		set(&s.Spec.VolumeClaimTemplates[i].Status.Phase, core.ClaimPending)
		s.Spec.VolumeClaimTemplates[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
	}
	defaultTemplate(&s.Spec.Template)
}

func defaultDaemonSet(d *apps.DaemonSet) {
	point(&d.Spec.RevisionHistoryLimit, 10)
	set(&d.Spec.UpdateStrategy.Type, apps.RollingUpdateDaemonSetStrategyType)
	if d.Spec.UpdateStrategy.Type == apps.RollingUpdateDaemonSetStrategyType {
		if d.Spec.UpdateStrategy.RollingUpdate == nil {
			d.Spec.UpdateStrategy.RollingUpdate = &apps.RollingUpdateDaemonSet{}
		}
		point(&d.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
		point(&d.Spec.UpdateStrategy.RollingUpdate.MaxSurge, intstr.FromInt32(0))
	}
	defaultTemplate(&d.Spec.Template)
}

func defaultJob(j *batch.Job) { defaultJobSpec(&j.Spec) }

func defaultJobSpec(s *batch.JobSpec) {
	if s.Completions == nil && s.Parallelism == nil {
		point(&s.Completions, 1)
	}
	point(&s.Parallelism, 1)
	point(&s.CompletionMode, batch.NonIndexedCompletion)
	point(&s.BackoffLimit, 6)
	point(&s.Suspend, false)
	point(&s.ManualSelector, false)
	point(&s.PodReplacementPolicy, batch.TerminatingOrFailed)
	defaultTemplate(&s.Template)
}

// createJob: unless the author picks the pods, the job's own uid does.
func createJob(j *batch.Job) {
	j.Status = batch.JobStatus{}
	if j.Spec.ManualSelector != nil && *j.Spec.ManualSelector {
		return
	}
	uid := string(j.UID)
	labels := map[string]string{
		batch.ControllerUidLabel: uid, batch.JobNameLabel: j.Name, "controller-uid": uid, "job-name": j.Name,
	}
	if j.Spec.Template.Labels == nil {
		j.Spec.Template.Labels = map[string]string{}
	}
	maps.Copy(j.Spec.Template.Labels, labels)
	j.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{batch.ControllerUidLabel: uid}}
}

func defaultCronJob(c *batch.CronJob) {
	set(&c.Spec.ConcurrencyPolicy, batch.AllowConcurrent)
	point(&c.Spec.Suspend, false)
	point(&c.Spec.SuccessfulJobsHistoryLimit, 3)
	point(&c.Spec.FailedJobsHistoryLimit, 1)
	defaultTemplate(&c.Spec.JobTemplate.Spec.Template)
}

func defaultNetworkPolicy(n *networking.NetworkPolicy) {
	if len(n.Spec.PolicyTypes) == 0 {
		n.Spec.PolicyTypes = []networking.PolicyType{networking.PolicyTypeIngress}
		if len(n.Spec.Egress) > 0 {
			n.Spec.PolicyTypes = append(n.Spec.PolicyTypes, networking.PolicyTypeEgress)
		}
	}
}

func defaultStorageClass(s *storage.StorageClass) {
	point(&s.ReclaimPolicy, core.PersistentVolumeReclaimDelete)
	point(&s.VolumeBindingMode, storage.VolumeBindingImmediate)
}

func defaultClusterRoleBinding(b *rbac.ClusterRoleBinding) { defaultBinding(&b.RoleRef, b.Subjects) }
func defaultRoleBinding(b *rbac.RoleBinding)               { defaultBinding(&b.RoleRef, b.Subjects) }

func defaultBinding(r *rbac.RoleRef, subjects []rbac.Subject) {
	set(&r.APIGroup, rbac.GroupName)
	for i := range subjects {
		if s := &subjects[i]; s.Kind != rbac.ServiceAccountKind {
			set(&s.APIGroup, rbac.GroupName)
		}
	}
}
