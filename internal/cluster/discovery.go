package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupless schema.GroupResource

// A resource is one kind that the server serves, in the version it prefers.
type resource struct {
	gvr        schema.GroupVersionResource
	kind       string
	singular   string
	shortNames []string
	namespaced bool
	verbs      []string
}

func (r resource) can(verb string) bool { return slices.Contains(r.verbs, verb) }

// A discovery is everything the server says it serves, and the groups it could
// not speak for.
type discovery struct {
	resources []resource
	failed    map[string]string // group → why
}

// aggregated asks for all groups in two requests; servers before 1.26 answer
// with the plain list instead, told apart by the content type.
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
	"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"

func (c *Client) discover(ctx context.Context) (discovery, error) {
	d := discovery{failed: map[string]string{}}
	for _, root := range []string{"/api", "/apis"} {
		body, contentType, err := c.get(ctx, root, nil, aggregated)
		if err != nil {
			return discovery{}, fmt.Errorf("list kinds at %s: %w", c.server, err)
		}
		if strings.Contains(contentType, "APIGroupDiscoveryList") {
			err = d.addAggregated(body)
		} else {
			err = c.addLegacy(ctx, root, body, &d)
		}
		if err != nil {
			return discovery{}, fmt.Errorf("list kinds at %s: %w", c.server, err)
		}
	}
	return d, nil
}

type groupDiscoveryList struct {
	Items []struct {
		Metadata struct{ Name string }
		Versions []struct {
			Version   string
			Freshness string
			Resources []struct {
				Resource         string
				ResponseKind     struct{ Group, Version, Kind string }
				Scope            string
				SingularResource string
				ShortNames       []string
				Verbs            []string
			}
		}
	}
}

// addAggregated takes each resource in the first version that has it: versions
// come in the server's order of preference.
func (d *discovery) addAggregated(body []byte) error {
	var list groupDiscoveryList
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	for _, g := range list.Items {
		seen := map[string]bool{}
		for _, v := range g.Versions {
			if v.Freshness == "Stale" {
				d.failed[g.Metadata.Name] = "its API server doesn't answer"
			}
			for _, r := range v.Resources {
				if seen[r.Resource] {
					continue
				}
				seen[r.Resource] = true
				d.resources = append(d.resources, resource{
					gvr:  schema.GroupVersionResource{Group: g.Metadata.Name, Version: v.Version, Resource: r.Resource},
					kind: r.ResponseKind.Kind, singular: r.SingularResource, shortNames: r.ShortNames,
					namespaced: r.Scope == "Namespaced", verbs: r.Verbs,
				})
			}
		}
	}
	return nil
}

type groupList struct {
	Versions []string // of /api
	Groups   []struct {
		Name             string
		Versions         []struct{ Version string }
		PreferredVersion struct{ Version string }
	}
}

// addLegacy asks group by group, which is what servers without aggregated
// discovery offer.
func (c *Client) addLegacy(ctx context.Context, root string, body []byte, d *discovery) error {
	var list groupList
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	var all errgroup.Group
	all.SetLimit(8)
	var mu sync.Mutex
	ask := func(group string, versions []string) {
		all.Go(func() error {
			found, why := c.legacyGroup(ctx, root, group, versions)
			mu.Lock()
			defer mu.Unlock()
			d.resources = append(d.resources, found...)
			if why != "" {
				d.failed[group] = why
			}
			return nil
		})
	}
	if len(list.Versions) > 0 {
		ask("", list.Versions)
	}
	for _, g := range list.Groups {
		versions := []string{g.PreferredVersion.Version}
		for _, v := range g.Versions {
			if v.Version != g.PreferredVersion.Version {
				versions = append(versions, v.Version)
			}
		}
		ask(g.Name, versions)
	}
	return all.Wait()
}

type resourceList struct {
	Resources []struct {
		Name         string
		SingularName string
		Namespaced   bool
		Kind         string
		Verbs        []string
		ShortNames   []string
	}
}

func (c *Client) legacyGroup(ctx context.Context, root, group string, versions []string) (found []resource, why string) {
	seen := map[string]bool{}
	for _, version := range versions {
		path := strings.TrimSuffix(root+"/"+group, "/") + "/" + version
		body, _, err := c.get(ctx, path, nil, "application/json")
		var list resourceList
		if err == nil {
			err = json.Unmarshal(body, &list)
		}
		if err != nil {
			why = reason(err)
			continue
		}
		for _, r := range list.Resources {
			if strings.Contains(r.Name, "/") || seen[r.Name] {
				continue
			}
			seen[r.Name] = true
			found = append(found, resource{
				gvr:  schema.GroupVersionResource{Group: group, Version: version, Resource: r.Name},
				kind: r.Kind, singular: r.SingularName, shortNames: r.ShortNames, namespaced: r.Namespaced, verbs: r.Verbs,
			})
		}
	}
	return found, why
}
