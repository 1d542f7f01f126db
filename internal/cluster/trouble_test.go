package cluster

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"runbook/internal/sandbox/kube"
	"runbook/internal/world"
)

// Objects come, change and go while connections break, the history is
// forgotten, rights and the kind itself are taken away and given back. Whenever
// things calm down, what is known must be what is true.
func TestTroubleNeverLeavesALie(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply(fmt.Sprintf(viewing, "get, list, watch"))
	random := rand.New(rand.NewPCG(1, 2))
	refs := []world.Ref{world.NewRef("cm", "", "shop", "a"), world.NewRef("cm", "", "shop", "b"), world.NewRef("widget", "example.org", "shop", "w")}
	o := hasty
	o.LoginPause = hasty.Poll
	_, d := b.watch("viewer", o, refs...)
	truth := map[world.Ref]string{}
	change := func(ref world.Ref) {
		if _, there := truth[ref]; there && random.IntN(3) == 0 {
			b.remove("ConfigMap", "", "shop", ref.Name)
			delete(truth, ref)
			return
		}
		truth[ref] = fmt.Sprintf("k%d", random.IntN(1000))
		b.apply(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: shop}\ndata: {%s: ''}", ref.Name, truth[ref]))
	}
	troubles := []func(){
		func() {},
		func() { b.gate.set(nil) },
		func() { b.gate.set(refuse) },
		func() { b.kube.Compact() },
		func() { b.remove("RoleBinding", "rbac.authorization.k8s.io", "shop", "view") },
		func() { b.kube.SetToken("viewer", kube.User{Expires: time.Unix(1, 0)}) },
	}
	for round := range 40 {
		troubles[random.IntN(len(troubles))]()
		for range random.IntN(4) {
			change(refs[random.IntN(2)])
		}
		b.gate.set(nil)
		b.kube.SetToken("viewer", viewerUser)
		b.apply(fmt.Sprintf(viewing, "get, list, watch"))
		d.watcher.Refresh()
		for _, ref := range refs[:2] {
			want, there := truth[ref]
			d.until(fmt.Sprintf("the truth of round %d", round), ref, func(o world.Object) bool {
				if !there {
					return o.Presence == world.Gone && !o.Stale
				}
				return o.Presence == world.Present && !o.Stale && fmt.Sprint(o.Keys) == "["+want+"]"
			})
		}
		d.until("the missing kind", refs[2], is(world.NoKind))
	}
}
