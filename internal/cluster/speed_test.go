package cluster

import (
	"fmt"
	"runtime"
	"testing"
	"time"

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

// BenchmarkInventory lists a namespace of 2,000 objects; the kinds of an empty
// cluster are asked for as well.
func BenchmarkInventory(b *testing.B) {
	t := newBench(b)
	t.apply(shop)
	for i := range 2000 {
		t.apply(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d, namespace: shop}", i))
	}
	b.ResetTimer()
	for range b.N {
		if _, err := t.admin.Inventory(b.Context(), "shop"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWatchedMemory reports the memory of 30 watched objects for clusters
// of different size: it must not grow with the cluster.
func BenchmarkWatchedMemory(b *testing.B) {
	for _, size := range []int{50, 5000} {
		b.Run(fmt.Sprintf("of-%d", size), func(b *testing.B) {
			t := newBench(b)
			t.apply(shop)
			for i := range size {
				t.apply(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d, namespace: shop}", i))
			}
			var refs []world.Ref
			for i := range 30 {
				refs = append(refs, world.NewRef("cm", "", "shop", fmt.Sprintf("cm-%d", i)))
			}
			for range b.N {
				before := heap()
				w, d := t.watch("admin", Options{Linger: time.Hour}, refs...)
				for _, ref := range refs {
					d.until("the object", ref, is(world.Present))
				}
				b.ReportMetric(float64(heap()-before)/1024, "KiB-held")
				w.Close()
			}
		})
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
