package operators_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
)

// externalSecret is one that reads property of entry; more goes into its target.
func externalSecret(ns, name, entry, property, target string) string {
	return fmt.Sprintf(`
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: %s, namespace: %s}
spec:
  secretStoreRef: {kind: ClusterSecretStore, name: vault-cicd-test2}
  target: {%s}
  data: [{secretKey: A, remoteRef: {key: %s, property: %s}}]
`, name, ns, target, entry, property)
}

func value(o trial.Object, key string) string {
	raw, err := base64.StdEncoding.DecodeString(trial.String(o, "data", key))
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func holding(key, v string) func(trial.Object) bool {
	return func(o trial.Object) bool { return value(o, key) == v }
}

func ready(text string) func(trial.Object) bool {
	return func(o trial.Object) bool { return trial.Condition(o, "Ready") == text }
}

func put(t *testing.T, s *sandbox.Sandbox, entry string, data map[string]any) {
	t.Helper()
	if err := s.Vault().Put(s.Place().Cluster, entry, data); err != nil {
		t.Fatal(err)
	}
}

const (
	synced  = "True|SecretSynced|secret synced"
	refused = "False|SecretSyncedError|could not get secret data from provider"
)

func TestExternalSecrets(t *testing.T) {
	e := world(t, sandbox.Options{})
	put(t, e.sandbox, "entry", map[string]any{"a": "one", "nested": map[string]any{"b": "two"}})
	tell(t, e, []story{
		{"a Secret made by hand is adopted and overwritten", aSecretMadeByHandIsAdoptedAndOverwritten},
		{"a manual edit does not last", aManualEditDoesNotLast},
		{"a new version arrives by force-sync or when the interval is over", aNewVersionArrivesByForcesyncOrWhenTheIntervalIsOver},
		{"deleting it takes the Secret along", deletingItTakesTheSecretAlong},
		{"Merge without a target is Ready and does nothing", mergeWithoutATargetIsReadyAndDoesNothing},
		{"deletionPolicy Delete takes the Secret when the entry goes, and stays green", deletionPolicyDeleteTakesTheSecretWhenTheEntryGoesAndStaysGreen},
		{"with Retain an entry that is gone is an error and the Secret stays", withRetainAnEntryThatIsGoneIsAnErrorAndTheSecretStays},
		{"a key that names the mount is read all the same", aKeyThatNamesTheMountIsReadAllTheSame},
		{"a template is filled in, and fails on what was not fetched", aTemplateIsFilledInAndFailsOnWhatWasNotFetched},
		{"extract takes every property", extractTakesEveryProperty},
		{"a Secret of another ExternalSecret is left alone", aSecretOfAnotherExternalSecretIsLeftAlone},
		{"a target that is renamed leaves no orphan", aTargetThatIsRenamedLeavesNoOrphan},
	})
}

func aSecretMadeByHandIsAdoptedAndOverwritten(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "adopt")
	w.Apply(`{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: adopt}, stringData: {A: by hand, B: mine}}`)
	w.Apply(externalSecret("adopt", "s", "entry", "a", ""))
	w.Await(operators.ExternalSecrets, "adopt", "s", "synced", ready(synced))
	o := w.Get(operators.Secrets, "adopt", "s")
	want(t, "A", "one", value(o, "A"))
	want(t, "B", "", trial.String(o, "data", "B"))
	want(t, "owners", 1, len(o.GetOwnerReferences()))
}

func aManualEditDoesNotLast(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "edit")
	w.Apply(externalSecret("edit", "s", "entry", "a", ""))
	w.Await(operators.Secrets, "edit", "s", "synced", holding("A", "one"))
	w.Patch(operators.Secrets, "edit", "s", `{"stringData":{"A":"edited"}}`)
	w.Await(operators.Secrets, "edit", "s", "reverted", holding("A", "one"))
}

func aNewVersionArrivesByForcesyncOrWhenTheIntervalIsOver(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "refresh")
	put(t, e.sandbox, "moving", map[string]any{"a": "v1"})
	w.Apply(externalSecret("refresh", "s", "moving", "a", ""))
	es := w.Await(operators.ExternalSecrets, "refresh", "s", "synced", ready(synced))
	before := trial.String(es, "status", "syncedResourceVersion")
	want(t, "generation in syncedResourceVersion", fmt.Sprint(es.GetGeneration()), strings.Split(before, "-")[0])
	put(t, e.sandbox, "moving", map[string]any{"a": "v2"})
	w.Patch(operators.ExternalSecrets, "refresh", "s", `{"metadata":{"annotations":{"force-sync":"1"}}}`)
	w.Await(operators.Secrets, "refresh", "s", "at v2", holding("A", "v2"))
	put(t, e.sandbox, "moving", map[string]any{"a": "v3"})
	e.clock.forward(61 * time.Minute)
	w.Await(operators.Secrets, "refresh", "s", "at v3", holding("A", "v3"))
}

func deletingItTakesTheSecretAlong(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "owner")
	w.Apply(externalSecret("owner", "s", "entry", "a", ""))
	es := w.Await(operators.ExternalSecrets, "owner", "s", "synced", ready(synced))
	want(t, "finalizers", "externalsecrets.external-secrets.io/externalsecret-cleanup", strings.Join(es.GetFinalizers(), ","))
	w.Delete(operators.ExternalSecrets, "owner", "s")
	w.Gone(operators.ExternalSecrets, "owner", "s")
	w.Gone(operators.Secrets, "owner", "s")
}

func mergeWithoutATargetIsReadyAndDoesNothing(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "merge")
	w.Apply(externalSecret("merge", "s", "entry", "a", "creationPolicy: Merge"))
	w.Await(operators.ExternalSecrets, "merge", "s", "green", ready("True|SecretMissing|secret will not be created due to CreationPolicy=Merge"))
	w.Apply(`{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: merge}, stringData: {B: mine}}`)
	o := w.Await(operators.Secrets, "merge", "s", "merged", holding("A", "one"))
	want(t, "B", "mine", value(o, "B"))
	want(t, "owners", 0, len(o.GetOwnerReferences()))
}

func deletionPolicyDeleteTakesTheSecretWhenTheEntryGoesAndStaysGreen(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "del")
	put(t, e.sandbox, "leaving", map[string]any{"a": "here"})
	w.Apply(externalSecret("del", "s", "leaving", "a", "deletionPolicy: Delete"))
	w.Await(operators.ExternalSecrets, "del", "s", "synced", ready(synced))
	if _, err := e.sandbox.Vault().Do("DELETE", "", e.sandbox.Place().Cluster+"/data/leaving", nil); err != nil {
		t.Fatal(err)
	}
	w.Patch(operators.ExternalSecrets, "del", "s", `{"metadata":{"annotations":{"force-sync":"1"}}}`)
	w.Await(operators.ExternalSecrets, "del", "s", "green", ready("True|SecretDeleted|secret deleted due to DeletionPolicy=Delete"))
	w.Gone(operators.Secrets, "del", "s")
	want(t, "type of the event", "Normal", trial.String(w.Event("del", "s", "MissingProviderSecret", ""), "type"))
}

func withRetainAnEntryThatIsGoneIsAnErrorAndTheSecretStays(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "retain")
	w.Apply(externalSecret("retain", "s", "schmetterpause/data/cicd-test2", "a", ""))
	w.Await(operators.ExternalSecrets, "retain", "s", "failed", ready(refused))
	w.Event("retain", "s", "UpdateFailed", "Secret does not exist")
}

func aKeyThatNamesTheMountIsReadAllTheSame(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "mount")
	w.Apply(externalSecret("mount", "s", "cicd-test2/data/entry", "nested.b", ""))
	w.Await(operators.Secrets, "mount", "s", "synced", holding("A", "two"))
}

func aTemplateIsFilledInAndFailsOnWhatWasNotFetched(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "template")
	w.Apply(externalSecret("template", "good", "entry", "a", `template: {type: kubernetes.io/basic-auth, data: {username: "{{ .A }}", password: "{{ .A | b64enc }}"}}`))
	w.Apply(externalSecret("template", "bad", "entry", "a", `template: {data: {x: "{{ .B }}"}}`))
	o := w.Await(operators.Secrets, "template", "good", "synced", holding("username", "one"))
	want(t, "type", "kubernetes.io/basic-auth", trial.String(o, "type"))
	want(t, "password", "b25l", value(o, "password"))
	w.Await(operators.ExternalSecrets, "template", "bad", "failed", ready("False|SecretSyncedError|could not update secret"))
	w.Event("template", "bad", "UpdateFailed", `map has no entry for key "B"`)
}

func extractTakesEveryProperty(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "extract")
	put(t, e.sandbox, "whole", map[string]any{"x": "1", "y": "2"})
	w.Apply(`
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: s, namespace: extract}
spec:
  secretStoreRef: {kind: ClusterSecretStore, name: vault-cicd-test2}
  dataFrom: [{extract: {key: whole}}]
`)
	o := w.Await(operators.Secrets, "extract", "s", "synced", holding("x", "1"))
	want(t, "y", "2", value(o, "y"))
}

func aSecretOfAnotherExternalSecretIsLeftAlone(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "two")
	w.Apply(externalSecret("two", "first", "entry", "a", "name: shared"))
	w.Await(operators.ExternalSecrets, "two", "first", "synced", ready(synced))
	w.Apply(externalSecret("two", "second", "entry", "a", "name: shared"))
	w.Await(operators.ExternalSecrets, "two", "second", "failed", ready("False|SecretSyncedError|target is owned by another ExternalSecret"))
}

func aTargetThatIsRenamedLeavesNoOrphan(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "rename")
	w.Apply(externalSecret("rename", "s", "entry", "a", "name: old"))
	w.Await(operators.Secrets, "rename", "old", "synced", holding("A", "one"))
	w.Patch(operators.ExternalSecrets, "rename", "s", `{"spec":{"target":{"name":"new"}}}`)
	w.Await(operators.Secrets, "rename", "new", "synced", holding("A", "one"))
	w.Gone(operators.Secrets, "rename", "old")
}

// store applies a ClusterSecretStore that leads to the sandbox's Vault.
func store(e env, w *trial.World, name, auth, more string) {
	w.Apply(fmt.Sprintf(`
apiVersion: external-secrets.io/v1
kind: ClusterSecretStore
metadata: {name: %s}
spec:
  provider: {vault: {server: %q, path: cicd-test2, version: v2, auth: {%s}}}
  %s
`, name, e.sandbox.VaultAddr(), auth, more))
}

// uses is an ExternalSecret that reads through a store; cluster before its name makes it a ClusterSecretStore.
func uses(ns, kind, name string) string {
	return fmt.Sprintf(`
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: s, namespace: %s}
spec:
  secretStoreRef: {%sname: %s}
  data: [{secretKey: A, remoteRef: {key: entry, property: a}}]
`, ns, kind, name)
}

const cluster = "kind: ClusterSecretStore, "

func TestStores(t *testing.T) {
	e := world(t, sandbox.Options{})
	put(t, e.sandbox, "entry", map[string]any{"a": "one"})
	tell(t, e, []story{
		{"a role of Vault's Kubernetes method", aRoleOfVaultsKubernetesMethod},
		{"a token that Vault doesn't know", aTokenThatVaultDoesntKnow},
		{"a token Secret that is not there", aTokenSecretThatIsNotThere},
		{"credentials without a namespace are never tried", credentialsWithoutANamespaceAreNeverTried},
		{"a store that doesn't admit the namespace", aStoreThatDoesntAdmitTheNamespace},
		{"a reference without a kind means the namespace's own store", aReferenceWithoutAKindMeansTheNamespacesOwnStore},
	})
}

func aRoleOfVaultsKubernetesMethod(t *testing.T, e env) {
	w := e.world.For(t)
	for _, step := range []struct {
		path string
		data map[string]any
	}{
		{"sys/auth/cicd-test2", map[string]any{"type": "kubernetes"}},
		{"auth/cicd-test2/config", map[string]any{"kubernetes_host": "https://kubernetes.default.svc"}},
		{"auth/cicd-test2/role/reader", map[string]any{"bound_service_account_names": "eso", "bound_service_account_namespaces": "external-secrets", "token_policies": "external-secrets"}},
	} {
		if _, err := e.sandbox.Vault().Do("POST", "", step.path, step.data); err != nil {
			t.Fatal(err)
		}
	}
	w.Apply(`{apiVersion: v1, kind: ServiceAccount, metadata: {name: eso, namespace: external-secrets}}`)
	store(e, w, "by-role", "kubernetes: {mountPath: cicd-test2, role: reader, serviceAccountRef: {name: eso, namespace: external-secrets}}", "")
	w.Await(operators.ClusterStores, "", "by-role", "valid", ready("True|Valid|store validated"))
	namespace(w, "role")
	w.Apply(uses("role", cluster, "by-role"))
	w.Await(operators.Secrets, "role", "s", "synced", holding("A", "one"))
}

func aTokenThatVaultDoesntKnow(t *testing.T, e env) {
	w := e.world.For(t)
	w.Apply(`{apiVersion: v1, kind: Secret, metadata: {name: bad-token, namespace: external-secrets}, stringData: {token: hvs.nobody}}`)
	store(e, w, "bad", "tokenSecretRef: {name: bad-token, namespace: external-secrets, key: token}", "")
	w.Await(operators.ClusterStores, "", "bad", "refused", ready("False|InvalidProviderConfig|unable to validate store"))
	w.Event("default", "bad", "InvalidProviderConfig", "permission denied")
	namespace(w, "bad")
	w.Apply(uses("bad", cluster, "bad"))
	w.Event("bad", "s", "UpdateFailed", `ClusterSecretStore "bad" is not ready`)
}

func aTokenSecretThatIsNotThere(t *testing.T, e env) {
	w := e.world.For(t)
	store(e, w, "absent", "tokenSecretRef: {name: nowhere, namespace: external-secrets, key: token}", "")
	w.Await(operators.ClusterStores, "", "absent", "refused", ready("False|InvalidProviderConfig|unable to create client"))
}

func credentialsWithoutANamespaceAreNeverTried(t *testing.T, e env) {
	w := e.world.For(t)
	store(e, w, "referent", "tokenSecretRef: {name: nowhere, key: token}", "")
	w.Await(operators.ClusterStores, "", "referent", "valid without a login", ready("True|Valid|store validated"))
}

func aStoreThatDoesntAdmitTheNamespace(t *testing.T, e env) {
	w := e.world.For(t)
	store(e, w, "picky", "tokenSecretRef: {name: vault-token, namespace: external-secrets, key: token}", "conditions: [{namespaceSelector: {matchLabels: {team: a}}}]")
	w.Await(operators.ClusterStores, "", "picky", "valid", ready("True|Valid|store validated"))
	namespace(w, "picky")
	w.Apply(uses("picky", cluster, "picky"))
	w.Event("picky", "s", "UpdateFailed", `using cluster store "picky" is not allowed from namespace "picky": denied by spec.condition`)
	w.Patch(operators.Namespaces, "", "picky", `{"metadata":{"labels":{"team":"a"}}}`)
	w.Await(operators.Secrets, "picky", "s", "synced", holding("A", "one"))
}

func aReferenceWithoutAKindMeansTheNamespacesOwnStore(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "nokind")
	w.Apply(uses("nokind", "", "vault-cicd-test2"))
	w.Await(operators.ExternalSecrets, "nokind", "s", "failed", ready(refused))
	w.Event("nokind", "s", "UpdateFailed", `could not get SecretStore "vault-cicd-test2"`)
}
