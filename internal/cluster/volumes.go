package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/dig"
)

// A Volume is the storage behind a claim. The policy that counts when the
// claim goes is the volume's own, whatever the storage class says today.
type Volume struct {
	Claim, Volume string // Volume is "" while the claim isn't bound
	Size, Class   string
	Policy        string // Delete, Retain, Recycle; "" when not known
	Why           string // why the policy is not known
}

var volumes = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumes"}

// Volumes says what is behind the claims of a namespace, by name. The error
// says in one sentence why they could not be listed.
func (c *Client) Volumes(ctx context.Context, namespace string) ([]Volume, error) {
	var out []Volume
	err := c.Bodies(ctx, Scope{Kind: "persistentvolumeclaim", Namespace: namespace}, func(page []map[string]any) {
		for _, claim := range page {
			out = append(out, Volume{
				Claim: dig.Text(claim, "metadata", "name"), Volume: dig.Text(claim, "spec", "volumeName"),
				Class: dig.Text(claim, "spec", "storageClassName"), Size: dig.Text(claim, "status", "capacity", "storage"),
			})
		}
	})
	if err != nil {
		return nil, err
	}
	c.policies(ctx, out)
	slices.SortFunc(out, func(a, b Volume) int { return strings.Compare(a.Claim, b.Claim) })
	return out, nil
}

// Volume reads one volume: its reclaim policy, and the claim that it is bound
// to as namespace/name.
func (c *Client) Volume(ctx context.Context, name string) (Volume, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	o, err := c.dynamic.Resource(volumes).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return Volume{}, errors.New(c.unlistable(err))
	}
	v := Volume{Volume: name, Policy: dig.Text(o.Object, "spec", "persistentVolumeReclaimPolicy"),
		Size: dig.Text(o.Object, "spec", "capacity", "storage"), Class: dig.Text(o.Object, "spec", "storageClassName")}
	if claim := dig.Text(o.Object, "spec", "claimRef", "name"); claim != "" {
		v.Claim = dig.Text(o.Object, "spec", "claimRef", "namespace") + "/" + claim
	}
	return v, nil
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
			found, err := c.Volume(ctx, v.Volume)
			if err != nil {
				v.Why = err.Error()
				return
			}
			v.Policy = found.Policy
		})
	}
	group.Wait()
}
