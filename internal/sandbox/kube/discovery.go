package kube

import (
	"net/http"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// served is one entry of discovery: a resource or a subresource of one.
type served struct {
	metav1.APIResource
	parent string
	answer schema.GroupVersionKind
}

// discover answers /api, /apis and the groups and versions below them.
func (s *Server) discover(w http.ResponseWriter, r *http.Request, path string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	aggregated := strings.Contains(r.Header.Get("Accept"), "as=APIGroupDiscoveryList") && strings.Contains(r.Header.Get("Accept"), "v=v2;")
	switch {
	case len(parts) == 1 && aggregated:
		w.Header().Set("Vary", "Accept")
		s.aggregated(w, parts[0] == "api")
	case path == "/api":
		writeJSON(w, http.StatusOK, metav1.APIVersions{
			TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
			ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{{ClientCIDR: "0.0.0.0/0", ServerAddress: r.Host}},
		})
	case path == "/apis":
		list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: []metav1.APIGroup{}}
		for _, g := range s.groups() {
			if g.Name != "" {
				list.Groups = append(list.Groups, g)
			}
		}
		writeJSON(w, http.StatusOK, list)
	case parts[0] == "api" && len(parts) == 2:
		s.resourceList(w, schema.GroupVersion{Version: parts[1]})
	case parts[0] == "apis" && len(parts) == 3:
		s.resourceList(w, schema.GroupVersion{Group: parts[1], Version: parts[2]})
	case parts[0] == "apis" && len(parts) == 2:
		s.group(w, parts[1])
	default:
		notFoundPath(w)
	}
}

func (s *Server) group(w http.ResponseWriter, name string) {
	for _, g := range s.groups() {
		if g.Name == name && name != "" {
			g.TypeMeta = metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}
			writeJSON(w, http.StatusOK, g)
			return
		}
	}
	notFoundPath(w)
}

// groups lists groups in order of priority, with the versions of each.
func (s *Server) groups() []metav1.APIGroup {
	var out []metav1.APIGroup
	at := map[string]int{}
	seen := map[schema.GroupVersion]bool{}
	for _, gv := range s.groupVersions() {
		if seen[gv] {
			continue
		}
		seen[gv] = true
		i, ok := at[gv.Group]
		if !ok {
			i = len(out)
			at[gv.Group] = i
			out = append(out, metav1.APIGroup{Name: gv.Group})
		}
		v := metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version}
		out[i].Versions = append(out[i].Versions, v)
		if len(out[i].Versions) == 1 {
			out[i].PreferredVersion = v
		}
	}
	return out
}

func (s *Server) groupVersions() []schema.GroupVersion {
	out := []schema.GroupVersion{{Version: "v1"}}
	for _, r := range s.registry.all() {
		out = append(out, r.gvr.GroupVersion())
	}
	for _, e := range reviewEntries() {
		out = append(out, schema.GroupVersion{Group: e.Group, Version: e.Version})
	}
	return out
}

func (s *Server) resourceList(w http.ResponseWriter, gv schema.GroupVersion) {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String(), APIResources: []metav1.APIResource{}}
	for _, e := range s.entries(gv) {
		r := e.APIResource
		if e.answer.GroupVersion() != gv {
			r.Group, r.Version = e.answer.Group, e.answer.Version
		} else {
			r.Group, r.Version = "", ""
		}
		if e.parent != "" {
			r.Name = e.parent + "/" + r.Name
		}
		list.APIResources = append(list.APIResources, r)
	}
	if len(list.APIResources) == 0 {
		notFoundPath(w)
		return
	}
	writeJSON(w, http.StatusOK, list)
}

func objectVerbs() metav1.Verbs {
	return metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
}

// entries lists what one group and version has, each resource followed by its subresources.
func (s *Server) entries(gv schema.GroupVersion) []served {
	var out []served
	for _, r := range s.registry.all() {
		if r.gvr.GroupVersion() != gv {
			continue
		}
		out = append(out, served{answer: r.gvk(), APIResource: metav1.APIResource{
			Name: r.gvr.Resource, SingularName: r.singular, Namespaced: r.namespaced, Kind: r.kind,
			Verbs: r.verbs(), ShortNames: r.short, Categories: r.categories, StorageVersionHash: r.storageHash(),
		}})
		out = append(out, r.subentries()...)
	}
	for _, e := range reviewEntries() {
		if e.Group == gv.Group && e.Version == gv.Version {
			out = append(out, served{answer: gv.WithKind(e.Kind), APIResource: e})
		}
	}
	return out
}

func (r *resource) verbs() metav1.Verbs {
	switch {
	case r.custom != nil:
		return metav1.Verbs{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"}
	case r.stored != "namespaces":
		return objectVerbs()
	}
	return metav1.Verbs{"create", "delete", "get", "list", "patch", "update", "watch"}
}

func (r *resource) subentries() []served {
	sub := func(name string, gvk schema.GroupVersionKind, verbs ...string) served {
		return served{parent: r.gvr.Resource, answer: gvk, APIResource: metav1.APIResource{Name: name, Namespaced: r.namespaced, Kind: gvk.Kind, Verbs: verbs}}
	}
	var out []served
	if r.status {
		out = append(out, sub("status", r.gvk(), "get", "patch", "update"))
	}
	if r.scale != nil {
		out = append(out, sub("scale", scaleKind, "get", "patch", "update"))
	}
	switch r.stored {
	case "pods":
		out = append(out, sub("binding", schema.GroupVersionKind{Version: "v1", Kind: "Binding"}, "create"),
			sub("eviction", schema.GroupVersionKind{Group: "policy", Version: "v1", Kind: "Eviction"}, "create"),
			sub("log", r.gvk(), "get"))
	case "namespaces":
		out = append(out, sub("finalize", r.gvk(), "update"))
	case "serviceaccounts":
		out = append(out, sub("token", schema.GroupVersionKind{Group: "authentication.k8s.io", Version: "v1", Kind: "TokenRequest"}, "create"))
	}
	return out
}

// aggregated is the whole of /api or /apis in one document.
func (s *Server) aggregated(w http.ResponseWriter, legacy bool) {
	list := apidiscovery.APIGroupDiscoveryList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupDiscoveryList", APIVersion: "apidiscovery.k8s.io/v2"}}
	for _, g := range s.groups() {
		if (g.Name == "") != legacy {
			continue
		}
		d := apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: g.Name}}
		for _, v := range g.Versions {
			d.Versions = append(d.Versions, apidiscovery.APIVersionDiscovery{
				Version: v.Version, Freshness: apidiscovery.DiscoveryFreshnessCurrent,
				Resources: discovered(s.entries(schema.GroupVersion{Group: g.Name, Version: v.Version})),
			})
		}
		list.Items = append(list.Items, d)
	}
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	writeTyped(w, list)
}

func discovered(entries []served) []apidiscovery.APIResourceDiscovery {
	var out []apidiscovery.APIResourceDiscovery
	for _, e := range entries {
		kind := &metav1.GroupVersionKind{Group: e.answer.Group, Version: e.answer.Version, Kind: e.answer.Kind}
		if e.parent != "" {
			last := &out[len(out)-1]
			last.Subresources = append(last.Subresources, apidiscovery.APISubresourceDiscovery{Subresource: e.Name, ResponseKind: kind, Verbs: e.Verbs})
			continue
		}
		scope := apidiscovery.ScopeCluster
		if e.Namespaced {
			scope = apidiscovery.ScopeNamespace
		}
		out = append(out, apidiscovery.APIResourceDiscovery{
			Resource: e.Name, ResponseKind: kind, Scope: scope, SingularResource: e.SingularName,
			Verbs: e.Verbs, ShortNames: e.ShortNames, Categories: e.Categories,
		})
	}
	return out
}
