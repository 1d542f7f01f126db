package survey

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"runbook/internal/cluster"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/vault"
)

// A Lister lists what a cluster holds.
type Lister interface {
	Everything(ctx context.Context, namespace string, visit func(cluster.Kind, []cluster.Meta)) ([]cluster.Unlisted, error)
	Metadata(ctx context.Context, s cluster.Scope, visit func([]cluster.Meta)) error
	Bodies(ctx context.Context, s cluster.Scope, visit func([]map[string]any)) error
	Resolve(ctx context.Context, kind, group string) (k cluster.Kind, served bool, err error)
	Volumes(ctx context.Context, namespace string) ([]cluster.Volume, error)
	Volume(ctx context.Context, name string) (cluster.Volume, error)
}

// A Vault lists what its paths hold, by name alone; see [vault.Client].
type Vault interface {
	Holding(ctx context.Context, path string) (vault.Holding, error)
	NamespaceHolding(ctx context.Context, namespace string) (vault.Holding, error)
}

// A Surveyor answers for one cluster and one Vault. Namespace is where objects
// without one are meant. A nil Lister or Vault is one that isn't configured:
// what it holds is said to be not known.
type Surveyor struct {
	Lister    Lister
	Vault     Vault
	Namespace string
}

const (
	// together is how many questions about one thing are asked at once.
	together = 6
	// patience is how long a person is kept waiting; what isn't known by then is
	// said to be not known.
	patience = 20 * time.Second
)

// Survey lists what hangs off the things that would be deleted, what can't be
// brought back first.
func (s Surveyor) Survey(ctx context.Context, gone []risk.Touch) []guard.Loss {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var each []func(context.Context) []guard.Loss
	seen := map[string]bool{}
	for _, t := range gone {
		if seen[t.Group+" "+t.String()] {
			continue
		}
		seen[t.Group+" "+t.String()] = true
		each = append(each, func(ctx context.Context) []guard.Loss { return s.of(ctx, t) })
	}
	losses := ask(ctx, each...)
	guard.SortLosses(losses)
	return unique(losses)
}

// ask asks many questions at once and keeps the order of the answers.
func ask(ctx context.Context, each ...func(context.Context) []guard.Loss) []guard.Loss {
	answers := make([][]guard.Loss, len(each))
	var all errgroup.Group
	all.SetLimit(together)
	for i, one := range each {
		all.Go(func() error { answers[i] = one(ctx); return nil })
	}
	_ = all.Wait() // what went wrong is among the answers
	return slices.Concat(answers...)
}

func unique(losses []guard.Loss) []guard.Loss {
	var out []guard.Loss
	for _, l := range losses {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// of are the losses that one thing brings.
func (s Surveyor) of(ctx context.Context, t risk.Touch) []guard.Loss {
	switch {
	case t.Vault != "":
		return s.path(ctx, t.Vault)
	case t.Kind == "":
		return nil // a file, a host: nothing of the cluster
	case s.Lister == nil:
		return []guard.Loss{unknown("what goes with "+t.String(), "no cluster is configured")}
	case t.Kind == "release":
		return s.release(ctx, s.in(t), t.Name)
	case variable(t.Kind) || variable(t.Name) || variable(t.Namespace) || variable(t.Selector):
		return []guard.Loss{unknown("whatever "+t.String()+" stands for", "not known before it runs")}
	}
	k, served, err := s.Lister.Resolve(ctx, t.Kind, t.Group)
	switch {
	case err != nil:
		return []guard.Loss{unknown("what goes with "+t.String(), err.Error())}
	case !served && t.Kind == "all":
		return s.category(ctx, t)
	case !served && t.Name == "":
		return []guard.Loss{unknown("whatever "+t.String()+" matches", "the cluster serves no kind of that name; it may be a category of kinds")}
	case !served:
		return nil // there can't be one
	case t.Name == "":
		return s.selected(ctx, k, t)
	}
	return s.named(ctx, k, t)
}

// variable tells whether a word holds something that only the shell knows.
func variable(text string) bool { return strings.ContainsAny(text, "$`…") }

// named are the losses of one object.
func (s Surveyor) named(ctx context.Context, k cluster.Kind, t risk.Touch) []guard.Loss {
	switch id := k.Kind + "." + k.Group; id {
	case "Namespace.", "Project.project.openshift.io":
		return s.namespace(ctx, t.Name)
	case "CustomResourceDefinition.apiextensions.k8s.io":
		return s.definition(ctx, t.Name)
	case "PersistentVolume.":
		return s.volume(ctx, t.Name)
	case "StorageClass.storage.k8s.io":
		return s.storageClass(ctx, t.Name)
	case "Application.argoproj.io":
		return s.application(ctx, s.in(t), t.Name)
	}
	if !k.Namespaced {
		return ask(ctx, s.referrers(k, "", t.Name)...)
	}
	return s.objects(ctx, s.in(t), func(kind cluster.Kind, m cluster.Meta) bool { return kind == k && m.Name == t.Name },
		s.referrers(k, s.in(t), t.Name)...)
}

// in is the namespace that a touch means.
func (s Surveyor) in(t risk.Touch) string {
	if t.Namespace != "" {
		return t.Namespace
	}
	return s.Namespace
}

// namespace are all that a namespace holds.
func (s Surveyor) namespace(ctx context.Context, name string) []guard.Loss {
	exists := 0
	err := s.Lister.Metadata(ctx, cluster.Scope{Kind: "namespace", Fields: "metadata.name=" + name}, func(page []cluster.Meta) { exists += len(page) })
	if err == nil && exists == 0 {
		return nil // there is no such namespace
	}
	h, err := everything(ctx, s.Lister, name)
	if err != nil {
		return []guard.Loss{unknown("what namespace "+name+" holds", err.Error())}
	}
	return ask(ctx, append(s.about(h), func(ctx context.Context) []guard.Loss { return s.deployedBy(ctx, name) })...)
}

// objects are some objects of a namespace and all that they own, however far
// down.
func (s Surveyor) objects(ctx context.Context, namespace string, root func(cluster.Kind, cluster.Meta) bool, more ...func(context.Context) []guard.Loss) []guard.Loss {
	h, err := descendants(ctx, s.Lister, namespace, root)
	if err != nil {
		return append([]guard.Loss{unknown("what goes with it in namespace "+namespace, err.Error())}, ask(ctx, more...)...)
	}
	return ask(ctx, append(s.about(h), more...)...)
}

// about are the questions about what goes.
func (s Surveyor) about(h *haul) []func(context.Context) []guard.Loss {
	on := func(f func(context.Context, *haul) []guard.Loss) func(context.Context) []guard.Loss {
		return func(ctx context.Context) []guard.Loss { return f(ctx, h) }
	}
	return []func(context.Context) []guard.Loss{
		on(s.volumes), on(s.databases), on(s.certificates), on(s.addresses), on(s.hosts), on(s.finalizers),
		func(context.Context) []guard.Loss { return h.losses() },
	}
}

func unknown(what, why string) guard.Loss { return guard.Loss{What: what, Why: why, Unknown: true} }

// unlisted is a loss that could not be counted.
func unlisted(what string, err error) []guard.Loss {
	return []guard.Loss{unknown(what, "could not list: "+err.Error())}
}
