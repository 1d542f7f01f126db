package survey

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/guard"
	"runbook/internal/risk"
)

// A Lister lists what a namespace holds.
type Lister interface {
	Inventory(ctx context.Context, namespace string) (cluster.Inventory, error)
}

// A Surveyor answers for one cluster. Namespace is where objects without one
// are meant.
type Surveyor struct {
	Lister    Lister
	Namespace string
}

// Survey lists what hangs off the things that would be deleted. What can't be
// listed is a loss that is unknown, never left out.
func (s Surveyor) Survey(ctx context.Context, gone []risk.Touch) []guard.Loss {
	seen := map[string]bool{}
	var losses []guard.Loss
	for _, t := range gone {
		if t.Kind == "" || seen[t.String()] {
			continue
		}
		seen[t.String()] = true
		losses = append(losses, s.of(ctx, t)...)
	}
	return losses
}

func (s Surveyor) of(ctx context.Context, t risk.Touch) []guard.Loss {
	switch {
	case t.Kind == "customresourcedefinition":
		return []guard.Loss{{What: "every object of the kind " + t.Name + ", in all namespaces", Why: "they are not counted here", Unknown: true}}
	case t.Name == "":
		return []guard.Loss{{What: "whatever " + t.String() + " matches at that moment", Why: "not known before it runs", Unknown: true}}
	case t.Kind == "namespace":
		return s.namespace(ctx, t.Name)
	}
	return s.object(ctx, t)
}

// namespace are all that a namespace holds.
func (s Surveyor) namespace(ctx context.Context, name string) []guard.Loss {
	inv, err := s.Lister.Inventory(ctx, name)
	if err != nil {
		return []guard.Loss{{What: "what namespace " + name + " holds", Why: err.Error(), Unknown: true}}
	}
	all := func(cluster.Meta, string) bool { return true }
	return append(volumes(inv, all), objects(inv, all)...)
}

// object are an object and all that it owns, however far down.
func (s Surveyor) object(ctx context.Context, t risk.Touch) []guard.Loss {
	ns := t.Namespace
	if ns == "" {
		ns = s.Namespace
	}
	inv, err := s.Lister.Inventory(ctx, ns)
	if err != nil {
		return []guard.Loss{{What: "what " + t.String() + " owns", Why: err.Error(), Unknown: true}}
	}
	owned := descendants(inv, t)
	below := func(m cluster.Meta, kind string) bool { return owned[kind+"/"+m.Name] }
	return append(volumes(inv, below), objects(inv, below)...)
}

// descendants are the objects of a namespace that go with t, as Kind/name: t
// itself and what it owns.
func descendants(inv cluster.Inventory, t risk.Touch) map[string]bool {
	in := map[string]bool{}
	for _, k := range inv.Kinds {
		for _, m := range k.Objects {
			if strings.EqualFold(k.Kind, t.Kind) && m.Name == t.Name && (t.Group == "" || t.Group == k.Group) {
				in[k.Kind+"/"+m.Name] = true
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for _, k := range inv.Kinds {
			for _, m := range k.Objects {
				if id := k.Kind + "/" + m.Name; m.Owner != "" && in[m.Owner] && !in[id] {
					in[id], grown = true, true
				}
			}
		}
	}
	return in
}

// volumes are the claims with what becomes of their data.
func volumes(inv cluster.Inventory, in func(cluster.Meta, string) bool) []guard.Loss {
	var out []guard.Loss
	for _, v := range inv.Volumes {
		if !in(cluster.Meta{Name: v.Claim}, "PersistentVolumeClaim") {
			continue
		}
		out = append(out, volume(v))
	}
	return out
}

func volume(v cluster.Volume) guard.Loss {
	l := guard.Loss{What: "pvc/" + v.Claim}
	if v.Size != "" {
		l.What += " (" + v.Size + ")"
	}
	switch {
	case v.Volume == "":
		l.Why = "it has no volume yet"
	case v.Policy == "Retain":
		l.Why = "volume " + v.Volume + " and its data stay (reclaim policy Retain), but nothing binds them again by itself"
	case v.Policy == "":
		l.Why, l.Unknown = "what becomes of volume "+v.Volume+" is not known: "+v.Why, true
	default:
		l.Why, l.Irrecoverable = "volume "+v.Volume+" goes with it, and all data on it (reclaim policy "+v.Policy+")", true
	}
	return l
}

// objects are the rest, a loss for each kind. What a controller makes again
// from something that is listed (pods of a Deployment) isn't counted.
func objects(inv cluster.Inventory, in func(cluster.Meta, string) bool) []guard.Loss {
	var out []guard.Loss
	for _, k := range inv.Kinds {
		if k.Kind == "PersistentVolumeClaim" {
			continue // with the volumes
		}
		var names, held []string
		for _, m := range k.Objects {
			if !in(m, k.Kind) || made(m, k.Kind) {
				continue
			}
			names = append(names, m.Name)
			held = append(held, m.Finalizers...)
		}
		if len(names) > 0 {
			out = append(out, guard.Loss{What: counted(k.Resource, names), Why: waits(held)})
		}
	}
	for _, u := range inv.Unlisted {
		what := u.Resource
		if u.Group != "" {
			what = strings.TrimPrefix(what+"."+u.Group, ".")
		}
		out = append(out, guard.Loss{What: what, Why: "could not list: " + u.Why, Unknown: true})
	}
	return out
}

// made tells what comes about by itself in every namespace, or is made again
// by what owns it.
func made(m cluster.Meta, kind string) bool {
	switch {
	case m.Owner != "" && kind != "Secret":
		return true
	case kind == "ConfigMap" && m.Name == "kube-root-ca.crt":
		return true
	case kind == "ServiceAccount" && m.Name == "default":
		return true
	}
	return false
}

// shown is how many names of one kind are listed before the rest is counted.
const shown = 6

func counted(resource string, names []string) string {
	list := names
	more := ""
	if len(names) > shown {
		list, more = names[:shown], fmt.Sprintf(" and %d more", len(names)-shown)
	}
	return fmt.Sprintf("%d %s: %s%s", len(names), resource, strings.Join(list, ", "), more)
}

func waits(finalizers []string) string {
	slices.Sort(finalizers)
	finalizers = slices.Compact(finalizers)
	if len(finalizers) == 0 {
		return ""
	}
	return "deletion waits for " + strings.Join(finalizers, ", ")
}
