package forecast

import (
	"fmt"
	"slices"
	"strings"
)

// A Kubectl runs kubectl and returns what it prints on its standard output.
type Kubectl func(args ...string) string

// A Cluster is all that a cluster has, as kubectl lists it.
type Cluster struct {
	kubectl Kubectl
	kinds   string
}

// restless are the kinds that are left out: events are about objects, and come
// and go by themselves; a lease is renewed every few seconds by whoever holds
// it; a component's status is made up when it is asked for; and an IPAddress is the
// API server's own note of which address it gave to a Service.
var restless = []string{"events", "events.events.k8s.io", "leases.coordination.k8s.io", "componentstatuses", "ipaddresses.networking.k8s.io"}

// Look finds out which kinds the cluster has.
func Look(kubectl Kubectl) Cluster {
	kinds := strings.Fields(kubectl("api-resources", "--verbs=list,get", "-o", "name"))
	kinds = slices.DeleteFunc(kinds, func(k string) bool { return slices.Contains(restless, k) })
	return Cluster{kubectl, strings.Join(kinds, ",")}
}

// Objects are all that are there, as Kind/namespace/name.
func (c Cluster) Objects() map[string]bool {
	out := map[string]bool{}
	for _, line := range strings.Fields(c.kubectl("get", c.kinds, "-A", "-o",
		`jsonpath={range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name}{"\n"}{end}`)) {
		out[line] = true
	}
	return out
}

// State is every byte of every object, with who manages which field.
func (c Cluster) State() string {
	return c.kubectl("get", c.kinds, "-A", "-o", "yaml", "--show-managed-fields")
}

// Difference is where two states begin to differ.
func Difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return strings.Join(as[max(0, i-20):min(len(as), i+3)], "\n") + "\nbecame\n" + strings.Join(bs[max(0, i-3):min(len(bs), i+3)], "\n")
		}
	}
	return fmt.Sprintf("%d lines became %d", len(as), len(bs))
}
