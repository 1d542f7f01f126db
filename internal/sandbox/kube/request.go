package kube

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// request is an HTTP request for an API object or collection, taken apart.
type request struct {
	http  *http.Request
	query url.Values
	user  User

	gvr       schema.GroupVersionResource
	namespace string
	name      string
	sub       string
	// rest is what follows the subresource in the path.
	rest string
	verb string
	res  *resource

	warnings []string
}

// parse reads /api/VERSION/… and /apis/GROUP/VERSION/…; it tells false for every other path.
func parse(r *http.Request) (*request, bool) {
	q := &request{http: r, query: r.URL.Query()}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		q.gvr.Version, parts = parts[1], parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		q.gvr.Group, q.gvr.Version, parts = parts[1], parts[2], parts[3:]
	default:
		return nil, false
	}
	deprecatedWatch := parts[0] == "watch" && len(parts) > 1
	if deprecatedWatch {
		parts = parts[1:]
	}
	q.place(parts)
	q.verb = q.verbOf(deprecatedWatch)
	return q, true
}

// place sorts the path's segments. A namespace is both a place and an object: only two or three segments
// with a known subresource mean the object.
func (q *request) place(parts []string) {
	if parts[0] == "namespaces" && len(parts) >= 2 {
		sub := len(parts) == 3 && (parts[2] == "status" || parts[2] == "finalize")
		if len(parts) > 2 && !sub {
			q.namespace, parts = parts[1], parts[2:]
		} else {
			q.namespace = parts[1]
		}
	}
	q.gvr.Resource = parts[0]
	if len(parts) > 1 {
		q.name = parts[1]
	}
	if len(parts) > 2 {
		q.sub = parts[2]
	}
	if len(parts) > 3 {
		q.rest = strings.Join(parts[3:], "/")
	}
}

func (q *request) verbOf(deprecatedWatch bool) string {
	switch q.http.Method {
	case http.MethodPost:
		return "create"
	case http.MethodPut:
		return "update"
	case http.MethodPatch:
		return "patch"
	case http.MethodDelete:
		if q.name == "" {
			return "deletecollection"
		}
		return "delete"
	case http.MethodGet, http.MethodHead:
	default:
		return strings.ToLower(q.http.Method)
	}
	watching, _ := strconv.ParseBool(q.query.Get("watch"))
	switch {
	case deprecatedWatch || q.sub == "" && watching:
		return "watch"
	case q.name == "":
		return "list"
	}
	return "get"
}

// named is the one object that a list or watch is limited to by its field selector, which the
// authorizer may decide on.
func (q *request) named() string {
	if q.name != "" || q.verb != "list" && q.verb != "watch" && q.verb != "deletecollection" {
		return q.name
	}
	sel, err := fields.ParseSelector(q.query.Get("fieldSelector"))
	if err != nil {
		return ""
	}
	name, _ := sel.RequiresExactMatch("metadata.name")
	return name
}

// dryRun tells whether nothing is to be kept.
func (q *request) dryRun() bool { return len(q.query["dryRun"]) > 0 }

// manager is who the fields belong to that this request sets.
func (q *request) manager() string {
	if m := q.query.Get("fieldManager"); m != "" {
		return m
	}
	agent, _, _ := strings.Cut(q.http.UserAgent(), "/")
	if len(agent) > 128 {
		agent = agent[:128]
	}
	if agent == "" {
		return "unknown"
	}
	return agent
}

func (q *request) warn(msgs ...string) { q.warnings = append(q.warnings, msgs...) }

// selection is what of a collection is asked for.
type selection struct {
	labels labels.Selector
	fields fields.Selector
	res    *resource
}

func (q *request) selection() (selection, error) {
	sel := selection{res: q.res}
	var err error
	if sel.labels, err = labels.Parse(q.query.Get("labelSelector")); err != nil {
		return sel, apierrors.NewBadRequest(err.Error())
	}
	if sel.fields, err = fields.ParseSelector(q.query.Get("fieldSelector")); err != nil {
		return sel, apierrors.NewBadRequest(err.Error())
	}
	if q.name != "" {
		sel.fields = fields.AndSelectors(sel.fields, fields.OneTermEqualSelector("metadata.name", q.name))
	}
	for _, req := range sel.fields.Requirements() {
		if msg := q.res.refusesField(req.Field); msg != "" {
			return sel, apierrors.NewBadRequest(msg)
		}
	}
	return sel, nil
}

func (s selection) everything() bool { return s.labels.Empty() && s.fields.Empty() }

func (s selection) matches(obj map[string]any) bool {
	if s.everything() {
		return true
	}
	return (s.labels.Empty() || s.labels.Matches(labels.Set(labelsOf(obj)))) &&
		(s.fields.Empty() || s.fields.Matches(fieldSet{s.res, obj}))
}

func (q *request) int(name string) (int64, error) {
	v := q.query.Get(name)
	if v == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return 0, apierrors.NewBadRequest(`strconv.ParseInt: parsing "` + v + `": invalid syntax`)
	}
	return n, nil
}

func (q *request) bool(name string) bool {
	v := q.query.Get(name)
	b, err := strconv.ParseBool(v)
	return b || v != "" && err != nil
}
