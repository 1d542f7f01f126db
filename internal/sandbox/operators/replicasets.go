package operators

import (
	"context"
	"sort"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type replicaSets struct{ *cluster }

func newReplicaSets(c *cluster) controller {
	return controller{"replicasets", []GVR{ReplicaSets, Pods}, (&replicaSets{c}).pass}
}

func (r *replicaSets) pass(ctx context.Context) (time.Duration, error) {
	return each(r.cluster, ReplicaSets, func(o *unstructured.Unstructured, rs *appsv1.ReplicaSet) (time.Duration, error) {
		if going(o) {
			return 0, nil
		}
		return 0, r.reconcile(ctx, o, rs)
	})
}

func (r *replicaSets) reconcile(ctx context.Context, o *unstructured.Unstructured, rs *appsv1.ReplicaSet) error {
	var live []*corev1.Pod
	for _, p := range r.podsOf(o) {
		if p.DeletionTimestamp == nil && !podOver(p) {
			live = append(live, p)
		}
	}
	want := int(orOne(rs.Spec.Replicas))
	failure := error(nil)
	for n := len(live); n < want && failure == nil; n++ {
		failure = r.newPod(ctx, o, "replicaset-controller", rs.Name+"-"+suffix(5), &rs.Spec.Template)
	}
	// The ones that serve go last.
	sort.SliceStable(live, func(i, j int) bool { return !podReady(live[i]) && podReady(live[j]) })
	for i := 0; i < len(live)-want; i++ {
		if err := r.dropPod(ctx, o, "replicaset-controller", live[i]); err != nil {
			return err
		}
	}
	if err := r.report(ctx, o, rs, live, failure); err != nil {
		return err
	}
	return failure
}

func (r *replicaSets) report(ctx context.Context, o *unstructured.Unstructured, rs *appsv1.ReplicaSet, live []*corev1.Pod, failure error) error {
	ready := int64(0)
	for _, p := range live {
		if podReady(p) {
			ready++
		}
	}
	status := map[string]any{"replicas": int64(len(live)), "fullyLabeledReplicas": int64(len(live)), "observedGeneration": rs.Generation}
	if ready > 0 {
		status["readyReplicas"], status["availableReplicas"] = ready, ready
	}
	if failure != nil && !passing(failure) {
		status["conditions"] = merged(conditionsOf(o.Object, "status", "conditions"), r.now(),
			cond{kind: "ReplicaFailure", status: "True", reason: "FailedCreate", message: failure.Error()})
	}
	return r.setStatus(ctx, ReplicaSets, o, status)
}
