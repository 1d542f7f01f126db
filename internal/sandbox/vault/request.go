package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
)

// An op is what a request wants to do; a policy's capability has the same name.
type op string

const (
	opRead   op = "read"
	opList   op = "list"
	opCreate op = "create"
	opUpdate op = "update"
	opPatch  op = "patch"
	opDelete op = "delete"
	opHead   op = "header"
)

func (o op) writes() bool { return o == opCreate || o == opUpdate || o == opPatch }

func (o op) reads() bool { return o == opRead || o == opList || o == opHead }

// maxBody bounds a request's body, in bytes: Vault's own default.
const maxBody = 32 << 20

// A request is one logical request, after HTTP is gone.
type request struct {
	id      string
	op      op
	path    string // inside the namespace
	data    map[string]any
	ns      *space
	tokenID string
	token   *token // nil when there is none or it isn't known
}

// injects tells whether the answer repeats its data at the top level.
func (r *request) injects() bool {
	for _, p := range []string{
		"sys/auth", "sys/mounts", "sys/policy", "sys/capabilities", "sys/capabilities-self", "sys/capabilities-accessor", "sys/remount",
	} {
		if r.path == p {
			return true
		}
	}
	for _, p := range []string{"sys/auth/", "sys/mounts/", "sys/policy/"} {
		if strings.HasPrefix(r.path, p) {
			return true
		}
	}
	return false
}

// parse reads the HTTP request into a logical one.
func (s *Server) parse(r *http.Request, path string) (*request, error) {
	req := &request{id: s.uuid(), tokenID: tokenHeader(r)}
	ns, rest, err := s.namespaceOf(r.Header.Get("X-Vault-Namespace"), path)
	if err != nil {
		return req, err
	}
	req.ns, req.path = ns, rest
	return req, req.parseBody(r)
}

func (r *request) parseBody(hr *http.Request) error {
	query := hr.URL.Query()
	switch hr.Method {
	case http.MethodGet:
		r.op = opRead
		list, err := strconv.ParseBool(query.Get("list"))
		if err == nil && list {
			r.op = opList
		}
		query.Del("list")
		r.data = queryData(query)
	case "LIST":
		r.op, r.data = opList, queryData(query)
	case http.MethodHead:
		r.op, r.data = opHead, queryData(query)
	case http.MethodDelete:
		r.op, r.data = opDelete, queryData(query)
	case http.MethodPost, http.MethodPut:
		r.op = opUpdate
		return r.decode(hr)
	case http.MethodPatch:
		r.op = opPatch
		return r.decodePatch(hr)
	default:
		return &fault{code: http.StatusMethodNotAllowed}
	}
	if r.op == opList && !strings.HasSuffix(r.path, "/") {
		r.path += "/"
	}
	return nil
}

func (r *request) decodePatch(hr *http.Request) error {
	const want = "application/merge-patch+json"
	got, _, err := mime.ParseMediaType(hr.Header.Get("Content-Type"))
	if err != nil {
		return badRequest(err.Error())
	}
	if got != want {
		return fail(http.StatusUnsupportedMediaType, fmt.Sprintf("PATCH requires Content-Type of %s, provided %s", want, got))
	}
	return r.decode(hr)
}

func (r *request) decode(hr *http.Request) error {
	dec := json.NewDecoder(hr.Body)
	dec.UseNumber()
	if err := dec.Decode(&r.data); err != nil && !errors.Is(err, io.EOF) {
		return badRequest("error parsing JSON")
	}
	return nil
}

func queryData(q url.Values) map[string]any {
	if len(q) == 0 {
		return nil
	}
	out := map[string]any{}
	for k, v := range q {
		if len(v) == 1 {
			out[k] = v[0]
		} else {
			out[k] = v
		}
	}
	return out
}

func tokenHeader(r *http.Request) string {
	if t := r.Header.Get("X-Vault-Token"); t != "" {
		return t
	}
	for _, v := range r.Header.Values("Authorization") {
		if t, ok := strings.CutPrefix(v, "Bearer "); ok {
			return t
		}
	}
	return ""
}

// The field readers below take a field in any of the forms that Vault's
// framework takes, and say which field it was when they can't.

func fieldError(name string, err error) *fault {
	return badRequest(fmt.Sprintf("Field validation failed: error converting input for field %q: %v", name, err))
}

func (r *request) text(name string) string {
	switch v := r.data[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func (r *request) number(name string) (n int, given bool, err error) {
	v, ok := r.data[name]
	if !ok || v == nil {
		return 0, false, nil
	}
	i, err := parseutil.ParseInt(v)
	if err != nil {
		return 0, false, fieldError(name, err)
	}
	return int(i), true, nil
}

func (r *request) flag(name string) (b, given bool, err error) {
	v, ok := r.data[name]
	if !ok || v == nil {
		return false, false, nil
	}
	b, err = parseutil.ParseBool(v)
	if err != nil {
		return false, false, fieldError(name, err)
	}
	return b, true, nil
}

func (r *request) table(name string) (m map[string]any, given bool, err error) {
	v, ok := r.data[name]
	if !ok || v == nil {
		return nil, false, nil
	}
	m, ok = v.(map[string]any)
	if !ok {
		return nil, false, fieldError(name, errors.New("expected a map"))
	}
	return m, true, nil
}

func (r *request) list(name string) ([]string, error) {
	v, ok := r.data[name]
	if !ok || v == nil {
		return nil, nil
	}
	l, err := parseutil.ParseCommaStringSlice(v)
	if err != nil {
		return nil, fieldError(name, err)
	}
	return l, nil
}
