package vault

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// sys serves the logical paths below sys/.
func (s *Server) sys(req *request, rest string) (*reply, error) {
	for _, r := range []struct {
		prefix string
		serve  func(*request, string) (*reply, error)
	}{
		{"internal/ui/mounts", s.preflight},
		{"mounts", s.mountsAPI},
		{"auth", s.authsAPI},
		{"policies/acl", func(req *request, name string) (*reply, error) { return policyAPI(req, name, "policy") }},
		{"policy", func(req *request, name string) (*reply, error) { return policyAPI(req, name, "rules") }},
	} {
		if tail, ok := strings.CutPrefix(rest, r.prefix); ok && (tail == "" || tail[0] == '/') {
			return r.serve(req, strings.TrimPrefix(tail, "/"))
		}
	}
	switch rest {
	case "seal":
		return s.sealNow(req)
	case "capabilities-self":
		return s.capabilitiesAPI(req, req.tokenID)
	case "capabilities":
		return s.capabilitiesAPI(req, req.text("token"))
	case "capabilities-accessor":
		t := s.tokens.byAccessor(req.text("accessor"), s.now())
		if t == nil {
			return nil, wrapped(http.StatusBadRequest, "invalid accessor")
		}
		return s.capabilitiesAPI(req, t.id)
	}
	return nil, errNoSuchPath
}

func (s *Server) capabilitiesAPI(req *request, id string) (*reply, error) {
	if req.op != opUpdate {
		return nil, errUnsupported
	}
	if id == "" {
		return nil, wrapped(http.StatusInternalServerError, "no token found")
	}
	paths, err := req.list("paths")
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		if paths, err = req.list("path"); err != nil {
			return nil, err
		}
	}
	if len(paths) == 0 {
		return nil, badRequest("paths must be supplied")
	}
	t := s.tokens.lookup(id, s.now())
	if t == nil {
		return nil, wrapped(http.StatusBadRequest, "invalid token")
	}
	a, data := s.aclOf(t), map[string]any{}
	for _, p := range paths {
		data[p] = a.capabilities(req.ns.path + strings.TrimLeft(p, "/"))
	}
	if len(paths) == 1 {
		data["capabilities"] = data[paths[0]]
	}
	return &reply{data: data}, nil
}

// policyAPI serves both generations of the policy paths, which differ in the
// name of the field with the text.
func policyAPI(req *request, name, field string) (*reply, error) {
	name = strings.TrimSuffix(name, "/")
	if name == "" {
		if !req.op.reads() {
			return nil, errUnsupported
		}
		keys := append(sortedKeys(req.ns.policies), "root")
		data := map[string]any{"keys": keys}
		if field == "rules" {
			data["policies"] = keys
		}
		return &reply{data: data}, nil
	}
	lower := strings.ToLower(name)
	switch req.op {
	case opRead:
		p, ok := req.ns.policies[lower]
		if lower == "root" {
			p, ok = &policy{name: "root"}, true
		}
		if !ok {
			return nil, nil
		}
		return &reply{data: map[string]any{"name": p.name, field: p.raw}}, nil
	case opUpdate:
		return setPolicy(req, name)
	case opDelete:
		switch lower {
		case "root":
			return nil, badRequest(`cannot delete "root" policy`)
		case "default":
			return nil, badRequest("cannot delete default policy")
		}
		delete(req.ns.policies, lower)
		return nil, nil
	}
	return nil, errUnsupported
}

func setPolicy(req *request, name string) (*reply, error) {
	lower := strings.ToLower(name)
	var rep *reply
	warn := func(w string) {
		if rep == nil {
			rep = &reply{}
		}
		rep.warnings = append(rep.warnings, w)
	}
	if lower != name {
		warn("policy name was converted to " + lower)
	}
	text := req.text("policy")
	if text == "" && strings.HasPrefix(req.path, "sys/policy/") {
		text = req.text("rules")
		warn("'rules' is deprecated, please use 'policy' instead")
	}
	if text == "" {
		return nil, badRequest("'policy' parameter not supplied or empty")
	}
	if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
		text = string(raw)
	}
	if lower == "root" {
		return nil, badRequest(`cannot update "root" policy`)
	}
	p, err := parsePolicy(req.ns.path, lower, text)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	req.ns.policies[lower] = p
	return rep, nil
}
