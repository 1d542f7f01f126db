package survey

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/guard"
	"runbook/internal/risk"
)

// selected are the losses of objects that are chosen by a selector, or all of a
// kind: the server is asked with the same selector, now.
func (s Surveyor) selected(ctx context.Context, k cluster.Kind, t risk.Touch) []guard.Loss {
	scope := cluster.Scope{Kind: k.Kind, Group: k.Group, Namespace: t.Namespace}
	if labels, ok := strings.CutPrefix(t.Selector, "-l "); ok {
		scope.Labels = labels
	}
	if fields, ok := strings.CutPrefix(t.Selector, "--field-selector "); ok {
		scope.Fields = fields
	}
	found := map[string]map[string]bool{} // by namespace
	n := 0
	err := s.Lister.Metadata(ctx, scope, func(page []cluster.Meta) {
		for _, m := range page {
			if found[m.Namespace] == nil {
				found[m.Namespace] = map[string]bool{}
			}
			found[m.Namespace][m.Name] = true
			n++
		}
	})
	what := "every " + k.Kind + " that matches " + orElse(t.Selector, "at that moment")
	switch {
	case err != nil:
		return unlisted(what, err)
	case n == 0:
		return nil
	}
	// A namespace that the command doesn't name may be that of the context, or of
	// a variable: what is outside is said, and not called certain.
	out := s.ofKind(ctx, k, found)
	if t.Namespace == "" && !t.Everywhere && k.Namespaced && len(found) > 1 {
		out = append(out, unknown(fmt.Sprintf("%d %s in %d namespaces", n, k.Resource, len(found)),
			"all that match in the whole cluster are listed; without -A only those of one namespace go"))
	}
	return out
}

// lookedInto is in how many namespaces it is looked what objects of one kind
// own: each costs a list of every kind.
const lookedInto = 12

// ofKind are the losses of named objects of one kind, in several namespaces.
func (s Surveyor) ofKind(ctx context.Context, k cluster.Kind, found map[string]map[string]bool) []guard.Loss {
	var each []func(context.Context) []guard.Loss
	namespaces := slices.Sorted(maps.Keys(found))
	if more := len(namespaces) - lookedInto; more > 0 {
		namespaces = namespaces[:lookedInto]
		each = append(each, func(context.Context) []guard.Loss {
			return []guard.Loss{unknown("what "+k.Resource+" own in "+several(more, "more namespace"), fmt.Sprintf("only the first %d namespaces were looked into", lookedInto))}
		})
	}
	for _, namespace := range namespaces {
		names := found[namespace]
		if !k.Namespaced {
			for _, name := range slices.Sorted(maps.Keys(names)) {
				each = append(each, func(ctx context.Context) []guard.Loss {
					return s.named(ctx, k, risk.Touch{Op: "delete", Kind: strings.ToLower(k.Kind), Group: k.Group, Name: name})
				})
			}
			continue
		}
		each = append(each, func(ctx context.Context) []guard.Loss {
			losses := s.objects(ctx, namespace, func(kind cluster.Kind, m cluster.Meta) bool { return kind == k && names[m.Name] })
			if len(found) > 1 {
				losses = in(namespace, losses)
			}
			return losses
		})
	}
	return ask(ctx, each...)
}

// in says of losses which namespace they are in.
func in(namespace string, losses []guard.Loss) []guard.Loss {
	for i := range losses {
		losses[i].What = namespace + ": " + losses[i].What
	}
	return losses
}

// definition is a CRD: all objects of its kind go, in all namespaces, and what
// they own.
func (s Surveyor) definition(ctx context.Context, name string) []guard.Loss {
	resource, group, _ := strings.Cut(name, ".")
	k, served, err := s.Lister.Resolve(ctx, resource, group)
	switch {
	case err != nil:
		return []guard.Loss{unknown("every object of "+name+", in all namespaces", err.Error())}
	case !served:
		return nil
	}
	found := map[string]map[string]bool{}
	var all first
	err = s.Lister.Metadata(ctx, cluster.Scope{Kind: resource, Group: group}, func(page []cluster.Meta) {
		for _, m := range page {
			if found[m.Namespace] == nil {
				found[m.Namespace] = map[string]bool{}
			}
			found[m.Namespace][m.Name] = true
			all.add(strings.TrimPrefix(m.Namespace+"/"+m.Name, "/"))
		}
	})
	if err != nil {
		return unlisted("every object of "+name+", in all namespaces", err)
	}
	l := guard.Loss{What: fmt.Sprintf("crd/%s", name), Why: "no object of the kind is there"}
	if all.n > 0 {
		l.Why = fmt.Sprintf("every object of the kind goes with it: %s in %s: %s", several(all.n, "object"), several(len(found), "namespace"), all)
	}
	return append([]guard.Loss{l}, s.ofKind(ctx, k, found)...)
}

// ofAll are the kinds of the category "all", which is less than all; those of
// CRDs that join it are not known here.
var ofAll = []struct{ kind, group string }{
	{"pod", ""}, {"service", ""}, {"replicationcontroller", ""}, {"daemonset", "apps"}, {"deployment", "apps"}, {"replicaset", "apps"},
	{"statefulset", "apps"}, {"job", "batch"}, {"cronjob", "batch"}, {"horizontalpodautoscaler", "autoscaling"},
}

func (s Surveyor) category(ctx context.Context, t risk.Touch) []guard.Loss {
	var each []func(context.Context) []guard.Loss
	for _, k := range ofAll {
		each = append(each, func(ctx context.Context) []guard.Loss {
			return s.of(ctx, risk.Touch{Op: t.Op, Kind: k.kind, Group: k.group, Namespace: t.Namespace, Everywhere: t.Everywhere, Selector: t.Selector})
		})
	}
	return append(ask(ctx, each...), unknown("custom objects that are in the category all", "the cluster doesn't say which kinds join it"))
}
