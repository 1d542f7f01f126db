package cluster

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"runbook/internal/ratio"
	"runbook/internal/world"
)

// BenchmarkChangeToUpdate is the way of one change from the API server's answer
// to the sink, over a loopback connection.
func BenchmarkChangeToUpdate(b *testing.B) {
	t := newBench(b)
	t.apply(shop)
	t.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}")
	ref := world.NewRef("cm", "", "shop", "settings")
	_, d := t.watch("admin", patient, ref)
	d.until("the object", ref, is(world.Present))
	b.ResetTimer()
	for i := range b.N {
		key := fmt.Sprintf("k%d", i)
		t.apply(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {%s: ''}", key))
		d.until("the change", ref, func(o world.Object) bool { return len(o.Keys) == 1 && o.Keys[0] == key })
	}
}

// crowd are the objects of a large namespace: ConfigMaps, Secrets, pods and
// revisions, each about as large as in a real one.
const crowd = 20_000

func fill(t *bench, namespace string) {
	pad := strings.Repeat("x", 2000)
	var all errgroup.Group
	all.SetLimit(8)
	for i := range crowd {
		all.Go(func() error {
			var text string
			switch i % 4 {
			case 0:
				text = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d, namespace: %s}\ndata: {text: %s}", i, namespace, pad)
			case 1:
				text = fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata: {name: s-%d, namespace: %s}\nstringData: {text: %s}", i, namespace, pad)
			case 2:
				text = fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: p-%d, namespace: %s}\nspec: {containers: [{name: web, image: 'example.org/web:1', env: [{name: A, value: %s}]}]}", i, namespace, pad)
			case 3:
				text = fmt.Sprintf("apiVersion: apps/v1\nkind: ControllerRevision\nmetadata: {name: v-%d, namespace: %s}\nrevision: 1\ndata: {text: %s}", i, namespace, pad)
			}
			t.apply(text)
			return nil
		})
	}
	_ = all.Wait()
}

// BenchmarkWhatANamespaceHolds counts what is in a namespace of 20,000 objects,
// against listing every kind that is served, one after the other.
func BenchmarkWhatANamespaceHolds(b *testing.B) {
	t := newBench(b)
	t.apply(shop)
	fill(t, "shop")
	b.Run("what a namespace of 20,000 objects holds against listing it kind by kind", func(b *testing.B) {
		var ours, theirs []time.Duration
		for b.Loop() {
			start := time.Now()
			n := 0
			if _, err := t.admin.Everything(b.Context(), "shop", func(_ Kind, page []Meta) { n += len(page) }); err != nil || n < crowd {
				b.Fatalf("%d objects, %v", n, err)
			}
			ours = append(ours, time.Since(start))
			start = time.Now()
			if n := kindByKind(b, t); n < crowd {
				b.Fatalf("%d objects", n)
			}
			theirs = append(theirs, time.Since(start))
		}
		ratio.Report(b, 0.2, slices.Min(ours), slices.Min(theirs))
	})
}

// kindByKind lists what is in the namespace as kubectl would, and counts it.
func kindByKind(b *testing.B, t *bench) int {
	served, err := t.admin.catalog.all(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, r := range served.resources {
		if !r.namespaced || !r.can("list") {
			continue
		}
		o := metav1.ListOptions{Limit: 500}
		for {
			page, err := t.admin.dynamic.Resource(r.gvr).Namespace("shop").List(b.Context(), o)
			if err != nil {
				b.Fatal(err)
			}
			n += len(page.Items)
			if o.Continue = page.GetContinue(); o.Continue == "" {
				break
			}
		}
	}
	return n
}

// BenchmarkWatchedMemory is the memory of 30 watched objects in a large cluster
// and in a small one: it must not grow with the cluster.
func BenchmarkWatchedMemory(b *testing.B) {
	b.Run("memory of 30 watched objects of 5,000 against 30 of 50", func(b *testing.B) {
		var large, small []int64
		for b.Loop() {
			large, small = append(large, watchedMemory(b, 5000)), append(small, watchedMemory(b, 50))
		}
		ratio.Sizes(b, 1.2, slices.Min(large), slices.Min(small))
	})
}

// watchedMemory is how much 30 watched objects hold in a cluster of a size.
func watchedMemory(b *testing.B, size int) int64 {
	t := newBench(b)
	t.apply(shop)
	for i := range size {
		t.apply(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d, namespace: shop}", i))
	}
	var refs []world.Ref
	for i := range 30 {
		refs = append(refs, world.NewRef("cm", "", "shop", fmt.Sprintf("cm-%d", i)))
	}
	before := heap()
	w, d := t.watch("admin", Options{Linger: time.Hour}, refs...)
	defer w.Close()
	for _, ref := range refs {
		d.until("the object", ref, is(world.Present))
	}
	return heap() - before
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
