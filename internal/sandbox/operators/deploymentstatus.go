package operators

import (
	"context"
	"fmt"
	"time"
)

// tally is what the ReplicaSets of a Deployment add up to.
type tally struct{ replicas, ready, available, updated int64 }

func (r *rollout) count() tally {
	var t tally
	for _, s := range r.old {
		t.replicas += int64(s.Status.Replicas)
		t.ready += int64(s.Status.ReadyReplicas)
		t.available += int64(s.Status.AvailableReplicas)
	}
	if s := r.current; s != nil {
		t.replicas += int64(s.Status.Replicas)
		t.ready += int64(s.Status.ReadyReplicas)
		t.available += int64(s.Status.AvailableReplicas)
		t.updated = int64(s.Status.Replicas)
	}
	return t
}

// report writes the Deployment's status: counts, Available, Progressing and what failed below.
func (r *rollout) report(ctx context.Context) error {
	if r.moved {
		return nil // the next pass sees what this one did
	}
	t := r.count()
	want := int64(orOne(r.spec.Spec.Replicas))
	before := conditionsOf(r.object.Object, "status", "conditions")
	conds := merged(before, r.now(), r.availability(t, want))
	if !r.spec.Spec.Paused {
		conds = r.progress(conds, t, want)
	}
	if s := r.current; s != nil {
		if failure := condition(s.object, "ReplicaFailure"); failure != nil {
			conds = putCondition(conds, failure)
		}
	}
	for _, raw := range conds {
		if m := raw.(map[string]any); m["lastUpdateTime"] == nil {
			m["lastUpdateTime"] = m["lastTransitionTime"]
		}
	}
	status := map[string]any{"observedGeneration": r.spec.Generation, "conditions": conds}
	for k, n := range map[string]int64{
		"replicas": t.replicas, "readyReplicas": t.ready, "availableReplicas": t.available,
		"updatedReplicas": t.updated, "unavailableReplicas": max(want, t.replicas) - t.available,
	} {
		if n > 0 {
			status[k] = n
		}
	}
	return r.setStatus(ctx, Deployments, r.object, status)
}

func (r *rollout) availability(t tally, want int64) cond {
	_, unavailable := r.limits(int32(want))
	if t.available >= want-int64(unavailable) {
		return cond{kind: "Available", status: "True", reason: "MinimumReplicasAvailable", message: "Deployment has minimum availability."}
	}
	return cond{kind: "Available", status: "False", reason: "MinimumReplicasUnavailable", message: "Deployment does not have minimum availability."}
}

// progress writes the Progressing condition. Its lastUpdateTime moves with every step forward; when it stands still for
// longer than the deadline, the rollout has failed.
func (r *rollout) progress(conds []any, t tally, want int64) []any {
	name := r.spec.Name
	if r.current != nil {
		name = r.current.Name
	}
	old := pick(conds, "Progressing")
	now := r.now()
	c := cond{kind: "Progressing", status: "True", reason: "ReplicaSetUpdated", message: fmt.Sprintf("ReplicaSet %q is progressing.", name)}
	deadline := 600 * time.Second
	if s := r.spec.Spec.ProgressDeadlineSeconds; s != nil {
		deadline = time.Duration(*s) * time.Second
	}
	since, known := updatedAt(old)
	switch {
	case t.updated == want && t.available == want && t.replicas == want:
		c.reason, c.message = "NewReplicaSetAvailable", fmt.Sprintf("ReplicaSet %q has successfully progressed.", name)
	case old == nil:
		c.reason, c.message = "NewReplicaSetCreated", fmt.Sprintf("Created new replica set %q", name)
	case r.forward(t):
	case old["reason"] == "NewReplicaSetAvailable" && old["message"] == fmt.Sprintf("ReplicaSet %q has successfully progressed.", name):
		return conds // a pod that was lost is not a rollout
	case known && now.Sub(since) > deadline:
		c.status, c.reason, c.message = "False", "ProgressDeadlineExceeded", fmt.Sprintf("ReplicaSet %q has timed out progressing.", name)
	default:
		if known {
			r.again = deadline - now.Sub(since) + time.Second
		}
		if old["reason"] != "NewReplicaSetAvailable" {
			return conds
		}
	}
	out := merged(conds, now, c)
	m := pick(out, "Progressing")
	m["lastUpdateTime"] = stamp(now)
	if old != nil && old["reason"] == c.reason && old["message"] == c.message && !r.forward(t) {
		m["lastUpdateTime"] = old["lastUpdateTime"]
	}
	return out
}

func updatedAt(c map[string]any) (time.Time, bool) {
	text, _ := c["lastUpdateTime"].(string)
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

// forward reports whether the counts have moved in the right direction since the status was written.
func (r *rollout) forward(t tally) bool {
	s := r.spec.Status
	return t.updated > int64(s.UpdatedReplicas) || t.ready > int64(s.ReadyReplicas) || t.available > int64(s.AvailableReplicas) ||
		t.replicas-t.updated < int64(s.Replicas-s.UpdatedReplicas)
}
