package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"runbook/internal/dig"
	"runbook/internal/sandbox/kube"
	"runbook/internal/world"
)

const shop = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`

func definition(kind, plural, group string, namespaced bool) string {
	scope := "Cluster"
	if namespaced {
		scope = "Namespaced"
	}
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]s.%[3]s}
spec:
  group: %[3]s
  scope: %[4]s
  names: {kind: %[1]s, plural: %[2]s, singular: %[5]s}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`, kind, plural, group, scope, strings.ToLower(kind))
}

func TestAnObjectIsFollowedFromAbsenceToItsEnd(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	ref := world.NewRef("cm", "", "shop", "settings")
	_, d := b.watch("admin", patient, ref)
	d.until("absence", ref, is(world.Gone))
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {b: '1', a: '2'}")
	o := d.until("the object", ref, is(world.Present))
	if got := fmt.Sprint(o.Kind, o.Keys); got != "ConfigMap[a b]" {
		t.Errorf("got %s", got)
	}
	if o.Seen.IsZero() || o.ServerTime.IsZero() {
		t.Errorf("a fact without a time: %+v", o.Fact)
	}
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {c: ''}")
	d.until("the change", ref, func(o world.Object) bool { return fmt.Sprint(o.Keys) == "[c]" })
	b.remove("ConfigMap", "", "shop", "settings")
	d.until("the end", ref, is(world.Gone))
}

func TestNoValueOfASecretIsKept(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply(`
apiVersion: v1
kind: Secret
metadata:
  name: db
  namespace: shop
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"password":"marked-value"}}'
    kapp.k14s.io/original: '{"stringData":{"password":"marked-value"}}'
    harmless: note
stringData: {password: marked-value, username: marked-value}
`)
	ref := world.NewRef("secret", "", "shop", "db")
	list := world.NewRef("secret", "", "shop", "")
	_, d := b.watch("admin", patient, ref, list)
	o := d.until("the Secret", ref, is(world.Present))
	all := d.until("the list", list, is(world.Present))
	for _, o := range []world.Object{o, all} {
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []string{"marked-value", "bWFya2VkLXZhbHVl"} {
			if strings.Contains(string(text), value) || strings.Contains(fmt.Sprintf("%+v", o), value) {
				t.Errorf("the value got out: %s", text)
			}
		}
	}
	if got := fmt.Sprint(o.Keys); got != "[password username]" {
		t.Errorf("keys: got %s", got)
	}
	if dig.Text(o.Body, "metadata", "annotations", "harmless") != "note" {
		t.Error("an annotation that harms nobody is gone")
	}
}

func TestOnlyWhatIsWantedIsAskedFor(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}")
	ref := world.NewRef("cm", "", "shop", "settings")
	_, d := b.watch("admin", patient, ref)
	d.until("the object", ref, is(world.Present))
	for _, r := range b.gate.requests() {
		if !strings.Contains(r.URL.Path, "/namespaces/") {
			continue // discovery
		}
		fields := r.URL.Query().Get("fieldSelector")
		if fields != "metadata.name=settings" && fields != "involvedObject.kind=ConfigMap,involvedObject.name=settings" {
			t.Errorf("asked for more than was wanted: %s", r.URL)
		}
	}
}

func TestWhatBelongsToAnObjectComesWithIt(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply(definition("ExternalSecret", "externalsecrets", "external-secrets.io", true))
	b.apply(definition("ClusterSecretStore", "clustersecretstores", "external-secrets.io", false))
	b.apply(`
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: app, namespace: shop}
spec: {secretStoreRef: {name: east, kind: ClusterSecretStore}, target: {name: app-secret}, data: [{secretKey: A, remoteRef: {key: shop, property: a}}]}
status: {syncedResourceVersion: 1-aa, conditions: [{type: Ready, status: "True", reason: SecretSynced, message: secret synced}]}
`)
	ref := world.NewRef("es", "", "shop", "app")
	_, d := b.watch("admin", patient, ref)
	verdict := func(a world.Answer, why string) func(world.Object) bool {
		return func(o world.Object) bool {
			v := world.Judge(o, time.Now())
			return v.Answer == a && strings.Contains(v.Why, why)
		}
	}
	d.until("the missing Secret", ref, verdict(world.DoesNot, "its secret app-secret does not exist"))
	b.apply("apiVersion: v1\nkind: Secret\nmetadata: {name: app-secret, namespace: shop}\nstringData: {A: x}")
	d.until("readiness", ref, verdict(world.Holds, ""))
	b.apply(`
apiVersion: v1
kind: Event
metadata: {name: app.1, namespace: shop}
type: Warning
reason: UpdateFailed
message: 'error processing spec.data[0] (key: shop), err: cannot find secret data for key: "a"'
involvedObject: {apiVersion: external-secrets.io/v1, kind: ExternalSecret, name: app, namespace: shop}
lastTimestamp: "2026-08-22T10:05:00Z"
count: 6
---
apiVersion: v1
kind: Event
metadata: {name: app.2, namespace: shop}
type: Normal
reason: Created
message: older, and about a namesake
involvedObject: {apiVersion: external-secrets.io/v1, kind: ExternalSecret, name: app, namespace: shop, uid: somebody-else}
lastTimestamp: "2026-08-22T10:06:00Z"
`)
	o := d.until("the event and the store", ref, func(o world.Object) bool {
		return len(o.Events) > 0 && len(o.Related) == 2 && o.Related[1].Presence != world.Asking
	})
	if len(o.Events) != 1 || o.Events[0].Reason != "UpdateFailed" || o.Events[0].Count != 6 {
		t.Errorf("events: got %+v", o.Events)
	}
	if len(o.Related) != 2 || o.Related[1].Ref.Kind != "clustersecretstore" || o.Related[1].Presence != world.Gone {
		t.Errorf("related: got %+v", o.Related)
	}
}

func TestADeploymentIsExplainedByItsOwnPods(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	replicas := func(name string) string {
		b.apply(fmt.Sprintf(`
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: %s, namespace: shop}
spec: {replicas: 0, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: x}]}}}
`, name))
		at, _ := b.resource("ReplicaSet", "apps")
		o, err := at.Namespace("shop").Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return string(o.GetUID())
	}
	pod := func(name, owner, reason string) string {
		return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata:
  name: %[1]s
  namespace: shop
  labels: {app: web}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: %[2]s, uid: %[4]s, controller: true}]
spec: {containers: [{name: app, image: x}]}
status: {phase: Pending, containerStatuses: [{name: app, image: x, imageID: "", ready: false, restartCount: 0, state: {waiting: {reason: %[3]s}}}]}
`, name, owner, reason, replicas(owner))
	}
	b.apply(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: x}]}}
status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1}
`)
	ref := world.NewRef("deploy", "", "shop", "web")
	_, d := b.watch("admin", patient, ref)
	d.until("a Deployment without pods", ref, func(o world.Object) bool { return len(o.Related) == 1 && o.Related[0].Presence == world.Gone })
	b.apply(pod("stranger", "other-1", "ErrImagePull"))
	b.apply(pod("web-1-a", "web-1", "ImagePullBackOff"))
	o := d.until("the pod", ref, func(o world.Object) bool {
		return strings.Contains(world.Judge(o, time.Now()).Why, "pod web-1-a: container app: ImagePullBackOff")
	})
	if len(o.Related) != 1 {
		t.Errorf("a stranger's pod is taken for its own: %+v", o.Related)
	}
}

func TestAKindMayComeAndGoUnderTheWatch(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	ref := world.NewRef("widget", "", "shop", "w")
	_, d := b.watch("admin", patient, ref)
	o := d.until("the missing kind", ref, is(world.NoKind))
	if !strings.Contains(o.Why, "is its CRD installed?") {
		t.Errorf("why: got %q", o.Why)
	}
	b.apply(definition("Widget", "widgets", "example.org", true))
	d.until("the kind", ref, is(world.Gone))
	b.apply("apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}")
	d.until("the object", ref, is(world.Present))
	b.remove("CustomResourceDefinition", "apiextensions.k8s.io", "", "widgets.example.org")
	d.until("the kind's end", ref, is(world.NoKind))
}

func TestAKindInTwoGroupsSaysWhichIsMeant(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply(definition("Cluster", "clusters", "aaa.example.org", true))
	b.apply(definition("Cluster", "clusters", "postgresql.cnpg.io", true))
	b.apply("apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: db, namespace: shop}")
	ref, other := world.NewRef("cluster", "", "shop", "db"), world.NewRef("cluster", "aaa.example.org", "shop", "db")
	_, d := b.watch("admin", patient, ref, other)
	o := d.until("the cluster", ref, is(world.Present))
	if o.Group != "postgresql.cnpg.io" || !strings.Contains(o.Note, "there is also clusters.aaa.example.org") {
		t.Errorf("got group %s, note %q", o.Group, o.Note)
	}
	d.until("the other group's absence", other, is(world.Gone))
}

const viewing = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: view, namespace: shop}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [%s]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: view, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: view}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: viewer}]
`

func TestAForbiddenObjectIsHiddenUntilItMayBeRead(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}")
	ref := world.NewRef("cm", "", "shop", "settings")
	_, d := b.watch("viewer", hasty, ref)
	o := d.until("the refusal", ref, is(world.Hidden))
	if o.Why != "you may not read configmap settings in namespace shop" {
		t.Errorf("why: got %q", o.Why)
	}
	b.apply(fmt.Sprintf(viewing, "get, list, watch"))
	d.until("the permission", ref, is(world.Present))
	// The open watch would go on; only asking again shows the loss.
	b.remove("RoleBinding", "rbac.authorization.k8s.io", "shop", "view")
	o = d.until("the loss", ref, is(world.Hidden))
	if o.Body != nil {
		t.Error("what may not be read any more is still shown")
	}
}

func TestWhatMayOnlyBeReadIsPolled(t *testing.T) {
	for _, verbs := range []string{"get", "get, list"} {
		b := newBench(t)
		b.apply(shop)
		b.apply(fmt.Sprintf(viewing, verbs))
		ref := world.NewRef("cm", "", "shop", "settings")
		_, d := b.watch("viewer", patient, ref)
		d.until("absence", ref, is(world.Gone))
		b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}")
		d.until("the object", ref, is(world.Present))
	}
}

func TestALostConnectionIsSaidAndHeals(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}")
	ref := world.NewRef("cm", "", "shop", "settings")
	_, d := b.watch("admin", patient, ref)
	seen := d.until("the object", ref, is(world.Present)).Seen
	b.gate.set(refuse)
	o := d.until("the loss", ref, func(o world.Object) bool { return o.Stale })
	if o.Presence != world.Present || o.Body == nil || o.Why == "" {
		t.Errorf("what was last known is lost: %+v", o)
	}
	if o.StaleSince.Before(seen) || !o.Seen.Equal(seen) && o.Seen.After(o.StaleSince) {
		t.Errorf("stale since %s, seen %s, first seen %s", o.StaleSince, o.Seen, seen)
	}
	if v := world.Judge(o, time.Now()); v.Answer != world.CantTell {
		t.Errorf("a stale object is judged: %+v", v)
	}
	b.remove("ConfigMap", "", "shop", "settings") // while nobody looks
	b.gate.set(nil)
	d.until("the truth", ref, is(world.Gone))
}

func TestAServerThatNeverAnsweredHidesEverything(t *testing.T) {
	b := newBench(t)
	b.gate.set(refuse)
	ref := world.NewRef("cm", "", "shop", "settings")
	_, d := b.watch("admin", patient, ref)
	o := d.until("the reason", ref, is(world.Hidden))
	if !strings.Contains(o.Why, "doesn't answer") {
		t.Errorf("why: got %q", o.Why)
	}
}

func TestAWatchThatFellBehindStartsOver(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	ref := world.NewRef("cm", "", "shop", "settings")
	expired := 0
	b.gate.set(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("watch") != "true" || strings.Contains(r.URL.Path, "events") {
			return false
		}
		if expired++; expired > 2 {
			return false
		}
		if expired == 1 {
			w.WriteHeader(http.StatusGone)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}`)
			return true
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}}`)
		return true
	})
	_, d := b.watch("admin", patient, ref)
	d.until("absence", ref, is(world.Gone))
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}")
	d.until("the object", ref, is(world.Present))
}

func TestARevokedLoginIsSaidAndNotInsistedOn(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	refs := []world.Ref{world.NewRef("cm", "", "shop", "a"), world.NewRef("cm", "", "shop", "b"), world.NewRef("cm", "", "shop", "c")}
	w, d := b.watch("admin", hasty, refs...)
	for _, ref := range refs {
		d.until("absence", ref, is(world.Gone))
	}
	b.kube.SetToken("admin", kube.User{Expires: time.Unix(1, 0)})
	for _, ref := range refs {
		if o := d.until("the refusal", ref, is(world.Hidden)); o.Why != loginAgain {
			t.Errorf("why: got %q", o.Why)
		}
	}
	before := len(b.gate.requests())
	d.until("another round", refs[0], func(world.Object) bool { d.mu.Lock(); defer d.mu.Unlock(); return d.updates > 20 })
	if after := len(b.gate.requests()); after > before+len(refs) {
		t.Errorf("asked %d more times with a refused login", after-before)
	}
	b.kube.SetToken("admin", adminUser)
	w.Refresh()
	for _, ref := range refs {
		d.until("the new login", ref, is(world.Gone))
	}
}

func TestAFailingLoginPluginIsNotRunForEveryRequest(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	runs := filepath.Join(t.TempDir(), "runs")
	plugin := fmt.Sprintf(`exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable, command: sh, args: [-c, "echo x >> %s; echo please run cloud login >&2; exit 1"]}`, runs)
	target, err := Load(kubeconfig(t, strings.Replace(fmt.Sprintf(twoContexts, b.secured()), "token: admin", plugin, 1)), "")
	if err != nil {
		t.Fatal(err)
	}
	refs := []world.Ref{world.NewRef("cm", "", "shop", "a"), world.NewRef("cm", "", "shop", "b"), world.NewRef("cm", "", "shop", "c")}
	d := &diary{t: t, dropped: map[world.Ref]bool{}, news: make(chan struct{}, 1)}
	w := Watch(target.Client(), hasty, d.take)
	defer w.Close()
	w.Want(refs)
	for _, ref := range refs {
		if o := d.until("the refusal", ref, is(world.Hidden)); !strings.Contains(o.Why, "please run cloud login") {
			t.Errorf("why: got %q", o.Why)
		}
	}
	d.until("more rounds", refs[0], func(world.Object) bool { d.mu.Lock(); defer d.mu.Unlock(); return d.updates > 20 })
	text, err := os.ReadFile(runs)
	if n := strings.Count(string(text), "x"); err != nil || n > 3 {
		t.Errorf("the plugin ran %d times, %v", n, err)
	}
}

func TestAgesComeFromTheServersClock(t *testing.T) {
	b := newBenchAt(t, func() time.Time { return time.Now().Add(time.Hour) })
	b.apply(shop)
	ref := world.NewRef("cm", "", "shop", "settings")
	_, d := b.watch("admin", patient, ref)
	o := d.until("absence", ref, is(world.Gone))
	if off := o.ServerTime.Sub(o.Seen); off < 59*time.Minute || off > 61*time.Minute {
		t.Errorf("the server is taken to be %s ahead", off)
	}
}

func TestGoingBackAndForthDropsNothing(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	a, z := world.NewRef("cm", "", "shop", "a"), world.NewRef("cm", "", "shop", "z")
	o := patient
	w, d := b.watch("admin", o, a)
	d.until("absence", a, is(world.Gone))
	w.Want([]world.Ref{z})
	w.Want([]world.Ref{a, z})
	d.until("absence", z, is(world.Gone))
	if d.dropped[a] {
		t.Error("dropped although it is wanted again")
	}
	asked := 0
	for _, r := range b.gate.requests() {
		if r.URL.Query().Get("fieldSelector") == "metadata.name=a" && r.URL.Query().Get("watch") == "" {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("listed %d times, want once", asked)
	}
}

func TestWhatNobodyWantsIsDropped(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	a := world.NewRef("cm", "", "shop", "a")
	o := patient
	o.Linger = time.Millisecond
	w, d := b.watch("admin", o, a)
	d.until("absence", a, is(world.Gone))
	w.Want(nil)
	d.until("the end", a, func(world.Object) bool { d.mu.Lock(); defer d.mu.Unlock(); return d.dropped[a] })
	if _, known := d.world.Objects[a]; known {
		t.Error("still in the world")
	}
}

func TestNothingIsReportedAfterClose(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	a := world.NewRef("cm", "", "shop", "a")
	w, d := b.watch("admin", hasty, a)
	d.until("absence", a, is(world.Gone))
	w.Close()
	before := d.updates
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}")
	w.Want([]world.Ref{a})
	w.Refresh()
	if d.updates != before {
		t.Errorf("%d updates after Close", d.updates-before)
	}
}

func TestAKindThatIsBeingSetUpIsWaitedFor(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	busy := 0
	b.gate.set(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/configmaps") || busy > 1 {
			return false
		}
		busy++
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","message":"storage is (re)initializing","code":429}`)
		return true
	})
	ref := world.NewRef("cm", "", "shop", "settings")
	_, d := b.watch("admin", patient, ref)
	d.until("absence", ref, is(world.Gone))
	for _, p := range d.seen[ref] {
		if p != world.Asking && p != world.Gone {
			t.Errorf("reported as %q in between", p)
		}
	}
}

// A watch that the server ends at once must not become a loop at full speed.
func TestAWatchThatEndsAtOnceIsNotBegunInALoop(t *testing.T) {
	o := Options{}.filled()
	for _, c := range []struct{ lived, want time.Duration }{
		{0, o.MinBackoff},
		{o.MinBackoff / 2, o.MinBackoff},
		{o.MinBackoff, 0},
		{o.Relist, 0},
	} {
		if got := o.rest(c.lived); got != c.want {
			t.Errorf("after %s: got %s, want %s", c.lived, got, c.want)
		}
	}
}

func TestFailuresAreTriedAgainMoreAndMoreSlowly(t *testing.T) {
	o := Options{}.filled()
	var got []time.Duration
	for n := 1; n < 8; n++ {
		got = append(got, backoff(o, n))
	}
	want := "[250ms 500ms 1s 2s 4s 5s 5s]"
	if fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
