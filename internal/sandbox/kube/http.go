package kube

import (
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/sandbox/kube/rbac"
)

var (
	namespaces = schema.GroupResource{Resource: "namespaces"}
	noResource = schema.GroupResource{}
)

func metaKind(kind string) schema.GroupKind {
	return schema.GroupKind{Group: "meta.k8s.io", Kind: kind}
}

func cutResource(resource string) (string, string, bool) { return strings.Cut(resource, "/") }

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	// Clients judge ages by the server's clock, so it has to be the one that objects are stamped with.
	w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
	user, err := s.authenticate(r)
	if err == nil {
		user, err = s.impersonate(user, r.Header)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	q, isResource := parse(r)
	if !isResource {
		s.servePath(w, r, user)
		return
	}
	q.user = user
	if at := q.attributes(); !s.allowed(user, at) {
		writeError(w, forbidden(user, at))
		return
	}
	s.serveResource(w, q)
}

// servePath answers what is not a resource: versions, health, discovery, schemas.
func (s *Server) servePath(w http.ResponseWriter, r *http.Request, user User) {
	path := strings.TrimSuffix(r.URL.Path, "/")
	if path == "" {
		path = "/"
	}
	if at := (rbac.Request{Verb: strings.ToLower(r.Method), Path: r.URL.Path}); !s.allowed(user, at) {
		writeError(w, forbidden(user, at))
		return
	}
	switch {
	case path == "/version":
		writeJSON(w, http.StatusOK, s.version())
	case path == "/healthz" || path == "/livez" || path == "/readyz":
		writeHealth(w, r, strings.TrimPrefix(path, "/"))
	case path == "/api" || strings.HasPrefix(path, "/api/"), path == "/apis" || strings.HasPrefix(path, "/apis/"):
		s.discover(w, r, path)
	case path == "/openapi/v2" || path == "/openapi/v3" || strings.HasPrefix(path, "/openapi/v3/"):
		s.openAPI(w, r, path)
	default:
		notFoundPath(w)
	}
}

// serveResource finds the resource and does what is asked with it.
func (s *Server) serveResource(w http.ResponseWriter, q *request) {
	if s.review(w, q) {
		return
	}
	q.res = s.registry.find(q.gvr)
	if q.res == nil && s.registry.builtinGroup(q.gvr.Group) {
		writeError(w, errNoResource)
		return
	}
	if q.res == nil {
		notFoundPath(w)
		return
	}
	if err := q.checkOptions(); err != nil {
		writeError(w, err)
		return
	}
	// A namespaced path needs a namespaced resource; a namespace itself is cluster-scoped and in its own.
	if q.namespace != "" && !q.res.namespaced && q.res.stored != "namespaces" || q.namespace == "" && q.res.namespaced && q.name != "" {
		notFoundPath(w)
		return
	}
	if c := q.res.custom; c != nil && s.now().Before(c.since.Add(s.options.Initializing)) {
		writeError(w, apierrors.NewTooManyRequests("storage is (re)initializing", 1))
		return
	}
	if old := q.res.deprecation(); old != "" {
		q.warn(old)
	}
	if q.sub != "" && q.sub != "status" {
		s.serveSubresource(w, q)
		return
	}
	if q.sub == "status" && !q.res.status {
		notFoundPath(w)
		return
	}
	s.serveObject(w, q)
}

func (s *Server) serveObject(w http.ResponseWriter, q *request) {
	var obj map[string]any
	var err error
	code := http.StatusOK
	switch q.verb {
	case "list":
		s.list(w, q)
		return
	case "watch":
		s.watch(w, q)
		return
	case "get":
		obj, err = s.existing(q)
	case "create":
		if q.name != "" || q.res.namespaced && q.namespace == "" {
			err = errNotAllowed
			break
		}
		code = http.StatusCreated
		obj, err = s.create(q)
	case "update":
		if q.name == "" {
			err = errNotAllowed
			break
		}
		obj, err = s.update(q)
	case "patch":
		var created bool
		if obj, created, err = s.patch(q); created {
			code = http.StatusCreated
		}
	case "delete":
		var removed bool
		if obj, removed, err = s.delete(q); err == nil && removed {
			obj = deletedStatus(q.res, obj)
		}
	case "deletecollection":
		if q.res.namespaced && q.namespace == "" {
			err = errNotAllowed
			break
		}
		obj, err = s.deleteCollection(q)
		if err == nil {
			writeJSON(w, http.StatusOK, obj)
			return
		}
	default:
		err = errNotAllowed
	}
	if err != nil {
		writeWarnings(w, q.warnings)
		writeError(w, err)
		return
	}
	s.answer(w, q, code, obj)
}

func writeHealth(w http.ResponseWriter, r *http.Request, check string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.URL.Query().Has("verbose") {
		_, _ = w.Write([]byte("[+]ping ok\n[+]log ok\n[+]etcd ok\n" + check + " check passed\n"))
		return
	}
	_, _ = w.Write([]byte("ok"))
}

func (s *Server) version() map[string]string {
	major, minor, _ := strings.Cut(strings.TrimPrefix(s.options.Version, "v"), ".")
	minor, _, _ = strings.Cut(minor, ".")
	return map[string]string{
		"major": major, "minor": minor, "gitVersion": s.options.Version, "gitCommit": "", "gitTreeState": "clean",
		"buildDate": "1970-01-01T00:00:00Z", "goVersion": "go1.26", "compiler": "gc", "platform": "linux/amd64",
	}
}
