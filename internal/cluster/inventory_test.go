package cluster

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func (i Inventory) find(resource string) []string {
	var out []string
	for _, k := range i.Kinds {
		if k.Resource == resource {
			for _, o := range k.Objects {
				out = append(out, o.Name)
			}
		}
	}
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
	inv, err := b.admin.Inventory(t.Context(), "shop")
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
	for _, k := range inv.Kinds {
		if k.Resource == "widgets" && (fmt.Sprint(k.Objects[0].Finalizers) != "[example.org/keep]" || k.Objects[0].Labels["app"] != "web" || k.Objects[0].Created.IsZero()) {
			t.Errorf("metadata: got %+v", k.Objects[0])
		}
	}
	if strings.Contains(fmt.Sprintf("%+v", inv), "marked") {
		t.Errorf("a value got out: %+v", inv)
	}
	want := []Volume{
		{Claim: "data-0", Volume: "pv-1", Size: "8Gi", Class: "fast", Policy: "Delete"},
		{Claim: "data-1", Why: "not bound to a volume"},
	}
	for i := range inv.Volumes {
		inv.Volumes[i].Size = strings.TrimSpace(inv.Volumes[i].Size)
	}
	if len(inv.Volumes) != 2 || inv.Volumes[0] != want[0] || inv.Volumes[1].Claim != "data-1" || inv.Volumes[1].Why != want[1].Why {
		t.Errorf("volumes: got %+v", inv.Volumes)
	}
	if len(inv.Unlisted) != 0 {
		t.Errorf("not listed: %+v", inv.Unlisted)
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
	inv, err := b.connect(b.url, "viewer").Inventory(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(inv.find("configmaps")); !strings.Contains(got, "settings") {
		t.Errorf("configmaps: got %s", got)
	}
	why := map[string]string{}
	for _, u := range inv.Unlisted {
		why[u.Resource] = u.Why
	}
	if why["secrets"] != "you may not read them" || why["deployments"] == "" || why["configmaps"] != "" {
		t.Errorf("not listed: %v", why)
	}
}

func TestAnInventoryReadsEveryPage(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	const many = pageSize + 20
	for i := range many {
		b.apply(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%04d, namespace: shop}", i))
	}
	inv, err := b.admin.Inventory(t.Context(), "shop")
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
	_, err := b.connect(b.url, "admin").Inventory(t.Context(), "shop")
	if err == nil || !strings.Contains(err.Error(), "list what namespace shop holds: the connection was lost") {
		t.Errorf("got %v", err)
	}
}
