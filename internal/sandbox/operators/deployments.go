package operators

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const revisionKey = "deployment.kubernetes.io/revision"

type deployments struct{ *cluster }

func newDeployments(c *cluster) controller {
	return controller{"deployments", []GVR{Deployments, ReplicaSets, Pods}, (&deployments{c}).pass}
}

func (d *deployments) pass(ctx context.Context) (time.Duration, error) {
	return each(d.cluster, Deployments, func(o *unstructured.Unstructured, dep *appsv1.Deployment) (time.Duration, error) {
		if going(o) {
			return 0, nil
		}
		r := &rollout{deployments: d, object: o, spec: dep}
		r.read()
		err := r.advance(ctx)
		if err == nil {
			err = r.report(ctx)
		}
		return r.again, err
	})
}

// set is a ReplicaSet with the object it was read from.
type set struct {
	*appsv1.ReplicaSet
	object *unstructured.Unstructured
}

// rollout is one look at one Deployment.
type rollout struct {
	*deployments
	object  *unstructured.Unstructured
	spec    *appsv1.Deployment
	current *set
	old     []*set
	moved   bool // something was scaled or created in this pass
	again   time.Duration
}

func (r *rollout) read() {
	hash := hashOf(&r.spec.Spec.Template)
	for _, o := range r.in(ReplicaSets, r.spec.Namespace) {
		rs, ok := read[appsv1.ReplicaSet](r.cluster, ReplicaSets, o)
		if !ok || !owns(r.object, rs) || rs.DeletionTimestamp != nil {
			continue
		}
		s := &set{rs, o}
		if rs.Labels[appsv1.DefaultDeploymentUniqueLabelKey] == hash {
			r.current = s
		} else {
			r.old = append(r.old, s)
		}
	}
	sort.Slice(r.old, func(i, j int) bool { return revision(r.old[i].object) < revision(r.old[j].object) })
}

func revision(o *unstructured.Unstructured) int {
	n, _ := strconv.Atoi(o.GetAnnotations()[revisionKey])
	return n
}

// advance makes the current ReplicaSet and moves replicas towards it as the strategy allows.
func (r *rollout) advance(ctx context.Context) error {
	if r.spec.Spec.Paused {
		return nil
	}
	want := orOne(r.spec.Spec.Replicas)
	recreate := r.spec.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType
	if recreate && r.oldPods() > 0 {
		return r.scaleOld(ctx, int(r.oldReplicas()))
	}
	if r.current == nil {
		return r.begin(ctx, want, recreate)
	}
	if err := r.stampRevision(ctx); err != nil {
		return err
	}
	surge, unavailable := r.limits(want)
	have := orOne(r.current.Spec.Replicas)
	if have > want {
		return r.scale(ctx, r.current, want)
	}
	if room := want + surge - have - r.oldReplicas(); have < want && (room > 0 || recreate) {
		return r.scale(ctx, r.current, min(want, have+max(room, 0)))
	}
	if r.oldReplicas() == 0 {
		return r.tidy(ctx)
	}
	return r.retire(ctx, want-unavailable)
}

// retire takes old replicas away: the broken ones at once, the others as far as enough are available.
func (r *rollout) retire(ctx context.Context, floor int32) error {
	available := r.current.Status.AvailableReplicas
	broken := int32(0)
	for _, s := range r.old {
		available += s.Status.AvailableReplicas
		broken += max(orOne(s.Spec.Replicas)-s.Status.AvailableReplicas, 0)
	}
	return r.scaleOld(ctx, int(max(available-floor, 0)+broken))
}

func (r *rollout) oldReplicas() int32 {
	n := int32(0)
	for _, s := range r.old {
		n += orOne(s.Spec.Replicas)
	}
	return n
}

// oldPods counts what still exists of old ReplicaSets, terminating pods too: Recreate waits for them.
func (r *rollout) oldPods() int {
	n := int(r.oldReplicas())
	for _, s := range r.old {
		n += len(r.podsOf(s.object))
	}
	return n
}

// limits resolves maxSurge and maxUnavailable, never both to zero.
func (r *rollout) limits(want int32) (surge, unavailable int32) {
	quarter := intstr.FromString("25%")
	s, u := &quarter, &quarter
	if ru := r.spec.Spec.Strategy.RollingUpdate; ru != nil {
		if ru.MaxSurge != nil {
			s = ru.MaxSurge
		}
		if ru.MaxUnavailable != nil {
			u = ru.MaxUnavailable
		}
	}
	a, _ := intstr.GetScaledValueFromIntOrPercent(s, int(want), true)
	b, _ := intstr.GetScaledValueFromIntOrPercent(u, int(want), false)
	if a == 0 && b == 0 {
		b = 1
	}
	return int32(a), int32(min(b, int(want)))
}

func (r *rollout) begin(ctx context.Context, want int32, recreate bool) error {
	surge, _ := r.limits(want)
	size := want
	if !recreate {
		size = max(min(want, want+surge-r.oldReplicas()), 0)
	}
	hash := hashOf(&r.spec.Spec.Template)
	template := r.spec.Spec.Template.DeepCopy()
	if template.Labels == nil {
		template.Labels = map[string]string{}
	}
	template.Labels[appsv1.DefaultDeploymentUniqueLabelKey] = hash
	selector := r.spec.Spec.Selector.DeepCopy()
	if selector.MatchLabels == nil {
		selector.MatchLabels = map[string]string{}
	}
	selector.MatchLabels[appsv1.DefaultDeploymentUniqueLabelKey] = hash
	m := untyped(&appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Replicas: &size, Selector: selector, Template: *template}})
	labels := map[string]any{}
	for k, v := range template.Labels {
		labels[k] = v
	}
	name := r.spec.Name + "-" + hash
	m["metadata"] = map[string]any{
		"name": name, "namespace": r.spec.Namespace, "labels": labels, "ownerReferences": ownedBy(r.object),
		"annotations": map[string]any{revisionKey: strconv.Itoa(r.newest() + 1)},
	}
	if _, err := r.create(ctx, ReplicaSets, "apps/v1", "ReplicaSet", m); err != nil {
		return err
	}
	r.moved = true
	r.normal(ctx, r.object, "deployment-controller", "ScalingReplicaSet", fmt.Sprintf("Scaled up replica set %s from 0 to %d", name, size))
	return r.merge(ctx, Deployments, r.object, map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{revisionKey: strconv.Itoa(r.newest() + 1)}}})
}

func (r *rollout) newest() int {
	n := 0
	for _, s := range r.old {
		n = max(n, revision(s.object))
	}
	return n
}

// stampRevision moves an older ReplicaSet that has become current again to the front.
func (r *rollout) stampRevision(ctx context.Context) error {
	want := r.newest() + 1
	if have := revision(r.current.object); have >= want {
		want = have
	} else if err := r.annotate(ctx, ReplicaSets, r.current.object, want); err != nil {
		return err
	}
	if revision(r.object) == want {
		return nil
	}
	return r.annotate(ctx, Deployments, r.object, want)
}

func (r *rollout) annotate(ctx context.Context, kind GVR, o *unstructured.Unstructured, n int) error {
	return r.merge(ctx, kind, o, map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{revisionKey: strconv.Itoa(n)}}})
}

func (r *rollout) scaleOld(ctx context.Context, n int) error {
	for _, s := range r.old {
		have := int(orOne(s.Spec.Replicas))
		take := min(have, n)
		if take <= 0 {
			continue
		}
		n -= take
		if err := r.scale(ctx, s, int32(have-take)); err != nil {
			return err
		}
	}
	return nil
}

func (r *rollout) scale(ctx context.Context, s *set, to int32) error {
	from := orOne(s.Spec.Replicas)
	if from == to {
		return nil
	}
	if err := r.merge(ctx, ReplicaSets, s.object, map[string]any{"spec": map[string]any{"replicas": to}}); err != nil {
		return err
	}
	r.moved = true
	verb := "up"
	if to < from {
		verb = "down"
	}
	r.normal(ctx, r.object, "deployment-controller", "ScalingReplicaSet", fmt.Sprintf("Scaled %s replica set %s from %d to %d", verb, s.Name, from, to))
	return nil
}

// tidy deletes the oldest empty ReplicaSets beyond the history limit.
func (r *rollout) tidy(ctx context.Context) error {
	keep := 10
	if l := r.spec.Spec.RevisionHistoryLimit; l != nil {
		keep = int(*l)
	}
	for _, s := range r.old[:max(len(r.old)-keep, 0)] {
		if s.Status.Replicas == 0 {
			if err := r.remove(ctx, ReplicaSets, s, -1); err != nil {
				return err
			}
		}
	}
	return nil
}
