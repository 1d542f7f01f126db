package vault

import "strings"

// unauthenticated tells the paths that need no token: logins, and the
// preflight, which looks at the token itself and uses none of its uses.
func (s *Server) unauthenticated(req *request) bool {
	if req.path == "sys/internal/ui/mounts" || strings.HasPrefix(req.path, "sys/internal/ui/mounts/") {
		return true
	}
	m, rest := req.ns.authAt(req.path)
	return m != nil && m.auth.login(rest)
}

// sudoPaths need sudo beside the capability. One that ends in a slash stands
// for all below it.
var sudoPaths = []string{
	"sys/seal", "sys/auth/", "sys/remount", "sys/audit", "sys/audit/", "sys/raw/", "sys/rotate",
	"sys/leases/revoke-prefix/", "sys/leases/revoke-force/", "auth/token/accessors/",
}

func needsSudo(path string) bool {
	for _, p := range sudoPaths {
		if path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// authorize checks the policies and uses up one of the token's uses, which
// happens whatever the policies say. done ends a token that had its last use,
// after the request has been served.
func (s *Server) authorize(req *request) (done func(), err error) {
	done = func() {}
	if req.token == nil {
		return done, errBadToken
	}
	a := s.aclOf(req.token)
	if req.op == opUpdate && s.checksExistence(req) && !s.exists(req) {
		req.op = opCreate
	}
	full := req.ns.path + req.path
	allowed := a.allows(req.op, full, req.data) && (!needsSudo(req.path) || a.sudo(full))
	if s.tokens.use(req.token) {
		id := req.token.id
		done = func() { s.tokens.revoke(id) }
	}
	if !allowed {
		return done, errDenied
	}
	return done, nil
}

// aclOf builds what the token may do from its policies as they are now.
func (s *Server) aclOf(t *token) *acl {
	ns := s.spaces[t.namespace]
	var policies []*policy
	for _, name := range t.policies {
		if name == "root" && t.namespace == "" {
			return &acl{root: true}
		}
		if p, ok := ns.policies[name]; ok {
			policies = append(policies, p)
		}
	}
	return newACL(policies)
}

// checksExistence tells the paths on which creating and updating are told
// apart; everywhere else every write is an update.
func (s *Server) checksExistence(req *request) bool {
	if m, rest := req.ns.authAt(req.path); m != nil {
		return strings.HasPrefix(rest, "role/")
	}
	m, rest := req.ns.mountAt(req.path)
	return m != nil && m.kv.checksExistence(rest)
}

func (s *Server) exists(req *request) bool {
	if m, rest := req.ns.authAt(req.path); m != nil {
		return m.auth.exists(rest)
	}
	m, rest := req.ns.mountAt(req.path)
	return m.kv.exists(req, rest)
}
