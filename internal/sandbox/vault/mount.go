package vault

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
)

// A mount is one secrets engine or one way to log in.
type mount struct {
	path        string // with a slash at its end
	kind        string // "kv", "kubernetes", …
	description string
	accessor    string
	uuid        string
	options     map[string]string
	defaultTTL  time.Duration
	maxTTL      time.Duration

	kv   engine      // of a secrets engine
	auth loginMethod // of a login
}

// An engine answers below a secrets mount.
type engine interface {
	handle(s *Server, req *request, path string) (*reply, error)
	checksExistence(path string) bool
	exists(req *request, path string) bool
	clone() engine // with everything that it keeps
}

// A loginMethod answers below an auth mount.
type loginMethod interface {
	handle(s *Server, req *request, path string) (*reply, error)
	login(path string) bool // whether the path needs no token
	exists(path string) bool
}

func (s *Server) addBuiltinMounts(ns *space) {
	for _, m := range []*mount{
		{path: "cubbyhole/", kind: "cubbyhole", description: "per-token private secret storage", kv: &cubbyhole{byToken: map[string]*kv1{}}},
		{path: "sys/", kind: "system", description: "system endpoints used for control, policy and debugging", kv: noEngine{}},
	} {
		m.accessor, m.uuid = m.kind+"_"+s.uuid()[:8], s.uuid()
		ns.mounts[m.path] = m
	}
	ns.auths["token/"] = &mount{
		path: "token/", kind: "token", description: "token based credentials",
		accessor: "auth_token_" + s.uuid()[:8], uuid: s.uuid(), auth: noLogin{},
	}
}

func (m *mount) info() map[string]any {
	options := m.options
	if options == nil && m.kind == "kv" {
		options = map[string]string{}
	}
	config := map[string]any{
		"default_lease_ttl": int64(m.defaultTTL.Seconds()), "max_lease_ttl": int64(m.maxTTL.Seconds()), "force_no_cache": false,
	}
	if m.auth != nil {
		config["token_type"] = "default-service"
	}
	return map[string]any{
		"type": m.kind, "description": m.description, "accessor": m.accessor, "uuid": m.uuid, "options": options,
		"local": false, "seal_wrap": false, "external_entropy_access": false, "config": config,
		"plugin_version": "", "running_plugin_version": "v1.14.0+builtin.vault", "running_sha256": "", "deprecation_status": "supported",
	}
}

// mountsAPI serves sys/mounts.
func (s *Server) mountsAPI(req *request, rest string) (*reply, error) {
	if rest == "" {
		if req.op != opRead {
			return nil, errUnsupported
		}
		return mountTable(req.ns.mounts), nil
	}
	if path, ok := strings.CutSuffix(rest, "/tune"); ok {
		return tune(req, req.ns, path)
	}
	path := strings.Trim(rest, "/") + "/"
	switch req.op {
	case opRead:
		m, ok := req.ns.mounts[path]
		if !ok {
			return nil, badRequest("No secret engine mount at " + path)
		}
		return &reply{data: m.info()}, nil
	case opUpdate:
		return nil, s.mountEngine(req, path)
	case opDelete:
		if path == "sys/" || path == "cubbyhole/" {
			return nil, badRequest(fmt.Sprintf("cannot unmount %q", path))
		}
		delete(req.ns.mounts, path)
		return nil, nil
	}
	return nil, errUnsupported
}

func mountTable(mounts map[string]*mount) *reply {
	data := map[string]any{}
	for p, m := range mounts {
		data[p] = m.info()
	}
	return &reply{data: data}
}

func (s *Server) mountEngine(req *request, path string) error {
	m := &mount{path: path, kind: req.text("type"), description: req.text("description"), uuid: s.uuid()}
	options, _, err := req.table("options")
	if err != nil {
		return err
	}
	for k, v := range options {
		m.setOption(k, fmt.Sprint(v))
	}
	switch m.kind {
	case "":
		return badRequest("backend type must be specified as a string")
	case "kv-v1":
		m.kind = "kv"
		m.setOption("version", "1")
	case "kv-v2":
		m.kind = "kv"
		m.setOption("version", "2")
	case "kv", "generic":
	default:
		return badRequest(fmt.Sprintf("plugin not found in the catalog: %s", m.kind))
	}
	for p := range req.ns.mounts {
		if strings.HasPrefix(path, p) || strings.HasPrefix(p, path) {
			return badRequest("path is already in use at " + p)
		}
	}
	m.accessor = m.kind + "_" + s.uuid()[:8]
	if m.options["version"] == "2" {
		m.kv = newKV2()
	} else {
		m.kv = newKV1(m)
	}
	if err := m.configure(req); err != nil {
		return err
	}
	req.ns.mounts[path] = m
	return nil
}

func (m *mount) setOption(k, v string) {
	if m.options == nil {
		m.options = map[string]string{}
	}
	m.options[k] = v
}

// configure takes the lease times out of the "config" of a new mount.
func (m *mount) configure(req *request) error {
	config, _, err := req.table("config")
	if err != nil {
		return err
	}
	return m.setTTLs(config)
}

func (m *mount) setTTLs(config map[string]any) error {
	for name, into := range map[string]*time.Duration{"default_lease_ttl": &m.defaultTTL, "max_lease_ttl": &m.maxTTL} {
		v, ok := config[name]
		if !ok || v == "" || v == nil {
			continue
		}
		d, err := parseutil.ParseDurationSecond(v)
		if err != nil {
			return badRequest(fmt.Sprintf("unable to parse %s of %v: %v", name, v, err))
		}
		*into = d
	}
	return nil
}

// tune reads or changes a mount; with the option version=2 a KV v1 mount
// becomes a versioned one, and there is no way back.
func tune(req *request, ns *space, path string) (*reply, error) {
	m := ns.mounts[path+"/"]
	if rest, ok := strings.CutPrefix(path, "auth/"); ok {
		m = ns.auths[rest+"/"]
	}
	if m == nil {
		return nil, badRequest(fmt.Sprintf("sysview fetch of path %q failed: no mount entry found", path+"/"))
	}
	if req.op == opRead {
		data := map[string]any{
			"default_lease_ttl": seconds(m.defaultTTL, defaultLease), "max_lease_ttl": seconds(m.maxTTL, maxLease),
			"force_no_cache": false, "description": m.description,
		}
		if m.options != nil {
			data["options"] = m.options
		}
		return &reply{data: data}, nil
	}
	if req.op != opUpdate {
		return nil, errUnsupported
	}
	if d, ok := req.data["description"].(string); ok {
		m.description = d
	}
	if err := m.setTTLs(req.data); err != nil {
		return nil, err
	}
	options, _, err := req.table("options")
	if err != nil {
		return nil, err
	}
	return nil, m.tuneVersion(options)
}

func (m *mount) tuneVersion(options map[string]any) error {
	v, ok := options["version"]
	if !ok {
		return nil
	}
	old, isV1 := m.kv.(*kv1)
	switch fmt.Sprint(v) {
	case "1":
		if !isV1 {
			return badRequest("cannot downgrade mount from version 2")
		}
		m.setOption("version", "1")
	case "2":
		m.setOption("version", "2")
		if isV1 {
			m.kv = old.upgrade()
		}
	default:
		return badRequest(fmt.Sprintf("invalid version %v", v))
	}
	return nil
}

func seconds(d, otherwise time.Duration) int64 {
	if d == 0 {
		d = otherwise
	}
	return int64(d.Seconds())
}

// preflight serves sys/internal/ui/mounts, which the CLI asks before every kv
// command: one answer for "denied" and "no such mount".
func (s *Server) preflight(req *request, rest string) (*reply, error) {
	if req.op != opRead {
		return nil, errUnsupported
	}
	if rest == "" {
		return s.visibleMounts(req), nil
	}
	if req.token == nil {
		return nil, errBadToken
	}
	path := strings.Trim(rest, "/") + "/"
	refuse := fail(http.StatusForbidden, fmt.Sprintf("preflight capability check returned 403, please ensure client's policies grant access to path %q", path))
	m, _ := req.ns.mountAt(path)
	shown := ""
	if a, _ := req.ns.authAt(path); a != nil {
		m, shown = a, "auth/"
	}
	if m == nil {
		return nil, refuse
	}
	if !s.aclOf(req.token).reaches(req.ns.path + shown + m.path) {
		return nil, refuse
	}
	data := m.info()
	data["path"] = m.path
	return &reply{data: data}, nil
}

func (s *Server) visibleMounts(req *request) *reply {
	secret, auth := map[string]any{}, map[string]any{}
	if req.token != nil {
		a := s.aclOf(req.token)
		collect := func(into map[string]any, mounts map[string]*mount, prefix string) {
			for p, m := range maps.All(mounts) {
				if a.reaches(req.ns.path + prefix + p) {
					into[p] = m.info()
				}
			}
		}
		collect(secret, req.ns.mounts, "")
		collect(auth, req.ns.auths, "auth/")
	}
	return &reply{data: map[string]any{"secret": secret, "auth": auth}}
}

// noEngine and noLogin stand where the server itself answers.
type noEngine struct{}

func (noEngine) handle(*Server, *request, string) (*reply, error) { return nil, errNoSuchPath }
func (noEngine) checksExistence(string) bool                      { return false }
func (noEngine) exists(*request, string) bool                     { return false }

type noLogin struct{}

func (noLogin) handle(*Server, *request, string) (*reply, error) { return nil, errNoSuchPath }
func (noLogin) login(string) bool                                { return false }
func (noLogin) exists(string) bool                               { return false }
