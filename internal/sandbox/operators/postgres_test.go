package operators_test

import (
	"fmt"
	"strings"
	"testing"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
)

// credentials are an owner's Secret and the DSN that an application is given.
func credentials(ns, user, password, dsn string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: %s}
type: kubernetes.io/basic-auth
stringData: {username: %q, password: %q, SP_DATABASE_URL: %q}
`, ns, user, password, dsn)
}

const postgres = `
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: {name: pg, namespace: NS}
spec:
  instances: 1
  storage: {size: 1Gi}
  bootstrap: {initdb: {database: shop, owner: shop, secret: {name: db}}}
`

const client = `
apiVersion: v1
kind: Pod
metadata: {name: client, namespace: NS}
spec:
  restartPolicy: Always
  initContainers:
    - name: migrate
      image: ghcr.io/stuttgart-things/schmetterpause:1
      args: [migrate, up]
      terminationMessagePolicy: FallbackToLogsOnError
      env: [{name: SP_DATABASE_URL, valueFrom: {secretKeyRef: {name: db, key: SP_DATABASE_URL}}}]
  containers: [{name: app, image: busybox}]
`

func healthy(o trial.Object) bool {
	return trial.String(o, "status", "phase") == "Cluster in healthy state"
}

// lastWords is the message with which the migration ended the last time.
func lastWords(o trial.Object) string {
	status, _ := o.Object["status"].(map[string]any)
	list, _ := status["initContainerStatuses"].([]any)
	if len(list) == 0 {
		return ""
	}
	m, _ := list[0].(map[string]any)
	state, _ := m["lastState"].(map[string]any)
	terminated, _ := state["terminated"].(map[string]any)
	text, _ := terminated["message"].(string)
	return text
}

func TestPostgres(t *testing.T) {
	e := world(t, sandbox.Options{})
	tell(t, e, []story{
		{"a healthy cluster has its services, volume and status", aHealthyClusterHasItsServicesVolumeAndStatus},
		{"a Secret about somebody else makes a healthy cluster nobody can log in to", aSecretAboutSomebodyElseMakesAHealthyClusterNobodyCanLogInTo},
		{"a changed password is not seen without the label", aChangedPasswordIsNotSeenWithoutTheLabel},
		{"a password that takes the URL apart", aPasswordThatTakesTheURLApart},
		{"credentials of its own are made once", credentialsOfItsOwnAreMadeOnce},
	})
}

func aHealthyClusterHasItsServicesVolumeAndStatus(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "good")
	w.Apply(credentials("good", "shop", "pw", "postgres://shop:pw@pg-rw:5432/shop"))
	w.Apply(in("good", postgres))
	o := w.Await(operators.Clusters, "good", "pg", "healthy", healthy)
	want(t, "Ready", "True|ClusterIsReady|Cluster is Ready", trial.Condition(o, "Ready"))
	want(t, "currentPrimary", "pg-1", trial.String(o, "status", "currentPrimary"))
	want(t, "targetPrimary", "pg-1", trial.String(o, "status", "targetPrimary"))
	want(t, "readyInstances", int64(1), trial.Int(o, "status", "readyInstances"))
	for _, name := range []string{"pg-rw", "pg-r", "pg-ro"} {
		w.Get(operators.Services, "good", name)
	}
	w.Apply(in("good", client))
	w.Await(operators.Pods, "good", "client", "ready", trial.Ready)
	// Its data outlives the pod.
	old := w.Get(operators.Pods, "good", "pg-1")
	w.Delete(operators.Pods, "good", "pg-1")
	w.Await(operators.Pods, "good", "pg-1", "replaced", func(o trial.Object) bool { return o.GetUID() != old.GetUID() && trial.Ready(o) })
	w.Delete(operators.Pods, "good", "client")
	w.Gone(operators.Pods, "good", "client")
	w.Apply(in("good", client))
	w.Await(operators.Pods, "good", "client", "ready again", trial.Ready)
}

func aSecretAboutSomebodyElseMakesAHealthyClusterNobodyCanLogInTo(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "wrong")
	w.Apply(credentials("wrong", "store", "pw", "postgres://shop:pw@pg-rw:5432/shop"))
	w.Apply(in("wrong", postgres))
	w.Await(operators.Clusters, "wrong", "pg", "healthy", healthy)
	w.Apply(in("wrong", client))
	o := w.Await(operators.Pods, "wrong", "client", "denied", func(o trial.Object) bool { return strings.Contains(lastWords(o), "28P01") })
	if got := lastWords(o); !strings.Contains(got, "failed to connect to `user=shop database=shop`") || !strings.Contains(got, `password authentication failed for user "shop"`) {
		t.Errorf("last words: got %s", got)
	}
}

func aChangedPasswordIsNotSeenWithoutTheLabel(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "reload")
	w.Apply(credentials("reload", "shop", "old", "postgres://shop:new@pg-rw:5432/shop"))
	w.Apply(in("reload", postgres))
	w.Await(operators.Clusters, "reload", "pg", "healthy", healthy)
	w.Patch(operators.Secrets, "reload", "db", `{"stringData":{"password":"new"}}`)
	w.Apply(in("reload", client))
	w.Await(operators.Pods, "reload", "client", "denied", func(o trial.Object) bool { return strings.Contains(lastWords(o), "28P01") })
	w.Patch(operators.Secrets, "reload", "db", `{"metadata":{"labels":{"cnpg.io/reload":"true"}}}`)
	w.Await(operators.Pods, "reload", "client", "ready", trial.Ready)
}

func aPasswordThatTakesTheURLApart(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "url")
	w.Apply(credentials("url", "shop", "a/b", "postgres://shop:a/b@pg-rw:5432/shop"))
	w.Apply(in("url", client))
	w.Await(operators.Pods, "url", "client", "unable to parse", func(o trial.Object) bool { return strings.Contains(lastWords(o), "cannot parse `") })
}

func credentialsOfItsOwnAreMadeOnce(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "own")
	w.Apply(strings.Replace(in("own", postgres), ", secret: {name: db}", "", 1))
	w.Await(operators.Clusters, "own", "pg", "healthy", healthy)
	made := w.Get(operators.Secrets, "own", "pg-app")
	w.Patch(operators.Clusters, "own", "pg", `{"metadata":{"annotations":{"touched":"yes"}},"spec":{"instances":2}}`)
	w.Await(operators.Clusters, "own", "pg", "at two instances", func(o trial.Object) bool { return trial.Int(o, "status", "readyInstances") == 2 && healthy(o) })
	want(t, "password", value(made, "password"), value(w.Get(operators.Secrets, "own", "pg-app"), "password"))
}
