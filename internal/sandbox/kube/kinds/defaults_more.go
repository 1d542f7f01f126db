package kinds

import (
	admission "k8s.io/api/admissionregistration/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func defaultAutoscaler(h *autoscaling.HorizontalPodAutoscaler) {
	point(&h.Spec.MinReplicas, 1)
	if len(h.Spec.Metrics) > 0 {
		return
	}
	percent := int32(80)
	h.Spec.Metrics = []autoscaling.MetricSpec{{
		Type: autoscaling.ResourceMetricSourceType,
		Resource: &autoscaling.ResourceMetricSource{
			Name: core.ResourceCPU, Target: autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: &percent},
		},
	}}
}

func defaultValidating(w *admission.ValidatingWebhookConfiguration) {
	for i := range w.Webhooks {
		h := &w.Webhooks[i]
		defaultHook(&h.FailurePolicy, &h.MatchPolicy, &h.NamespaceSelector, &h.ObjectSelector, &h.TimeoutSeconds)
		defaultHookTarget(&h.ClientConfig, h.Rules)
	}
}

func defaultMutating(w *admission.MutatingWebhookConfiguration) {
	for i := range w.Webhooks {
		h := &w.Webhooks[i]
		defaultHook(&h.FailurePolicy, &h.MatchPolicy, &h.NamespaceSelector, &h.ObjectSelector, &h.TimeoutSeconds)
		defaultHookTarget(&h.ClientConfig, h.Rules)
		point(&h.ReinvocationPolicy, admission.NeverReinvocationPolicy)
	}
}

// defaultHook: a webhook that says nothing of failure stops what it can't be asked about.
func defaultHook(failure **admission.FailurePolicyType, match **admission.MatchPolicyType, ns, obj **metav1.LabelSelector, seconds **int32) {
	point(failure, admission.Fail)
	point(match, admission.Equivalent)
	point(ns, metav1.LabelSelector{})
	point(obj, metav1.LabelSelector{})
	point(seconds, 10)
}

func defaultHookTarget(c *admission.WebhookClientConfig, rules []admission.RuleWithOperations) {
	if c.Service != nil {
		point(&c.Service.Port, 443)
	}
	for i := range rules {
		point(&rules[i].Scope, admission.AllScopes)
	}
}
