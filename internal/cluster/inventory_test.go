package cluster

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// An inventory is what a namespace holds, by plural.
type inventory struct {
	objects  map[string][]Meta
	unlisted []Unlisted
}

func take(ctx context.Context, c *Client, namespace string) (inventory, error) {
	i := inventory{objects: map[string][]Meta{}}
	var err error
	i.unlisted, err = c.Everything(ctx, namespace, func(k Kind, page []Meta) { i.objects[k.Resource] = append(i.objects[k.Resource], page...) })
	return i, err
}

func (i inventory) find(resource string) []string {
	var out []string
	for _, o := range i.objects[resource] {
		out = append(out, o.Name)
	}
	slices.Sort(out)
	return out
}

func TestAnInventoryNamesWhatANamespaceHolds(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply(definition("Widget", "widgets", "example.org", true))
	b.apply(`
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop, annotations: {kubectl.kubernetes.io/last-applied-configuration: marked-value}}
stringData: {password: marked-value}
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: w, namespace: shop, finalizers: [example.org/keep], labels: {app: web}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: elsewhere, namespace: default}
---
apiVersion: v1
kind: Event
metadata: {name: e, namespace: shop}
involvedObject: {kind: Pod, name: x, namespace: shop}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-1}
spec: {capacity: {storage: 8Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Delete, hostPath: {path: /x}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-0, namespace: shop}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 8Gi}}, volumeName: pv-1, storageClassName: fast}
status: {phase: Bound, capacity: {storage: 8Gi}, accessModes: [ReadWriteOnce]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-1, namespace: shop}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 8Gi}}}
`)
	inv, err := take(t.Context(), b.admin, "shop")
	if err != nil {
		t.Fatal(err)
	}
	for resource, want := range map[string]string{"secrets": "[db]", "widgets": "[w]", "persistentvolumeclaims": "[data-0 data-1]", "events": "[]"} {
		if got := fmt.Sprint(inv.find(resource)); got != want {
			t.Errorf("%s: got %s, want %s", resource, got, want)
		}
	}
	if slices.Contains(inv.find("configmaps"), "elsewhere") {
		t.Error("it lists another namespace")
	}
	if w := inv.objects["widgets"][0]; fmt.Sprint(w.Finalizers) != "[example.org/keep]" || w.Labels["app"] != "web" || w.Created.IsZero() {
		t.Errorf("metadata: got %+v", w)
	}
	if strings.Contains(fmt.Sprintf("%+v", inv), "marked") {
		t.Errorf("a value got out: %+v", inv)
	}
	want := []Volume{
		{Claim: "data-0", Volume: "pv-1", Size: "8Gi", Class: "fast", Policy: "Delete"},
		{Claim: "data-1", Why: "not bound to a volume"},
	}
	got, err := b.admin.Volumes(t.Context(), "shop")
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("volumes: got %+v, %v", got, err)
	}
	if len(inv.unlisted) != 0 {
		t.Errorf("not listed: %+v", inv.unlisted)
	}
}

func TestWhatCantBeListedIsNamed(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply(fmt.Sprintf(viewing, "get, list"))
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}")
	b.gate.set(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/deployments") {
			http.Error(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"etcd is on fire","code":500}`, http.StatusInternalServerError)
			return true
		}
		return false
	})
	inv, err := take(t.Context(), b.connect(b.url, "viewer"), "shop")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(inv.find("configmaps")); !strings.Contains(got, "settings") {
		t.Errorf("configmaps: got %s", got)
	}
	why := map[string]string{}
	for _, u := range inv.unlisted {
		why[u.Resource] = u.Why
	}
	if why["secrets"] != "you may not read them" || why["deployments"] == "" || why["configmaps"] != "" {
		t.Errorf("not listed: %v", why)
	}
}

func TestAnInventoryReadsEveryPage(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	const many = metadataPageSize + 20
	for i := range many {
		b.apply(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%04d, namespace: shop}", i))
	}
	inv, err := take(t.Context(), b.admin, "shop")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range inv.find("configmaps") {
		if strings.HasPrefix(name, "cm-") {
			n++
		}
	}
	if n != many {
		t.Errorf("got %d, want %d", n, many)
	}
}

func TestAnUnreachableClusterHasNoInventory(t *testing.T) {
	b := newBench(t)
	b.gate.set(refuse)
	_, err := take(t.Context(), b.connect(b.url, "admin"), "shop")
	if err == nil || !strings.Contains(err.Error(), "list what namespace shop holds: the connection was lost") {
		t.Errorf("got %v", err)
	}
}

func TestAKindIsListedByItsSelectorInAllNamespaces(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply(`
apiVersion: v1
kind: ConfigMap
metadata: {name: one, namespace: shop, labels: {app: web}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: two, namespace: default, labels: {app: web}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: three, namespace: shop, labels: {app: other}}`)
	var got []string
	add := func(page []Meta) {
		for _, m := range page {
			got = append(got, m.Namespace+"/"+m.Name)
		}
	}
	if err := b.admin.Metadata(t.Context(), Scope{Kind: "cm", Labels: "app=web"}, add); err != nil || fmt.Sprint(got) != "[default/two shop/one]" {
		t.Errorf("by label: got %v, %v", got, err)
	}
	got = nil
	if err := b.admin.Metadata(t.Context(), Scope{Kind: "configmaps", Namespace: "shop", Fields: "metadata.name=three"}, add); err != nil || fmt.Sprint(got) != "[shop/three]" {
		t.Errorf("by field: got %v, %v", got, err)
	}
	if err := b.admin.Metadata(t.Context(), Scope{Kind: "gizmo"}, add); err != nil {
		t.Errorf("a kind that isn't served: got %v, want nothing", err)
	}
	if err := b.connect(b.url, "viewer").Metadata(t.Context(), Scope{Kind: "secret", Namespace: "shop"}, add); err == nil || err.Error() != "you may not read them" {
		t.Errorf("what may not be read: got %v", err)
	}
	if err := b.admin.Bodies(t.Context(), Scope{Kind: "secret", Namespace: "shop"}, func([]map[string]any) {}); err == nil {
		t.Error("the content of Secrets was read")
	}
}
