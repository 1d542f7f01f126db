package operators_test

import (
	"strings"
	"testing"
	"time"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
)

const missingImage = "registry.example.org/nothing:1"

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  replicas: 2
  progressDeadlineSeconds: 60
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "registry.example.org/web:1"}]
`

func rolledOut(n int64) func(trial.Object) bool {
	return func(o trial.Object) bool {
		return trial.Int(o, "status", "observedGeneration") == o.GetGeneration() && trial.Int(o, "status", "updatedReplicas") == n &&
			trial.Int(o, "status", "replicas") == n && trial.Int(o, "status", "availableReplicas") == n
	}
}

func TestWorkloads(t *testing.T) {
	e := world(t, sandbox.Options{MissingImages: []string{missingImage}})
	tell(t, e, []story{
		{"a rolling update replaces every pod and counts the revision", aRollingUpdateReplacesEveryPodAndCountsTheRevision},
		{"a rollout that stands still misses its deadline while the old pods serve", aRolloutThatStandsStillMissesItsDeadlineWhileTheOldPodsServe},
		{"Recreate has no two generations side by side", recreateHasNoTwoGenerationsSideBySide},
		{"a pod that is deleted is replaced", aPodThatIsDeletedIsReplaced},
		{"a job that fails has FailureTarget before Failed", aJobThatFailsHasFailureTargetBeforeFailed},
		{"a container is told apart by what it misses", aContainerIsToldApartByWhatItMisses},
		{"a StatefulSet goes up in order with a claim for each", aStatefulSetGoesUpInOrderWithAClaimForEach},
		{"a crash keeps the log of the run before", aCrashKeepsTheLogOfTheRunBefore},
	})
}

func aRollingUpdateReplacesEveryPodAndCountsTheRevision(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "rolling")
	w.Apply(in("rolling", deployment))
	w.Await(operators.Deployments, "rolling", "web", "rolled out", rolledOut(2))
	w.Patch(operators.Deployments, "rolling", "web", `{"spec":{"template":{"metadata":{"annotations":{"v":"2"}}}}}`)
	d := w.Await(operators.Deployments, "rolling", "web", "rolled out again", func(o trial.Object) bool {
		return rolledOut(2)(o) && o.GetAnnotations()["deployment.kubernetes.io/revision"] == "2" &&
			strings.HasPrefix(trial.Condition(o, "Progressing"), "True|NewReplicaSetAvailable|")
	})
	want(t, "Available", "True|MinimumReplicasAvailable|Deployment has minimum availability.", trial.Condition(d, "Available"))
	want(t, "ReplicaSets kept for going back", 2, len(w.List(operators.ReplicaSets, "rolling")))
}

func aRolloutThatStandsStillMissesItsDeadlineWhileTheOldPodsServe(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "stuck")
	w.Apply(in("stuck", deployment))
	w.Await(operators.Deployments, "stuck", "web", "rolled out", rolledOut(2))
	w.Patch(operators.Deployments, "stuck", "web", `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"`+missingImage+`"}]}}}}`)
	pod := w.Find(operators.Pods, "stuck", "backs off", waits("ImagePullBackOff"))
	want(t, "message", `ImagePullBackOff|Back-off pulling image "`+missingImage+`"`, trial.Waiting(pod))
	w.Event("stuck", pod.GetName(), "Failed", "Error: ErrImagePull")
	w.Await(operators.Deployments, "stuck", "web", "at the new generation", func(o trial.Object) bool {
		return trial.Int(o, "status", "observedGeneration") == o.GetGeneration() && trial.Int(o, "status", "unavailableReplicas") > 0
	})
	e.clock.forward(2 * time.Minute)
	d := w.Await(operators.Deployments, "stuck", "web", "given up", func(o trial.Object) bool {
		return strings.Contains(trial.Condition(o, "Progressing"), "ProgressDeadlineExceeded")
	})
	if got := trial.Condition(d, "Available"); !strings.HasPrefix(got, "True|") {
		t.Errorf("Available: want True from the old pods, got %s", got)
	}
}

func recreateHasNoTwoGenerationsSideBySide(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "recreate")
	w.Apply(strings.Replace(in("recreate", deployment), "replicas: 2", "replicas: 1\n  strategy: {type: Recreate}", 1))
	before := w.Await(operators.Deployments, "recreate", "web", "rolled out", rolledOut(1))
	w.Patch(operators.Deployments, "recreate", "web", `{"spec":{"template":{"metadata":{"annotations":{"v":"2"}}}}}`)
	w.Saw(operators.Deployments, before, "down in between", func(o trial.Object) bool { return !trial.Available(o) })
	w.Await(operators.Deployments, "recreate", "web", "rolled out again", rolledOut(1))
	want(t, "pods", 1, len(w.List(operators.Pods, "recreate")))
}

func aPodThatIsDeletedIsReplaced(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "replaced")
	w.Apply(strings.Replace(in("replaced", deployment), "replicas: 2", "replicas: 1", 1))
	w.Await(operators.Deployments, "replaced", "web", "rolled out", rolledOut(1))
	old := w.List(operators.Pods, "replaced")[0]
	w.Delete(operators.Pods, "replaced", old.GetName())
	w.Find(operators.Pods, "replaced", "is another and ready", func(o trial.Object) bool {
		return o.GetUID() != old.GetUID() && trial.Ready(o)
	})
}

func aJobThatFailsHasFailureTargetBeforeFailed(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "jobs")
	w.Apply(in("jobs", `
apiVersion: batch/v1
kind: Job
metadata: {name: broken, namespace: NS}
spec:
  backoffLimit: 1
  template:
    spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: [sh, -c, exit 3]}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: sound, namespace: NS}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}
`))
	target := w.Await(operators.Jobs, "jobs", "broken", "a failure", func(o trial.Object) bool { return trial.Condition(o, "FailureTarget") != "" })
	want(t, "FailureTarget", "True|BackoffLimitExceeded|Job has reached the specified backoff limit", trial.Condition(target, "FailureTarget"))
	broken := w.Await(operators.Jobs, "jobs", "broken", "failed", func(o trial.Object) bool { return trial.Condition(o, "Failed") != "" })
	want(t, "Failed", "True|BackoffLimitExceeded|Job has reached the specified backoff limit", trial.Condition(broken, "Failed"))
	want(t, "failed pods", int64(2), trial.Int(broken, "status", "failed"))
	sound := w.Await(operators.Jobs, "jobs", "sound", "complete", func(o trial.Object) bool { return trial.Condition(o, "Complete") != "" })
	want(t, "succeeded pods", int64(1), trial.Int(sound, "status", "succeeded"))
}

func aContainerIsToldApartByWhatItMisses(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "config")
	w.Apply(in("config", `
apiVersion: v1
kind: Secret
metadata: {name: half, namespace: NS}
stringData: {A: a}
---
apiVersion: v1
kind: Pod
metadata: {name: key, namespace: NS}
spec:
  containers:
    - name: c
      image: busybox
      env: [{name: B, valueFrom: {secretKeyRef: {name: half, key: B}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: map, namespace: NS}
spec: {containers: [{name: c, image: busybox, envFrom: [{configMapRef: {name: none}}]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: mount, namespace: NS}
spec:
  volumes: [{name: v, secret: {secretName: none}}]
  containers: [{name: c, image: busybox, volumeMounts: [{name: v, mountPath: /v}]}]
---
apiVersion: v1
kind: Pod
metadata: {name: optional, namespace: NS}
spec: {containers: [{name: c, image: busybox, envFrom: [{secretRef: {name: none, optional: true}}]}]}
`))
	for pod, message := range map[string]string{
		"key": "couldn't find key B in Secret config/half", "map": `configmap "none" not found`,
	} {
		o := w.Await(operators.Pods, "config", pod, "a configuration error", waits("CreateContainerConfigError"))
		want(t, pod, "CreateContainerConfigError|"+message, trial.Waiting(o))
	}
	w.Event("config", "mount", "FailedMount", `MountVolume.SetUp failed for volume "v" : secret "none" not found`)
	w.Await(operators.Pods, "config", "optional", "ready", trial.Ready)
	w.Patch(operators.Secrets, "config", "half", `{"stringData":{"B":"b"}}`)
	w.Await(operators.Pods, "config", "key", "ready", trial.Ready)
}

func aStatefulSetGoesUpInOrderWithAClaimForEach(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "stateful")
	w.Apply(in("stateful", `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store, namespace: NS}
spec:
  replicas: 2
  serviceName: store
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store}}
    spec: {containers: [{name: c, image: busybox}]}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`))
	w.Await(operators.StatefulSets, "stateful", "store", "ready", func(o trial.Object) bool { return trial.Int(o, "status", "readyReplicas") == 2 })
	for _, claim := range []string{"data-store-0", "data-store-1"} {
		want(t, claim, "Bound", trial.String(w.Get(operators.Claims, "stateful", claim), "status", "phase"))
	}
}

func aCrashKeepsTheLogOfTheRunBefore(t *testing.T, e env) {
	w := e.world.For(t)
	namespace(w, "crash")
	w.Apply(in("crash", `
apiVersion: v1
kind: Pod
metadata: {name: app, namespace: NS}
spec:
  containers:
    - name: app
      image: ghcr.io/stuttgart-things/schmetterpause:1
      terminationMessagePolicy: FallbackToLogsOnError
      env: [{name: SP_SESSION_KEY, value: " tooshort "}]
`))
	pod := w.Await(operators.Pods, "crash", "app", "crash-looping", waits("CrashLoopBackOff|back-off "))
	statuses := pod.Object["status"].(map[string]any)["containerStatuses"].([]any)
	m := statuses[0].(map[string]any)["lastState"].(map[string]any)["terminated"].(map[string]any)
	want(t, "last words", "SP_SESSION_KEY is 8 characters, at least 32 are required", m["message"])
}
