package scenarios_test

import (
	"strings"
	"testing"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
	"runbook/internal/sandbox/scenarios"
)

const ns = "schmetterpause"

func stage(t *testing.T, scenario string) (*sandbox.Sandbox, *trial.World) {
	t.Helper()
	s, err := sandbox.Start(t.Context(), sandbox.Options{
		Scenario: scenario, Speed: 20, Dir: t.TempDir(),
		Log: func(controller string, err error) { t.Logf("%s: %v", controller, err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, trial.New(t, s.Rest())
}

// same compares what is seen with what the catalogue says is seen.
func same(t *testing.T, what, want, got string) {
	t.Helper()
	if want != got {
		t.Errorf("%s:\nwant %s\ngot  %s", what, want, got)
	}
}

func storeIsReady(t *testing.T, w *trial.World) {
	t.Helper()
	same(t, "store", "True|Valid|store validated", trial.Condition(w.Get(operators.ClusterStores, "", "vault-cicd-test2"), "Ready"))
}

func TestThePlatformHasWhatTheRunbooksAskFor(t *testing.T) {
	s, w := stage(t, "platform")
	storeIsReady(t, w)
	if !trial.Available(w.Get(operators.Deployments, "postgres", "cloudnative-pg")) {
		t.Error("the CloudNativePG operator is not available")
	}
	gw := w.Get(operators.Gateways, "default", "cilium-gateway")
	same(t, "gateway", "True|Programmed|Gateway successfully reconciled", trial.Condition(gw, "Programmed"))
	class := w.Get(operators.StorageClasses, "", "openebs-hostpath")
	same(t, "default class", "true", class.GetAnnotations()["storageclass.kubernetes.io/is-default-class"])
	same(t, "binding", "WaitForFirstConsumer", trial.String(class, "volumeBindingMode"))
	same(t, "reclaim policy", "Delete", trial.String(class, "reclaimPolicy"))
	if _, err := s.Vault().Do("GET", "", "cicd-test2/data/schmetterpause", nil); err == nil {
		t.Error("the Vault entry is there already: the runbook is to create it")
	}
}

func TestAWrongPropertyIsNamedByTheEventAndNotByTheCondition(t *testing.T) {
	_, w := stage(t, "wrong-property")
	es := w.Get(operators.ExternalSecrets, ns, "schmetterpause-app")
	same(t, "condition", "False|SecretSyncedError|could not get secret data from provider", trial.Condition(es, "Ready"))
	e := w.Event(ns, "schmetterpause-app", "UpdateFailed", "cannot find")
	same(t, "event", `error processing spec.data[0] (key: schmetterpause), err: cannot find secret data for key: "sesion-key"`, trial.String(e, "message"))
	same(t, "event type", "Warning", trial.String(e, "type"))
	// Everything else stays green.
	storeIsReady(t, w)
	same(t, "the other one", "True|SecretSynced|secret synced", trial.Condition(w.Get(operators.ExternalSecrets, ns, "schmetterpause-db"), "Ready"))
	w.Await(operators.Clusters, ns, "schmetterpause-db", "ready", trial.Ready)
	w.Find(operators.Pods, ns, "waits for the Secret", func(o trial.Object) bool {
		return trial.Waiting(o) == `CreateContainerConfigError|secret "schmetterpause-app" not found`
	})
}

func TestAStoreThatIsDeniedStaysReady(t *testing.T) {
	_, w := stage(t, "store-denied")
	storeIsReady(t, w)
	for _, name := range []string{"schmetterpause-app", "schmetterpause-db"} {
		es := w.Await(operators.ExternalSecrets, ns, name, "failed", func(o trial.Object) bool { return trial.Condition(o, "Ready") != "" })
		same(t, name, "False|SecretSyncedError|could not get secret data from provider", trial.Condition(es, "Ready"))
		e := w.Event(ns, name, "UpdateFailed", "permission denied")
		if !strings.Contains(trial.String(e, "message"), "Code: 403") {
			t.Errorf("event: want Code: 403 in it, got %s", trial.String(e, "message"))
		}
	}
}

func TestAPolicyThatIsPutRightHealsWithTheNextSync(t *testing.T) {
	s, w := stage(t, "store-denied")
	if err := s.Vault().Policy("external-secrets", `path "cicd-test2/data/*" { capabilities = ["read"] }`); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"schmetterpause-app", "schmetterpause-db"} {
		w.Patch(operators.ExternalSecrets, ns, name, `{"metadata":{"annotations":{"force-sync":"1"}}}`)
		w.Await(operators.ExternalSecrets, ns, name, "ready", trial.Ready)
	}
	w.Await(operators.Deployments, ns, "schmetterpause", "available", trial.Available)
}

func TestARouteWithoutItsGatewaysNamespaceHasNoStatus(t *testing.T) {
	_, w := stage(t, "no-gateway-namespace")
	route := w.Get(operators.HTTPRoutes, ns, "schmetterpause")
	if status, ok := route.Object["status"]; ok {
		t.Errorf("status: want none, got %v", status)
	}
	gw := w.Get(operators.Gateways, "default", "cilium-gateway")
	same(t, "gateway", "True|Programmed|Gateway successfully reconciled", trial.Condition(gw, "Programmed"))
	w.Patch(operators.HTTPRoutes, ns, "schmetterpause", `{"spec":{"parentRefs":[{"name":"cilium-gateway","namespace":"default"}]}}`)
	w.Await(operators.HTTPRoutes, ns, "schmetterpause", "accepted", func(o trial.Object) bool {
		status, _ := o.Object["status"].(map[string]any)
		list, _ := status["parents"].([]any)
		return len(list) == 1
	})
}

func TestAMissingSecretIsSaidByThePodsOnly(t *testing.T) {
	_, w := stage(t, "secret-missing")
	pods := w.List(operators.Pods, ns)
	if len(pods) != 2 {
		t.Fatalf("pods: want the application's and initdb, got %d", len(pods))
	}
	for i := range pods {
		same(t, pods[i].GetName(), `CreateContainerConfigError|secret "schmetterpause-db" not found`, trial.Waiting(&pods[i]))
		e := w.Event(ns, pods[i].GetName(), "Failed", `Error: secret "schmetterpause-db" not found`)
		field := "spec.initContainers{migrate}"
		if pods[i].GetLabels()["cnpg.io/jobRole"] == "initdb" {
			field = "spec.containers{initdb}"
		}
		same(t, "field of the event", field, trial.String(e, "involvedObject", "fieldPath"))
	}
	c := w.Get(operators.Clusters, ns, "schmetterpause-db")
	same(t, "phase", "Setting up primary", trial.String(c, "status", "phase"))
}

func TestWithoutItsOperatorAClusterHasNoPhase(t *testing.T) {
	_, w := stage(t, "no-cnpg-operator")
	c := w.Get(operators.Clusters, ns, "schmetterpause-db")
	same(t, "phase", "", trial.String(c, "status", "phase"))
	if claims := w.List(operators.Claims, ns); len(claims) != 0 {
		t.Errorf("claims: want none, got %d", len(claims))
	}
	pod := w.Find(operators.Pods, ns, "crash-loops", func(o trial.Object) bool { return strings.HasPrefix(trial.Waiting(o), "CrashLoopBackOff|") })
	same(t, "phase of the pod", "Pending", trial.String(pod, "status", "phase"))
	w.Apply(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: cnpg, namespace: postgres, labels: {app.kubernetes.io/name: cloudnative-pg}}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: manager, image: ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0}]}
`)
	w.Await(operators.Clusters, ns, "schmetterpause-db", "ready", trial.Ready)
}

func TestDeployedScenariosServe(t *testing.T) {
	for _, name := range []string{"deployed", "deployed-ordinary"} {
		t.Run(name, func(t *testing.T) {
			_, w := stage(t, name)
			want := 0
			if name == "deployed" {
				want = 2
			}
			if got := len(w.List(operators.ExternalSecrets, ns)); got != want {
				t.Errorf("ExternalSecrets: want %d, got %d", want, got)
			}
			if !trial.Available(w.Get(operators.Deployments, ns, "schmetterpause")) {
				t.Error("the application is not available")
			}
		})
	}
}

func TestEveryScenarioSaysWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range scenarios.All() {
		if c.About == "" || seen[c.Name] {
			t.Errorf("%s: want a name of its own and a sentence about it", c.Name)
		}
		seen[c.Name] = true
		if found, err := scenarios.Find(c.Name); err != nil || found.Name != c.Name {
			t.Errorf("find %s: got %s, %v", c.Name, found.Name, err)
		}
	}
}
