package survey_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"runbook/internal/cluster"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/sandbox/kube"
	"runbook/internal/survey"
)

// A bench is an API server, and a surveyor who asks it.
type bench struct {
	*testing.T
	client dynamic.Interface
	survey survey.Surveyor
	deny   string // requests whose path ends so are forbidden
}

func newBench(t *testing.T) *bench {
	b := &bench{T: t}
	server := kube.New(kube.Options{})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.deny != "" && strings.HasSuffix(r.URL.Path, b.deny) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","message":"forbidden","code":403}`))
			return
		}
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.Close(); front.Close() })
	cfg := &rest.Config{Host: front.URL, QPS: -1}
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cluster.Connect(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b.client, b.survey = client, survey.Surveyor{Lister: c, Namespace: "shop"}
	b.apply("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}")
	return b
}

// kinds are the custom kinds that tests are about, as Kind plural group scope.
var kinds = []string{
	"Cluster clusters postgresql.cnpg.io Namespaced", "ScheduledBackup scheduledbackups postgresql.cnpg.io Namespaced",
	"ExternalSecret externalsecrets external-secrets.io Namespaced", "ClusterSecretStore clustersecretstores external-secrets.io Cluster",
	"Certificate certificates cert-manager.io Namespaced", "CertificateRequest certificaterequests cert-manager.io Namespaced",
	"ClusterIssuer clusterissuers cert-manager.io Cluster", "HTTPRoute httproutes gateway.networking.k8s.io Namespaced",
	"Gateway gateways gateway.networking.k8s.io Namespaced", "Application applications argoproj.io Namespaced", "Widget widgets example.org Namespaced",
}

// define installs the custom kinds.
func (b *bench) define() {
	for _, k := range kinds {
		f := strings.Fields(k)
		b.apply(fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]s.%[3]s}
spec:
  group: %[3]s
  scope: %[4]s
  names: {kind: %[1]s, plural: %[2]s, singular: %[5]s}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]`,
			f[0], f[1], f[2], f[3], strings.ToLower(f[0])))
	}
}

// apply creates the objects of a YAML stream, with their status. An annotation
// "owner: kind/name" is made an owner reference.
func (b *bench) apply(text string) {
	b.Helper()
	for doc := range strings.SplitSeq(text, "\n---\n") {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(doc), &o.Object); err != nil {
			b.Fatalf("%v in %s", err, doc)
		}
		if owner := o.GetAnnotations()["owner"]; owner != "" {
			b.own(o, owner)
		}
		in := b.at(o.GetKind(), o.GetAPIVersion(), o.GetNamespace())
		status := o.Object["status"]
		made, err := in.Create(b.Context(), o, metav1.CreateOptions{})
		if err != nil {
			b.Fatalf("create %s %s: %v", o.GetKind(), o.GetName(), err)
		}
		if status == nil || strings.Contains(o.GetAPIVersion(), ".") && !strings.Contains(o.GetAPIVersion(), "k8s.io/v1beta") && made.Object["status"] != nil {
			continue
		}
		made.Object["status"] = status
		if _, err := in.UpdateStatus(b.Context(), made, metav1.UpdateOptions{}); err != nil {
			b.Fatalf("status of %s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
}

func (b *bench) own(o *unstructured.Unstructured, owner string) {
	b.Helper()
	f := strings.Split(owner, " ") // apiVersion Kind name
	got, err := b.at(f[1], f[0], o.GetNamespace()).Get(b.Context(), f[2], metav1.GetOptions{})
	if err != nil {
		b.Fatal(err)
	}
	yes := true
	o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: f[0], Kind: f[1], Name: f[2], UID: got.GetUID(), Controller: &yes}})
}

func (b *bench) at(kind, apiVersion, namespace string) dynamic.ResourceInterface {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		b.Fatal(err)
	}
	plural := strings.ToLower(kind) + "s"
	if strings.HasSuffix(plural, "ss") {
		plural = strings.ToLower(kind) + "es"
	}
	r := b.client.Resource(gv.WithResource(plural))
	if namespace == "" {
		return r
	}
	return r.Namespace(namespace)
}

// losses are what the surveyor says of a command's deletions.
func (b *bench) losses(command string) []guard.Loss {
	b.Helper()
	var gone []risk.Touch
	for _, t := range risk.Classify(command, risk.Context{}).Touches {
		if t.Op == "delete" {
			gone = append(gone, t)
		}
	}
	if len(gone) == 0 {
		b.Fatalf("%s deletes nothing that has a name", command)
	}
	return b.survey.Survey(context.WithoutCancel(b.Context()), gone)
}

// A want is a part of a loss, and how bad it is.
type want struct {
	what, why string
	state     string // "gone", "unknown", ""
}

func state(l guard.Loss) string {
	switch {
	case l.Irrecoverable:
		return "gone"
	case l.Unknown:
		return "unknown"
	}
	return ""
}

func (b *bench) sees(losses []guard.Loss, wants ...want) {
	b.Helper()
	for _, w := range wants {
		ok := slices.ContainsFunc(losses, func(l guard.Loss) bool {
			return strings.Contains(l.What, w.what) && strings.Contains(l.Why, w.why) && state(l) == w.state
		})
		if !ok {
			b.Errorf("no loss %q because %q (%s) in:\n%s", w.what, w.why, w.state, show(losses))
		}
	}
}

func show(losses []guard.Loss) string {
	var out strings.Builder
	for _, l := range losses {
		fmt.Fprintf(&out, "  %-8s %s — %s\n", state(l), l.What, l.Why)
	}
	return out.String()
}
