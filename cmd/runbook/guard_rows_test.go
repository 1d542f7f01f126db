package main

import (
	"fmt"
	"strings"
	"testing"

	"runbook/internal/guard"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
)

func sh(lines ...string) string { return "```sh\n" + strings.Join(lines, "\n") + "\n```" }

func action(text string) string { return "```yaml action\n" + strings.TrimSpace(text) + "\n```" }

// The ExternalSecret of the sandbox, with one thing changed.
func external(change ...string) string {
	text := `
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: schmetterpause-app, namespace: schmetterpause}
spec:
  refreshInterval: 1h
  secretStoreRef: {kind: ClusterSecretStore, name: vault-cicd-test2}
  target: {name: schmetterpause-app, creationPolicy: Owner, deletionPolicy: Retain}
  data:
    - secretKey: SP_SESSION_KEY
      remoteRef: {key: schmetterpause, property: session-key}
`
	return strings.NewReplacer(change...).Replace(text)
}

func applied(manifest string) string {
	return sh("kubectl apply -f - <<'EOF'"+strings.TrimRight(manifest, "\n"), "EOF")
}

// A row is one way in which a session key changes, numbered as in
// docs/guards.md.
type row struct {
	row   string
	fence string
	layer guard.Layer
	warns string // part of the warning; "" for none
	undo  string // part of what takes it back
	words string
}

// What is to be typed: the key is rotated, or nothing has a better name than the
// step.
const (
	rotate = "rotate session key"
	itsID  = "the id of the step"
)

// whereVaultHasIt are the rows that are staged on a cluster whose Secrets come
// from Vault.
var whereVaultHasIt = []row{
	{"1", sh(`vault kv put "$CLUSTER/schmetterpause" session-key=x`), guard.VaultEntry, "overwrites the session key; the Secret follows within 1h", "version 1 of the Vault entry", rotate},
	{"1 with -mount", sh(`vault kv put -mount="$CLUSTER" schmetterpause session-key=x`), guard.VaultEntry, "overwrites the session key", "version 1", rotate},
	{"1 the action", action("vault: rotate\nentry: ${CLUSTER}/schmetterpause\nproperty: session-key\ngenerate: base64\nbytes: 32"), guard.VaultEntry, "changes the session key", "version 1", rotate},
	{"2", sh(`vault kv put "$CLUSTER/schmetterpause" password=x`), guard.VaultEntry, "replaces the whole entry and drops the session key; the ExternalSecret fails and the Secret keeps the old value", "version 1", rotate},
	{"2 from a file", sh(`vault kv put "$CLUSTER/schmetterpause" @values.json`), guard.VaultEntry, "drops, unless what it reads names it,", "version 1", rotate},
	{"3", sh(`vault kv patch "$CLUSTER/schmetterpause" session-key=x`), guard.VaultEntry, "changes the session key", "version 1", rotate},
	{"3 removes", sh(`vault kv patch -remove-data=session-key "$CLUSTER/schmetterpause"`), guard.VaultEntry, "removes the session key", "version 1", rotate},
	{"3 another key", sh(`vault kv patch "$CLUSTER/schmetterpause" password=x`), "", "", "", itsID},
	{"4", sh(`vault kv rollback -version=1 "$CLUSTER/schmetterpause"`), guard.VaultEntry, "older value of the session key; the whole older map", "version 1", rotate},
	{"5 delete", sh(`vault kv delete "$CLUSTER/schmetterpause"`), guard.VaultEntry, "the Secret keeps the value (deletionPolicy Retain)", "undelete", "cicd-test2/schmetterpause"},
	{"5 destroy", sh(`vault kv destroy -versions=1 "$CLUSTER/schmetterpause"`), guard.VaultEntry, "destroys for good", "the Secret schmetterpause/schmetterpause-app still has it", "cicd-test2/schmetterpause"},
	{"5 all", sh(`vault kv metadata delete "$CLUSTER/schmetterpause"`), guard.VaultEntry, "deletes the Vault entry", "all versions", "cicd-test2/schmetterpause"},
	{"6", sh(`vault kv undelete -versions=1 "$CLUSTER/schmetterpause"`), guard.VaultEntry, "older value", "version 1", rotate},
	{"7 expiry", sh(`vault kv metadata put -delete-version-after=24h "$CLUSTER/schmetterpause"`), guard.VaultEntry, "delete themselves", "set it back", itsID},
	{"7 pruning", sh(`vault kv metadata patch -max-versions=1 "$CLUSTER/schmetterpause"`), guard.VaultEntry, "limits how many versions", "set it back", itsID},
	{"8 vault write", sh(`vault write "$CLUSTER/data/schmetterpause" data=@x.json`), guard.VaultEntry, "replaces the whole entry and drops", "version 1", rotate},
	{"8 a request", sh(`curl -X POST -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/$CLUSTER/data/schmetterpause" -d @x.json`), guard.VaultEntry, "replaces the whole entry and drops", "version 1", rotate},
	{"8 a PushSecret", applied(`
apiVersion: external-secrets.io/v1alpha1
kind: PushSecret
metadata: {name: up, namespace: schmetterpause}
spec: {data: [{match: {secretKey: a, remoteRef: {remoteKey: schmetterpause, property: session-key}}}]}`), guard.VaultEntry, "pushes a Secret's value into Vault", "version 1", rotate},
	{"9 a snapshot", sh(`vault operator raft snapshot restore -force backup.snap`), guard.VaultEntry, "snapshot's age", "version 1", rotate},
	{"9 the mount", sh(`vault secrets disable "$CLUSTER"`), guard.VaultEntry, "deletes the mount", "still has it", "cicd-test2"},
	{"9 moved", sh(`vault secrets move "$CLUSTER" old`), guard.VaultEntry, "moves the mount away", "move it back", itsID},
	{"10 under an Owner", sh(`kubectl -n schmetterpause patch secret schmetterpause-app -p '{"stringData":{"SP_SESSION_KEY":"x"}}'`), guard.Secret, "External Secrets put Vault's value back", "still has session-key", rotate},
	{"14", sh(`kubectl -n schmetterpause delete externalsecret schmetterpause-app`), guard.Secret, "with the ExternalSecret that owns it", "still has session-key (version 1)", "schmetterpause-app"},
	{"14 all of them", sh(`kubectl -n schmetterpause delete externalsecrets --all`), guard.Secret, "with the ExternalSecret that owns it", "still has", itsID},
	{"14 the CRD", sh(`kubectl delete crd externalsecrets.external-secrets.io`), guard.Secret, "deletes every ExternalSecret", "still has", "externalsecrets.external-secrets.io"},
	{"15", applied(external("target: {name: schmetterpause-app", "target: {name: renamed")), guard.ExternalSecret, "fill another Secret", "still has", itsID},
	{"16 another property", applied(external("property: session-key", "property: password")), guard.ExternalSecret, "changes data of the ExternalSecret", "old manifest", rotate},
	{"16 another encoding", applied(external("property: session-key", "property: session-key, decodingStrategy: Base64")), guard.ExternalSecret, "another encoding", "old manifest", rotate},
	{"16 the action", action("apply: manifests\n---" + external("key: schmetterpause", "key: elsewhere")), guard.ExternalSecret, "changes data of the ExternalSecret", "old manifest", rotate},
	{"16 another key beside it", applied(external("property: session-key}", "property: session-key}\n    - secretKey: SP_KIOSK_TOKEN\n      remoteRef: {key: schmetterpause, property: kiosk-token}")), "", "", "", ""},
	{"16 a template", applied(external("deletionPolicy: Retain}", "deletionPolicy: Retain, template: {data: {SP_SESSION_KEY: 'x{{ .a }}'}}}")), guard.ExternalSecret, "changes target", "old manifest", rotate},
	{"16 nothing", applied(external()), "", "", "", ""},
	{"16 the same, less said", applied(external(", creationPolicy: Owner, deletionPolicy: Retain", "", "  refreshInterval: 1h\n", "")), "", "", "", ""},
	{"16 by a patch", sh(`kubectl -n schmetterpause patch externalsecret schmetterpause-app --type=merge -p '{"spec":{"data":[]}}'`), guard.ExternalSecret, "changes the ExternalSecret", "old manifest", rotate},
	{"16 the store", sh(`kubectl patch clustersecretstore vault-cicd-test2 --type=merge -p '{"spec":{"provider":{"vault":{"path":"x"}}}}'`), guard.ExternalSecret, "changes the store behind", "old manifest", rotate},
	{"16 the store deleted", sh(`kubectl delete clustersecretstore vault-cicd-test2`), "", "", "", "vault-cicd-test2"},
	{"17", applied(external("  data:\n    - secretKey: SP_SESSION_KEY\n      remoteRef: {key: schmetterpause, property: session-key}", "  dataFrom: [{sourceRef: {generatorRef: {kind: Password, name: x}}}]")), guard.ExternalSecret, "changes data, dataFrom", "old manifest", rotate},
	{"19", sh(`kubectl delete ns "$NAMESPACE"`), guard.Secret, "takes the Secret away", "still has session-key (version 1)", "schmetterpause"},
	{"19 by address", sh(`kubectl delete --raw /api/v1/namespaces/schmetterpause`), guard.Secret, "takes the Secret away", "still has", itsID},
	{"21", sh(`kubectl apply -k ./overlay`), "", "can't tell whether it changes the session key", "", itsID},
	{"22", applied("\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: schmetterpause-app, namespace: schmetterpause}\nspec: {}"), guard.Secret, "unseals into the Secret", "still has", rotate},
	{"26 nothing pending", sh(`kubectl -n schmetterpause rollout restart deployment schmetterpause`), "", "", "", itsID},
}

// whereNothingElseHasIt are the rows that are staged on a cluster whose Secrets
// were made by hand.
var whereNothingElseHasIt = []row{
	{"10 a pipe", sh(`kubectl -n "$NAMESPACE" create secret generic schmetterpause-app --from-literal=SP_SESSION_KEY=x --dry-run=client -o yaml | kubectl -n "$NAMESPACE" apply -f -`), guard.Secret, "overwrites the Secret that holds the session key; the pods read it at their next restart", "no other place has it", rotate},
	{"10 a manifest", applied("\napiVersion: v1\nkind: Secret\nmetadata: {name: schmetterpause-app, namespace: schmetterpause}\nstringData: {SP_SESSION_KEY: x}"), guard.Secret, "overwrites the Secret", "no other place", rotate},
	{"10 without the key", applied("\napiVersion: v1\nkind: Secret\nmetadata: {name: schmetterpause-app, namespace: schmetterpause}\nstringData: {OTHER: x}"), guard.Secret, "without the key that holds", "no other place", rotate},
	{"10 server-side", strings.Replace(applied("\napiVersion: v1\nkind: Secret\nmetadata: {name: schmetterpause-app, namespace: schmetterpause}\ndata: {SP_SESSION_KEY: eA==}"), "apply -f", "apply --server-side --force-conflicts -f", 1), guard.Secret, "overwrites the Secret", "no other place", rotate},
	{"10 an action", action("apply: manifests\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: schmetterpause-app, namespace: schmetterpause}\nstringData: {SP_SESSION_KEY: x}"), guard.Secret, "overwrites the Secret", "no other place", rotate},
	{"10 patch", sh(`kubectl -n schmetterpause patch secret schmetterpause-app --type=json -p '[{"op":"remove","path":"/data/SP_SESSION_KEY"}]'`), guard.Secret, "overwrites the Secret", "no other place", rotate},
	{"10 delete", sh(`kubectl -n schmetterpause delete secret schmetterpause-app`), guard.Secret, "deletes the Secret", "no other place", "schmetterpause-app"},
	{"10 delete all", sh(`kubectl -n schmetterpause delete secrets --all`), guard.Secret, "deletes the Secret", "no other place", itsID},
	{"10 a loop", sh(`for s in $(kubectl -n schmetterpause get secret -o name); do kubectl -n schmetterpause delete "$s"; done`), guard.Secret, "may delete, with what is only known when it runs", "no other place", itsID},
	{"10 a pipe of names", sh(`kubectl -n schmetterpause get secret -o name | xargs kubectl -n schmetterpause delete`), guard.Secret, "may delete, with what is only known when it runs", "no other place", itsID},
	{"10 a file that isn't there", sh(`kubectl delete -f ./all.yaml`), "", "can't tell whether it changes the session key: deletes everything that is in ./all.yaml", "", itsID},
	{"10 a label", sh(`kubectl -n schmetterpause label secret schmetterpause-app a=b`), "", "", "", ""},
	{"10 another Secret", sh(`kubectl -n schmetterpause delete secret schmetterpause-db`), "", "", "", "schmetterpause-db"},
	{"11 force", strings.Replace(applied("\napiVersion: v1\nkind: Secret\nmetadata: {name: schmetterpause-app, namespace: schmetterpause}\nstringData: {SP_SESSION_KEY: x}"), "apply -f", "replace --force -f", 1), guard.Secret, "Reloader", "no other place", rotate},
	{"11 delete and create", sh(`kubectl -n schmetterpause delete secret schmetterpause-app`, `kubectl -n schmetterpause create secret generic schmetterpause-app --from-literal=SP_SESSION_KEY=x`), guard.Secret, "makes anew the Secret that it has deleted", "no other place", rotate},
	{"12 a generator", sh(`kubectl -n schmetterpause create secret generic schmetterpause-app --from-literal=SP_SESSION_KEY="$(openssl rand -base64 32)" --dry-run=client -o yaml | kubectl -n schmetterpause apply -f -`), guard.Secret, "made at random, and is on record nowhere else", "no other place", rotate},
	{"12 that refuses", sh(`kubectl -n schmetterpause create secret generic schmetterpause-app --from-literal=SP_SESSION_KEY="$(openssl rand -base64 32)"`), "", "", "", ""},
	{"12 the action", action("secret: create\nnamespace: ${NAMESPACE}\nname: schmetterpause-app\ndata:\n  SP_SESSION_KEY: {generate: base64, bytes: 32}"), "", "", "", ""},
	{"13", applied(external()), guard.ExternalSecret, "adopts the Secret that was made by hand", "in no other place", rotate},
	{"13 the action", action("apply: manifests\n---" + external()), guard.ExternalSecret, "adopts the Secret that was made by hand", "in no other place", rotate},
	{"13 merged", applied(external("creationPolicy: Owner", "creationPolicy: Merge")), guard.ExternalSecret, "merges what Vault has", "in no other place", rotate},
	{"13 the entry before it", action("vault: create\nentry: ${CLUSTER}/schmetterpause\ndata:\n  session-key: {generate: base64, bytes: 32}"), guard.VaultEntry, "beside the Secret that holds the session key", "keep the ExternalSecret away", rotate},
	{"19", sh(`kubectl delete ns schmetterpause`), guard.Secret, "takes the Secret away", "nothing: no other place has it", "schmetterpause"},
	{"25 a literal", sh(`kubectl -n schmetterpause set env deployment/schmetterpause SP_SESSION_KEY=x`), guard.Process, "changes where SP_SESSION_KEY of the pods comes from", "undo", rotate},
	{"25 a manifest", applied(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: schmetterpause, namespace: schmetterpause}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: schmetterpause}}
  template:
    metadata: {labels: {app.kubernetes.io/name: schmetterpause}}
    spec: {containers: [{name: schmetterpause, image: x, env: [{name: SP_SESSION_KEY, value: literal}], envFrom: [{secretRef: {name: schmetterpause-app}}]}]}`), guard.Process, "changes where SP_SESSION_KEY of the pods comes from", "old manifest", rotate},
	{"25 the same wiring", applied(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: schmetterpause, namespace: schmetterpause}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: schmetterpause}}
  template:
    metadata: {labels: {app.kubernetes.io/name: schmetterpause}}
    spec: {containers: [{name: schmetterpause, image: x, envFrom: [{secretRef: {name: schmetterpause-app}}]}]}`), "", "", "", ""},
	{"26 nothing pending", sh(`kubectl -n schmetterpause delete pods --all`), "", "", "", itsID},
}

func (d *desk) walk(t *testing.T, rows []row) {
	t.Helper()
	var fences []string
	for _, r := range rows {
		fences = append(fences, r.fence)
	}
	gates := d.gates(t, fences...)
	for i, r := range rows {
		t.Run(r.row, func(t *testing.T) { r.hold(t, gates[i]) })
	}
}

func (r row) hold(t *testing.T, g guard.Gate) {
	t.Helper()
	var about []guard.Warning
	for _, w := range g.Warnings {
		if w.Protects == "session key" {
			about = append(about, w)
		}
	}
	want := r.words
	if want == itsID {
		want = g.Step
	}
	if g.Words != want {
		t.Errorf("asks for %q, want %q", g.Words, want)
	}
	if r.warns == "" {
		if len(about) > 0 {
			t.Errorf("warns without a reason: %+v", about)
		}
		return
	}
	for _, w := range about {
		if w.Layer == r.layer && strings.Contains(w.Text, r.warns) && strings.Contains(w.Undo, r.undo) {
			if r.layer != "" && !strings.HasSuffix(w.Text, "every player is logged out") {
				t.Errorf("doesn't say who is affected: %s", w.Text)
			}
			return
		}
	}
	t.Errorf("no warning of %q at the %s, undone by %q:\n%s", r.warns, r.layer, r.undo, described(g))
}

func described(g guard.Gate) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %q\n", g.Decision, g.Class, g.Words)
	for _, w := range g.Warnings {
		fmt.Fprintf(&b, "  [%s] %s\n     undo: %s\n", w.Layer, w.Text, w.Undo)
	}
	return b.String()
}

func TestEveryWayToASessionKeyThatVaultHasIsSeenBeforehand(t *testing.T) {
	t.Parallel()
	newDesk(t, "deployed").walk(t, whereVaultHasIt)
}

func TestEveryWayToASessionKeyThatWasMadeByHandIsSeenBeforehand(t *testing.T) {
	t.Parallel()
	newDesk(t, "deployed-ordinary").walk(t, whereNothingElseHasIt)
}

// restarts are row 26: what makes a change effective that was made before.
var restarts = []row{
	{"26 rollout restart", sh(`kubectl -n schmetterpause rollout restart deployment schmetterpause`), guard.Process, "this restart activates a pending new value of the session key", "nowhere but in the running pods", rotate},
	{"26 delete pod", sh(`kubectl -n schmetterpause delete pod -l app.kubernetes.io/name=schmetterpause`), guard.Process, "this restart activates", "not restarting", rotate},
	{"26 drain", sh(`kubectl drain sandbox-1 --ignore-daemonsets`), guard.Process, "this restart activates", "not restarting", rotate},
	{"26 scale", sh(`kubectl -n schmetterpause scale deployment schmetterpause --replicas=0`), guard.Process, "this restart activates", "not restarting", rotate},
	{"26 a new image", sh(`kubectl -n schmetterpause set image deployment/schmetterpause schmetterpause=x`), guard.Process, "a restart by this activates", "not restarting", rotate},
	{"26 another workload", sh(`kubectl -n postgres rollout restart deployment cloudnative-pg`), "", "", "", itsID},
}

func TestARestartThatActivatesAPendingKeySaysSo(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed-ordinary")
	node := d.world.Find(operators.Pods, "schmetterpause", "runs", func(o trial.Object) bool {
		return o.GetLabels()["app.kubernetes.io/name"] == "schmetterpause" && trial.Ready(o)
	})
	// The clock of the API server has whole seconds: the write has to be in a
	// later one than the start of the pods.
	d.later(t)
	d.kubectl(t, "-n", "schmetterpause", "patch", "secret", "schmetterpause-app", "-p", `{"stringData":{"SP_SESSION_KEY":"another-value-that-is-long-enough-for-it"}}`)
	for i := range restarts {
		restarts[i].fence = strings.ReplaceAll(restarts[i].fence, "sandbox-1", trial.String(node, "spec", "nodeName"))
	}
	d.walk(t, restarts)
	for _, w := range d.gates(t, sh(`kubectl -n schmetterpause rollout restart deployment schmetterpause`))[0].Warnings {
		if strings.Contains(w.Text+w.Undo, "another-value") {
			t.Error("a value is shown")
		}
	}
}

func TestWhatAnExternalSecretMakesOfAnEntryIsSaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed")
	d.kubectl(t, "-n", "schmetterpause", "patch", "externalsecret", "schmetterpause-app", "--type=merge", "-p",
		`{"spec":{"target":{"deletionPolicy":"Delete"},"data":null,"dataFrom":[{"extract":{"key":"schmetterpause"}}]}}`)
	d.walk(t, []row{
		{"2 with extract", sh(`vault kv put "$CLUSTER/schmetterpause" password=x`), guard.VaultEntry, "the key vanishes from the Secret within 1h while the ExternalSecret says Ready", "version 1", rotate},
		{"18", sh(`vault kv delete "$CLUSTER/schmetterpause"`), guard.VaultEntry, "the Secret is deleted with it within 1h (deletionPolicy Delete)", "undelete", "cicd-test2/schmetterpause"},
	})
}

func TestGoingFromVaultToHandMadeSecretsIsARotation(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed")
	d.kubectl(t, "-n", "schmetterpause", "delete", "externalsecret", "schmetterpause-app")
	d.world.Gone(operators.Secrets, "schmetterpause", "schmetterpause-app")
	d.walk(t, []row{
		{"14 the action", action("secret: create\nnamespace: ${NAMESPACE}\nname: schmetterpause-app\ndata:\n  SP_SESSION_KEY: {generate: base64, bytes: 32}"), guard.Secret, "makes the Secret by hand, beside the Vault entry that has the session key", "delete it again", rotate},
		{"12 after the Secret was deleted", sh(`kubectl -n schmetterpause create secret generic schmetterpause-app --from-literal=SP_SESSION_KEY="$(openssl rand -base64 32)"`), guard.Secret, "made at random", "delete it again", rotate},
	})
}

func TestTheToolThatMadeTheSecretIsKnownByItsMark(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed-ordinary")
	d.kubectl(t, "-n", "schmetterpause", "annotate", "secret", "schmetterpause-app", "meta.helm.sh/release-name=schmetterpause", "argocd.argoproj.io/tracking-id=shop:/Secret:schmetterpause/schmetterpause-app")
	d.walk(t, []row{
		{"20", sh(`helm upgrade schmetterpause ./chart`), guard.Secret, "renders the Helm release again", "no other place", rotate},
		{"20 uninstall", sh(`helm uninstall schmetterpause -n schmetterpause`), guard.Secret, "takes the Helm release away that made the Secret", "no other place", "schmetterpause"},
		{"20 another", sh(`helm upgrade other ./chart`), "", "", "", ""},
		{"23", sh(`argocd app sync shop`), guard.Secret, "renders the Argo CD Application again", "no other place", rotate},
		{"23 deleted", sh(`argocd app delete shop`), guard.Secret, "takes the Argo CD Application away", "no other place", "shop"},
	})
}

func TestKeysThatCannotBeListedAreSaidSo(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed")
	token := d.limited(t)
	for i, kv := range d.app.environ {
		if strings.HasPrefix(kv, "VAULT_TOKEN=") {
			d.app.environ[i] = "VAULT_TOKEN=" + token
		}
	}
	d.walk(t, []row{
		{"2 without subkeys", sh(`vault kv put "$CLUSTER/schmetterpause" password=x`), guard.VaultEntry, "can't tell", "", rotate},
		{"19 without subkeys", sh(`kubectl delete ns schmetterpause`), guard.Secret, "takes the Secret away", "can't tell whether Vault has it", "schmetterpause"},
	})
}
