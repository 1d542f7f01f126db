package operators

import (
	"context"
	"crypto/rand"
	"fmt"
	"hash/fnv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// letters are the ones Kubernetes makes names of: no vowels and nothing that looks like something else.
const letters = "bcdfghjklmnpqrstvwxz2456789"

// suffix returns n random letters for a name.
func suffix(n int) string {
	raw := make([]byte, n)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the program instead
	for i, b := range raw {
		raw[i] = letters[int(b)%len(letters)]
	}
	return string(raw)
}

// hashOf names a pod template: the same template has the same name.
func hashOf(template *corev1.PodTemplateSpec) string {
	h := fnv.New64a()
	raw, err := template.Marshal()
	if err != nil {
		raw = []byte(err.Error())
	}
	_, _ = h.Write(raw)
	n := h.Sum64()
	out := make([]byte, 10)
	for i := range out {
		out[i] = letters[n%uint64(len(letters))]
		n /= uint64(len(letters))
	}
	return string(out)
}

// ownedBy is the owner reference of a controller.
func ownedBy(o *unstructured.Unstructured) []any {
	return []any{map[string]any{
		"apiVersion": o.GetAPIVersion(), "kind": o.GetKind(), "name": o.GetName(), "uid": string(o.GetUID()),
		"controller": true, "blockOwnerDeletion": true,
	}}
}

func owns(owner *unstructured.Unstructured, o metav1.Object) bool {
	ref := metav1.GetControllerOf(o)
	return ref != nil && ref.UID == owner.GetUID()
}

// podsOf returns the pods that owner controls.
func (c *cluster) podsOf(owner *unstructured.Unstructured) []*corev1.Pod {
	var out []*corev1.Pod
	for _, p := range list[corev1.Pod](c, Pods, owner.GetNamespace()) {
		if owns(owner, p) {
			out = append(out, p)
		}
	}
	return out
}

func podReady(p *corev1.Pod) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue && p.DeletionTimestamp == nil
		}
	}
	return false
}

func podOver(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// newPod creates a pod of owner from a template and says so on the owner.
func (c *cluster) newPod(ctx context.Context, owner *unstructured.Unstructured, component, name string, template *corev1.PodTemplateSpec) error {
	pod := &corev1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
	pod.Name, pod.Namespace = name, owner.GetNamespace()
	m := untyped(pod)
	meta := m["metadata"].(map[string]any)
	meta["ownerReferences"] = ownedBy(owner)
	delete(meta, "creationTimestamp")
	if _, err := c.create(ctx, Pods, "v1", "Pod", m); err != nil {
		c.warn(ctx, owner, component, "FailedCreate", "Error creating: "+err.Error())
		return err
	}
	c.normal(ctx, owner, component, "SuccessfulCreate", "Created pod: "+name)
	return nil
}

// dropPod deletes a pod of owner and says so on the owner.
func (c *cluster) dropPod(ctx context.Context, owner *unstructured.Unstructured, component string, p *corev1.Pod) error {
	if p.DeletionTimestamp != nil {
		return nil
	}
	if err := c.remove(ctx, Pods, p, -1); err != nil {
		return err
	}
	c.normal(ctx, owner, component, "SuccessfulDelete", fmt.Sprintf("Deleted pod: %s", p.Name))
	return nil
}

func orOne(n *int32) int32 {
	if n == nil {
		return 1
	}
	return *n
}
