package world

import (
	"regexp"
	"strings"
)

// A kindName is one kind's names: what kubectl accepts for it, and what this
// program calls it.
type kindName struct {
	kind    string   // lower-case singular, the canonical form
	group   string   // where it is looked for first when several groups have it
	short   string   // for display
	aliases []string // plurals that are not kind+"s", and short names
	cluster bool     // not in a namespace
	builtin bool     // compiled into every API server, so the group says nothing
}

// kindNames holds the kinds whose names are known before a cluster is asked.
// Every other kind goes by its lower-case name as written, and the cluster's
// own discovery resolves it.
var kindNames = []kindName{
	{kind: "namespace", short: "ns", cluster: true, builtin: true},
	{kind: "node", short: "no", cluster: true, builtin: true},
	{kind: "pod", short: "po", builtin: true},
	{kind: "service", short: "svc", builtin: true},
	{kind: "configmap", short: "cm", builtin: true},
	{kind: "secret", short: "secret", builtin: true},
	{kind: "serviceaccount", short: "sa", builtin: true},
	{kind: "event", short: "ev", builtin: true},
	{kind: "endpoints", short: "ep", builtin: true},
	{kind: "persistentvolumeclaim", short: "pvc", builtin: true},
	{kind: "persistentvolume", short: "pv", cluster: true, builtin: true},
	{kind: "replicationcontroller", short: "rc", builtin: true},
	{kind: "resourcequota", short: "quota", builtin: true},
	{kind: "limitrange", short: "limits", aliases: []string{"limitranges"}, builtin: true},
	{kind: "deployment", group: "apps", short: "deploy", builtin: true},
	{kind: "replicaset", group: "apps", short: "rs", builtin: true},
	{kind: "statefulset", group: "apps", short: "sts", builtin: true},
	{kind: "daemonset", group: "apps", short: "ds", builtin: true},
	{kind: "controllerrevision", group: "apps", short: "controllerrevision", builtin: true},
	{kind: "job", group: "batch", short: "job", builtin: true},
	{kind: "cronjob", group: "batch", short: "cj", builtin: true},
	{kind: "ingress", group: "networking.k8s.io", short: "ing", aliases: []string{"ingresses"}, builtin: true},
	{kind: "ingressclass", group: "networking.k8s.io", short: "ingressclass", aliases: []string{"ingressclasses"}, cluster: true, builtin: true},
	{kind: "networkpolicy", group: "networking.k8s.io", short: "netpol", aliases: []string{"networkpolicies"}, builtin: true},
	{kind: "endpointslice", group: "discovery.k8s.io", short: "endpointslice", builtin: true},
	{kind: "poddisruptionbudget", group: "policy", short: "pdb", builtin: true},
	{kind: "horizontalpodautoscaler", group: "autoscaling", short: "hpa", builtin: true},
	{kind: "storageclass", group: "storage.k8s.io", short: "sc", aliases: []string{"storageclasses"}, cluster: true, builtin: true},
	{kind: "csidriver", group: "storage.k8s.io", short: "csidriver", cluster: true, builtin: true},
	{kind: "role", group: "rbac.authorization.k8s.io", short: "role", builtin: true},
	{kind: "rolebinding", group: "rbac.authorization.k8s.io", short: "rolebinding", builtin: true},
	{kind: "clusterrole", group: "rbac.authorization.k8s.io", short: "clusterrole", cluster: true, builtin: true},
	{kind: "clusterrolebinding", group: "rbac.authorization.k8s.io", short: "clusterrolebinding", cluster: true, builtin: true},
	{kind: "priorityclass", group: "scheduling.k8s.io", short: "pc", aliases: []string{"priorityclasses"}, cluster: true, builtin: true},
	{kind: "lease", group: "coordination.k8s.io", short: "lease", builtin: true},
	{kind: "customresourcedefinition", group: "apiextensions.k8s.io", short: "crd", cluster: true, builtin: true},
	{kind: "apiservice", group: "apiregistration.k8s.io", short: "apiservice", cluster: true, builtin: true},
	{kind: "mutatingwebhookconfiguration", group: "admissionregistration.k8s.io", short: "mutatingwebhook", cluster: true, builtin: true},
	{kind: "validatingwebhookconfiguration", group: "admissionregistration.k8s.io", short: "validatingwebhook", cluster: true, builtin: true},
	{kind: "externalsecret", group: "external-secrets.io", short: "es"},
	{kind: "clusterexternalsecret", group: "external-secrets.io", short: "ces", cluster: true},
	{kind: "secretstore", group: "external-secrets.io", short: "ss"},
	{kind: "clustersecretstore", group: "external-secrets.io", short: "css", cluster: true},
	{kind: "pushsecret", group: "external-secrets.io", short: "ps"},
	{kind: "cluster", group: "postgresql.cnpg.io", short: "cluster"},
	{kind: "scheduledbackup", group: "postgresql.cnpg.io", short: "scheduledbackup"},
	{kind: "backup", group: "postgresql.cnpg.io", short: "backup"},
	{kind: "httproute", group: "gateway.networking.k8s.io", short: "httproute"},
	{kind: "gateway", group: "gateway.networking.k8s.io", short: "gtw"},
	{kind: "gatewayclass", group: "gateway.networking.k8s.io", short: "gc", aliases: []string{"gatewayclasses"}, cluster: true},
	{kind: "referencegrant", group: "gateway.networking.k8s.io", short: "refgrant"},
	{kind: "certificate", group: "cert-manager.io", short: "cert"},
	{kind: "certificaterequest", group: "cert-manager.io", short: "cr"},
	{kind: "issuer", group: "cert-manager.io", short: "issuer"},
	{kind: "clusterissuer", group: "cert-manager.io", short: "clusterissuer", cluster: true},
	{kind: "order", group: "acme.cert-manager.io", short: "order"},
	{kind: "challenge", group: "acme.cert-manager.io", short: "challenge"},
	{kind: "application", group: "argoproj.io", short: "app", aliases: []string{"apps"}},
	{kind: "applicationset", group: "argoproj.io", short: "appset", aliases: []string{"appsets"}},
	{kind: "appproject", group: "argoproj.io", short: "appproj", aliases: []string{"appprojs"}},
}

var (
	kindsByAlias = indexKinds()
	// kubectl also accepts kind.version.group; the version says nothing of which object is meant.
	leadingVersion = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?(\.|$)`)
)

func indexKinds() map[string]kindName {
	m := map[string]kindName{}
	for _, k := range kindNames {
		for _, a := range append([]string{k.kind, k.kind + "s", k.short}, k.aliases...) {
			m[a] = k
		}
	}
	return m
}

// NewRef returns the reference in the one form that all parts use: kubectl's
// short names, plurals and Kinds become the lower-case singular (deploy, PVC →
// deployment, persistentvolumeclaim), a built-in kind loses its group, and a
// kind known to be cluster-scoped its namespace.
func NewRef(kind, group, namespace, name string) Ref {
	kind = strings.ToLower(kind)
	if k, rest, ok := strings.Cut(kind, "."); ok && group == "" {
		kind, group = k, rest
	}
	group = leadingVersion.ReplaceAllString(strings.ToLower(group), "")
	known, ok := kindsByAlias[kind]
	if !ok || (group != "" && group != known.group) {
		return Ref{Kind: kind, Group: group, Namespace: namespace, Name: name}
	}
	if known.builtin {
		group = ""
	}
	if known.cluster {
		namespace = ""
	}
	return Ref{Kind: known.kind, Group: group, Namespace: namespace, Name: name}
}

// Short is the reference as a person types it: deploy/web.
func (r Ref) Short() string {
	kind := r.Kind
	if known, ok := kindsByAlias[r.Kind]; ok && (r.Group == "" || r.Group == known.group) {
		kind = known.short
	}
	switch {
	case r.Name != "":
		return kind + "/" + r.Name
	case r.Selector != "":
		return kind + " -l " + r.Selector
	}
	return kind
}

// PreferredGroup is the group that a kind without one is looked for in first,
// and whether there is a preference at all.
func PreferredGroup(kind string) (string, bool) {
	known, ok := kindsByAlias[kind]
	return known.group, ok
}
