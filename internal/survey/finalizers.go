package survey

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/dig"
	"runbook/internal/guard"
)

// A keeperOf says which Deployment takes a finalizer away, by its labels, in
// any namespace.
type keeperOf struct {
	prefix string // of the finalizer
	what   string
	labels string // of the Deployment (or StatefulSet) that has to live; "" for the control plane
}

// keepersOf are the controllers of finalizers that are met often. A newcomer is
// one line.
var keepersOf = []keeperOf{
	{"kubernetes", "the control plane", ""},
	{"kubernetes.io/", "the control plane", ""},
	{"batch.kubernetes.io/", "the control plane", ""},
	{"foregroundDeletion", "the control plane", ""},
	{"orphan", "the control plane", ""},
	{"service.kubernetes.io/load-balancer-cleanup", "the cloud controller", ""},
	{"external-attacher/", "the CSI driver", ""},
	{"resources-finalizer.argocd.argoproj.io", "Argo CD's application controller", "app.kubernetes.io/name=argocd-application-controller"},
	{"post-delete-finalizer.argocd.argoproj.io", "Argo CD's application controller", "app.kubernetes.io/name=argocd-application-controller"},
	{"externalsecrets.external-secrets.io/", "External Secrets", "app.kubernetes.io/name=external-secrets"},
	{"pushsecret.externalsecrets.external-secrets.io", "External Secrets", "app.kubernetes.io/name=external-secrets"},
	{"secretstore.", "External Secrets", "app.kubernetes.io/name=external-secrets"},
	{"finalizer.acme.cert-manager.io", "cert-manager", "app.kubernetes.io/name=cert-manager"},
	{"acme.cert-manager.io/", "cert-manager", "app.kubernetes.io/name=cert-manager"},
	{"cnpg.io/", "CloudNativePG", "app.kubernetes.io/name=cloudnative-pg"},
	{"gateway-exists-finalizer.gateway.networking.k8s.io", "the gateway controller", ""},
	{"longhorn.io", "Longhorn", "app=longhorn-driver-deployer"},
	{"cephcluster.ceph.rook.io", "Rook", "app=rook-ceph-operator"},
	{"finalizers.fluxcd.io", "Flux", "app.kubernetes.io/part-of=flux"},
	{"tofinalizer", "the Terraform controller", ""},
	{"finalizer.keda.sh", "KEDA", "app.kubernetes.io/name=keda-operator"},
	{"networking.gke.io/", "GKE's ingress controller", ""},
	{"ingress.k8s.aws/", "AWS load balancer controller", "app.kubernetes.io/name=aws-load-balancer-controller"},
}

// finalizers are the objects whose deletion waits for somebody, and whether
// that somebody lives.
func (s Surveyor) finalizers(ctx context.Context, h *haul) []guard.Loss {
	waiting := map[string]*first{}
	for _, k := range slices.SortedFunc(maps.Keys(h.kinds), byName) {
		for f, n := range h.kinds[k].finalizers {
			if waiting[f] == nil {
				waiting[f] = &first{}
			}
			waiting[f].names = append(waiting[f].names, counted(n, k))
		}
	}
	var out []guard.Loss
	for _, f := range slices.Sorted(maps.Keys(waiting)) {
		out = append(out, s.waitsFor(ctx, f, strings.Join(waiting[f].names, ", "))...)
	}
	return out
}

// waitsFor says who has to take a finalizer away. One that the control plane
// handles is no news.
func (s Surveyor) waitsFor(ctx context.Context, finalizer, what string) []guard.Loss {
	i := slices.IndexFunc(keepersOf, func(k keeperOf) bool { return strings.HasPrefix(finalizer, k.prefix) })
	if i < 0 {
		return []guard.Loss{unknown("the deletion of "+what, "waits for whoever handles "+finalizer+": it hangs if nobody does")}
	}
	k := keepersOf[i]
	if k.labels == "" {
		return nil
	}
	alive, found := 0, 0
	for _, kind := range []string{"deployment", "statefulset"} {
		err := s.Lister.Bodies(ctx, cluster.Scope{Kind: kind, Group: "apps", Labels: k.labels}, func(page []map[string]any) {
			for _, d := range page {
				found++
				if dig.Int(d, "status", "readyReplicas") > 0 {
					alive++
				}
			}
		})
		if err != nil {
			return []guard.Loss{unknown("the deletion of "+what, fmt.Sprintf("waits for %s (%s); whether it runs is not known: %s", k.what, finalizer, err))}
		}
	}
	switch {
	case alive > 0:
		return nil
	case found > 0:
		return []guard.Loss{unknown("the deletion of "+what, fmt.Sprintf("hangs: %s is not ready, and has to take %s away", k.what, finalizer))}
	}
	return []guard.Loss{unknown("the deletion of "+what, fmt.Sprintf("hangs if %s doesn't run: no Deployment with %s is there, and it has to take %s away", k.what, k.labels, finalizer))}
}
