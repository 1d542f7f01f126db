package kube_test

import (
	"testing"
	"time"

	"runbook/internal/sandbox/kube"
)

// Every refusal has the code, reason and words of kube-apiserver.
func TestRefusalsReadAsTheRealOnesDo(t *testing.T) {
	c := start(t, kube.Options{Tokens: map[string]kube.User{"bob": {Name: "bob"}}})
	c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: taken}}`)
	c.create(secrets, "default", `{apiVersion: v1, kind: Secret, metadata: {name: typed}, type: Opaque}`)
	c.create(secrets, "default", `{apiVersion: v1, kind: Secret, metadata: {name: frozen}, immutable: true, stringData: {a: b}}`)
	const maps = "/api/v1/namespaces/default/configmaps"
	const merge = "Content-Type: application/merge-patch+json"
	bob := "Authorization: Bearer bob"
	tests := []struct {
		name, method, path, body string
		headers                  []string
		code                     int
		reason, message          string
	}{
		{"an absent object", "GET", maps + "/nope", "", nil, 404, "NotFound", `configmaps "nope" not found`},
		{"an absent kind", "GET", "/apis/nope/v1/things", "", nil, 404, "", ""},
		{"a second creation", "POST", maps, `{"metadata":{"name":"taken"}}`, nil, 409, "AlreadyExists", `configmaps "taken" already exists`},
		{"an absent namespace", "POST", "/api/v1/namespaces/nope/configmaps", `{"metadata":{"name":"x"}}`, nil, 404, "NotFound", `namespaces "nope" not found`},
		{"another namespace", "POST", maps, `{"metadata":{"name":"x","namespace":"other"}}`, nil, 400, "BadRequest", "the namespace of the provided object does not match the namespace sent on the request"},
		{"another name", "PUT", maps + "/taken", `{"metadata":{"name":"x"}}`, nil, 400, "BadRequest", "the name of the object (x) does not match the name on the URL (taken)"},
		{"another kind", "POST", maps, `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x"}}`, nil, 400, "BadRequest", `Secret in version "v1" cannot be handled as a ConfigMap: no kind "Secret" is registered for version "v1"`},
		{"a stale replacement", "PUT", maps + "/taken", `{"metadata":{"name":"taken","resourceVersion":"1"}}`, nil, 409, "Conflict", `Operation cannot be fulfilled on configmaps "taken": the object has been modified; please apply your changes to the latest version and try again`},
		{"a stale patch", "PATCH", maps + "/taken", `{"metadata":{"resourceVersion":"1"}}`, []string{merge}, 409, "Conflict", `Operation cannot be fulfilled on configmaps "taken": the object has been modified; please apply your changes to the latest version and try again`},
		{"a patch of nothing", "PATCH", maps + "/nope", `{}`, []string{merge}, 404, "NotFound", `configmaps "nope" not found`},
		{"a type error", "POST", maps, `{"metadata":{"name":"x"},"data":{"a":1}}`, nil, 400, "BadRequest", `ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string`},
		{"an unknown field, strictly", "POST", maps + "?fieldValidation=Strict", `{"metadata":{"name":"x"},"dada":{}}`, nil, 400, "BadRequest", `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dada"`},
		{"a twice-said field, strictly", "POST", maps + "?fieldValidation=Strict", `{"metadata":{"name":"x"},"data":{"a":"1","a":"2"}}`, nil, 400, "BadRequest", `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"`},
		{"a basic-auth Secret with nothing in it", "POST", "/api/v1/namespaces/default/secrets", `{"metadata":{"name":"x"},"type":"kubernetes.io/basic-auth"}`, nil, 422, "Invalid", `Secret "x" is invalid: [data[username]: Required value, data[password]: Required value]`},
		{"a changed Secret type", "PATCH", "/api/v1/namespaces/default/secrets/typed", `{"type":"other"}`, []string{merge}, 422, "Invalid", `Secret "typed" is invalid: type: Invalid value: "other": field is immutable`},
		{"a changed immutable Secret", "PATCH", "/api/v1/namespaces/default/secrets/frozen", `{"data":{"a":"eA=="}}`, []string{merge}, 422, "Invalid", "Secret \"frozen\" is invalid: data: Forbidden: field is immutable when `immutable` is set"},
		{"a JSON patch that tests in vain", "PATCH", maps + "/taken", `[{"op":"test","path":"/data/a","value":"b"}]`, []string{"Content-Type: application/json-patch+json"}, 422, "Invalid", ""},
		{"an unknown patch", "PATCH", maps + "/taken", `{}`, []string{"Content-Type: text/x"}, 415, "UnsupportedMediaType", "415: Unsupported Media Type"},
		{"an apply by nobody", "PATCH", maps + "/x", `{"apiVersion":"v1","kind":"ConfigMap"}`, []string{"Content-Type: application/apply-patch+yaml"}, 422, "Invalid", `PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch`},
		{"a form nobody speaks", "GET", maps, "", []string{"Accept: image/png"}, 406, "NotAcceptable", "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf"},
		{"an unsupported field selector", "GET", "/api/v1/namespaces/default/pods?fieldSelector=spec.x%3Dy", "", nil, 400, "BadRequest", "field label not supported: spec.x"},
		{"a revision from the future", "GET", maps + "?resourceVersion=99999", "", nil, 504, "Timeout", ""},
		{"a forbidden list", "GET", maps, "", []string{bob}, 403, "Forbidden", `configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "default"`},
		{"a forbidden object", "GET", "/apis/apps/v1/namespaces/default/deployments/d/status", "", []string{bob}, 403, "Forbidden", `deployments.apps "d" is forbidden: User "bob" cannot get resource "deployments/status" in API group "apps" in the namespace "default"`},
		{"a forbidden cluster object", "DELETE", "/api/v1/namespaces/default", "", []string{bob}, 403, "Forbidden", `namespaces "default" is forbidden: User "bob" cannot delete resource "namespaces" in API group "" in the namespace "default"`},
		{"a forbidden path", "GET", "/metrics", "", []string{bob}, 403, "Forbidden", `forbidden: User "bob" cannot get path "/metrics"`},
		{"a wrong token", "GET", maps, "", []string{"Authorization: Bearer nope"}, 401, "Unauthorized", "Unauthorized"},
		{"nobody", "GET", maps, "", []string{"Authorization: "}, 403, "Forbidden", `configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"`},
		{"a protected namespace", "DELETE", "/api/v1/namespaces/kube-system", "", nil, 403, "Forbidden", `namespaces "kube-system" is forbidden: this namespace may not be deleted`},
		{"a wrong uid", "DELETE", maps + "/taken", `{"preconditions":{"uid":"x"}}`, nil, 409, "Conflict", ""},
		{"a post to an object", "POST", maps + "/taken", `{}`, nil, 405, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := c.do(tt.method, tt.path, tt.body, tt.headers...)
			if a.code != tt.code {
				t.Fatalf("code: got %d, want %d: %s", a.code, tt.code, a.body)
			}
			if tt.reason == "" {
				return
			}
			st := a.object(t)
			if st["kind"] != "Status" || st["reason"] != tt.reason {
				t.Errorf("got kind %v reason %v, want Status %s", st["kind"], st["reason"], tt.reason)
			}
			if tt.message != "" && st["message"] != tt.message {
				t.Errorf("message:\n got %v\nwant %s", st["message"], tt.message)
			}
		})
	}
}

func TestAPathThatIsNotServedIsABare404(t *testing.T) {
	c := start(t, kube.Options{})
	a := c.do("GET", "/apis/example.com/v1/widgets", "")
	if a.code != 404 || a.body != "404 page not found\n" {
		t.Errorf("got %d %q", a.code, a.body)
	}
}

func TestATokenIsRefusedOnceItHasExpired(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	c := start(t, kube.Options{Now: clock, Tokens: map[string]kube.User{"short": {Name: "eve", Groups: []string{"system:masters"}, Expires: now.Add(time.Minute)}}})
	ask := func() int { return c.do("GET", "/api/v1/namespaces", "", "Authorization: Bearer short").code }
	if got := ask(); got != 200 {
		t.Fatalf("before: got %d", got)
	}
	now = now.Add(time.Minute)
	if got := ask(); got != 401 {
		t.Errorf("after: got %d, want 401", got)
	}
	if got, want := c.do("GET", "/version", "").header.Get("Date"), "Thu, 01 Jan 2026 12:01:00 GMT"; got != want {
		t.Errorf("the server's clock: got %s, want %s", got, want)
	}
}

func TestAnUnknownFieldIsAWarningUnlessIgnored(t *testing.T) {
	c := start(t, kube.Options{})
	const path = "/api/v1/namespaces/default/configmaps?dryRun=All"
	body := `{"metadata":{"name":"x"},"dada":{}}`
	if got, want := c.do("POST", path, body).header.Get("Warning"), `299 - "unknown field \"dada\""`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := c.do("POST", path+"&fieldValidation=Ignore", body).header.Get("Warning"); got != "" {
		t.Errorf("ignored: got %q", got)
	}
}

func TestADeprecatedKindWarns(t *testing.T) {
	c := start(t, kube.Options{})
	want := `299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"`
	if got := c.do("GET", "/api/v1/endpoints", "").header.Get("Warning"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAClosedServerAnswers503(t *testing.T) {
	c := start(t, kube.Options{})
	c.server.Close()
	if got := c.do("GET", "/version", "").code; got != 503 {
		t.Errorf("got %d", got)
	}
}
