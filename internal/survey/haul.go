package survey

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/guard"
)

// A haul is what goes of one namespace: counts, and the first names of each
// kind.
type haul struct {
	namespace string
	all       bool            // everything that the namespace holds
	in        map[string]bool // Kind.group/name of what goes, unless all
	kinds     map[cluster.Kind]*tally
	again     first // pods that the step names, and their owner makes anew
	unlisted  []cluster.Unlisted
}

// A tally counts one kind.
type tally struct {
	own        first // made by somebody: what is lost
	made       int   // made by what goes as well, or by the cluster in every namespace
	ordinary   first // Secrets that nothing makes again
	finalizers map[string]int
}

// shown is how many names of one kind are given before the rest is counted.
const shown = 6

// A first counts, and keeps the first names in the order of the alphabet.
type first struct {
	n     int
	names []string
}

func (f *first) add(name string) {
	f.n++
	i, _ := slices.BinarySearch(f.names, name)
	if i >= shown {
		return
	}
	f.names = slices.Insert(f.names, i, name)
	if len(f.names) > shown {
		f.names = f.names[:shown]
	}
}

func (f first) String() string {
	s := strings.Join(f.names, ", ")
	if more := f.n - len(f.names); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

func (h *haul) add(k cluster.Kind, m cluster.Meta) {
	t := h.kinds[k]
	if t == nil {
		t = &tally{finalizers: map[string]int{}}
		h.kinds[k] = t
	}
	for _, f := range m.Finalizers {
		t.finalizers[f]++
	}
	switch {
	case madeAgain(k, m):
		t.made++
	case k.Kind == "Secret" && k.Group == "" && ordinary(m):
		t.ordinary.add(m.Name)
	default:
		t.own.add(m.Name)
	}
}

// madeAgain tells what is made by what goes as well, or by the cluster in every
// namespace.
func madeAgain(k cluster.Kind, m cluster.Meta) bool {
	switch {
	case len(m.Owners) > 0 && k.Kind != "PersistentVolumeClaim":
		return true
	case k.Kind == "ConfigMap" && (m.Name == "kube-root-ca.crt" || m.Name == "openshift-service-ca.crt"):
		return true
	case k.Kind == "ServiceAccount" && m.Name == "default":
		return true
	case k.Kind == "EndpointSlice" || k.Kind == "Endpoints" || k.Kind == "Lease":
		return true
	}
	return false
}

// ordinary tells a Secret whose values are in no other place that the cluster
// knows of, from those of a release or a certificate.
func ordinary(m cluster.Meta) bool {
	return m.Labels["owner"] != "helm" && m.Labels["controller.cert-manager.io/fao"] == "" && len(m.Owners) == 0
}

// has tells whether an object goes.
func (h *haul) has(kind, group, name string) bool {
	return h.all || h.in[kind+"."+group+"/"+name]
}

// counts tells how many of a kind go.
func (h *haul) counts(kind, group string) int {
	n := 0
	for k, t := range h.kinds {
		if k.Kind == kind && (k.Group == group || group == "*") {
			n += t.n()
		}
	}
	return n
}

func (t *tally) n() int { return t.own.n + t.made + t.ordinary.n }

// everything is all that a namespace holds.
func everything(ctx context.Context, l Lister, namespace string) (*haul, error) {
	h := &haul{namespace: namespace, all: true, kinds: map[cluster.Kind]*tally{}}
	var err error
	h.unlisted, err = l.Everything(ctx, namespace, func(k cluster.Kind, page []cluster.Meta) {
		for _, m := range page {
			h.add(k, m)
		}
	})
	return h, err
}

// A node is an object that has owners, until it is known whether they go.
type node struct {
	kind cluster.Kind
	meta cluster.Meta
}

// descendants are the roots and what they own. An object goes when all its
// owners do.
func descendants(ctx context.Context, l Lister, namespace string, root func(cluster.Kind, cluster.Meta) bool) (*haul, error) {
	h := &haul{namespace: namespace, in: map[string]bool{}, kinds: map[cluster.Kind]*tally{}}
	going := map[string]bool{} // UIDs
	take := func(k cluster.Kind, m cluster.Meta) {
		going[m.UID] = true
		h.in[k.Kind+"."+k.Group+"/"+m.Name] = true
		h.add(k, m)
	}
	var owned []node
	var err error
	h.unlisted, err = l.Everything(ctx, namespace, func(k cluster.Kind, page []cluster.Meta) {
		for _, m := range page {
			switch {
			case root(k, m):
				if k.Kind == "Pod" && m.Owner != "" {
					h.again.add(m.Name)
				}
				m.Owners = nil // it is what the step names, not what somebody else makes
				take(k, m)
			case len(m.Owners) > 0:
				m.Labels = nil
				owned = append(owned, node{k, m})
			}
		}
	})
	for grown := true; grown; {
		grown = false
		owned = slices.DeleteFunc(owned, func(n node) bool {
			if !slices.ContainsFunc(n.meta.Owners, func(uid string) bool { return !going[uid] }) {
				take(n.kind, n.meta)
				grown = true
				return true
			}
			return false
		})
	}
	return h, err
}

// losses are the counts: a loss for each kind, and one for all that is made by
// what goes as well.
func (h *haul) losses() []guard.Loss {
	var out []guard.Loss
	var made []string
	for _, k := range slices.SortedFunc(maps.Keys(h.kinds), byName) {
		t := h.kinds[k]
		if t.made > 0 {
			made = append(made, counted(t.made, k))
		}
		if k.Kind == "PersistentVolumeClaim" {
			continue // with their volumes
		}
		if t.ordinary.n > 0 {
			out = append(out, guard.Loss{What: counted(t.ordinary.n, k) + ": " + t.ordinary.String(), Irrecoverable: true,
				Why: "made by hand or by a tool; the cluster knows of no other place that has their values"})
		}
		if t.own.n > 0 {
			out = append(out, guard.Loss{What: counted(t.own.n, k) + ": " + t.own.String(), Why: h.note(k)})
		}
	}
	if len(made) > 0 {
		out = append(out, guard.Loss{What: strings.Join(made, ", "), Why: "made by what goes, or by the cluster, and gone with it"})
	}
	for _, u := range h.unlisted {
		what := strings.Trim(u.Resource+"."+u.Group, ".")
		if u.Resource == "" {
			what = "the kinds of group " + u.Group
		}
		out = append(out, unknown(what, "could not list: "+u.Why))
	}
	return out
}

func byName(a, b cluster.Kind) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource))
}

// counted is a number with what it counts, in the plural or the singular.
func counted(n int, k cluster.Kind) string {
	name := k.Resource
	if n == 1 {
		name = strings.ToLower(k.Kind)
	}
	return fmt.Sprintf("%d %s", n, name)
}

// several is a number of things with a name of their own.
func several(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// note is what is said of a kind beside its count.
func (h *haul) note(k cluster.Kind) string {
	switch k.Kind {
	case "Pod":
		if h.again.n > 0 {
			return "what owns them makes new ones: " + h.again.String()
		}
		return "nothing owns them, and nothing makes them again"
	case "Job":
		return "with their logs, which are the evidence of what they did"
	case "ExternalSecret":
		return "each with the Secret that it owns"
	}
	return ""
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
