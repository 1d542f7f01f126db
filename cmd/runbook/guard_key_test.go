package main

import (
	"os"
	"path/filepath"
	"testing"

	"runbook/internal/guard"
)

// keysFile is a local file with the keys of an entry.
func keysFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "entry.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheLessUsualWaysToASessionKeyAreSeenToo goes on where the rows of the
// usual ways end: the numbers are those of docs/guards.md.
func TestTheLessUsualWaysToASessionKeyAreSeenToo(t *testing.T) {
	t.Parallel()
	newDesk(t, "deployed").walk(t, []row{
		{"2 from a file without it", sh(`vault kv put "$CLUSTER/schmetterpause" @` + keysFile(t, `{"password": "x"}`)), guard.VaultEntry, "replaces the whole entry and drops the session key", "version 1", rotate},
		{"2 from a file with it", sh(`vault kv put "$CLUSTER/schmetterpause" @` + keysFile(t, `{"session-key": "x"}`)), guard.VaultEntry, "overwrites the session key", "version 1", rotate},
		{"2 from standard input", sh(`cat values.json | vault kv put "$CLUSTER/schmetterpause" -`), guard.VaultEntry, "drops, unless what it reads names it,", "version 1", rotate},
		{"2 that only creates", sh(`vault kv put -cas=0 "$CLUSTER/schmetterpause" password=x`), "", "", "", ""},
		{"3 by reading and writing", sh(`vault kv patch -method=rw "$CLUSTER/schmetterpause" session-key=x`), guard.VaultEntry, "changes the session key", "version 1", rotate},
		{"8 a merging request", sh(`curl -X PATCH -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/$CLUSTER/data/schmetterpause" -d @x.json`), guard.VaultEntry, "the session key", "version 1", rotate},
		{"8 a request that deletes", sh(`curl -X DELETE -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/$CLUSTER/metadata/schmetterpause"`), guard.VaultEntry, "deletes the Vault entry", "all versions", "cicd-test2/schmetterpause"},
		{"9 remounted", sh(`vault write sys/remount from="$CLUSTER" to=old`), guard.VaultEntry, "moves the mount away, if it is the one,", "move it back", itsID},
		{"9 the mount by its path", sh(`vault delete "sys/mounts/$CLUSTER"`), guard.VaultEntry, "deletes the mount", "still has it", "cicd-test2"},
		{"9 the mount by a request", sh(`curl -X DELETE -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/sys/mounts/cicd-test2"`), guard.VaultEntry, "deletes the mount", "still has it", itsID},
		{"9 disabled and enabled", sh(`vault secrets disable "$CLUSTER"`, `vault secrets enable -path="$CLUSTER" -version=2 kv`), guard.VaultEntry, "deletes the mount", "still has it", "cicd-test2"},
		{"16 the store's manifest", applied("\napiVersion: external-secrets.io/v1\nkind: ClusterSecretStore\nmetadata: {name: vault-cicd-test2}\nspec: {provider: {vault: {server: 'https://other', path: x}}}"), guard.ExternalSecret, "changes the store behind", "old manifest", rotate},
		{"16 another version of the entry", applied(external("property: session-key", "property: session-key, version: '1'")), guard.ExternalSecret, "changes data of the ExternalSecret", "old manifest", rotate},
		{"18 no longer owned", applied(external("creationPolicy: Owner", "creationPolicy: Orphan")), guard.ExternalSecret, "changes target of the ExternalSecret", "old manifest", rotate},
		{"18 deleted with the entry", applied(external("deletionPolicy: Retain", "deletionPolicy: Delete")), guard.ExternalSecret, "changes target of the ExternalSecret", "old manifest", rotate},
		{"20 rendered and applied", sh(`helm template web ./chart | kubectl apply -f -`), "", "can't tell whether it changes the session key", "", itsID},
	})
}

func TestTheLessUsualWaysToASecretThatWasMadeByHandAreSeenToo(t *testing.T) {
	t.Parallel()
	newDesk(t, "deployed-ordinary").walk(t, []row{
		{"10 a merge patch with null", sh(`kubectl -n schmetterpause patch secret schmetterpause-app -p '{"data":{"SP_SESSION_KEY":null}}'`), guard.Secret, "overwrites the Secret", "no other place", rotate},
		{"10 an editor", sh(`kubectl -n schmetterpause edit secret schmetterpause-app`), guard.Secret, "overwrites the Secret", "no other place", rotate},
		{"10 a request that replaces", sh(`kubectl replace --raw /api/v1/namespaces/schmetterpause/secrets/schmetterpause-app -f x.json`), guard.Secret, "overwrites the Secret", "no other place", rotate},
		{"10 a request that deletes", sh(`kubectl delete --raw /api/v1/namespaces/schmetterpause/secrets/schmetterpause-app`), guard.Secret, "deletes the Secret", "no other place", itsID},
		{"12 created again after it was deleted", sh(`kubectl delete ns schmetterpause`, `kubectl create ns schmetterpause`, `kubectl -n schmetterpause create secret generic schmetterpause-app --from-literal=SP_SESSION_KEY="$(openssl rand -base64 32)"`), guard.Secret, "makes anew the Secret that it has deleted", "no other place", rotate},
		{"25 another key of the Secret", applied(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: schmetterpause, namespace: schmetterpause}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: schmetterpause}}
  template:
    metadata: {labels: {app.kubernetes.io/name: schmetterpause}}
    spec: {containers: [{name: schmetterpause, image: x, env: [{name: SP_SESSION_KEY, valueFrom: {secretKeyRef: {name: other, key: x}}}]}]}`), guard.Process, "changes where SP_SESSION_KEY of the pods comes from", "old manifest", rotate},
		{"25 a patch of the environment", sh(`kubectl -n schmetterpause patch deployment schmetterpause -p '{"spec":{"template":{"spec":{"containers":[{"name":"schmetterpause","env":[{"name":"SP_SESSION_KEY","value":"x"}]}]}}}}'`), guard.Process, "changes where SP_SESSION_KEY of the pods comes from", "undo", rotate},
	})
}

func TestAMergedEntryTakesItsKeyFromTheSecret(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed")
	d.kubectl(t, "-n", "schmetterpause", "patch", "externalsecret", "schmetterpause-app", "--type=merge", "-p", `{"spec":{"target":{"deletionPolicy":"Merge","creationPolicy":"Merge"}}}`)
	d.walk(t, []row{
		{"18 merged", sh(`vault kv metadata delete "$CLUSTER/schmetterpause"`), guard.VaultEntry, "the key goes from the Secret within 1h (deletionPolicy Merge)", "all versions", "cicd-test2/schmetterpause"},
	})
}
