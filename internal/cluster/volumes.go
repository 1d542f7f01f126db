package cluster

import (
	"context"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	claims  = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}
	volumes = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumes"}
)

// volumes says what becomes of the data behind the namespace's claims.
func (c *Client) volumes(ctx context.Context, namespace string, inv *Inventory) []Volume {
	if !slices.ContainsFunc(inv.Kinds, func(h Held) bool { return h.Group == "" && h.Resource == claims.Resource }) {
		return nil
	}
	o := metav1.ListOptions{Limit: pageSize}
	var out []Volume
	for {
		asking, cancel := context.WithTimeout(ctx, askTimeout)
		page, err := c.dynamic.Resource(claims).Namespace(namespace).List(asking, o)
		cancel()
		if err != nil {
			inv.Unlisted = append(inv.Unlisted, Unlisted{Resource: "persistentvolumes", Why: c.unlistable(err)})
			return out
		}
		for _, claim := range page.Items {
			out = append(out, Volume{
				Claim: claim.GetName(), Volume: text(claim.Object, "spec", "volumeName"), Class: text(claim.Object, "spec", "storageClassName"),
				Size: text(claim.Object, "status", "capacity", "storage"),
			})
		}
		if o.Continue = page.GetContinue(); o.Continue == "" {
			break
		}
	}
	c.policies(ctx, out)
	slices.SortFunc(out, func(a, b Volume) int { return strings.Compare(a.Claim, b.Claim) })
	return out
}

func (c *Client) policies(ctx context.Context, all []Volume) {
	var group sync.WaitGroup
	turns := make(chan struct{}, together)
	for i := range all {
		v := &all[i]
		if v.Volume == "" {
			v.Why = "not bound to a volume"
			continue
		}
		turns <- struct{}{}
		group.Go(func() {
			defer func() { <-turns }()
			asking, cancel := context.WithTimeout(ctx, askTimeout)
			defer cancel()
			o, err := c.dynamic.Resource(volumes).Get(asking, v.Volume, metav1.GetOptions{})
			if err != nil {
				v.Why = c.unlistable(err)
				return
			}
			v.Policy = text(o.Object, "spec", "persistentVolumeReclaimPolicy")
		})
	}
	group.Wait()
}
