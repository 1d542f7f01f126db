package operators

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type statefulSets struct{ *cluster }

func newStatefulSets(c *cluster) controller {
	return controller{"statefulsets", []GVR{StatefulSets, Pods, Claims}, (&statefulSets{c}).pass}
}

func (s *statefulSets) pass(ctx context.Context) (time.Duration, error) {
	return each(s.cluster, StatefulSets, func(o *unstructured.Unstructured, sts *appsv1.StatefulSet) (time.Duration, error) {
		if going(o) {
			return 0, nil
		}
		return 0, s.reconcile(ctx, o, sts)
	})
}

// reconcile brings the replicas up one after the other, replaces the highest one that is outdated, and takes surplus
// ones from the top.
func (s *statefulSets) reconcile(ctx context.Context, o *unstructured.Unstructured, sts *appsv1.StatefulSet) error {
	want, hash := int(orOne(sts.Spec.Replicas)), sts.Name+"-"+hashOf(&sts.Spec.Template)
	pods := map[string]*corev1.Pod{}
	for _, p := range s.podsOf(o) {
		pods[p.Name] = p
	}
	if err := s.report(ctx, o, sts, pods, hash); err != nil {
		return err
	}
	parallel := sts.Spec.PodManagementPolicy == appsv1.ParallelPodManagement
	for i := range want {
		p, ok := pods[fmt.Sprintf("%s-%d", sts.Name, i)]
		if !ok {
			if err := s.make(ctx, o, sts, i, hash); err != nil {
				return err
			}
		}
		if !parallel && (!ok || !podReady(p)) {
			return nil
		}
	}
	for i := len(pods) + want; i >= 0; i-- {
		p, ok := pods[fmt.Sprintf("%s-%d", sts.Name, i)]
		if ok && (i >= want || p.Labels[appsv1.ControllerRevisionHashLabelKey] != hash) {
			return s.dropPod(ctx, o, "statefulset-controller", p)
		}
	}
	return nil
}

func (s *statefulSets) make(ctx context.Context, o *unstructured.Unstructured, sts *appsv1.StatefulSet, i int, hash string) error {
	name := fmt.Sprintf("%s-%d", sts.Name, i)
	template := sts.Spec.Template.DeepCopy()
	if template.Labels == nil {
		template.Labels = map[string]string{}
	}
	template.Labels[appsv1.ControllerRevisionHashLabelKey] = hash
	template.Labels[appsv1.StatefulSetPodNameLabel] = name
	for _, t := range sts.Spec.VolumeClaimTemplates {
		claim := t.Name + "-" + name
		if s.find(Claims, sts.Namespace, claim) == nil {
			m := untyped(&corev1.PersistentVolumeClaim{Spec: t.Spec})
			m["metadata"] = map[string]any{"name": claim, "namespace": sts.Namespace}
			if _, err := s.create(ctx, Claims, "v1", "PersistentVolumeClaim", m); err != nil {
				return err
			}
		}
		template.Spec.Volumes = append(template.Spec.Volumes, corev1.Volume{Name: t.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}})
	}
	return s.newPod(ctx, o, "statefulset-controller", name, template)
}

func (s *statefulSets) report(ctx context.Context, o *unstructured.Unstructured, sts *appsv1.StatefulSet, pods map[string]*corev1.Pod, hash string) error {
	var ready, updated int64
	for _, p := range pods {
		if podReady(p) {
			ready++
		}
		if p.Labels[appsv1.ControllerRevisionHashLabelKey] == hash {
			updated++
		}
	}
	return s.setStatus(ctx, StatefulSets, o, map[string]any{
		"observedGeneration": sts.Generation, "replicas": int64(len(pods)), "readyReplicas": ready, "availableReplicas": ready,
		"currentReplicas": updated, "updatedReplicas": updated, "currentRevision": hash, "updateRevision": hash, "collisionCount": int64(0),
	})
}

type daemonSets struct{ *cluster }

func newDaemonSets(c *cluster) controller {
	return controller{"daemonsets", []GVR{DaemonSets, Pods, Nodes}, (&daemonSets{c}).pass}
}

func (d *daemonSets) pass(ctx context.Context) (time.Duration, error) {
	return each(d.cluster, DaemonSets, func(o *unstructured.Unstructured, ds *appsv1.DaemonSet) (time.Duration, error) {
		if going(o) {
			return 0, nil
		}
		return 0, d.reconcile(ctx, o, ds)
	})
}

// reconcile keeps one pod on the one node and replaces it when the template has changed.
func (d *daemonSets) reconcile(ctx context.Context, o *unstructured.Unstructured, ds *appsv1.DaemonSet) error {
	hash := hashOf(&ds.Spec.Template)
	nodes := int64(len(d.all(Nodes)))
	pods := d.podsOf(o)
	var ready, updated int64
	for _, p := range pods {
		if podReady(p) {
			ready++
		}
		if p.Labels[appsv1.ControllerRevisionHashLabelKey] == hash {
			updated++
		}
	}
	status := map[string]any{
		"observedGeneration": ds.Generation, "desiredNumberScheduled": nodes, "currentNumberScheduled": int64(len(pods)),
		"numberMisscheduled": int64(0), "numberReady": ready, "updatedNumberScheduled": updated,
	}
	if ready > 0 {
		status["numberAvailable"] = ready
	}
	if nodes > ready {
		status["numberUnavailable"] = nodes - ready
	}
	if err := d.setStatus(ctx, DaemonSets, o, status); err != nil {
		return err
	}
	if len(pods) == 0 && nodes > 0 {
		template := ds.Spec.Template.DeepCopy()
		if template.Labels == nil {
			template.Labels = map[string]string{}
		}
		template.Labels[appsv1.ControllerRevisionHashLabelKey] = hash
		return d.newPod(ctx, o, "daemonset-controller", ds.Name+"-"+suffix(5), template)
	}
	for _, p := range pods {
		if p.Labels[appsv1.ControllerRevisionHashLabelKey] != hash || podOver(p) {
			return d.dropPod(ctx, o, "daemonset-controller", p)
		}
	}
	return nil
}
