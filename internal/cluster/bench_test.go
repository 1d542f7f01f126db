package cluster

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"runbook/internal/sandbox/kube"
	"runbook/internal/world"
)

var (
	adminUser  = kube.User{Name: "admin", Groups: []string{"system:masters"}}
	viewerUser = kube.User{Name: "viewer", Groups: []string{"system:authenticated"}}
)

// A bench is an API server, a gate in front of it that can misbehave, and an
// administrator who gets past the gate.
type bench struct {
	testing.TB
	kube  *kube.Server
	gate  *gate
	url   string
	admin *Client
}

func newBench(t testing.TB) *bench { return newBenchAt(t, time.Now) }

// newBenchAt is a bench whose server has a clock of its own.
func newBenchAt(t testing.TB, now func() time.Time) *bench {
	server := kube.New(kube.Options{Now: now, Tokens: map[string]kube.User{
		"admin":  adminUser,
		"viewer": viewerUser,
	}})
	g := &gate{next: server}
	front, back := httptest.NewServer(g), httptest.NewServer(server)
	t.Cleanup(func() {
		server.Close()
		front.Close()
		back.Close()
	})
	b := &bench{TB: t, kube: server, gate: g, url: front.URL}
	b.admin = b.connect(back.URL, "admin")
	return b
}

func (b *bench) connect(url, token string) *Client {
	b.Helper()
	c, err := Connect(&rest.Config{Host: url, BearerToken: token})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// A gate passes requests on unless told otherwise.
type gate struct {
	next http.Handler

	mu    sync.Mutex
	rule  func(http.ResponseWriter, *http.Request) bool // true: it has answered
	asked []*http.Request
	cut   chan struct{} // closed to end running requests
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	if g.cut == nil {
		g.cut = make(chan struct{})
	}
	rule, cut := g.rule, g.cut
	g.asked = append(g.asked, r)
	g.mu.Unlock()
	if rule != nil && rule(w, r) {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	watching.Go(func() {
		select {
		case <-cut:
			cancel()
		case <-ctx.Done():
		}
	})
	g.next.ServeHTTP(w, r.WithContext(ctx))
	select {
	case <-cut:
		panic(http.ErrAbortHandler) // the connection breaks, it isn't closed in order
	default:
	}
}

// set installs a rule and cuts what runs.
func (g *gate) set(rule func(http.ResponseWriter, *http.Request) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rule = rule
	if g.cut != nil {
		close(g.cut)
		g.cut = nil
	}
}

func (g *gate) requests() []*http.Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]*http.Request(nil), g.asked...)
}

func refuse(w http.ResponseWriter, _ *http.Request) bool { panic(http.ErrAbortHandler) }

// apply creates the objects of a YAML stream, or replaces them with status and
// all.
func (b *bench) apply(text string) {
	b.Helper()
	for doc := range strings.SplitSeq(text, "\n---\n") {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(doc), &o.Object); err != nil {
			b.Fatalf("%v in %s", err, doc)
		}
		b.put(&o)
	}
}

func (b *bench) put(o *unstructured.Unstructured) {
	b.Helper()
	at, namespaced := b.resource(o.GetKind(), o.GroupVersionKind().Group)
	var in dynamic.ResourceInterface = at
	if namespaced {
		in = at.Namespace(o.GetNamespace())
	}
	ctx := b.Context()
	made, err := in.Create(ctx, o, metav1.CreateOptions{})
	if err != nil {
		old, getErr := in.Get(ctx, o.GetName(), metav1.GetOptions{})
		if getErr != nil {
			b.Fatalf("create %s %s: %v", o.GetKind(), o.GetName(), err)
		}
		o = o.DeepCopy()
		o.SetResourceVersion(old.GetResourceVersion())
		if made, err = in.Update(ctx, o, metav1.UpdateOptions{}); err != nil {
			b.Fatalf("update %s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
	if status, ok := o.Object["status"]; ok {
		made.Object["status"] = status
		if _, err := in.UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
			b.Logf("status of %s: %v", o.GetName(), err)
		}
	}
}

func (b *bench) resource(kind, group string) (dynamic.NamespaceableResourceInterface, bool) {
	b.Helper()
	ask := world.NewRef(kind, group, "", "")
	for b.Context().Err() == nil {
		r, _, err := b.admin.catalog.find(b.Context(), ask.Kind, group)
		if err == nil {
			return b.admin.dynamic.Resource(r.gvr), r.namespaced
		}
		b.admin.catalog.forget(b.Context()) // a CRD may have been created just now
	}
	b.Fatalf("no kind %s", kind)
	return nil, false
}

func (b *bench) remove(kind, group, namespace, name string) {
	b.Helper()
	at, namespaced := b.resource(kind, group)
	var in dynamic.ResourceInterface = at
	if namespaced {
		in = at.Namespace(namespace)
	}
	if err := in.Delete(b.Context(), name, metav1.DeleteOptions{}); err != nil {
		b.Fatalf("delete %s %s: %v", kind, name, err)
	}
}

// A diary is a sink that can be waited on.
type diary struct {
	t       testing.TB
	mu      sync.Mutex
	world   world.World
	dropped map[world.Ref]bool
	seen    map[world.Ref][]world.Presence // in order, with repetitions
	updates int
	watcher *Watcher
	news    chan struct{}
}

// watch starts a watcher as the viewer or admin.
func (b *bench) watch(token string, o Options, refs ...world.Ref) (*Watcher, *diary) {
	b.Helper()
	d := &diary{t: b.TB, dropped: map[world.Ref]bool{}, news: make(chan struct{}, 1)}
	w := Watch(b.connect(b.url, token), o, d.take)
	d.watcher = w
	b.Cleanup(w.Close)
	w.Want(refs)
	return w, d
}

func (d *diary) take(u world.Update) {
	d.mu.Lock()
	d.updates++
	d.world = d.world.With(u, time.Now())
	if u.Object != nil {
		if d.seen == nil {
			d.seen = map[world.Ref][]world.Presence{}
		}
		d.seen[u.Object.Ref] = append(d.seen[u.Object.Ref], u.Object.Presence)
	}
	if u.Dropped != nil {
		d.dropped[*u.Dropped] = true
	}
	d.mu.Unlock()
	select {
	case d.news <- struct{}{}:
	default:
	}
}

func (d *diary) object(ref world.Ref) world.Object {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.world.Objects[ref]
}

// until waits for the object to be as ok wants it. The minute only keeps a
// broken test from hanging.
func (d *diary) until(what string, ref world.Ref, ok func(world.Object) bool) world.Object {
	d.t.Helper()
	giveUp := time.NewTimer(time.Minute)
	defer giveUp.Stop()
	for {
		if o := d.object(ref); ok(o) {
			return o
		}
		select {
		case <-d.news:
		case <-giveUp.C:
			d.t.Fatalf("%s never came; last known: %+v", what, d.object(ref))
		}
	}
}

func is(p world.Presence) func(world.Object) bool {
	return func(o world.Object) bool { return o.Presence == p && !o.Stale }
}

// patient watches long, so that what is seen comes from the watch.
var patient = Options{Relist: time.Hour, MinBackoff: 5 * time.Millisecond, MaxBackoff: 20 * time.Millisecond, Poll: 20 * time.Millisecond, Linger: time.Hour}

// hasty relists all the time.
var hasty = Options{Relist: 40 * time.Millisecond, MinBackoff: 5 * time.Millisecond, MaxBackoff: 20 * time.Millisecond, Poll: 20 * time.Millisecond, Linger: time.Hour}
