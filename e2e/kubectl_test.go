package e2e

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"

	"runbook/internal/risk"
	"runbook/internal/sandbox/operators"
)

// A deed is a command, what it is taken for, and what a real kubectl makes of it on a real API server. NS stands for a
// namespace of its own, in which the stock is.
type deed struct {
	command string
	class   risk.Class
	does    string // what the command changed, or "nothing"
	says    string // part of what it prints; "" is not looked at
	first   string // a command that prepares the stock
}

// stock is what every namespace holds.
const stock = `
apiVersion: v1
kind: ConfigMap
metadata: {name: a, labels: {app: x}}
data: {k: v}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: client}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: zz}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {K: marked-value}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec: {containers: [{name: d, image: x}]}
`

const fixed = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"fixed"},"immutable":true,"data":{"k":"%s"}}`

var (
	oneMap    = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"app":"x"}},"data":{"k":"other"}}`
	oneSecret = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"K":"other-value"}}`
)

// fed is a command that reads a text from its standard input.
func fed(command, text string) string { return command + " <<'EOF'\n" + text + "\nEOF" }

// reads change nothing, whatever they look like.
var reads = []deed{
	{command: "kubectl -n delete get cm", class: risk.Read, does: "nothing", says: "in-delete"},
	{command: "kubectl -n NS delete cm a -h", class: risk.Read, does: "nothing"},
	{command: "kubectl -n NS delete cm a --help", class: risk.Read, does: "nothing"},
	{command: "kubectl -n NS delete cm a --dry-run=client", class: risk.Read, does: "nothing", says: "(dry run)"},
	{command: "kubectl -n NS delete cm a --dry-run=server", class: risk.Read, does: "nothing", says: "(server dry run)"},
	{command: "kubectl -n NS delete cm a --dry-run", class: risk.Read, does: "nothing"},
	{command: "kubectl -n NS delete cm a --dry-run=none --dry-run=client", class: risk.Read, does: "nothing"},
	{command: "kubectl -n NS delete cm a --dry-run client", class: risk.Read, does: "nothing", says: `"client" deleted`},
	{command: "kubectl delete ns NS --dry-run=server", class: risk.Read, does: "nothing", says: `namespace "NS" deleted`},
	{command: fed("kubectl -n NS diff -f -", oneSecret), class: risk.Read, does: "nothing", says: "*** (after)"},
	{command: fed("kubectl -n NS apply --dry-run=server -o yaml -f -", oneSecret), class: risk.Read, does: "nothing", says: "b3RoZXItdmFsdWU="},
	{command: "kubectl create cm -n NS new --from-literal=k=v --dry-run=client -o yaml", class: risk.Read, does: "nothing"},
	{command: "echo kubectl -n NS delete cm a", class: risk.Read, does: "nothing"},
}

// failures do nothing because the shell or kubectl refuses them; what they are taken for may be worse.
var failures = []deed{
	{command: "# kubectl -n NS delete cm a", class: risk.Destroy, does: "nothing"}, // whoever copies it takes it for a prompt
	{command: "kubectl -n NS rollout restart deployment d --dry-run", class: risk.Interrupt, does: "nothing", says: "unknown flag: --dry-run"},
	{command: fed("kubectl -n NS apply --force --dry-run=server -f -", oneMap), class: risk.Read, does: "nothing", says: "--force"},
	{command: "kubectl -n NS create secret generic s --from-literal=K=other", class: risk.Write, does: "nothing", says: "already exists"},
	{command: "kubectl -n NS delete cm a --dry-run=maybe", class: risk.Read, does: "nothing", says: "Invalid dry-run value"},
	{first: deadWebhook, command: "kubectl -n NS annotate cm a x=y --dry-run=server", class: risk.Read, does: "nothing", says: "failed calling webhook"},
	{first: deadWebhook, command: "kubectl -n NS annotate cm a x=y", class: risk.Write, does: "nothing", says: "failed calling webhook"},
}

// destructions take something away, whatever they look like.
var destructions = []deed{
	{command: "kubectl -n NS delete cm a", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl -nNS delete cm a", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl --context=e2e --as e2e-admin --as-group=system:masters -n NS delete cm a", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl -n NS delete cm a -h=false", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl -n NS delete cm a --help=false", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl -n NS delete cm a --dry-run=client --dry-run=none", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl -n NS delete cm a --dry-run=false", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl -n NS delete cm a --dry-run=none", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl -n NS delete cm -- zz --dry-run=client", class: risk.Destroy, does: "gone configmap/zz", says: `"--dry-run=client" not found`},
	{command: "kubectl delete --raw /api/v1/namespaces/NS/configmaps/a --dry-run=server", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl delete ns NS", class: risk.Destroy, does: "gone configmap/a, gone configmap/client, gone configmap/zz, gone deployment/d, gone namespace/NS, gone secret/s"},
	{command: "kubectl -n NS delete cm --all", class: risk.Destroy, does: "gone configmap/a, gone configmap/client, gone configmap/zz"},
	{command: "kubectl -n NS delete cm -l app=x", class: risk.Destroy, does: "gone configmap/a"},
	{command: "kubectl -n NS delete cm --field-selector metadata.name=zz", class: risk.Destroy, does: "gone configmap/zz"},
	{command: "kubectl -n NS get cm a -o name | xargs kubectl -n NS delete", class: risk.Destroy, does: "gone configmap/a"},
	{command: `printf 'a\nzz\n' | while read -r x; do kubectl -n NS delete cm "$x"; done`, class: risk.Destroy, does: "gone configmap/a, gone configmap/zz"},
	{command: "V=delete; kubectl -n NS $V cm a", class: risk.Destroy, does: "gone configmap/a"},
	{command: "sh <<'EOF'\nkubectl -n NS delete cm a\nEOF", class: risk.Destroy, does: "gone configmap/a"},
	{command: fed("kubectl -n NS delete -f -", oneMap), class: risk.Destroy, does: "gone configmap/a"},
	{command: fed("kubectl -n NS replace --force -f -", oneMap), class: risk.Destroy, does: "made anew configmap/a"},
	{first: "kubectl -n NS apply -f - <<'EOF'\n" + fmt.Sprintf(fixed, "old") + "\nEOF",
		command: fed("kubectl -n NS apply --force -f -", fmt.Sprintf(fixed, "new")), class: risk.Destroy, does: "made anew configmap/fixed"},
	{first: fed("kubectl -n NS apply -f -", strings.Replace(oneMap, `"name":"a"`, `"name":"old"`, 1)),
		command: fed("kubectl -n NS apply --prune -l app=x --prune-allowlist=core/v1/ConfigMap -f -", strings.Replace(oneMap, `"name":"a"`, `"name":"new"`, 1)),
		class:   risk.Destroy, does: "gone configmap/old, made configmap/new"},
	{first: fed("kubectl -n NS apply -f -", strings.Replace(oneMap, `"name":"a"`, `"name":"old"`, 1)),
		command: fed("kubectl -n NS apply --dry-run=server --prune -l app=x --prune-allowlist=core/v1/ConfigMap -f -", strings.Replace(oneMap, `"name":"a"`, `"name":"new"`, 1)),
		class:   risk.Read, does: "nothing", says: "pruned (server dry run)"},
}

// changes overwrite, interrupt or add.
var changes = []deed{
	{command: "kubectl -n NS create secret generic s --from-literal=K=new --dry-run=client -o yaml | kubectl -n NS apply -f -", class: risk.Rotate, does: "changed secret/s"},
	{command: fed("kubectl -n NS apply -f -", oneSecret), class: risk.Rotate, does: "changed secret/s"},
	{command: fed("kubectl -n NS replace -f -", oneSecret), class: risk.Rotate, does: "changed secret/s"},
	{command: `kubectl -n NS patch secret s --type=json -p '[{"op":"remove","path":"/data/K"}]'`, class: risk.Rotate, does: "changed secret/s"},
	{command: `kubectl -n NS patch secret s -p '{"data":{"K":null}}'`, class: risk.Rotate, does: "changed secret/s"},
	{command: "kubectl -n NS scale deployment d --replicas=0", class: risk.Interrupt, does: "changed deployment/d"},
	{command: "kubectl -n NS rollout restart deployment d", class: risk.Interrupt, does: "changed deployment/d"},
	{command: fed("kubectl -n NS apply -f -", oneMap), class: risk.Write, does: "changed configmap/a"},
	{command: "kubectl -n NS annotate cm a x=y", class: risk.Write, does: "changed configmap/a"},
	{command: "kubectl -n NS label secret s x=y", class: risk.Write, does: "changed secret/s"},
	{command: "kubectl -n NS create cm new", class: risk.Write, does: "made configmap/new"},
	{command: "kubectl zap cm a -n NS --kuberc=$ALIASES", class: risk.Destroy, does: "gone configmap/a"},
}

// deadWebhook is asked about every ConfigMap of the namespace, and nobody is there to answer.
const deadWebhook = `kubectl label ns NS asks=NS && kubectl apply -f - <<'EOF'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: dead-NS}
webhooks:
  - name: dead.example.org
    clientConfig: {url: "https://127.0.0.1:1/"}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]
    namespaceSelector: {matchLabels: {asks: NS}}
    sideEffects: None
    admissionReviewVersions: [v1]
    timeoutSeconds: 1
EOF`

func TestARealKubectlDoesWhatACommandIsTakenFor(t *testing.T) {
	b := newBooth(t)
	b.run(t, "kubectl create ns delete && kubectl -n delete create cm in-delete")
	for i, d := range slices.Concat(reads, failures, destructions, changes) {
		t.Run(d.command, func(t *testing.T) { b.hold(t, d, fmt.Sprintf("row-%d", i)) })
	}
}

// A booth is a real kubectl at a real API server, on which nothing acts but what empties namespaces.
type booth struct {
	client dynamic.Interface
	env    []string
}

func newBooth(t *testing.T) *booth {
	t.Helper()
	programs, err := controlPlane()
	if err != nil {
		t.Fatal(err)
	}
	c := startPlane(t, []string{"namespace-controller"}) // without it kubectl would wait for a namespace to go
	client, err := dynamic.NewForConfig(c.Rest())
	if err != nil {
		t.Fatal(err)
	}
	home := folder(t)
	aliases := filepath.Join(home, "aliases")
	text := "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\naliases: [{name: zap, command: delete}]\n"
	if err := os.WriteFile(aliases, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return &booth{client, []string{"KUBECONFIG=" + c.Kubeconfig(), "HOME=" + home, "ALIASES=" + aliases,
		"PATH=" + filepath.Dir(programs.Kubectl) + string(os.PathListSeparator) + os.Getenv("PATH")}}
}

// run runs a script, which may fail, and returns what it printed.
func (b *booth) run(t *testing.T, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", script)
	cmd.Env = b.env
	out, _ := cmd.CombinedOutput() // whether it failed is seen by what it did
	if ctx.Err() != nil {
		t.Fatalf("%s: %v\n%s", script, ctx.Err(), out)
	}
	return string(out)
}

func (b *booth) hold(t *testing.T, d deed, ns string) {
	in := func(text string) string { return strings.ReplaceAll(text, "NS", ns) }
	b.run(t, in("kubectl create ns NS && "+fed("kubectl -n NS create -f -", stock)))
	if d.first != "" {
		b.run(t, in(d.first))
	}
	if got := risk.Classify(in(d.command), risk.Context{}).Class; got != d.class {
		t.Errorf("it is taken for %s, want %s", got, d.class)
	}
	before := b.snapshot(t, ns)
	if len(before) < 6 {
		t.Fatalf("the stock isn't there: %v", before)
	}
	out := b.run(t, in(d.command))
	if got := before.became(b.snapshot(t, ns)); got != in(d.does) {
		t.Errorf("it did: %s, want %s; it printed\n%s", got, in(d.does), out)
	}
	if !strings.Contains(out, in(d.says)) {
		t.Errorf("it printed\n%swant %q", out, in(d.says))
	}
}

// A snapshot is what an API server has, by kind and name.
type snapshot map[string]version

type version struct {
	uid, resource string
	going         bool // deleted, and held by its finalizers
}

func (b *booth) snapshot(t *testing.T, ns string) snapshot {
	t.Helper()
	out := snapshot{}
	add := func(kind string, r dynamic.ResourceInterface, o metav1.ListOptions) {
		all, err := r.List(context.WithoutCancel(t.Context()), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range all.Items {
			out[kind+"/"+i.GetName()] = version{string(i.GetUID()), i.GetResourceVersion(), i.GetDeletionTimestamp() != nil}
		}
	}
	add("namespace", b.client.Resource(operators.Namespaces), metav1.ListOptions{FieldSelector: "metadata.name=" + ns})
	add("configmap", b.client.Resource(operators.ConfigMaps).Namespace(ns), metav1.ListOptions{})
	add("secret", b.client.Resource(operators.Secrets).Namespace(ns), metav1.ListOptions{})
	add("deployment", b.client.Resource(operators.Deployments).Namespace(ns), metav1.ListOptions{})
	return out
}

// became says in words what is different.
func (s snapshot) became(now snapshot) string {
	var out []string
	for name, was := range s {
		switch is, there := now[name]; {
		case !there || is.going:
			out = append(out, "gone "+name)
		case is.uid != was.uid:
			out = append(out, "made anew "+name)
		case is != was:
			out = append(out, "changed "+name)
		}
	}
	for name := range maps.Keys(now) {
		if _, there := s[name]; !there {
			out = append(out, "made "+name)
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestASecretBecomesWhatIsSaidOfIt has what the guard of a protected value relies on.
func TestASecretBecomesWhatIsSaidOfIt(t *testing.T) {
	const manifest = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},%s}`
	apply := func(flags, content string) string {
		return fed("kubectl -n NS apply "+flags+" -f -", fmt.Sprintf(manifest, content))
	}
	b := newBooth(t)
	for i, tt := range []struct {
		name, script, keys string
	}{
		{"stringData wins over data", apply("", `"data":{"K":"ZGF0YQ=="},"stringData":{"K":"text"}`), `{"K":"dGV4dA=="}`},
		{"what was applied before is taken out when it is no longer applied",
			apply("", `"stringData":{"K":"one","L":"two"}`) + "\n" + apply("", `"data":{"K":"b25l"}`), `{"K":"b25l","L":"dHdv"}`},
		{"data that was applied before is taken out when it is no longer applied",
			apply("", `"data":{"K":"b25l","L":"dHdv"}`) + "\n" + apply("", `"data":{"K":"b25l"}`), `{"K":"b25l"}`},
		{"stringData applied by the server stays when it is no longer applied",
			apply("--server-side", `"stringData":{"K":"one","L":"two"}`) + "\n" + apply("--server-side", `"stringData":{"K":"one"}`), `{"K":"b25l","L":"dHdv"}`},
		{"data applied by the server is taken out when it is no longer applied",
			apply("--server-side", `"data":{"K":"b25l","L":"dHdv"}`) + "\n" + apply("--server-side", `"data":{"K":"b25l"}`), `{"K":"b25l"}`},
		{"a replacement has only what it names",
			apply("", `"data":{"K":"b25l","L":"dHdv"}`) + "\n" + fed("kubectl -n NS replace -f -", fmt.Sprintf(manifest, `"data":{"K":"b25l"}`)), `{"K":"b25l"}`},
		{"a merge patch with null takes a key out",
			apply("", `"data":{"K":"b25l","L":"dHdv"}`) + "\nkubectl -n NS patch secret s --type=merge -p '{\"data\":{\"L\":null}}'", `{"K":"b25l"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := strings.NewReplacer("NS", fmt.Sprintf("secret-%d", i))
			out := b.run(t, in.Replace("kubectl create ns NS\n"+tt.script))
			if got := b.run(t, in.Replace("kubectl -n NS get secret s -o jsonpath={.data}")); got != tt.keys {
				t.Errorf("got %s, want %s; it printed\n%s", got, tt.keys, out)
			}
		})
	}
}
