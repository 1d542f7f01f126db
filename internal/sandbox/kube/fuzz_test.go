package kube

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Whatever the path and query, a request is taken apart without a panic, and what it names was in the path.
func FuzzARequestIsTakenApart(f *testing.F) {
	for _, seed := range []string{
		"/api/v1/pods", "/api/v1/namespaces/a/pods/b/log", "/apis/apps/v1/watch/deployments", "/api/v1/namespaces/a/status",
		"/apis/g/v/namespaces//x", "/api//", "/api/v1/namespaces/a/finalize/b",
	} {
		f.Add(seed, "watch=true&fieldSelector=metadata.name%3Dx")
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: path, RawQuery: query}, Header: http.Header{}}
		q, ok := parse(r)
		if !ok {
			return
		}
		for _, part := range []string{q.namespace, q.name, q.sub, q.gvr.Resource, q.named()} {
			if part != "" && !strings.Contains(path, part) && !strings.Contains(r.URL.Query().Get("fieldSelector"), part) {
				t.Errorf("%q has no %q", path, part)
			}
		}
	})
}

// Whatever a client sends as a continue token, it is answered with a page or a refusal.
func FuzzAContinueTokenIsReadOrRefused(f *testing.F) {
	s := New(Options{})
	f.Cleanup(s.Close)
	f.Add(encodeToken(token{Version: "meta.k8s.io/v1", Revision: 3, Start: "/a"}))
	f.Add(encodeToken(token{Version: "meta.k8s.io/v1", Revision: -1, Start: "/"}))
	f.Add("!")
	f.Fuzz(func(t *testing.T, c string) {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/namespaces?limit=1&continue="+url.QueryEscape(c), nil))
		if w.Code != 200 && w.Code != 400 && w.Code != 410 {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	})
}

// Whatever bytes come as an object, the server answers and lives.
func FuzzABodyIsReadOrRefused(f *testing.F) {
	s := New(Options{})
	f.Cleanup(s.Close)
	f.Add([]byte(`{"metadata":{"name":"x"},"spec":{"containers":[{"name":"c","image":"i"}]}}`), "application/json")
	f.Add([]byte("metadata: {name: x}"), "application/yaml")
	f.Add([]byte("k8s\x00\x0a\x09\x0a\x02v1\x12\x03Pod"), protobufMedia)
	f.Fuzz(func(t *testing.T, body []byte, media string) {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/api/v1/namespaces/default/pods?dryRun=All", strings.NewReader(string(body)))
		r.Header.Set("Content-Type", media)
		s.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	})
}
