package kube_test

import (
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"runbook/internal/sandbox/kube"
)

func (c *cluster) delete(gvr schema.GroupVersionResource, ns, name string, o metav1.DeleteOptions) {
	c.t.Helper()
	if err := c.client.Resource(gvr).Namespace(ns).Delete(c.ctx, name, o); err != nil {
		c.t.Fatalf("delete %s %s: %v", gvr.Resource, name, err)
	}
}

func (c *cluster) merge(gvr schema.GroupVersionResource, ns, name, body string) {
	c.t.Helper()
	if _, err := c.client.Resource(gvr).Namespace(ns).Patch(c.ctx, name, types.MergePatchType, []byte(body), metav1.PatchOptions{}); err != nil {
		c.t.Fatalf("patch %s %s: %v", gvr.Resource, name, err)
	}
}

func (c *cluster) exists(gvr schema.GroupVersionResource, ns, name string) bool {
	c.t.Helper()
	_, err := c.client.Resource(gvr).Namespace(ns).Get(c.ctx, name, metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		c.t.Fatal(err)
	}
	return err == nil
}

func TestAPodOnANodeWaitsForItsKubelet(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(pods, "default", `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeName: node1, containers: [{name: c, image: i}]}}`)
	c.create(pods, "default", `{apiVersion: v1, kind: Pod, metadata: {name: unscheduled}, spec: {containers: [{name: c, image: i}]}}`)
	c.delete(pods, "default", "unscheduled", metav1.DeleteOptions{})
	if c.exists(pods, "default", "unscheduled") {
		t.Error("a pod that no node runs waits for one")
	}
	c.delete(pods, "default", "p", metav1.DeleteOptions{})
	p := c.get(pods, "default", "p")
	equal(t, "grace", p.GetDeletionGracePeriodSeconds(), 30)
	if p.GetDeletionTimestamp() == nil {
		t.Error("no deletionTimestamp")
	}
	zero := int64(0)
	c.delete(pods, "default", "p", metav1.DeleteOptions{GracePeriodSeconds: &zero})
	if c.exists(pods, "default", "p") {
		t.Error("the pod outlived its kubelet's deletion")
	}
}

func TestAFinalizerHoldsAnObject(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: x, finalizers: [example.com/hold]}}`)
	c.delete(configMaps, "default", "x", metav1.DeleteOptions{})
	if c.get(configMaps, "default", "x").GetDeletionTimestamp() == nil {
		t.Error("not marked")
	}
	body := `{"metadata":{"finalizers":["example.com/hold","example.com/more"]}}`
	_, err := c.client.Resource(configMaps).Namespace("default").Patch(c.ctx, "x", types.MergePatchType, []byte(body), metav1.PatchOptions{})
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "no new finalizers can be added if the object is being deleted") {
		t.Errorf("a new finalizer: got %v", err)
	}
	c.merge(configMaps, "default", "x", `{"metadata":{"finalizers":null}}`)
	if c.exists(configMaps, "default", "x") {
		t.Error("still there")
	}
}

const owner = `{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: rs}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}`

func dependent(name string, uid types.UID) string {
	return fmt.Sprintf(`{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: rs, uid: %s, blockOwnerDeletion: true}]}}`, name, uid)
}

func TestDependentsFollowTheirOwner(t *testing.T) {
	c := start(t, kube.Options{})
	rs := c.create(replicaSets, "default", owner)
	c.create(configMaps, "default", dependent("x", rs.GetUID()))
	c.delete(replicaSets, "default", "rs", metav1.DeleteOptions{})
	c.untilGone(configMaps, "default", "x")
	c.create(configMaps, "default", dependent("late", rs.GetUID()))
	c.untilGone(configMaps, "default", "late")
}

func TestAForegroundDeletionWaitsForDependents(t *testing.T) {
	c := start(t, kube.Options{})
	rs := c.create(replicaSets, "default", owner)
	c.create(configMaps, "default", strings.Replace(dependent("x", rs.GetUID()), "name: x,", "name: x, finalizers: [example.com/hold],", 1))
	foreground := metav1.DeletePropagationForeground
	w := c.watch(configMaps, "default", metav1.ListOptions{FieldSelector: "metadata.name=x"})
	c.delete(replicaSets, "default", "rs", metav1.DeleteOptions{PropagationPolicy: &foreground})
	until(t, w, func(_ watch.EventType, u *unstructured.Unstructured) bool { return u.GetDeletionTimestamp() != nil })
	equal(t, "finalizers", c.get(replicaSets, "default", "rs").GetFinalizers(), []string{"foregroundDeletion"})
	c.merge(configMaps, "default", "x", `{"metadata":{"finalizers":null}}`)
	c.untilGone(replicaSets, "default", "rs")
}

func TestOrphansKeepLiving(t *testing.T) {
	c := start(t, kube.Options{})
	rs := c.create(replicaSets, "default", owner)
	c.create(configMaps, "default", dependent("x", rs.GetUID()))
	orphan := metav1.DeletePropagationOrphan
	c.delete(replicaSets, "default", "rs", metav1.DeleteOptions{PropagationPolicy: &orphan})
	c.untilGone(replicaSets, "default", "rs")
	equal(t, "owners", c.get(configMaps, "default", "x").GetOwnerReferences(), nil)
}

func TestANamespaceSaysWhatItWaitsFor(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(nss, "", `{apiVersion: v1, kind: Namespace, metadata: {name: ns1}}`)
	c.create(configMaps, "ns1", `{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [example.com/hold]}}`)
	w := c.watch(nss, "", metav1.ListOptions{FieldSelector: "metadata.name=ns1"})
	c.delete(nss, "", "ns1", metav1.DeleteOptions{})
	conditions := map[string]string{}
	until(t, w, func(_ watch.EventType, u *unstructured.Unstructured) bool {
		list, _ := field(u, "status", "conditions").([]any)
		for _, x := range list {
			m := x.(map[string]any)
			conditions[m["type"].(string)] = fmt.Sprint(m["status"], " ", m["reason"], ": ", m["message"])
		}
		return len(list) > 0 && conditions["NamespaceContentRemaining"] == "True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances"
	})
	equal(t, "conditions", conditions, map[string]string{
		"NamespaceDeletionDiscoveryFailure":           "False ResourcesDiscovered: All resources successfully discovered",
		"NamespaceDeletionGroupVersionParsingFailure": "False ParsedGroupVersions: All legacy kube types successfully parsed",
		"NamespaceDeletionContentFailure":             "False ContentDeleted: All content successfully deleted, may be waiting on finalization",
		"NamespaceContentRemaining":                   "True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances",
		"NamespaceFinalizersRemaining":                "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
	})
	_, err := c.client.Resource(configMaps).Namespace("ns1").Create(c.ctx, object(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: late}}`), metav1.CreateOptions{})
	want := `configmaps "late" is forbidden: unable to create new content in namespace ns1 because it is being terminated`
	if !apierrors.IsForbidden(err) || err.Error() != want || !apierrors.HasStatusCause(err, "NamespaceTerminating") {
		t.Errorf("got %v, want %s", err, want)
	}
	c.merge(configMaps, "ns1", "held", `{"metadata":{"finalizers":null}}`)
	c.untilGone(nss, "", "ns1")
}

func TestANamespacesOwnFinalizerLeavesItsConditionsClean(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(nss, "", `{apiVersion: v1, kind: Namespace, metadata: {name: ns1, finalizers: [example.com/hold]}}`)
	w := c.watch(nss, "", metav1.ListOptions{FieldSelector: "metadata.name=ns1"})
	c.delete(nss, "", "ns1", metav1.DeleteOptions{})
	until(t, w, func(_ watch.EventType, u *unstructured.Unstructured) bool {
		finalizers, _ := field(u, "spec", "finalizers").([]any)
		list, _ := field(u, "status", "conditions").([]any)
		for _, x := range list {
			if x.(map[string]any)["status"] != "False" {
				return false
			}
		}
		return len(finalizers) == 0 && len(list) == 5
	})
	c.merge(nss, "", "ns1", `{"metadata":{"finalizers":null}}`)
	c.untilGone(nss, "", "ns1")
}
