package world

import (
	"time"

	"runbook/internal/dig"
)

// addressGrace is how long a load balancer may take: cloud ones need minutes.
const addressGrace = 3 * time.Minute

func serviceReady(s subject) Verdict {
	kind := s.str("spec", "type")
	if kind == "ExternalName" {
		return holdsBut("an alias of %s, nothing behind it is checked", s.str("spec", "externalName"))
	}
	ready, why := readyEndpoints(s, s.name())
	switch {
	case why != "":
		return unsure("its endpoints can't be read: %s", why)
	case ready == 0:
		return waitsOrFails(s.young(), "no pod behind it is ready")
	case kind == "LoadBalancer" && len(dig.List(s.Body, "status", "loadBalancer", "ingress")) == 0:
		return waitsOrFails(s.age() < addressGrace, "no external address after %s", Span(s.age()))
	}
	return holds()
}

// readyEndpoints counts the ready endpoints in the slices of a service.
func readyEndpoints(s subject, service string) (n int, why string) {
	slices, why := s.relatives("endpointslice")
	asked := false
	for _, r := range s.Related {
		asked = asked || r.Ref.Kind == "endpointslice"
	}
	if !asked {
		why = "not asked yet"
	}
	for _, slice := range slices {
		if dig.Text(slice.Body, "metadata", "labels", "kubernetes.io/service-name") != service {
			continue
		}
		for _, e := range dig.List(slice.Body, "endpoints") {
			// A missing condition means ready, by the API's own convention.
			if dig.At(e, "conditions", "ready") == nil || dig.Bool(e, "conditions", "ready") {
				n++
			}
		}
	}
	return n, why
}

func ingressReady(s subject) Verdict {
	for _, t := range dig.List(s.Body, "spec", "tls") {
		name := dig.Text(t, "secretName")
		if name == "" {
			continue
		}
		if v := secretHas(s, name, "tls.crt"); v.Answer != Holds {
			return v
		}
	}
	for _, service := range IngressServices(s.Body) {
		ready, why := readyEndpoints(s, service)
		if why != "" {
			return unsure("the endpoints of service %s can't be read: %s", service, why)
		}
		if ready == 0 {
			return waitsOrFails(s.young(), "service %s has no ready endpoint", service)
		}
	}
	if len(dig.List(s.Body, "status", "loadBalancer", "ingress")) == 0 {
		if s.young() {
			return waits("no address yet")
		}
		return unsure("no address in its status; some controllers never write one, so ask the URL itself")
	}
	return holds()
}

// IngressServices are the names of the services that an Ingress sends traffic
// to, in the order of its rules.
func IngressServices(body map[string]any) []string {
	var out []string
	seen := map[string]bool{}
	add := func(backend any) {
		if name := dig.Text(backend, "service", "name"); name != "" && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	add(dig.At(body, "spec", "defaultBackend"))
	for _, r := range dig.List(body, "spec", "rules") {
		for _, p := range dig.List(r, "http", "paths") {
			add(dig.At(p, "backend"))
		}
	}
	return out
}
