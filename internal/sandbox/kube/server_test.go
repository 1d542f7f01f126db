package kube_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	sigsyaml "sigs.k8s.io/yaml"

	"runbook/internal/sandbox/kube"
)

var (
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	secrets     = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	pods        = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	services    = schema.GroupVersionResource{Version: "v1", Resource: "services"}
	nss         = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	replicaSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}
	crds        = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	widgets     = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
)

// cluster is a served Server and a client of it.
type cluster struct {
	t      *testing.T
	server *kube.Server
	http   *httptest.Server
	client *dynamic.DynamicClient
	ctx    context.Context
}

const adminToken = "admin-token"

func start(t *testing.T, o kube.Options) *cluster {
	t.Helper()
	if o.Tokens == nil {
		o.Tokens = map[string]kube.User{}
	}
	o.Tokens[adminToken] = kube.User{Name: "admin", Groups: []string{"system:masters"}}
	s := kube.New(o)
	h := httptest.NewUnstartedServer(s)
	h.EnableHTTP2 = true
	h.StartTLS()
	t.Cleanup(func() {
		s.Close()
		h.Close()
	})
	c := &cluster{t: t, server: s, http: h, ctx: t.Context()}
	c.client = c.as(adminToken)
	return c
}

func (c *cluster) ca() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.http.Certificate().Raw})
}

func (c *cluster) as(token string) *dynamic.DynamicClient {
	c.t.Helper()
	d, err := dynamic.NewForConfig(&rest.Config{
		Host: c.http.URL, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAData: c.ca()}, QPS: -1, UserAgent: "kube-test/1",
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return d
}

func (c *cluster) kubeconfig(token string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: s\nclusters: [{name: s, cluster: {server: %q, certificate-authority-data: %s}}]\nusers: [{name: s, user: {token: %q}}]\ncontexts: [{name: s, context: {cluster: s, user: s, namespace: default}}]\n",
		c.http.URL, base64.StdEncoding.EncodeToString(c.ca()), token)
}

// answer is what came back from a raw request.
type answer struct {
	code   int
	header http.Header
	body   string
}

func (a answer) object(t *testing.T) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := json.Unmarshal([]byte(a.body), &out); err != nil {
		t.Fatalf("read answer %q: %v", a.body, err)
	}
	return out
}

// do sends a raw request; headers are "Name: value".
func (c *cluster) do(method, path, body string, headers ...string) answer {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.ctx, method, c.http.URL+path, bytes.NewBufferString(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+adminToken)
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := c.http.Client().Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(data)}
}

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := sigsyaml.Unmarshal([]byte(text), &u.Object); err != nil {
		t.Fatalf("read %q: %v", text, err)
	}
	return u
}

// create makes an object that has to be accepted.
func (c *cluster) create(gvr schema.GroupVersionResource, ns, text string) *unstructured.Unstructured {
	c.t.Helper()
	made, err := c.client.Resource(gvr).Namespace(ns).Create(c.ctx, object(c.t, text), metav1.CreateOptions{})
	if err != nil {
		c.t.Fatalf("create %s: %v", gvr.Resource, err)
	}
	return made
}

func (c *cluster) get(gvr schema.GroupVersionResource, ns, name string) *unstructured.Unstructured {
	c.t.Helper()
	u, err := c.client.Resource(gvr).Namespace(ns).Get(c.ctx, name, metav1.GetOptions{})
	if err != nil {
		c.t.Fatalf("get %s %s: %v", gvr.Resource, name, err)
	}
	return u
}

func (c *cluster) watch(gvr schema.GroupVersionResource, ns string, o metav1.ListOptions) watch.Interface {
	c.t.Helper()
	w, err := c.client.Resource(gvr).Namespace(ns).Watch(c.ctx, o)
	if err != nil {
		c.t.Fatalf("watch %s: %v", gvr.Resource, err)
	}
	c.t.Cleanup(w.Stop)
	return w
}

// until reads a watch until an event pleases; it fails when the watch ends first.
func until(t *testing.T, w watch.Interface, pleases func(watch.EventType, *unstructured.Unstructured) bool) {
	t.Helper()
	for e := range w.ResultChan() {
		u, ok := e.Object.(*unstructured.Unstructured)
		if !ok {
			t.Fatalf("watch brought %s %v", e.Type, e.Object)
		}
		if pleases(e.Type, u) {
			return
		}
	}
	t.Fatal("the watch ended before what was waited for")
}

// untilGone waits for an object to be removed.
func (c *cluster) untilGone(gvr schema.GroupVersionResource, ns, name string) {
	c.t.Helper()
	list, err := c.client.Resource(gvr).Namespace(ns).List(c.ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(list.Items) == 0 {
		return
	}
	w := c.watch(gvr, ns, metav1.ListOptions{FieldSelector: "metadata.name=" + name, ResourceVersion: list.GetResourceVersion()})
	until(c.t, w, func(e watch.EventType, _ *unstructured.Unstructured) bool { return e == watch.Deleted })
}

func field(u *unstructured.Unstructured, path ...string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(u.Object, path...)
	return v
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	g, err1 := json.Marshal(got)
	w, err2 := json.Marshal(want)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if string(g) != string(w) {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}
