package kube

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/jsonpath"

	"runbook/internal/sandbox/kube/kinds"
	"runbook/internal/sandbox/kube/kinds/extension"
	"runbook/internal/sandbox/kube/structural"
)

// resource is one served resource in one version, built in or defined by a CustomResourceDefinition.
type resource struct {
	gvr        schema.GroupVersionResource
	kind       string
	listKind   string
	singular   string
	short      []string
	categories []string
	namespaced bool
	status     bool
	scale      *extension.ScaleSubresource
	// stored names where the objects are kept; versions of one resource share it.
	stored string

	// base is the resource in whose form the objects are kept: mostly itself.
	base *resource

	builtin *kinds.Kind
	custom  *customVersion

	owners fieldManagers
}

// customVersion is what a CustomResourceDefinition adds.
type customVersion struct {
	schema     *structural.Schema
	columns    []column
	deprecated string
	selectable []string
	rank       int
	since      time.Time
	generation int64
}

type column struct {
	metav1.TableColumnDefinition
	path *jsonpath.JSONPath
}

func (r *resource) gvk() schema.GroupVersionKind { return r.gvr.GroupVersion().WithKind(r.kind) }
func (r *resource) group() schema.GroupResource  { return r.gvr.GroupResource() }
func (r *resource) groupKind() schema.GroupKind  { return r.gvk().GroupKind() }
func (r *resource) apiVersion() string           { return r.gvr.GroupVersion().String() }
func (r *resource) generated() bool              { return r.custom != nil || r.builtin.Generation }
func (r *resource) defines() bool                { return r.stored == crdResource }
func (r *resource) isEventsAlias() bool          { return r.gvr.Group == "events.k8s.io" }

// deprecation is the warning that every use of a deprecated kind gets; empty for the others.
func (r *resource) deprecation() string {
	if r.custom != nil {
		return r.custom.deprecated
	}
	obj := r.builtin.New()
	old, ok := obj.(interface{ APILifecycleDeprecated() (major, minor int) })
	if !ok {
		return ""
	}
	major, minor := old.APILifecycleDeprecated()
	out := fmt.Sprintf("%s %s is deprecated in v%d.%d+", r.apiVersion(), r.kind, major, minor)
	if next, ok := obj.(interface {
		APILifecycleReplacement() schema.GroupVersionKind
	}); ok {
		gvk := next.APILifecycleReplacement()
		out += fmt.Sprintf("; use %s %s", gvk.GroupVersion(), gvk.Kind)
	}
	return out
}

const crdResource = "customresourcedefinitions.apiextensions.k8s.io"

// registry knows what is served.
type registry struct {
	mu      sync.RWMutex
	builtin []*resource
	custom  map[string][]*resource // by name of the definition
}

func newRegistry(all []*kinds.Kind) *registry {
	g := &registry{custom: map[string][]*resource{}}
	for _, k := range all {
		r := &resource{
			gvr: k.GVK.GroupVersion().WithResource(k.Plural), kind: k.GVK.Kind, listKind: k.GVK.Kind + "List",
			singular: k.Singular, short: k.Short, categories: k.Categories, namespaced: k.Namespaced,
			status: k.Status, stored: k.GroupResource(), builtin: k,
		}
		if k.Scale {
			selector := ".spec.selector"
			r.scale = &extension.ScaleSubresource{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas", LabelSelectorPath: &selector}
		}
		r.base = r
		g.builtin = append(g.builtin, r)
	}
	for _, r := range g.builtin {
		if own := r.builtin.StorageOf; own != "" {
			r.base = g.byStorage(own)
		}
	}
	return g
}

// all lists what is served: built-in resources first, then custom ones by definition.
func (g *registry) all() []*resource {
	g.mu.RLock()
	defer g.mu.RUnlock()
	out := slices.Clone(g.builtin)
	names := make([]string, 0, len(g.custom))
	for n := range g.custom {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		out = append(out, g.custom[n]...)
	}
	return out
}

func (g *registry) find(gvr schema.GroupVersionResource) *resource {
	for _, r := range g.all() {
		if r.gvr == gvr {
			return r
		}
	}
	return nil
}

// builtinGroup tells whether a group is the server's own.
func (g *registry) builtinGroup(group string) bool {
	return slices.ContainsFunc(g.builtin, func(r *resource) bool { return r.gvr.Group == group })
}

// serves tells whether a group and version has anything in it.
func (g *registry) serves(gv schema.GroupVersion) bool {
	return slices.ContainsFunc(g.all(), func(r *resource) bool { return r.gvr.GroupVersion() == gv })
}

// storage lists one resource per storage, in the version that is listed first.
func (g *registry) storage() []*resource {
	seen := map[string]bool{}
	var out []*resource
	for _, r := range g.all() {
		if !seen[r.stored] {
			seen[r.stored] = true
			out = append(out, r)
		}
	}
	return out
}

func (g *registry) byStorage(stored string) *resource {
	for _, r := range g.all() {
		if r.stored == stored {
			return r
		}
	}
	return nil
}

// versions lists the served versions of a defined resource.
func (g *registry) versions(name string) []*resource {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.custom[name]
}

func (g *registry) setCustom(name string, versions []*resource) {
	slices.SortStableFunc(versions, func(a, b *resource) int { return cmp.Compare(a.custom.rank, b.custom.rank) })
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(versions) == 0 {
		delete(g.custom, name)
		return
	}
	g.custom[name] = versions
}
