package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// An Inventory is everything that a namespace holds, as far as it could be
// listed: what goes when the namespace goes.
type Inventory struct {
	Namespace string
	Kinds     []Held     // by group and resource, without empty ones
	Unlisted  []Unlisted // kinds of which nothing is known
	Volumes   []Volume   // behind the claims of the namespace
}

// Held are the objects of one kind.
type Held struct {
	Group, Kind, Resource string
	Objects               []Meta // by name
}

// A Meta is what can be said of an object without its content.
type Meta struct {
	Name, UID  string
	Owner      string // Kind/name of its controller, else of its first owner; "" without one
	Finalizers []string
	Labels     map[string]string
	Created    time.Time
	Deleting   bool
}

// An Unlisted kind could not be listed.
type Unlisted struct {
	Group, Resource string // Resource is "" when a whole group could not be asked
	Why             string
}

// A Volume is the storage behind a claim. The policy that counts when the
// claim goes is the volume's own, whatever the storage class says today.
type Volume struct {
	Claim, Volume string // Volume is "" while the claim isn't bound
	Size, Class   string
	Policy        string // Delete, Retain, Recycle; "" when not known
	Why           string // why the policy is not known
}

// together is how many lists run at once: enough to hide the round trips, and
// few enough for a server under load.
const together = 12

// Inventory lists the metadata of everything in the namespace but Events, many
// kinds at once. What can't be listed is named, never left out. The error is
// that of finding out which kinds there are.
func (c *Client) Inventory(ctx context.Context, namespace string) (Inventory, error) {
	served, err := c.catalog.all(ctx)
	if err != nil {
		return Inventory{}, fmt.Errorf("list what namespace %s holds: %w", namespace, c.plain(err))
	}
	inv := Inventory{Namespace: namespace}
	for group, why := range served.failed {
		inv.Unlisted = append(inv.Unlisted, Unlisted{Group: group, Why: why})
	}
	var mu sync.Mutex
	var all errgroup.Group
	all.SetLimit(together)
	for _, r := range served.resources {
		if !r.namespaced || !r.can("list") || r.kind == "Event" || strings.Contains(r.gvr.Resource, "/") {
			continue
		}
		all.Go(func() error {
			found, err := c.metadata(ctx, r, namespace)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil && !apierrors.IsNotFound(err) && !apierrors.IsMethodNotSupported(err):
				inv.Unlisted = append(inv.Unlisted, Unlisted{Group: r.gvr.Group, Resource: r.gvr.Resource, Why: c.unlistable(err)})
			case len(found) > 0:
				inv.Kinds = append(inv.Kinds, Held{Group: r.gvr.Group, Kind: r.kind, Resource: r.gvr.Resource, Objects: found})
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return Inventory{}, err
	}
	inv.sort()
	inv.Volumes = c.volumes(ctx, namespace, &inv)
	return inv, nil
}

func (c *Client) unlistable(err error) string {
	if apierrors.IsForbidden(err) {
		return "you may not read them"
	}
	return c.why(err)
}

func (i *Inventory) sort() {
	slices.SortFunc(i.Kinds, func(a, b Held) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource))
	})
	slices.SortFunc(i.Unlisted, func(a, b Unlisted) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource))
	})
	// Some kinds are served in two groups; one object is one loss.
	seen := map[string]bool{}
	for k := range i.Kinds {
		i.Kinds[k].Objects = slices.DeleteFunc(i.Kinds[k].Objects, func(m Meta) bool {
			twice := m.UID != "" && seen[m.UID]
			seen[m.UID] = true
			return twice
		})
	}
	i.Kinds = slices.DeleteFunc(i.Kinds, func(h Held) bool { return len(h.Objects) == 0 })
}

// onlyMetadata asks for names without content. The content of a server that
// can't do that is skipped while decoding.
const onlyMetadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"

// A metadataPage has no field for annotations on purpose: those of a Secret
// may hold its values.
type metadataPage struct {
	Metadata struct{ Continue string }
	Items    []struct {
		Metadata struct {
			Name              string
			UID               string
			Finalizers        []string
			Labels            map[string]string
			CreationTimestamp time.Time
			DeletionTimestamp *time.Time
			OwnerReferences   []struct {
				Kind, Name string
				Controller bool
			}
		}
	}
}

func (c *Client) metadata(ctx context.Context, r resource, namespace string) ([]Meta, error) {
	root := "/apis/" + r.gvr.Group
	if r.gvr.Group == "" {
		root = "/api"
	}
	path := strings.Join([]string{root, r.gvr.Version, "namespaces", namespace, r.gvr.Resource}, "/")
	query := url.Values{"limit": {strconv.Itoa(pageSize)}}
	var out []Meta
	for {
		body, _, err := c.get(ctx, path, query, onlyMetadata)
		if err != nil {
			return nil, err
		}
		var page metadataPage
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, err
		}
		for _, o := range page.Items {
			m := Meta{Name: o.Metadata.Name, UID: o.Metadata.UID, Finalizers: o.Metadata.Finalizers, Labels: o.Metadata.Labels,
				Created: o.Metadata.CreationTimestamp, Deleting: o.Metadata.DeletionTimestamp != nil}
			for _, owner := range o.Metadata.OwnerReferences {
				if owner.Controller || m.Owner == "" {
					m.Owner = owner.Kind + "/" + owner.Name
				}
			}
			out = append(out, m)
		}
		if page.Metadata.Continue == "" {
			slices.SortFunc(out, func(a, b Meta) int { return strings.Compare(a.Name, b.Name) })
			return out, nil
		}
		query.Set("continue", page.Metadata.Continue)
	}
}
