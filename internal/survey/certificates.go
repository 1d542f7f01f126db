package survey

import (
	"context"
	"fmt"
	"strings"
	"time"

	"runbook/internal/cluster"
	"runbook/internal/dig"
	"runbook/internal/guard"
)

// Let's Encrypt issues five certificates for the same set of names in seven
// days (letsencrypt.org/docs/rate-limits, "New Certificates per Exact Set of
// Identifiers").
const (
	duplicates = 5
	week       = 7 * 24 * time.Hour
)

const certManager = "cert-manager.io"

// certificates are those that go, with what it costs to have them issued again.
func (s Surveyor) certificates(ctx context.Context, h *haul) []guard.Loss {
	if h.counts("Certificate", certManager) == 0 {
		return nil
	}
	issuers, err := s.acme(ctx, h.namespace)
	if err != nil {
		return unlisted("what it costs to have certificates issued again", err)
	}
	issued, newest, listed := s.requests(ctx, h.namespace)
	var out []guard.Loss
	err = s.Lister.Bodies(ctx, cluster.Scope{Kind: "certificate", Group: certManager, Namespace: h.namespace}, func(page []map[string]any) {
		for _, c := range page {
			name := dig.Text(c, "metadata", "name")
			server, isACME := issuers[issuerOf(c)]
			if !isACME || !h.has("Certificate", certManager, name) {
				continue
			}
			out = append(out, certificate(name, server, within(issued[name], newest), listed))
		}
	})
	if err != nil {
		return unlisted("certificates", err)
	}
	return out
}

// within counts the moments of the week before the newest one in the
// namespace: the cluster's own clock, as far as it can be read off objects.
func within(made []time.Time, newest time.Time) int {
	n := 0
	for _, t := range made {
		if newest.Sub(t) < week {
			n++
		}
	}
	return n
}

func certificate(name, server string, used int, listed error) guard.Loss {
	l := guard.Loss{What: "certificate/" + name}
	limited := strings.Contains(server, "letsencrypt.org") && !strings.Contains(server, "staging")
	switch {
	case !limited:
		l.Why = "it has to be issued again by " + orElse(server, "its ACME server")
	case listed != nil:
		l.Why, l.Unknown = fmt.Sprintf("Let's Encrypt issues the same names %d times in 7 days; how many are used is not known: %s", duplicates, listed), true
	case used >= duplicates:
		l.Why, l.Irrecoverable = fmt.Sprintf("it was requested %d times in 7 days, and Let's Encrypt issues the same names only %d times: no new one for days", used, duplicates), true
	default:
		l.Why = fmt.Sprintf("Let's Encrypt issues the same names %d times in 7 days; %d of them are used, and a new one is another", duplicates, used)
	}
	return l
}

// issuerOf is the issuer of a certificate, as acme names it.
func issuerOf(c map[string]any) string {
	return orElse(dig.Text(c, "spec", "issuerRef", "kind"), "Issuer") + "/" + dig.Text(c, "spec", "issuerRef", "name")
}

// acme are the issuers of a namespace that ask an ACME server, with its
// address.
func (s Surveyor) acme(ctx context.Context, namespace string) (map[string]string, error) {
	out := map[string]string{}
	for _, kind := range []string{"Issuer", "ClusterIssuer"} {
		scope := cluster.Scope{Kind: kind, Group: certManager, Namespace: namespace}
		if kind == "ClusterIssuer" {
			scope.Namespace = ""
		}
		err := s.Lister.Bodies(ctx, scope, func(page []map[string]any) {
			for _, o := range page {
				if dig.At(o, "spec", "acme") != nil {
					out[kind+"/"+dig.Text(o, "metadata", "name")] = dig.Text(o, "spec", "acme", "server")
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// requests are the times of the certificate requests of a namespace, by
// certificate.
func (s Surveyor) requests(ctx context.Context, namespace string) (made map[string][]time.Time, newest time.Time, err error) {
	made = map[string][]time.Time{}
	err = s.Lister.Bodies(ctx, cluster.Scope{Kind: "certificaterequest", Group: certManager, Namespace: namespace}, func(page []map[string]any) {
		for _, r := range page {
			t, bad := time.Parse(time.RFC3339, dig.Text(r, "metadata", "creationTimestamp"))
			if bad != nil {
				continue
			}
			if t.After(newest) {
				newest = t
			}
			name := dig.Text(r, "metadata", "annotations", "cert-manager.io/certificate-name")
			made[name] = append(made[name], t)
		}
	})
	return made, newest, err
}
