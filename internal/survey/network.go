package survey

import (
	"context"
	"slices"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/dig"
	"runbook/internal/guard"
)

// addresses are the ways in from outside that are given back when they go, and
// may then be somebody else's.
func (s Surveyor) addresses(ctx context.Context, h *haul) []guard.Loss {
	var out []guard.Loss
	look := func(kind, group string, of func(map[string]any) []string) {
		if h.counts(strings.ToUpper(kind[:1])+kind[1:], group) == 0 {
			return
		}
		err := s.Lister.Bodies(ctx, cluster.Scope{Kind: kind, Group: group, Namespace: h.namespace}, func(page []map[string]any) {
			for _, o := range page {
				name := dig.Text(o, "metadata", "name")
				if got := of(o); got != nil && h.has(dig.Text(o, "kind"), group, name) {
					out = append(out, guard.Loss{What: "the address of " + kind + "/" + name, Irrecoverable: true,
						Why: orElse(strings.Join(got, ", "), "none yet") + " is released, and DNS that points there is wrong from then on"})
				}
			}
		})
		if err != nil {
			out = append(out, unlisted("addresses of "+kind+"s", err)...)
		}
	}
	look("service", "", func(o map[string]any) []string {
		if dig.Text(o, "spec", "type") != "LoadBalancer" {
			return nil
		}
		return ingress(o)
	})
	look("gateway", "gateway.networking.k8s.io", func(o map[string]any) []string {
		var got []string
		for _, a := range dig.List(o, "status", "addresses") {
			got = append(got, dig.Text(a, "value"))
		}
		return got
	})
	return out
}

func ingress(o map[string]any) []string {
	got := []string{}
	for _, i := range dig.List(o, "status", "loadBalancer", "ingress") {
		got = append(got, orElse(dig.Text(i, "ip"), dig.Text(i, "hostname")))
	}
	return got
}

// A router is a kind that brings hosts to a service.
type router struct {
	kind, group string
	hosts       func(map[string]any) []string
}

var routers = []router{
	{"Ingress", "networking.k8s.io", func(o map[string]any) []string {
		var out []string
		for _, r := range dig.List(o, "spec", "rules") {
			out = append(out, dig.Text(r, "host"))
		}
		return out
	}},
	{"HTTPRoute", "gateway.networking.k8s.io", hostnames},
	{"GRPCRoute", "gateway.networking.k8s.io", hostnames},
	{"TLSRoute", "gateway.networking.k8s.io", hostnames},
	{"Route", "route.openshift.io", func(o map[string]any) []string { return []string{dig.Text(o, "spec", "host")} }},
}

func hostnames(o map[string]any) []string {
	var out []string
	for _, n := range dig.List(o, "spec", "hostnames") {
		if text, ok := n.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// hosts are the names that no longer lead anywhere.
func (s Surveyor) hosts(ctx context.Context, h *haul) []guard.Loss {
	var found first
	var out []guard.Loss
	var seen []string
	for _, r := range routers {
		if h.counts(r.kind, r.group) == 0 {
			continue
		}
		err := s.Lister.Bodies(ctx, cluster.Scope{Kind: r.kind, Group: r.group, Namespace: h.namespace}, func(page []map[string]any) {
			for _, o := range page {
				if !h.has(r.kind, r.group, dig.Text(o, "metadata", "name")) {
					continue
				}
				for _, host := range r.hosts(o) {
					if host != "" && !slices.Contains(seen, host) {
						seen = append(seen, host)
						found.add(host)
					}
				}
			}
		})
		if err != nil {
			out = append(out, unlisted("the hosts of "+r.kind+"s", err)...)
		}
	}
	if found.n > 0 {
		out = append(out, guard.Loss{What: several(found.n, "host") + ": " + found.String(), Why: "nobody answers there any more (404), unless another route has the name"})
	}
	return out
}
