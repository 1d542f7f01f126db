package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"runbook/internal/world"
)

// A Kind is one kind of object as the cluster names it.
type Kind struct {
	Group, Kind, Resource string // Resource is the plural
	Namespaced            bool
}

func (r resource) public() Kind {
	return Kind{Group: r.gvr.Group, Kind: r.kind, Resource: r.gvr.Resource, Namespaced: r.namespaced}
}

// A Meta is what can be said of an object without its content.
type Meta struct {
	Namespace, Name, UID string
	Owners               []string // UIDs; it goes once all of them are gone
	Owner                string   // Kind/name of its controller, else of its first owner; "" without one
	Finalizers           []string
	Labels               map[string]string
	Created              time.Time
	Deleting             bool
}

// An Unlisted kind could not be listed.
type Unlisted struct {
	Group, Resource string // Resource is "" when a whole group could not be asked
	Why             string
}

// A Scope says which objects of a kind are meant.
type Scope struct {
	Kind, Group string // in any of the kind's names
	Namespace   string // "" for all, and for kinds that have none
	Labels      string // as kubectl's -l
	Fields      string // as kubectl's --field-selector
}

// together is how many lists run at once: enough to hide the round trips, and
// few enough for a server under load.
const together = 12

// Everything lists the metadata of all that a namespace holds but Events, many
// kinds at once, and hands it over page by page; visit is never called twice at
// the same time. What can't be listed is returned, never left out. The error is
// that of finding out which kinds there are.
func (c *Client) Everything(ctx context.Context, namespace string, visit func(Kind, []Meta)) ([]Unlisted, error) {
	served, err := c.catalog.all(ctx)
	if err != nil {
		return nil, fmt.Errorf("list what namespace %s holds: %w", namespace, c.plain(err))
	}
	var unlisted []Unlisted
	for group, why := range served.failed {
		unlisted = append(unlisted, Unlisted{Group: group, Why: why})
	}
	var mu sync.Mutex
	seen := sieve{}
	var all errgroup.Group
	all.SetLimit(together)
	for _, r := range served.resources {
		if !r.namespaced || !r.can("list") || r.kind == "Event" || strings.Contains(r.gvr.Resource, "/") {
			continue
		}
		all.Go(func() error {
			err := c.pages(ctx, r, Scope{Namespace: namespace}, func(page []Meta) {
				mu.Lock()
				defer mu.Unlock()
				visit(r.public(), seen.fresh(r, page))
			})
			if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsMethodNotSupported(err) {
				mu.Lock()
				defer mu.Unlock()
				unlisted = append(unlisted, Unlisted{Group: r.gvr.Group, Resource: r.gvr.Resource, Why: c.unlistable(err)})
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(unlisted, func(a, b Unlisted) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource))
	})
	return unlisted, nil
}

// A sieve leaves out what was seen before: some kinds are served in two groups,
// and one object is one loss. It remembers kinds that share a plural only.
type sieve map[string]map[string]bool

func (s sieve) fresh(r resource, page []Meta) []Meta {
	if !slices.Contains(twofold, r.gvr.Resource) {
		return page
	}
	seen := s[r.gvr.Resource]
	if seen == nil {
		seen = map[string]bool{}
		s[r.gvr.Resource] = seen
	}
	return slices.DeleteFunc(page, func(m Meta) bool {
		twice := m.UID != "" && seen[m.UID]
		seen[m.UID] = true
		return twice
	})
}

// twofold are the plurals that servers have served in two groups.
var twofold = []string{"ingresses", "networkpolicies", "deployments", "replicasets", "daemonsets", "podsecuritypolicies", "events"}

// Metadata lists the metadata of the objects of one kind, page by page. The
// error says in one sentence why it could not; a kind that isn't served has no
// objects.
func (c *Client) Metadata(ctx context.Context, s Scope, visit func([]Meta)) error {
	r, err := c.resolve(ctx, s)
	if r.kind == "" || err != nil {
		return err
	}
	if err := c.pages(ctx, r, s, visit); err != nil {
		return errors.New(c.unlistable(err))
	}
	return nil
}

// Bodies lists the objects of one kind with their content, page by page. The
// error is as that of [Client.Metadata]. Secrets are refused: nothing of one but
// its name is anybody's business here.
func (c *Client) Bodies(ctx context.Context, s Scope, visit func([]map[string]any)) error {
	r, err := c.resolve(ctx, s)
	if r.kind == "" || err != nil {
		return err
	}
	if r.kind == "Secret" && r.gvr.Group == "" {
		return errors.New("the content of Secrets isn't read")
	}
	at := (&source{client: c, query: query{namespace: s.Namespace}}).at(r)
	o := metav1.ListOptions{Limit: pageSize, LabelSelector: s.Labels, FieldSelector: s.Fields}
	for {
		asking, cancel := context.WithTimeout(ctx, askTimeout)
		page, err := at.List(asking, o)
		cancel()
		if err != nil {
			return errors.New(c.unlistable(err))
		}
		bodies := make([]map[string]any, 0, len(page.Items))
		for i := range page.Items {
			bodies = append(bodies, strip(page.Items[i].Object).body)
		}
		visit(bodies)
		if o.Continue = page.GetContinue(); o.Continue == "" {
			return nil
		}
	}
}

// Resolve finds a kind by any of its names; ok is false when the cluster serves
// no such kind.
func (c *Client) Resolve(ctx context.Context, kind, group string) (k Kind, ok bool, err error) {
	r, err := c.resolve(ctx, Scope{Kind: kind, Group: group})
	return r.public(), r.kind != "", err
}

// resolve returns the zero resource for a kind that isn't served.
func (c *Client) resolve(ctx context.Context, s Scope) (resource, error) {
	ref := world.NewRef(s.Kind, s.Group, "", "")
	r, _, err := c.catalog.find(ctx, ref.Kind, ref.Group)
	var missing *noKindError
	if errors.As(err, &missing) {
		return resource{}, nil
	}
	return r, err
}

func (c *Client) unlistable(err error) string {
	if apierrors.IsForbidden(err) {
		return "you may not read them"
	}
	return c.why(err)
}

// metadataPageSize is larger than that of whole objects: it is a few megabytes at
// most, and every page costs a round trip.
const metadataPageSize = 2000

// onlyMetadata asks for names without content. The content of a server that
// can't do that is skipped while decoding.
const onlyMetadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"

// A metadataPage has no field for annotations on purpose: those of a Secret
// may hold its values.
type metadataPage struct {
	Metadata struct{ Continue string }
	Items    []struct {
		Metadata struct {
			Namespace         string
			Name              string
			UID               string
			Finalizers        []string
			Labels            map[string]string
			CreationTimestamp time.Time
			DeletionTimestamp *time.Time
			OwnerReferences   []struct {
				Kind, Name, UID string
				Controller      bool
			}
		}
	}
}

// pages lists the metadata of a kind; the server's own error is returned.
func (c *Client) pages(ctx context.Context, r resource, s Scope, visit func([]Meta)) error {
	query := url.Values{"limit": {strconv.Itoa(metadataPageSize)}}
	if s.Labels != "" {
		query.Set("labelSelector", s.Labels)
	}
	if s.Fields != "" {
		query.Set("fieldSelector", s.Fields)
	}
	for {
		body, _, err := c.get(ctx, r.path(s.Namespace), query, onlyMetadata)
		if err != nil {
			return err
		}
		var page metadataPage
		if err := json.Unmarshal(body, &page); err != nil {
			return err
		}
		if found := page.metas(); len(found) > 0 {
			visit(found)
		}
		if page.Metadata.Continue == "" {
			return nil
		}
		query.Set("continue", page.Metadata.Continue)
	}
}

// path is where the server lists the resource.
func (r resource) path(namespace string) string {
	parts := []string{"/apis", r.gvr.Group, r.gvr.Version}
	if r.gvr.Group == "" {
		parts = []string{"/api", r.gvr.Version}
	}
	if r.namespaced && namespace != "" {
		parts = append(parts, "namespaces", namespace)
	}
	return strings.Join(append(parts, r.gvr.Resource), "/")
}

func (p metadataPage) metas() []Meta {
	out := make([]Meta, 0, len(p.Items))
	for _, o := range p.Items {
		m := Meta{Namespace: o.Metadata.Namespace, Name: o.Metadata.Name, UID: o.Metadata.UID, Finalizers: o.Metadata.Finalizers,
			Labels: o.Metadata.Labels, Created: o.Metadata.CreationTimestamp, Deleting: o.Metadata.DeletionTimestamp != nil}
		for _, owner := range o.Metadata.OwnerReferences {
			m.Owners = append(m.Owners, owner.UID)
			if owner.Controller || m.Owner == "" {
				m.Owner = owner.Kind + "/" + owner.Name
			}
		}
		out = append(out, m)
	}
	return out
}
