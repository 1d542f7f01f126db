package sandbox_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
)

const ns = "schmetterpause"

// start runs a sandbox for a test, fast enough that nobody waits for it.
func start(t *testing.T, o sandbox.Options) (*sandbox.Sandbox, *trial.World) {
	t.Helper()
	if o.Speed == 0 {
		o.Speed = 20
	}
	o.Log = func(controller string, err error) { t.Logf("%s: %v", controller, err) }
	o.Dir = t.TempDir()
	s, err := sandbox.Start(t.Context(), o)
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

// variable is what the sandbox puts into an environment variable.
func variable(t *testing.T, s *sandbox.Sandbox, name string) string {
	t.Helper()
	for _, e := range s.Env() {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	t.Fatalf("the environment has no %s", name)
	return ""
}

// manifest is a file of testdata with the sandbox's names in it.
func manifest(t *testing.T, s *sandbox.Sandbox, file string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return os.Expand(string(raw), func(name string) string { return variable(t, s, name) })
}

// entry writes the application's Vault entry.
func entry(t *testing.T, s *sandbox.Sandbox) {
	t.Helper()
	err := s.Vault().Put(s.Place().Cluster, "schmetterpause", map[string]any{
		"session-key": strings.Repeat("k", 44), "username": "schmetterpause", "password": strings.Repeat("ab", 24)})
	if err != nil {
		t.Fatal(err)
	}
}

// settled waits until everything of a bring-up is ready.
func settled(w *trial.World) {
	w.Await(operators.Clusters, ns, "schmetterpause-db", "healthy", func(o trial.Object) bool {
		return trial.String(o, "status", "phase") == "Cluster in healthy state" && trial.Ready(o)
	})
	w.Await(operators.Deployments, ns, "schmetterpause", "available", trial.Available)
}

func TestABringUpSettlesInBothVariantsAndInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		vault bool
		files []string
	}{
		{"variant A", true, []string{"external-secrets.yaml", "application.yaml", "database.yaml"}},
		{"variant B", false, []string{"ordinary-secrets.yaml", "application.yaml", "database.yaml"}},
		{"variant A backwards", true, []string{"database.yaml", "application.yaml", "external-secrets.yaml"}},
		{"variant B backwards", false, []string{"database.yaml", "application.yaml", "ordinary-secrets.yaml"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, w := start(t, sandbox.Options{})
			if c.vault {
				entry(t, s)
			}
			w.Apply("{apiVersion: v1, kind: Namespace, metadata: {name: schmetterpause}}")
			for _, f := range c.files {
				w.Apply(manifest(t, s, f))
			}
			settled(w)
			claim := w.Get(operators.Claims, ns, "schmetterpause-db-1")
			if refs := claim.GetOwnerReferences(); len(refs) != 1 || refs[0].Kind != "Cluster" {
				t.Errorf("owner of the claim: want the Cluster, got %v", refs)
			}
			if got := trial.String(claim, "status", "phase"); got != "Bound" {
				t.Errorf("claim: want Bound, got %s", got)
			}
		})
	}
}

func TestTheClusterWaitsForItsSecretAndBootstrapsWhenItAppears(t *testing.T) {
	s, w := start(t, sandbox.Options{})
	w.Apply("{apiVersion: v1, kind: Namespace, metadata: {name: schmetterpause}}")
	w.Apply(manifest(t, s, "database.yaml"))
	pod := w.Find(operators.Pods, ns, "waits for the Secret", func(o trial.Object) bool {
		return trial.Waiting(o) != "" && strings.HasPrefix(trial.Waiting(o), "CreateContainerConfigError")
	})
	if got, want := trial.Waiting(pod), `CreateContainerConfigError|secret "schmetterpause-db" not found`; got != want {
		t.Errorf("initdb: want %s, got %s", want, got)
	}
	if got := pod.GetLabels()["cnpg.io/jobRole"]; got != "initdb" {
		t.Errorf("role of the pod: want initdb, got %s", got)
	}
	c := w.Get(operators.Clusters, ns, "schmetterpause-db")
	if got := trial.String(c, "status", "phase"); got != "Setting up primary" {
		t.Errorf("phase: want Setting up primary, got %s", got)
	}
	if got, want := trial.Condition(c, "Ready"), "False|ClusterIsNotReady|Cluster Is Not Ready"; got != want {
		t.Errorf("Ready: want %s, got %s", want, got)
	}
	w.Apply(manifest(t, s, "ordinary-secrets.yaml"))
	w.Await(operators.Clusters, ns, "schmetterpause-db", "ready", trial.Ready)
}

func TestTheMigrationCrashesUntilTheDatabaseIsThere(t *testing.T) {
	s, w := start(t, sandbox.Options{})
	w.Apply("{apiVersion: v1, kind: Namespace, metadata: {name: schmetterpause}}")
	w.Apply(manifest(t, s, "ordinary-secrets.yaml"))
	w.Apply(manifest(t, s, "application.yaml"))
	pod := w.Find(operators.Pods, ns, "crash-loops", func(o trial.Object) bool { return strings.HasPrefix(trial.Waiting(o), "CrashLoopBackOff") })
	if got := trial.String(pod, "status", "phase"); got != "Pending" {
		t.Errorf("phase: want Pending, got %s", got)
	}
	w.Event(ns, pod.GetName(), "BackOff", "Back-off restarting failed container migrate in pod "+pod.GetName())
	logs := kubectl(t, s, "-n", ns, "logs", pod.GetName(), "-c", "migrate")
	if want := "lookup schmetterpause-db-rw: no such host"; !strings.Contains(logs, want) {
		t.Errorf("log: want %q in it, got %q", want, logs)
	}
	if strings.Contains(logs, strings.Repeat("cd", 24)) {
		t.Error("the password is in the log")
	}
	w.Apply(manifest(t, s, "database.yaml"))
	settled(w)
}

// proxied is a client that goes through the sandbox's proxy and doesn't follow redirects.
func proxied(t *testing.T, s *sandbox.Sandbox) *http.Client {
	t.Helper()
	tr, err := s.Transport()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func status(t *testing.T, c *http.Client, u string) int {
	t.Helper()
	r, err := c.Get(u)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode
}

func TestTheHostAnswers404Then503Then200(t *testing.T) {
	s, w := start(t, sandbox.Options{})
	c := proxied(t, s)
	host := "schmetterpause." + s.Place().Domain
	want := func(path string, code int) {
		t.Helper()
		if got := status(t, c, "https://"+host+path); got != code {
			t.Errorf("%s: want %d, got %d", path, code, got)
		}
	}
	want("/healthz", 404)
	w.Apply("{apiVersion: v1, kind: Namespace, metadata: {name: schmetterpause}}")
	w.Apply(manifest(t, s, "ordinary-secrets.yaml"))
	w.Apply(manifest(t, s, "application.yaml"))
	w.Await(operators.HTTPRoutes, ns, "schmetterpause", "accepted", func(o trial.Object) bool { return len(parents(o)) == 1 })
	follow(t, func() bool { return status(t, c, "https://"+host+"/healthz") == 503 })
	w.Apply(manifest(t, s, "database.yaml"))
	settled(w)
	follow(t, func() bool { return status(t, c, "https://"+host+"/healthz") == 200 })
	want("/readyz", 200)
	if got := status(t, c, "http://"+host+"/"); got != 301 {
		t.Errorf("plain HTTP: want 301, got %d", got)
	}
}

// follow waits for what the operators' memory makes true a moment after the API server has said so.
func follow(t *testing.T, ok func() bool) {
	t.Helper()
	for t.Context().Err() == nil {
		if ok() {
			return
		}
	}
}

func parents(o trial.Object) []any {
	status, _ := o.Object["status"].(map[string]any)
	list, _ := status["parents"].([]any)
	return list
}

func TestDeletingTheNamespaceTakesTheClaimAndTheVolume(t *testing.T) {
	_, w := start(t, sandbox.Options{Scenario: "deployed"})
	volume := trial.String(w.Get(operators.Claims, ns, "schmetterpause-db-1"), "spec", "volumeName")
	if got := trial.String(w.Get(operators.Volumes, "", volume), "status", "phase"); got != "Bound" {
		t.Fatalf("volume: want Bound, got %s", got)
	}
	w.Delete(operators.Namespaces, "", ns)
	w.Gone(operators.Namespaces, "", ns)
	w.Gone(operators.Volumes, "", volume)
	if left := w.List(operators.Pods, ns); len(left) > 0 {
		t.Errorf("pods left: %d", len(left))
	}
}

func TestDeletingTheClusterAloneLosesTheData(t *testing.T) {
	_, w := start(t, sandbox.Options{Scenario: "deployed-ordinary"})
	volume := trial.String(w.Get(operators.Claims, ns, "schmetterpause-db-1"), "spec", "volumeName")
	w.Delete(operators.Clusters, ns, "schmetterpause-db")
	w.Gone(operators.Claims, ns, "schmetterpause-db-1")
	w.Gone(operators.Volumes, "", volume)
	w.Await(operators.Deployments, ns, "schmetterpause", "unavailable", func(o trial.Object) bool { return !trial.Available(o) })
}

func TestServersThatComeBackHaveTheirStateAndTheirPorts(t *testing.T) {
	s, w := start(t, sandbox.Options{Scenario: "deployed"})
	before := w.Get(operators.Deployments, ns, "schmetterpause")
	kubeconfig := variable(t, s, "KUBECONFIG")
	s.StopServers()
	if _, err := exec.Command("kubectl", "--kubeconfig", kubeconfig, "get", "ns").CombinedOutput(); err == nil {
		t.Error("kubectl reached a server that has been stopped")
	}
	if got := status(t, proxied(t, s), "https://schmetterpause."+s.Place().Domain+"/healthz"); got != 200 {
		t.Errorf("the application while the API server is away: want 200, got %d", got)
	}
	if err := s.StartServers(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := w.Get(operators.Deployments, ns, "schmetterpause")
	if before.GetUID() != after.GetUID() {
		t.Error("the Deployment is not the same one")
	}
	// The operators heal too: a pod that is deleted is replaced.
	old := w.Find(operators.Pods, ns, "is the application's", func(o trial.Object) bool {
		return strings.HasPrefix(o.GetName(), "schmetterpause-") && o.GetLabels()["app.kubernetes.io/name"] == "schmetterpause"
	})
	w.Delete(operators.Pods, ns, old.GetName())
	w.Find(operators.Pods, ns, "replaces it and is ready", func(o trial.Object) bool {
		return o.GetUID() != old.GetUID() && o.GetLabels()["app.kubernetes.io/name"] == "schmetterpause" && trial.Ready(o)
	})
}

func TestTheKubeconfigIsForTheOwnerOnly(t *testing.T) {
	s, _ := start(t, sandbox.Options{})
	info, err := os.Stat(s.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o600 {
		t.Errorf("mode: want 600, got %o", got)
	}
	if got := strings.TrimSpace(kubectl(t, s, "config", "current-context")); got != "sandbox" {
		t.Errorf("context: want sandbox, got %s", got)
	}
	if got := kubectl(t, s, "get", "storageclass"); !strings.Contains(got, "openebs-hostpath (default)") {
		t.Errorf("storage class: got %s", got)
	}
}

func TestCloseRemovesAFolderOfItsOwn(t *testing.T) {
	s, err := sandbox.Start(t.Context(), sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir, addr := variable(t, s, "RUNBOOK_SANDBOX_DIR"), variable(t, s, "VAULT_ADDR")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("folder: want it gone, got %v", err)
	}
	if _, err := http.Get(addr + "/v1/sys/health"); err == nil {
		t.Error("the Vault still answers")
	}
}

func TestAnUnknownScenarioIsRefusedWithTheNamesThereAre(t *testing.T) {
	_, err := sandbox.Start(t.Context(), sandbox.Options{Scenario: "rosy"})
	if err == nil || !strings.Contains(err.Error(), "store-denied") {
		t.Errorf("want the list of scenarios, got %v", err)
	}
}

// kubectl runs the unmodified kubectl of this machine in the sandbox's environment.
func kubectl(t *testing.T, s *sandbox.Sandbox, args ...string) string {
	t.Helper()
	return run(t, s, "kubectl", args...)
}

func run(t *testing.T, s *sandbox.Sandbox, program string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed here", program)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append(os.Environ(), s.Env()...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestCurlAndGoReachTheHostByTheEnvironmentAlone(t *testing.T) {
	s, _ := start(t, sandbox.Options{Scenario: "deployed-ordinary"})
	host := "https://schmetterpause." + s.Place().Domain
	t.Run("go", func(t *testing.T) {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := run(t, s, self, "-test.run=^$", "-fetch="+host+"/readyz"), "200\n"; !strings.HasPrefix(got, want) {
			t.Errorf("want %q, got %q", want, got)
		}
	})
	t.Run("curl", func(t *testing.T) {
		if got := run(t, s, "curl", "-sS", "-o", os.DevNull, "-w", "%{http_code}", host+"/healthz"); got != "200" {
			t.Errorf("healthz: want 200, got %s", got)
		}
		got := run(t, s, "curl", "-sS", "-o", os.DevNull, "-w", "%{http_code} %{redirect_url}", "http://schmetterpause."+s.Place().Domain+"/x?y=1")
		if want := "301 " + host + "/x?y=1"; got != want {
			t.Errorf("plain HTTP: want %s, got %s", want, got)
		}
	})
}

func TestSpeedCanBeChangedWhileRunning(t *testing.T) {
	s, w := start(t, sandbox.Options{Speed: 0.001}) // at which an operator takes minutes to notice anything
	w.Apply("{apiVersion: v1, kind: Namespace, metadata: {name: schmetterpause}}")
	s.SetSpeed(50)
	w.Apply(manifest(t, s, "database.yaml"))
	w.Find(operators.Jobs, ns, "is the bootstrap", func(o trial.Object) bool { return o.GetName() == "schmetterpause-db-1-initdb" })
}

func fetch(u string) int {
	r, err := http.Get(u) // the default client: proxy and authorities from the environment
	if err != nil {
		fmt.Println(err)
		return 1
	}
	_ = r.Body.Close()
	fmt.Println(r.StatusCode)
	return 0
}
