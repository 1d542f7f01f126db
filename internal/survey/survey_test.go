package survey_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"runbook/internal/guard"
)

const storage = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-lost}
spec: {capacity: {storage: 8Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Delete, storageClassName: fast, hostPath: {path: /x}, claimRef: {name: data-0, namespace: shop}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-kept}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Retain, hostPath: {path: /y}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-0, namespace: shop}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 8Gi}}, volumeName: pv-lost, storageClassName: fast}
status: {phase: Bound, capacity: {storage: 8Gi}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-1, namespace: shop}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, volumeName: pv-kept, storageClassName: slow}`

const application = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app.kubernetes.io/instance: web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'example.org/web:1', envFrom: [{secretRef: {name: app}}]}]}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-1, namespace: shop, annotations: {owner: apps/v1 Deployment web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'example.org/web:1'}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1-a, namespace: shop, labels: {app: web}, annotations: {owner: apps/v1 ReplicaSet web-1}}
spec: {containers: [{name: web, image: 'example.org/web:1'}]}
---
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: shop}
spec: {containers: [{name: web, image: 'example.org/web:1', env: [{name: A, valueFrom: {secretKeyRef: {name: app, key: a}}}]}]}
---
apiVersion: v1
kind: Secret
metadata: {name: app, namespace: shop}
stringData: {a: marked-value}
---
apiVersion: v1
kind: Secret
metadata: {name: sh.helm.release.v1.web.v1, namespace: shop, labels: {owner: helm, name: web}}
---
apiVersion: v1
kind: Secret
metadata: {name: sh.helm.release.v1.web.v2, namespace: shop, labels: {owner: helm, name: web}}
---
apiVersion: v1
kind: Service
metadata: {name: edge, namespace: shop}
spec: {type: LoadBalancer, ports: [{port: 80}]}
status: {loadBalancer: {ingress: [{ip: 203.0.113.7}]}}`

const custom = `
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: {name: db, namespace: shop}
spec: {instances: 3, bootstrap: {initdb: {secret: {name: app}}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: db-1, namespace: shop, annotations: {owner: postgresql.cnpg.io/v1 Cluster db}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 8Gi}}, volumeName: pv-db, storageClassName: fast}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-db}
spec: {capacity: {storage: 8Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Delete, hostPath: {path: /z}}
---
apiVersion: external-secrets.io/v1
kind: ClusterSecretStore
metadata: {name: vault-prod}
spec: {provider: {vault: {path: kv, version: v2}}}
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: from-vault, namespace: shop}
spec: {secretStoreRef: {kind: ClusterSecretStore, name: vault-prod}, target: {deletionPolicy: Delete}, data: [{secretKey: a, remoteRef: {key: shop, property: a}}]}
---
apiVersion: v1
kind: Secret
metadata: {name: from-vault, namespace: shop, annotations: {owner: external-secrets.io/v1 ExternalSecret from-vault}}
---
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: letsencrypt}
spec: {acme: {server: 'https://acme-v02.api.letsencrypt.org/directory'}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: front, namespace: shop}
spec: {secretName: front-tls, issuerRef: {kind: ClusterIssuer, name: letsencrypt}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: door, namespace: shop}
spec: {listeners: [{name: https, tls: {certificateRefs: [{name: front-tls}]}}]}
status: {addresses: [{value: 203.0.113.8}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: front, namespace: shop}
spec: {hostnames: [shop.example.org], parentRefs: [{name: door}]}
---
apiVersion: argoproj.io/v1
kind: Application
metadata: {name: shop, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec: {destination: {namespace: shop}, syncPolicy: {automated: {selfHeal: true}}}
status: {resources: [{kind: Deployment, name: web, namespace: shop}]}
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: stuck, namespace: shop, finalizers: [example.org/hold]}
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: far, namespace: other}`

// populated is a bench with one of everything.
func populated(t *testing.T) *bench {
	b := newBench(t)
	b.define()
	b.apply("{apiVersion: v1, kind: Namespace, metadata: {name: argocd}}")
	b.apply("{apiVersion: v1, kind: Namespace, metadata: {name: other}}")
	b.apply(storage)
	b.apply(application)
	b.apply(custom)
	for i := range 5 {
		b.apply(fmt.Sprintf(`{apiVersion: cert-manager.io/v1, kind: CertificateRequest, metadata: {name: front-%d, namespace: shop, annotations: {cert-manager.io/certificate-name: front, owner: cert-manager.io/v1 Certificate front}}}`, i))
	}
	return b
}

func TestWhatGoesIsListedWithWhatHangsOffIt(t *testing.T) {
	b := populated(t)
	for _, tt := range []struct {
		command string
		wants   []want
		lacks   []string
	}{
		{"kubectl delete ns shop", []want{
			{"pvc/data-0 (8Gi fast)", "volume pv-lost goes with it, and all data on it", "gone"},
			{"pvc/data-1", "pv-kept and its data stay", ""},
			{"pvc/db-1", "volume pv-db goes", "gone"},
			{"the database of cluster/db (3 instances)", "no backup is configured", "gone"},
			{"1 secret: app", "no other place", "gone"},
			{"1 deployment: web", "", ""},
			{"1 pod: alone", "nothing owns them", ""},
			{"5 certificaterequests", "gone with it", ""},
			{"certificate/front", "requested 5 times in 7 days", "gone"},
			{"the address of service/edge", "203.0.113.7 is released", "gone"},
			{"the address of gateway/door", "203.0.113.8 is released", "gone"},
			{"1 host: shop.example.org", "404", ""},
			{"application argocd/shop deploys here", "heals by itself", ""},
			{"the deletion of 1 widget", "example.org/hold: it hangs if nobody does", "unknown"},
		}, []string{"far", "marked", "kube-root-ca.crt"}},
		{"kubectl -n shop delete deployment web", []want{
			{"1 deployment: web", "", ""}, {"1 pod, 1 replicaset", "gone with it", ""},
		}, []string{"alone", "pvc", "secret", "address"}},
		{"kubectl -n shop delete clusters.postgresql.cnpg.io db", []want{
			{"the database of cluster/db", "no backup", "gone"}, {"pvc/db-1", "pv-db goes", "gone"},
		}, []string{"data-0", "deployment"}},
		{"kubectl -n shop delete secret app", []want{
			{"1 secret: app", "no other place", "gone"}, {"1 deployment with a use for it: web", "environment", ""}, {"1 pod with a use for it: alone", "environment", ""},
			{"1 cluster with a use for it: db", "password", ""},
		}, []string{"web-1-a"}},
		{"kubectl -n shop delete externalsecret from-vault", []want{{"1 externalsecret: from-vault", "the Secret that it owns", ""}, {"1 secret", "gone with it", ""}}, []string{"secret: app"}},
		{"kubectl -n shop delete pvc data-0", []want{{"pvc/data-0", "pv-lost goes", "gone"}}, []string{"data-1"}},
		{"kubectl delete pv pv-lost", []want{{"pv/pv-lost (8Gi)", "claim shop/data-0 is bound to it", "gone"}}, nil},
		{"kubectl delete pv pv-kept", []want{{"pv/pv-kept", "stay (reclaim policy Retain)", ""}}, nil},
		{"kubectl delete sc fast", []want{{"storageclass/fast", "2 claims, shop/data-0, shop/db-1, asked for it", ""}}, nil},
		{"kubectl delete crd widgets.example.org", []want{
			{"crd/widgets.example.org", "every object of the kind goes with it: 2 objects in 2 namespaces: other/far, shop/stuck", ""},
		}, []string{"deployment"}},
		{"kubectl delete crd clusters.postgresql.cnpg.io", []want{{"pvc/db-1", "pv-db goes", "gone"}, {"the database of cluster/db", "", "gone"}}, nil},
		{"kubectl delete widgets --all -A", []want{
			{"other: 1 widget: far", "", ""}, {"shop: 1 widget: stuck", "", ""},
		}, []string{"without -A"}},
		{"kubectl delete widgets --all", []want{
			{"other: 1 widget: far", "", ""}, {"shop: 1 widget: stuck", "", ""}, {"2 widgets in 2 namespaces", "without -A", "unknown"},
		}, nil},
		{"kubectl -n shop delete pods -l app=web", []want{{"1 pod: web-1-a", "makes new ones", ""}}, []string{"alone"}},
		{"kubectl -n shop delete all --all", []want{
			{"1 deployment: web", "", ""}, {"1 service: edge", "", ""}, {"custom objects", "", "unknown"},
		}, []string{"pvc"}},
		{"kubectl delete clusterissuer letsencrypt", []want{{"1 certificate with a use for it: shop/front", "renewed", ""}}, nil},
		{"kubectl delete clustersecretstore vault-prod", []want{{"1 externalsecret with a use for it: shop/from-vault", "no longer syncs; its Secret stays", ""}}, nil},
		{"kubectl -n shop delete gateway door", []want{{"the address of gateway/door", "released", "gone"}, {"1 httproute with a use for it: shop/front", "shop.example.org", ""}}, nil},
		{"kubectl -n argocd delete application shop", []want{{"1 object that application/shop manages: Deployment/web", "has the finalizer", ""}}, nil},
		{"argocd app delete shop", []want{{"Deployment/web", "", ""}}, nil},
		{"helm uninstall web -n shop", []want{
			{"everything that release web installed", "isn't read", "unknown"}, {"1 deployment: web", "", ""}, {"1 pod, 1 replicaset", "", ""},
			{"the history of release web: 2 revisions", "--keep-history", ""},
		}, []string{"alone"}},
		{"helm uninstall other -n shop", []want{{"the history of release other", "no Secret of a release", "unknown"}}, nil},
		{"vault kv metadata delete kv/shop", []want{{"1 ExternalSecret read from vault kv/shop: shop/from-vault", "deletionPolicy Delete", ""}}, nil},
		{"vault kv metadata delete kv/other", []want{{"vault kv/other", "no ExternalSecret of this cluster reads it", ""}}, nil},
		{"vault secrets disable kv", []want{{"every entry of the mount kv", "not counted", "unknown"}, {"1 ExternalSecret read from vault kv", "", ""}}, nil},
		{"kubectl delete ns $X", []want{{"whatever namespace/$X stands for", "not known before it runs", "unknown"}}, nil},
		{"kubectl get ns -o name | xargs kubectl delete ns", []want{{"whatever namespace/… stands for", "not known before it runs", "unknown"}}, nil},
		{"kubectl delete gizmos --all", []want{{"whatever gizmo --all matches", "no kind of that name", "unknown"}}, nil},
		{"kubectl delete ns nowhere", nil, []string{"namespace"}},
	} {
		t.Run(tt.command, func(t *testing.T) {
			c := *b
			c.T = t
			losses := c.losses(tt.command)
			c.sees(losses, tt.wants...)
			for _, bad := range tt.lacks {
				if strings.Contains(show(losses), bad) {
					t.Errorf("%q is among:\n%s", bad, show(losses))
				}
			}
			sorted := slices.IsSortedFunc(losses, func(a, b guard.Loss) int { return strings.Compare(order(a), order(b)) })
			if !sorted {
				t.Errorf("what can't be brought back doesn't come first:\n%s", show(losses))
			}
		})
	}
}

func order(l guard.Loss) string {
	return map[string]string{"gone": "a", "unknown": "b", "": "c"}[state(l)]
}

func TestWhatMayNotBeListedIsSaidToBeUnknown(t *testing.T) {
	b := populated(t)
	for _, tt := range []struct {
		deny, command string
		want          want
	}{
		{"/secrets", "kubectl delete ns shop", want{"secrets", "could not list: you may not read them", "unknown"}},
		{"/persistentvolumes/pv-lost", "kubectl delete ns shop", want{"pvc/data-0", "not known: you may not read them", "unknown"}},
		{"/certificaterequests", "kubectl delete ns shop", want{"certificate/front", "how many are used is not known", "unknown"}},
		{"/scheduledbackups", "kubectl delete ns shop", want{"the database of cluster/db", "whether it has backups is not known", "unknown"}},
		{"/widgets", "kubectl delete crd widgets.example.org", want{"every object of widgets.example.org", "could not list", "unknown"}},
		{"/apis", "kubectl delete ns shop", want{"what namespace shop holds", "", "unknown"}},
		{"/applications", "kubectl delete ns shop", want{"Argo CD's applications", "could not list", "unknown"}},
	} {
		t.Run(tt.deny, func(t *testing.T) {
			c := *b
			c.T = t
			b.deny = tt.deny
			defer func() { b.deny = "" }()
			c.sees(c.losses(tt.command), tt.want)
		})
	}
}

func TestALargeNamespaceIsCountedAndOnlyTheFirstNamesAreGiven(t *testing.T) {
	b := newBench(t)
	for i := range 30 {
		b.apply(fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: cm-%02d, namespace: shop}}", i))
	}
	b.sees(b.losses("kubectl delete ns shop"), want{"30 configmaps: cm-00, cm-01, cm-02, cm-03, cm-04, cm-05 and 24 more", "", ""})
}

func TestACRDWithObjectsEverywhereIsCountedAndNotAllOfItLookedInto(t *testing.T) {
	b := newBench(t)
	b.define()
	for i := range 20 {
		b.apply(fmt.Sprintf("{apiVersion: v1, kind: Namespace, metadata: {name: ns-%02d}}", i))
		b.apply(fmt.Sprintf("{apiVersion: example.org/v1, kind: Widget, metadata: {name: w, namespace: ns-%02d}}", i))
	}
	b.sees(b.losses("kubectl delete crd widgets.example.org"),
		want{"crd/widgets.example.org", "20 objects in 20 namespaces: ns-00/w", ""},
		want{"what widgets own in 8 more namespaces", "only the first 12", "unknown"})
}

func TestADeadControllerIsSaidToHoldTheDeletionUp(t *testing.T) {
	b := newBench(t)
	b.define()
	b.apply("{apiVersion: argoproj.io/v1, kind: Application, metadata: {name: a, namespace: shop, finalizers: [resources-finalizer.argocd.argoproj.io]}, spec: {}}")
	b.sees(b.losses("kubectl delete ns shop"), want{"the deletion of 1 application", "hangs if Argo CD's application controller doesn't run", "unknown"})
	b.apply(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: argocd-application-controller, namespace: default, labels: {app.kubernetes.io/name: argocd-application-controller}}
spec: {serviceName: x, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: d}]}}}
status: {replicas: 1, readyReplicas: 1}`)
	if got := show(b.losses("kubectl delete ns shop")); strings.Contains(got, "hangs") {
		t.Errorf("it runs, and yet:\n%s", got)
	}
}
