package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"runbook/internal/world"
)

// freshEnough is how old the list of kinds may be when a kind isn't in it: a
// step may have installed its CRD a moment ago. It also keeps thirty watches
// of a missing kind from asking thirty times.
const freshEnough = 2 * time.Second

// A catalog knows the kinds that the server serves. It is asked again when a
// kind is missing or has vanished.
type catalog struct {
	client *Client
	turn   chan struct{} // holds one token; who has it may read and write the rest
	known  discovery
	at     time.Time // zero: never asked, or known to be out of date
}

func newCatalog(c *Client) *catalog {
	cat := &catalog{client: c, turn: make(chan struct{}, 1)}
	cat.turn <- struct{}{}
	return cat
}

// A noKindError says that the cluster serves no such kind.
type noKindError struct{ text string }

func (e *noKindError) Error() string { return e.text }

// find resolves a kind in any of its names. With several groups to choose from
// it takes the one that runbooks are about, else the first by name; note says
// so. The error is a *noKindError when the server has answered for all groups.
func (c *catalog) find(ctx context.Context, kind, group string) (r resource, note string, err error) {
	if err := c.take(ctx); err != nil {
		return resource{}, "", err
	}
	defer c.release()
	if r, note, ok := c.known.match(kind, group); ok && !c.at.IsZero() {
		return r, note, nil
	}
	if time.Since(c.at) > freshEnough {
		if err := c.load(ctx); err != nil {
			return resource{}, "", err
		}
	}
	if r, note, ok := c.known.match(kind, group); ok {
		return r, note, nil
	}
	return resource{}, "", c.known.missing(kind, group)
}

func (c *catalog) take(ctx context.Context) error {
	select {
	case <-c.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *catalog) release() { c.turn <- struct{}{} }

func (c *catalog) load(ctx context.Context) error {
	known, err := c.client.discover(ctx)
	if err != nil {
		return err
	}
	c.known, c.at = known, time.Now()
	return nil
}

// forget makes the next find ask the server, because a kind it had promised
// was not there.
func (c *catalog) forget(ctx context.Context) {
	if c.take(ctx) != nil {
		return
	}
	defer c.release()
	c.at = time.Time{}
}

// all returns everything that is served, asked for now.
func (c *catalog) all(ctx context.Context) (discovery, error) {
	if err := c.take(ctx); err != nil {
		return discovery{}, err
	}
	defer c.release()
	if err := c.load(ctx); err != nil {
		return discovery{}, err
	}
	return c.known, nil
}

func (d discovery) match(kind, group string) (r resource, note string, ok bool) {
	var found []resource
	for _, pass := range []func(resource) bool{
		func(r resource) bool {
			return strings.ToLower(r.kind) == kind || r.singular == kind || r.gvr.Resource == kind
		},
		func(r resource) bool { return slices.Contains(r.shortNames, kind) },
	} {
		for _, r := range d.resources {
			if pass(r) && (group == "" || r.gvr.Group == group) {
				found = append(found, r)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	if len(found) == 0 {
		return resource{}, "", false
	}
	slices.SortStableFunc(found, func(a, b resource) int {
		return cmp.Or(cmp.Compare(distance(a, kind), distance(b, kind)), strings.Compare(a.gvr.Group, b.gvr.Group))
	})
	return found[0], ambiguity(found), true
}

// distance puts the group that a runbook means by the kind first, then the
// server's own groups, then everybody else's.
func distance(r resource, kind string) int {
	group, ok := world.PreferredGroup(kind)
	switch {
	case ok && r.gvr.Group == group:
		return 0
	case !strings.Contains(r.gvr.Group, ".") || strings.HasSuffix(r.gvr.Group, ".k8s.io"):
		return 1
	}
	return 2
}

func ambiguity(found []resource) string {
	// Events are served in two groups on purpose; saying so helps nobody.
	if len(found) < 2 || found[0].gvr.Group == "" {
		return ""
	}
	var others []string
	for _, r := range found[1:] {
		others = append(others, r.gvr.GroupResource().String())
	}
	return fmt.Sprintf("read as %s; there is also %s", found[0].gvr.GroupResource(), strings.Join(others, ", "))
}

// missing tells a kind that isn't served from one whose group could not be
// asked.
func (d discovery) missing(kind, group string) error {
	// A kind with a known home is missing when its home has answered; a metrics
	// server that is down must not make every absence unknown.
	home, known := group, group != ""
	if !known {
		home, known = world.PreferredGroup(kind)
	}
	for g, why := range d.failed {
		if !known || g == home {
			return fmt.Errorf("find kind %s: group %s: %s", kind, g, why)
		}
	}
	if group != "" {
		kind += "." + group
	}
	return &noKindError{text: fmt.Sprintf("the cluster serves no kind %q: is its CRD installed?", kind)}
}

// exact resolves a kind as a manifest names it, version included.
func (c *catalog) exact(ctx context.Context, group, version, kind string) (resource, string, error) {
	r, note, err := c.find(ctx, strings.ToLower(kind), group)
	if err != nil {
		return resource{}, "", err
	}
	if group == "" && r.gvr.Group != "" {
		return resource{}, "", &noKindError{text: fmt.Sprintf("the cluster serves no kind %q in version %s", kind, version)}
	}
	r.gvr.Version = version
	return r, note, nil
}
