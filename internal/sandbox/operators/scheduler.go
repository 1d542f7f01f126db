package operators

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// selectedNode is how the scheduler asks for a volume whose class waits for the first consumer.
const selectedNode = "volume.kubernetes.io/selected-node"

type scheduler struct{ *cluster }

func newScheduler(c *cluster) controller {
	return controller{"scheduler", []GVR{Pods, Nodes, Claims, StorageClasses}, (&scheduler{c}).pass}
}

func (s *scheduler) pass(ctx context.Context) (time.Duration, error) {
	return each(s.cluster, Pods, func(o *unstructured.Unstructured, pod *corev1.Pod) (time.Duration, error) {
		if going(o) || pod.Spec.NodeName != "" {
			return 0, nil
		}
		return 0, s.place(ctx, o, pod)
	})
}

func (s *scheduler) place(ctx context.Context, o *unstructured.Unstructured, pod *corev1.Pod) error {
	if s.find(Nodes, "", NodeName) == nil {
		return s.unschedulable(ctx, o, "no nodes available to schedule pods")
	}
	waiting := false
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		bound, why, err := s.claim(ctx, pod, v.PersistentVolumeClaim.ClaimName)
		if err != nil {
			return err
		}
		if why != "" {
			return s.unschedulable(ctx, o, "0/1 nodes are available: "+why+". preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.")
		}
		waiting = waiting || !bound
	}
	if waiting {
		return nil
	}
	return s.bind(ctx, o, pod)
}

// claim reports whether a claim is bound, or why the pod can't go anywhere, and selects the node for one that waits.
func (s *scheduler) claim(ctx context.Context, pod *corev1.Pod, name string) (bound bool, why string, err error) {
	o := s.find(Claims, pod.Namespace, name)
	claim, ok := read[corev1.PersistentVolumeClaim](s.cluster, Claims, o)
	if !ok {
		return false, fmt.Sprintf("persistentvolumeclaim %q not found", name), nil
	}
	switch {
	case claim.Status.Phase == corev1.ClaimLost:
		return false, fmt.Sprintf("persistentvolumeclaim %q bound to non-existent persistentvolume %q", name, claim.Spec.VolumeName), nil
	case claim.Status.Phase == corev1.ClaimBound:
		return true, "", nil
	case !waits(s.cluster, claim):
		return false, "pod has unbound immediate PersistentVolumeClaims", nil
	case claim.Annotations[selectedNode] == "":
		return false, "", s.merge(ctx, Claims, o, map[string]any{
			"metadata": map[string]any{"annotations": map[string]any{selectedNode: NodeName}}})
	}
	return false, "", nil
}

func (s *scheduler) bind(ctx context.Context, o *unstructured.Unstructured, pod *corev1.Pod) error {
	binding := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Binding",
		"metadata": map[string]any{"name": pod.Name, "namespace": pod.Namespace, "uid": string(pod.UID)},
		"target":   map[string]any{"apiVersion": "v1", "kind": "Node", "name": NodeName},
	}}
	_, err := s.client.Resource(Pods).Namespace(pod.Namespace).Create(ctx, binding, metav1.CreateOptions{FieldManager: "kube-scheduler"}, "binding")
	if err != nil {
		return fmt.Errorf("bind pod %s: %w", pod.Name, err)
	}
	s.normal(ctx, o, "default-scheduler", "Scheduled", fmt.Sprintf("Successfully assigned %s/%s to %s", pod.Namespace, pod.Name, NodeName))
	return nil
}

func (s *scheduler) unschedulable(ctx context.Context, o *unstructured.Unstructured, why string) error {
	if old := condition(o, "PodScheduled"); old != nil && old["message"] == why {
		return nil
	}
	status, _, _ := unstructured.NestedMap(o.Object, "status")
	if status == nil {
		status = map[string]any{}
	}
	status["phase"] = "Pending"
	status["conditions"] = merged(conditionsOf(o.Object, "status", "conditions"), s.now(), cond{kind: "PodScheduled", status: "False", reason: "Unschedulable", message: why})
	s.warn(ctx, o, "default-scheduler", "FailedScheduling", why)
	return s.setStatus(ctx, Pods, o, status)
}
