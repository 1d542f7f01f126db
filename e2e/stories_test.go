package e2e

import (
	"strings"
	"testing"

	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
	"runbook/internal/sandbox/scenarios"
)

// ways are the front ends that a bring-up is walked with; each returns what it showed.
var ways = []struct {
	name string
	walk func(t *testing.T, p place, variant string) string
}{
	{"lines", func(t *testing.T, p place, variant string) string {
		t.Helper()
		return walk(t, p, "schmetterpause/bring-up", "--set", "VARIANT="+variant)
	}},
	{"terminal", onTerminal},
}

func TestTheBringUpAndTheTeardownGoThroughOnEveryPlace(t *testing.T) {
	for _, at := range places {
		t.Run(at.name, func(t *testing.T) {
			p := at.start(t)
			for _, variant := range []string{"external-secrets", "ordinary-secrets"} {
				for _, way := range ways {
					t.Run(variant+" as "+way.name, func(t *testing.T) { bringUpAndDown(t, p, variant, way.walk) })
				}
			}
		})
	}
}

// bringUpAndDown walks the shipped runbooks on a platform that has no application, and leaves it so.
func bringUpAndDown(t *testing.T, p place, variant string, bringUp func(*testing.T, place, string) string) {
	at := scenarios.Default()
	ns := at.Namespace
	said := bringUp(t, p, variant)
	w := trial.New(t, p.rest) // not before: its patience has begun
	if !trial.Available(w.Get(operators.Deployments, ns, "schmetterpause")) {
		t.Errorf("the application is not available after:\n%s", said)
	}
	if got := trial.String(w.Get(operators.Clusters, ns, "schmetterpause-db"), "status", "phase"); got != "Cluster in healthy state" {
		t.Errorf("database: got %q", got)
	}
	secret := w.Get(operators.Secrets, ns, "schmetterpause-app")
	value, _ := secret.Object["data"].(map[string]any)["SP_SESSION_KEY"].(string)
	if value == "" || strings.Contains(said, value) {
		t.Error("the session key is not there, or in the output")
	}
	if owners := secret.GetOwnerReferences(); (len(owners) == 1) != (variant == "external-secrets") {
		t.Errorf("owners of the Secret: got %v", owners)
	}
	logs(t, p, w, ns)
	volume := trial.String(w.Get(operators.Claims, ns, "schmetterpause-db-1"), "spec", "volumeName")
	teardown(t, p)
	w = trial.New(t, p.rest)
	w.Gone(operators.Namespaces, "", ns)
	w.Gone(operators.Volumes, "", volume)
	// The entry outlives the application, and would be a risk for the next one with Secrets that are made by hand.
	if err := p.vault.KVv2(at.Cluster).DeleteMetadata(t.Context(), "schmetterpause"); err != nil {
		t.Errorf("delete the Vault entry: %v", err)
	}
}

// logs asks kubectl for what the application says, through the API server and its kubelet.
func logs(t *testing.T, p place, w *trial.World, ns string) {
	t.Helper()
	pod := w.Find(operators.Pods, ns, "is the application's", func(o trial.Object) bool {
		return o.GetLabels()["app.kubernetes.io/name"] == "schmetterpause" && trial.Ready(o)
	})
	if out := kubectl(t, p, "-n", ns, "logs", pod.GetName(), "-c", "migrate"); out == "" {
		t.Error("kubectl logs: nothing")
	}
}
