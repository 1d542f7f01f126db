package kube_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"runbook/internal/sandbox/kube"
)

const webDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: nginx, resources: {limits: {cpu: 1000m}}}]}
`

func TestWhatIsLeftOutIsFilledIn(t *testing.T) {
	c := start(t, kube.Options{})
	d := c.create(deployments, "default", webDeployment)
	equal(t, "replicas", field(d, "spec", "replicas"), 1)
	equal(t, "strategy", field(d, "spec", "strategy"), map[string]any{"type": "RollingUpdate", "rollingUpdate": map[string]any{"maxSurge": "25%", "maxUnavailable": "25%"}})
	equal(t, "deadline", field(d, "spec", "progressDeadlineSeconds"), 600)
	containers, _ := field(d, "spec", "template", "spec", "containers").([]any)
	equal(t, "container", containers[0], map[string]any{
		"name": "c", "image": "nginx", "imagePullPolicy": "Always", "resources": map[string]any{"limits": map[string]any{"cpu": "1"}},
		"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
	})
	p := c.create(pods, "default", `{apiVersion: v1, kind: Pod, metadata: {generateName: p-}, spec: {containers: [{name: c, image: a:1}]}, status: {phase: Running}}`)
	if !strings.HasPrefix(p.GetName(), "p-") || len(p.GetName()) != len("p-")+5 {
		t.Errorf("generated name: got %q", p.GetName())
	}
	equal(t, "phase", field(p, "status", "phase"), "Pending")
	equal(t, "account", field(p, "spec", "serviceAccountName"), "default")
	s := c.create(secrets, "default", `{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {a: b}}`)
	equal(t, "data", field(s, "data"), map[string]any{"a": "Yg=="})
	equal(t, "stringData", field(s, "stringData"), nil)
	equal(t, "type", field(s, "type"), "Opaque")
	svc := c.create(services, "default", `{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: NodePort, ports: [{port: 80}]}}`)
	ip, _ := field(svc, "spec", "clusterIP").(string)
	equal(t, "clusterIPs", field(svc, "spec", "clusterIPs"), []string{ip})
	ports, _ := field(svc, "spec", "ports").([]any)
	if ip == "" || ports[0].(map[string]any)["nodePort"] == nil || ports[0].(map[string]any)["targetPort"] != int64(80) {
		t.Errorf("service: got %v", svc.Object["spec"])
	}
	ns := c.create(nss, "", `{apiVersion: v1, kind: Namespace, metadata: {name: ns1}}`)
	equal(t, "namespace label", ns.GetLabels(), map[string]string{"kubernetes.io/metadata.name": "ns1"})
}

func TestTheGenerationCountsChangesOfTheSpecAlone(t *testing.T) {
	c := start(t, kube.Options{})
	d := c.create(deployments, "default", webDeployment)
	api := c.client.Resource(deployments).Namespace("default")
	patch := func(body string, sub ...string) *unstructured.Unstructured {
		t.Helper()
		u, err := api.Patch(c.ctx, "web", types.MergePatchType, []byte(body), metav1.PatchOptions{}, sub...)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	equal(t, "at first", d.GetGeneration(), 1)
	equal(t, "a label", patch(`{"metadata":{"labels":{"x":"y"}}}`).GetGeneration(), 1)
	equal(t, "status through the front door", field(patch(`{"status":{"replicas":7}}`), "status"), map[string]any{})
	st := patch(`{"spec":{"replicas":9},"status":{"replicas":7}}`, "status")
	equal(t, "status", field(st, "status", "replicas"), 7)
	equal(t, "spec through the side door", field(st, "spec", "replicas"), 1)
	equal(t, "generation after status", st.GetGeneration(), 1)
	equal(t, "generation after spec", patch(`{"spec":{"replicas":2}}`).GetGeneration(), 2)
	before := patch(`{"spec":{"replicas":2}}`)
	equal(t, "a write that changes nothing keeps the version", patch(`{"spec":{"replicas":2}}`).GetResourceVersion(), before.GetResourceVersion())
}

func TestPatchesMergeAsTheirKindSays(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(deployments, "default", webDeployment)
	api := c.client.Resource(deployments).Namespace("default")
	names := func(u *unstructured.Unstructured) (out []string) {
		list, _ := field(u, "spec", "template", "spec", "containers").([]any)
		for _, x := range list {
			out = append(out, x.(map[string]any)["name"].(string))
		}
		return out
	}
	body := `{"spec":{"template":{"spec":{"containers":[{"name":"d","image":"i"}]}}}}`
	u, err := api.Patch(c.ctx, "web", types.StrategicMergePatchType, []byte(body), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "strategic", names(u), []string{"d", "c"})
	if u, err = api.Patch(c.ctx, "web", types.MergePatchType, []byte(body), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "merge", names(u), []string{"d"})
	u, err = api.Patch(c.ctx, "web", types.JSONPatchType, []byte(`[{"op":"replace","path":"/spec/template/spec/containers/0/name","value":"e"}]`), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "json", names(u), []string{"e"})
}

// wholeCPU says its quantity as it is stored: to the merge 1000m is another value, here as in a real server.
var wholeCPU = strings.Replace(webDeployment, "1000m", `"1"`, 1)

func TestAnApplyOwnsWhatItSaysAndConflictsWithOtherOwners(t *testing.T) {
	c := start(t, kube.Options{})
	api := c.client.Resource(deployments).Namespace("default")
	u, err := api.Apply(c.ctx, "web", object(t, wholeCPU), metav1.ApplyOptions{FieldManager: "one"})
	if err != nil {
		t.Fatal(err)
	}
	owners := u.GetManagedFields()
	if len(owners) != 1 || owners[0].Manager != "one" || owners[0].Operation != metav1.ManagedFieldsOperationApply {
		t.Fatalf("owners: got %v", owners)
	}
	if strings.Contains(string(owners[0].FieldsV1.GetRawBytes()), "progressDeadlineSeconds") {
		t.Error("a default is owned by who applied")
	}
	other := object(t, wholeCPU)
	other.Object["spec"].(map[string]any)["replicas"] = int64(3)
	if _, err := api.Apply(c.ctx, "web", other, metav1.ApplyOptions{FieldManager: "two"}); err != nil {
		t.Fatalf("an unowned field: %v", err)
	}
	other.Object["spec"].(map[string]any)["replicas"] = int64(4)
	_, err = api.Apply(c.ctx, "web", other, metav1.ApplyOptions{FieldManager: "three"})
	if !apierrors.IsConflict(err) {
		t.Fatalf("got %v, want a conflict", err)
	}
	want := `Apply failed with 1 conflict: conflict with "two": .spec.replicas`
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	u, err = api.Apply(c.ctx, "web", other, metav1.ApplyOptions{FieldManager: "three", Force: true})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "forced", field(u, "spec", "replicas"), 4)
	// What "three" no longer says goes back to its default: nobody else says it.
	u, err = api.Apply(c.ctx, "web", object(t, wholeCPU), metav1.ApplyOptions{FieldManager: "three"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "given up", field(u, "spec", "replicas"), 1)
}

func TestADryRunChangesNothing(t *testing.T) {
	c := start(t, kube.Options{})
	api := c.client.Resource(configMaps).Namespace("default")
	cm := object(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}`)
	dry := []string{metav1.DryRunAll}
	if _, err := api.Create(c.ctx, cm, metav1.CreateOptions{DryRun: dry}); err != nil {
		t.Fatal(err)
	}
	if _, err := api.Get(c.ctx, "x", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatalf("created: %v", err)
	}
	made := c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}`)
	u, err := api.Patch(c.ctx, "x", types.MergePatchType, []byte(`{"data":{"a":"c"}}`), metav1.PatchOptions{DryRun: dry})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "answer", field(u, "data", "a"), "c")
	if err := api.Delete(c.ctx, "x", metav1.DeleteOptions{DryRun: dry}); err != nil {
		t.Fatal(err)
	}
	equal(t, "kept", c.get(configMaps, "default", "x").Object, made.Object)
}

func TestListsArePickedAndPagedAtOneRevision(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(nss, "", `{apiVersion: v1, kind: Namespace, metadata: {name: ns1}}`)
	for _, name := range []string{"a", "b", "c"} {
		c.create(secrets, "ns1", `{apiVersion: v1, kind: Secret, metadata: {name: `+name+`, labels: {l: `+name+`}}}`)
	}
	api := c.client.Resource(secrets).Namespace("ns1")
	list := func(o metav1.ListOptions) *unstructured.UnstructuredList {
		t.Helper()
		l, err := api.List(c.ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	names := func(l *unstructured.UnstructuredList) (out []string) {
		for _, i := range l.Items {
			out = append(out, i.GetName())
		}
		return out
	}
	equal(t, "labels", names(list(metav1.ListOptions{LabelSelector: "l in (a,c)"})), []string{"a", "c"})
	equal(t, "fields", names(list(metav1.ListOptions{FieldSelector: "type=Opaque,metadata.name!=b"})), []string{"a", "c"})
	first := list(metav1.ListOptions{Limit: 2})
	equal(t, "first page", names(first), []string{"a", "b"})
	equal(t, "remaining", *first.GetRemainingItemCount(), 1)
	if err := api.Delete(c.ctx, "c", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	second := list(metav1.ListOptions{Limit: 2, Continue: first.GetContinue()})
	equal(t, "second page, as it was", names(second), []string{"c"})
	equal(t, "its revision", second.GetResourceVersion(), first.GetResourceVersion())
	exact := list(metav1.ListOptions{ResourceVersion: first.GetResourceVersion(), ResourceVersionMatch: metav1.ResourceVersionMatchExact})
	equal(t, "exact", names(exact), []string{"a", "b", "c"})
	c.server.Compact()
	_, err := api.List(c.ctx, metav1.ListOptions{Limit: 2, Continue: first.GetContinue()})
	if !apierrors.IsResourceExpired(err) {
		t.Fatalf("got %v, want 410", err)
	}
	again := err.(*apierrors.StatusError).ErrStatus.Continue
	equal(t, "the rest, as it is", names(list(metav1.ListOptions{Continue: again})), nil)
}

func TestEventsAreOneObjectInTwoSpellings(t *testing.T) {
	c := start(t, kube.Options{})
	a := c.do("POST", "/apis/events.k8s.io/v1/namespaces/default/events", `{"metadata":{"name":"e"},"regarding":{"kind":"Pod","name":"p","namespace":"default","uid":"u"},"note":"hello","reason":"R","type":"Normal","eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"x","reportingInstance":"y","action":"a"}`)
	if a.code != 201 || a.object(t)["note"] != "hello" {
		t.Fatalf("got %d %s", a.code, a.body)
	}
	got := c.do("GET", "/api/v1/namespaces/default/events?fieldSelector=involvedObject.uid%3Du", "").object(t)
	items, _ := got["items"].([]any)
	if len(items) != 1 || items[0].(map[string]any)["message"] != "hello" || items[0].(map[string]any)["regarding"] != nil {
		t.Errorf("got %v", got)
	}
}

func TestTheRequestedFormIsAnswered(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}`)
	get := func(accept string) map[string]any {
		t.Helper()
		return c.do("GET", "/api/v1/namespaces/default/configmaps/x", "", "Accept: "+accept).object(t)
	}
	partial := get("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json")
	if partial["kind"] != "PartialObjectMetadata" || partial["data"] != nil {
		t.Errorf("partial: got %v", partial)
	}
	table := get("application/json;as=Table;v=v1;g=meta.k8s.io,application/json")
	rows, _ := table["rows"].([]any)
	cells, _ := rows[0].(map[string]any)["cells"].([]any)
	equal(t, "cells", cells[:2], []any{"x", 1})
	if got := get("application/vnd.kubernetes.protobuf,application/json"); got["kind"] != "ConfigMap" {
		t.Errorf("protobuf or JSON: got %v", got["kind"])
	}
	if got := c.do("GET", "/api/v1/namespaces/default/configmaps/x", "", "Accept: application/yaml"); !strings.Contains(got.body, "\nkind: ConfigMap\n") {
		t.Errorf("yaml: got %s", got.body)
	}
}
