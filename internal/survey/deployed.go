package survey

import (
	"context"
	"fmt"
	"slices"

	"runbook/internal/cluster"
	"runbook/internal/dig"
	"runbook/internal/guard"
)

const argo = "argoproj.io"

// deployedBy are the Applications that put things into a namespace: they may
// make it again, or fail from then on.
func (s Surveyor) deployedBy(ctx context.Context, namespace string) []guard.Loss {
	var out []guard.Loss
	err := s.Lister.Bodies(ctx, cluster.Scope{Kind: "application", Group: argo}, func(page []map[string]any) {
		for _, a := range page {
			if !tracks(a, namespace) {
				continue
			}
			l := guard.Loss{What: "what Argo CD's application " + dig.Text(a, "metadata", "namespace") + "/" + dig.Text(a, "metadata", "name") + " deploys here"}
			l.Why = "it is out of sync from then on"
			if dig.At(a, "spec", "syncPolicy", "automated", "selfHeal") == true {
				l.Why = "it heals by itself, and makes again what is deleted"
			}
			out = append(out, l)
		}
	})
	if err != nil {
		return unlisted("Argo CD's applications that deploy here", err)
	}
	return out
}

// tracks tells whether an Application has anything in a namespace.
func tracks(app map[string]any, namespace string) bool {
	return dig.Text(app, "spec", "destination", "namespace") == namespace ||
		slices.ContainsFunc(dig.List(app, "status", "resources"), func(r any) bool { return dig.Text(r, "namespace") == namespace })
}

// application is an Application that is deleted itself.
func (s Surveyor) application(ctx context.Context, namespace, name string) []guard.Loss {
	var out []guard.Loss
	err := s.Lister.Bodies(ctx, cluster.Scope{Kind: "application", Group: argo, Fields: "metadata.name=" + name}, func(page []map[string]any) {
		for _, a := range page {
			// The argocd command names no namespace: it may be any.
			if at := dig.Text(a, "metadata", "namespace"); at == namespace || len(page) == 1 {
				out = append(out, cascade(a))
			}
		}
	})
	if err != nil {
		return unlisted("what application/"+name+" manages", err)
	}
	return out
}

func cascade(a map[string]any) guard.Loss {
	var managed first
	for _, r := range dig.List(a, "status", "resources") {
		managed.add(dig.Text(r, "kind") + "/" + dig.Text(r, "name"))
	}
	l := guard.Loss{What: fmt.Sprintf("%s that application/%s manages: %s", several(managed.n, "object"), dig.Text(a, "metadata", "name"), managed)}
	finalizers := dig.List(a, "metadata", "finalizers")
	if slices.ContainsFunc(finalizers, func(f any) bool {
		return f == "resources-finalizer.argocd.argoproj.io" || f == "resources-finalizer.argocd.argoproj.io/background"
	}) {
		l.Why = "it has the finalizer that deletes them with it"
		return l
	}
	l.Why, l.Unknown = "kubectl leaves them, because it has no resources finalizer; the argocd command deletes them unless told otherwise (--cascade=false)", true
	return l
}

// release is a Helm release. Its manifest is in a Secret whose content isn't
// read, so that only labels tell what belongs to it.
func (s Surveyor) release(ctx context.Context, namespace, name string) []guard.Loss {
	if variable(name) {
		return []guard.Loss{unknown("whatever release "+name+" stands for", "not known before it runs")}
	}
	root := func(_ cluster.Kind, m cluster.Meta) bool {
		return m.Labels["app.kubernetes.io/instance"] == name || m.Labels["release"] == name
	}
	found := 0
	losses := s.objects(ctx, namespace, func(k cluster.Kind, m cluster.Meta) bool {
		mine := root(k, m) && len(m.Owners) == 0
		if mine {
			found++
		}
		return mine
	})
	why := "its manifest isn't read (it may hold values of Secrets); what is listed is what is labelled app.kubernetes.io/instance=" + name +
		" in namespace " + namespace + "; there may be more, cluster-wide objects and hooks too"
	if found == 0 {
		why = "its manifest isn't read (it may hold values of Secrets), and nothing in namespace " + namespace + " is labelled app.kubernetes.io/instance=" + name
	}
	losses = append([]guard.Loss{unknown("everything that release "+name+" installed", why)}, losses...)
	return append(losses, s.revisions(ctx, namespace, name)...)
}

// revisions are the Secrets in which Helm keeps the history of a release, by
// their labels.
func (s Surveyor) revisions(ctx context.Context, namespace, name string) []guard.Loss {
	n := 0
	err := s.Lister.Metadata(ctx, cluster.Scope{Kind: "secret", Namespace: namespace, Labels: "owner=helm,name=" + name}, func(page []cluster.Meta) { n += len(page) })
	what := "the history of release " + name
	switch {
	case err != nil:
		return unlisted(what, err)
	case n == 0:
		return []guard.Loss{unknown(what, "namespace "+namespace+" has no Secret of a release of that name: it may be kept elsewhere, or there is no such release")}
	}
	return []guard.Loss{{What: what + ": " + several(n, "revision"), Why: "helm rollback has nothing to go back to, unless it is uninstalled with --keep-history"}}
}
