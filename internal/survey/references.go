package survey

import (
	"context"
	"slices"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/dig"
	"runbook/internal/guard"
)

// A mention is a way in which one kind names others.
type mention struct {
	kind, group string
	cluster     bool // looked for in all namespaces
	// how says by which field the object names the thing; "" when it doesn't.
	how func(o map[string]any, namespace, name string) string
}

// mentions are, for the kind that goes, who may name it.
var mentions = map[string][]mention{
	"Secret.":    append(podsThat(usesSecret), secretReaders...),
	"ConfigMap.": podsThat(usesConfigMap),
	"ServiceAccount.": podsThat(func(spec any, name string) string {
		return when(dig.Text(spec, "serviceAccountName") == name, "runs as it")
	}),
	"PersistentVolumeClaim.":                 podsThat(usesClaim),
	"Service.":                               serviceReaders,
	"Gateway.gateway.networking.k8s.io":      {{kind: "httproute", group: "gateway.networking.k8s.io", cluster: true, how: hangsOn}},
	"SecretStore.external-secrets.io":        {{kind: "externalsecret", group: "external-secrets.io", how: readsStore("SecretStore")}},
	"Issuer.cert-manager.io":                 {{kind: "certificate", group: certManager, how: issuedBy("Issuer")}},
	"ClusterIssuer.cert-manager.io":          {{kind: "certificate", group: certManager, cluster: true, how: issuedBy("ClusterIssuer")}},
	"ClusterSecretStore.external-secrets.io": {{kind: "externalsecret", group: "external-secrets.io", cluster: true, how: readsStore("ClusterSecretStore")}},
}

func when(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}

// podTemplates are the kinds that have pods in them, and where.
var podTemplates = []struct {
	kind, group string
	path        []string
}{
	{"pod", "", []string{"spec"}},
	{"deployment", "apps", []string{"spec", "template", "spec"}},
	{"statefulset", "apps", []string{"spec", "template", "spec"}},
	{"daemonset", "apps", []string{"spec", "template", "spec"}},
	{"job", "batch", []string{"spec", "template", "spec"}},
	{"cronjob", "batch", []string{"spec", "jobTemplate", "spec", "template", "spec"}},
}

func podsThat(use func(spec any, name string) string) []mention {
	var out []mention
	for _, p := range podTemplates {
		out = append(out, mention{kind: p.kind, group: p.group, how: func(o map[string]any, _, name string) string {
			if p.kind == "pod" && len(dig.List(o, "metadata", "ownerReferences")) > 0 {
				return "" // what owns it is listed
			}
			return use(dig.At(o, p.path...), name)
		}})
	}
	return out
}

func containers(spec any) []any {
	return slices.Concat(dig.List(spec, "initContainers"), dig.List(spec, "containers"))
}

func usesSecret(spec any, name string) string {
	return uses(spec, name, "secretKeyRef", "secretRef", "secret", "secretName")
}

func usesConfigMap(spec any, name string) string {
	return uses(spec, name, "configMapKeyRef", "configMapRef", "configMap", "name")
}

// uses says how a pod reads a Secret or a ConfigMap.
func uses(spec any, name, key, all, volume, field string) string {
	for _, c := range containers(spec) {
		for _, e := range dig.List(c, "env") {
			if dig.Text(e, "valueFrom", key, "name") == name {
				return "reads it into its environment"
			}
		}
		for _, e := range dig.List(c, "envFrom") {
			if dig.Text(e, all, "name") == name {
				return "reads it into its environment"
			}
		}
	}
	for _, v := range dig.List(spec, "volumes") {
		if dig.Text(v, volume, field) == name || slices.ContainsFunc(dig.List(v, "projected", "sources"), func(s any) bool { return dig.Text(s, volume, "name") == name }) {
			return "mounts it"
		}
	}
	if slices.ContainsFunc(dig.List(spec, "imagePullSecrets"), func(s any) bool { return dig.Text(s, "name") == name }) {
		return "pulls images with it"
	}
	return ""
}

func usesClaim(spec any, name string) string {
	return when(slices.ContainsFunc(dig.List(spec, "volumes"), func(v any) bool { return dig.Text(v, "persistentVolumeClaim", "claimName") == name }), "has its data on it")
}

// secretReaders are the kinds other than pods that name Secrets.
var secretReaders = []mention{
	{kind: "externalsecret", group: "external-secrets.io", how: func(o map[string]any, _, name string) string {
		return when(orElse(dig.Text(o, "spec", "target", "name"), dig.Text(o, "metadata", "name")) == name, "fills it, and makes it again with Vault's values")
	}},
	{kind: "cluster", group: "postgresql.cnpg.io", how: func(o map[string]any, _, name string) string {
		for _, path := range [][]string{{"spec", "bootstrap", "initdb", "secret", "name"}, {"spec", "superuserSecret", "name"}, {"spec", "bootstrap", "recovery", "secret", "name"}} {
			if dig.Text(o, path...) == name {
				return "sets its role's password from it"
			}
		}
		return ""
	}},
	{kind: "ingress", group: "networking.k8s.io", how: func(o map[string]any, _, name string) string {
		return when(slices.ContainsFunc(dig.List(o, "spec", "tls"), func(t any) bool { return dig.Text(t, "secretName") == name }), "serves TLS with it")
	}},
	{kind: "gateway", group: "gateway.networking.k8s.io", cluster: true, how: servesTLS},
	{kind: "certificate", group: certManager, how: func(o map[string]any, _, name string) string {
		return when(dig.Text(o, "spec", "secretName") == name, "keeps its key in it, and has a new one issued")
	}},
	{kind: "serviceaccount", how: func(o map[string]any, _, name string) string {
		return when(slices.ContainsFunc(dig.List(o, "imagePullSecrets"), func(s any) bool { return dig.Text(s, "name") == name }), "pulls images with it")
	}},
}

func servesTLS(o map[string]any, namespace, name string) string {
	for _, l := range dig.List(o, "spec", "listeners") {
		for _, r := range dig.List(l, "tls", "certificateRefs") {
			if dig.Text(r, "name") == name && orElse(dig.Text(r, "namespace"), dig.Text(o, "metadata", "namespace")) == namespace {
				return "serves TLS with it"
			}
		}
	}
	return ""
}

var serviceReaders = []mention{
	{kind: "ingress", group: "networking.k8s.io", how: func(o map[string]any, _, name string) string {
		for _, r := range dig.List(o, "spec", "rules") {
			for _, p := range dig.List(r, "http", "paths") {
				if dig.Text(p, "backend", "service", "name") == name {
					return "leads to it"
				}
			}
		}
		return ""
	}},
	{kind: "httproute", group: "gateway.networking.k8s.io", how: func(o map[string]any, _, name string) string {
		for _, r := range dig.List(o, "spec", "rules") {
			for _, b := range dig.List(r, "backendRefs") {
				if dig.Text(b, "name") == name {
					return "leads to it"
				}
			}
		}
		return ""
	}},
}

func hangsOn(o map[string]any, namespace, name string) string {
	for _, p := range dig.List(o, "spec", "parentRefs") {
		if dig.Text(p, "name") == name && orElse(dig.Text(p, "namespace"), dig.Text(o, "metadata", "namespace")) == namespace {
			return "is reached through it: " + strings.Join(hostnames(o), ", ")
		}
	}
	return ""
}

func readsStore(kind string) func(map[string]any, string, string) string {
	return func(o map[string]any, _, name string) string {
		ref := dig.At(o, "spec", "secretStoreRef")
		return when(dig.Text(ref, "name") == name && orElse(dig.Text(ref, "kind"), "SecretStore") == kind, "reads through it, and no longer syncs; its Secret stays as it is")
	}
}

func issuedBy(kind string) func(map[string]any, string, string) string {
	return func(o map[string]any, _, name string) string {
		return when(issuerOf(o) == kind+"/"+name, "can't be renewed without it")
	}
}

// referrers are the questions about who names an object of a kind.
func (s Surveyor) referrers(k cluster.Kind, namespace, name string) []func(context.Context) []guard.Loss {
	var out []func(context.Context) []guard.Loss
	for _, m := range mentions[k.Kind+"."+k.Group] {
		out = append(out, func(ctx context.Context) []guard.Loss { return s.mentioned(ctx, m, namespace, name) })
	}
	return out
}

func (s Surveyor) mentioned(ctx context.Context, m mention, namespace, name string) []guard.Loss {
	scope := cluster.Scope{Kind: m.kind, Group: m.group, Namespace: namespace}
	if m.cluster {
		scope.Namespace = ""
	}
	by := map[string]*first{}
	var order []string
	err := s.Lister.Bodies(ctx, scope, func(page []map[string]any) {
		for _, o := range page {
			how := m.how(o, namespace, name)
			if how == "" {
				continue
			}
			if by[how] == nil {
				by[how] = &first{}
				order = append(order, how)
			}
			at := dig.Text(o, "metadata", "name")
			if m.cluster && dig.Text(o, "metadata", "namespace") != "" {
				at = dig.Text(o, "metadata", "namespace") + "/" + at
			}
			by[how].add(at)
		}
	})
	if err != nil {
		return unlisted("who of the "+m.kind+"s names "+name, err)
	}
	var out []guard.Loss
	for _, how := range order {
		out = append(out, guard.Loss{What: several(by[how].n, m.kind) + " with a use for it: " + by[how].String(), Why: how})
	}
	return out
}
