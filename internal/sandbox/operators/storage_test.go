package operators_test

import (
	"strings"
	"testing"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
)

func claim(ns, name, class string) string {
	return in(ns, strings.ReplaceAll(strings.ReplaceAll(`
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: NAME, namespace: NS}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, CLASS}
`, "NAME", name), "CLASS", class))
}

func TestVolumes(t *testing.T) {
	e := world(t, sandbox.Options{})
	namespace(e.world, "vol")
	e.world.Apply(`
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: keep}
provisioner: openebs.io/local
reclaimPolicy: Retain
volumeBindingMode: Immediate
`)
	tell(t, e, []story{
		{"a claim without a consumer waits, and says so in a Normal event", aClaimWithoutAConsumerWaitsAndSaysSoInANormalEvent},
		{"without a class nothing binds", withoutAClassNothingBinds},
		{"a class that isn't there", aClassThatIsntThere},
		{"Retain leaves a released volume behind", retainLeavesAReleasedVolumeBehind},
		{"the policy that counts is the volume's, not the class's", theVolumesPolicyCounts},
		{"a pod whose claim is missing is not scheduled", aPodWhoseClaimIsMissingIsNotScheduled},
	})
}

func aClaimWithoutAConsumerWaitsAndSaysSoInANormalEvent(t *testing.T, e env) {
	w := e.world.For(t)
	w.Apply(claim("vol", "lonely", "volumeMode: Filesystem"))
	event := w.Event("vol", "lonely", "WaitForFirstConsumer", "waiting for first consumer to be created before binding")
	want(t, "type", "Normal", trial.String(event, "type"))
	want(t, "phase", "Pending", trial.String(w.Get(operators.Claims, "vol", "lonely"), "status", "phase"))
}

func withoutAClassNothingBinds(t *testing.T, e env) {
	w := e.world.For(t)
	w.Apply(claim("vol", "classless", `storageClassName: ""`))
	event := w.Event("vol", "classless", "FailedBinding", "no persistent volumes available for this claim and no storage class is set")
	want(t, "type", "Normal", trial.String(event, "type"))
}

func aClassThatIsntThere(t *testing.T, e env) {
	w := e.world.For(t)
	w.Apply(claim("vol", "nowhere", "storageClassName: gold"))
	w.Event("vol", "nowhere", "ProvisioningFailed", `storageclass.storage.k8s.io "gold" not found`)
}

func retainLeavesAReleasedVolumeBehind(t *testing.T, e env) {
	w := e.world.For(t)
	w.Apply(claim("vol", "kept", "storageClassName: keep"))
	o := w.Await(operators.Claims, "vol", "kept", "bound", func(o trial.Object) bool { return trial.String(o, "status", "phase") == "Bound" })
	volume := trial.String(o, "spec", "volumeName")
	want(t, "policy of the volume", "Retain", trial.String(w.Get(operators.Volumes, "", volume), "spec", "persistentVolumeReclaimPolicy"))
	w.Await(operators.Volumes, "", volume, "bound", func(o trial.Object) bool { return trial.String(o, "status", "phase") == "Bound" })
	w.Delete(operators.Claims, "vol", "kept")
	w.Gone(operators.Claims, "vol", "kept")
	w.Await(operators.Volumes, "", volume, "released", func(o trial.Object) bool { return trial.String(o, "status", "phase") == "Released" })
}

func theVolumesPolicyCounts(t *testing.T, e env) {
	w := e.world.For(t)
	w.Apply(claim("vol", "changed", "storageClassName: keep"))
	o := w.Await(operators.Claims, "vol", "changed", "bound", func(o trial.Object) bool { return trial.String(o, "status", "phase") == "Bound" })
	volume := trial.String(o, "spec", "volumeName")
	w.Await(operators.Volumes, "", volume, "bound", func(o trial.Object) bool { return trial.String(o, "status", "phase") == "Bound" })
	w.Patch(operators.Volumes, "", volume, `{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}`)
	w.Delete(operators.Claims, "vol", "changed")
	w.Gone(operators.Volumes, "", volume)
}

func aPodWhoseClaimIsMissingIsNotScheduled(t *testing.T, e env) {
	w := e.world.For(t)
	w.Apply(`
apiVersion: v1
kind: Pod
metadata: {name: stranded, namespace: vol}
spec:
  volumes: [{name: v, persistentVolumeClaim: {claimName: absent}}]
  containers: [{name: c, image: busybox}]
`)
	o := w.Await(operators.Pods, "vol", "stranded", "unschedulable", func(o trial.Object) bool { return trial.Condition(o, "PodScheduled") != "" })
	if got := trial.Condition(o, "PodScheduled"); !strings.HasPrefix(got, `False|Unschedulable|0/1 nodes are available: persistentvolumeclaim "absent" not found.`) {
		t.Errorf("PodScheduled: got %s", got)
	}
	w.Event("vol", "stranded", "FailedScheduling", `persistentvolumeclaim "absent" not found`)
}
