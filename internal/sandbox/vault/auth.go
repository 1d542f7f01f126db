package vault

import (
	"fmt"
	"strings"
)

// authsAPI serves sys/auth.
func (s *Server) authsAPI(req *request, rest string) (*reply, error) {
	if rest == "" {
		if req.op != opRead {
			return nil, errUnsupported
		}
		return mountTable(req.ns.auths), nil
	}
	if path, ok := strings.CutSuffix(rest, "/tune"); ok {
		return tune(req, req.ns, "auth/"+path)
	}
	path := strings.Trim(rest, "/") + "/"
	switch req.op {
	case opRead:
		m, ok := req.ns.auths[path]
		if !ok {
			return nil, badRequest("No auth engine at " + path)
		}
		return &reply{data: m.info()}, nil
	case opUpdate:
		return nil, s.enableAuth(req, path)
	case opDelete:
		if path == "token/" {
			return nil, badRequest(`cannot disable "token/"`)
		}
		s.disableAuth(req.ns, path)
		return nil, nil
	}
	return nil, errUnsupported
}

func (s *Server) enableAuth(req *request, path string) error {
	m := &mount{path: path, kind: req.text("type"), description: req.text("description"), uuid: s.uuid()}
	switch m.kind {
	case "":
		return badRequest("backend type must be specified as a string")
	case "kubernetes":
		m.auth = &kubernetesLogin{roles: map[string]*role{}}
	case "approle":
		m.auth = &appRoleLogin{roles: map[string]*role{}, ids: map[string]string{}, secrets: map[string]map[string]secretID{}}
	default:
		return badRequest(fmt.Sprintf("plugin not found in the catalog: %s", m.kind))
	}
	if req.ns.auths[path] != nil {
		return badRequest("path is already in use at " + path)
	}
	m.accessor = "auth_" + m.kind + "_" + s.uuid()[:8]
	req.ns.auths[path] = m
	return m.configure(req)
}

// disableAuth takes the tokens that came from the login along.
func (s *Server) disableAuth(ns *space, path string) {
	delete(ns.auths, path)
	for id, t := range s.tokens.byID {
		if t.namespace == ns.path && strings.HasPrefix(t.path, "auth/"+path) {
			s.tokens.revoke(id)
		}
	}
}
