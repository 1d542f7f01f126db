package operators

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// endpoints keeps an EndpointSlice per Service that has a selector.
type endpoints struct{ *cluster }

func newEndpoints(c *cluster) controller {
	return controller{"endpoints", []GVR{Services, Pods, EndpointSlices}, (&endpoints{c}).pass}
}

func (e *endpoints) pass(ctx context.Context) (time.Duration, error) {
	return each(e.cluster, Services, func(o *unstructured.Unstructured, s *corev1.Service) (time.Duration, error) {
		if going(o) || len(s.Spec.Selector) == 0 || s.Spec.Type == corev1.ServiceTypeExternalName {
			return 0, nil
		}
		return 0, e.reconcile(ctx, o, s)
	})
}

func (e *endpoints) reconcile(ctx context.Context, o *unstructured.Unstructured, s *corev1.Service) error {
	var found []any
	ports := e.ports(s, nil)
	selector := labels.SelectorFromSet(s.Spec.Selector)
	for _, p := range list[corev1.Pod](e.cluster, Pods, s.Namespace) {
		if !selector.Matches(labels.Set(p.Labels)) || p.Status.PodIP == "" || podOver(p) {
			continue
		}
		ports = e.ports(s, p)
		ready := podReady(p) || s.Spec.PublishNotReadyAddresses
		found = append(found, map[string]any{
			"addresses": []any{p.Status.PodIP}, "nodeName": p.Spec.NodeName,
			"conditions": map[string]any{"ready": ready, "serving": podReady(p), "terminating": p.DeletionTimestamp != nil},
			"targetRef":  map[string]any{"kind": "Pod", "name": p.Name, "namespace": p.Namespace, "uid": string(p.UID)},
		})
	}
	if found == nil {
		found = []any{}
	}
	for _, old := range e.in(EndpointSlices, s.Namespace) {
		if !owns(o, old) {
			continue
		}
		if same(old.Object["endpoints"], found) && same(old.Object["ports"], ports) {
			return nil
		}
		return e.merge(ctx, EndpointSlices, old, map[string]any{"endpoints": found, "ports": ports})
	}
	_, err := e.create(ctx, EndpointSlices, "discovery.k8s.io/v1", "EndpointSlice", map[string]any{
		"metadata": map[string]any{
			"name": s.Name + "-" + suffix(5), "namespace": s.Namespace, "ownerReferences": ownedBy(o),
			"labels": map[string]any{
				discoveryv1.LabelServiceName: s.Name, discoveryv1.LabelManagedBy: "endpointslice-controller.k8s.io"}},
		"addressType": "IPv4", "endpoints": found, "ports": ports,
	})
	return err
}

// ports resolves the Service's target ports, by name against the pod when there is one.
func (e *endpoints) ports(s *corev1.Service, p *corev1.Pod) []any {
	out := []any{}
	for _, port := range s.Spec.Ports {
		protocol := string(port.Protocol)
		if protocol == "" {
			protocol = "TCP"
		}
		target := int64(port.TargetPort.IntVal)
		if port.TargetPort.Type == intstr.String {
			target = named(p, port.TargetPort.StrVal)
		}
		if target == 0 {
			target = int64(port.Port)
		}
		out = append(out, map[string]any{"name": port.Name, "port": target, "protocol": protocol})
	}
	return out
}

func named(p *corev1.Pod, name string) int64 {
	if p == nil {
		return 0
	}
	for _, c := range p.Spec.Containers {
		for _, port := range c.Ports {
			if port.Name == name {
				return int64(port.ContainerPort)
			}
		}
	}
	return 0
}
