package vault

import (
	"fmt"
	"strings"
	"time"
)

// appRoleLogin exchanges a role id and a secret id.
type appRoleLogin struct {
	roles   map[string]*role
	ids     map[string]string              // role name → role id
	secrets map[string]map[string]secretID // role name → secret id
}

type secretID struct {
	accessor string
	uses     int
	expires  time.Time
}

func (a *appRoleLogin) login(path string) bool { return path == "login" }

func (a *appRoleLogin) exists(path string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "role/"), "/")
	_, ok := a.roles[name]
	return ok
}

func (a *appRoleLogin) handle(s *Server, req *request, path string) (*reply, error) {
	if path == "login" {
		if req.op != opUpdate {
			return nil, errUnsupported
		}
		return a.signIn(s, req)
	}
	rest, ok := strings.CutPrefix(path, "role")
	if !ok {
		return nil, errNoSuchPath
	}
	name, tail, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	switch tail {
	case "":
		rep, err := rolesAPI(req, a.roles, name, func(*request) error { return nil })
		if a.roles[name] != nil && a.ids[name] == "" {
			a.ids[name] = s.uuid()
		}
		return rep, err
	case "role-id":
		return a.roleID(req, name)
	case "secret-id":
		return a.newSecretID(s, req, name)
	}
	return nil, errNoSuchPath
}

func (a *appRoleLogin) roleID(req *request, name string) (*reply, error) {
	if a.roles[name] == nil {
		return nil, nil
	}
	if req.op == opRead {
		return &reply{data: map[string]any{"role_id": a.ids[name]}}, nil
	}
	id := req.text("role_id")
	if id == "" {
		return nil, badRequest("missing role_id")
	}
	a.ids[name] = id
	return nil, nil
}

func (a *appRoleLogin) newSecretID(s *Server, req *request, name string) (*reply, error) {
	r := a.roles[name]
	if r == nil {
		return nil, badRequest(fmt.Sprintf("role %q does not exist", name))
	}
	if !req.op.writes() {
		return nil, errUnsupported
	}
	fields := &request{data: r.fields}
	uses, _, err := fields.number("secret_id_num_uses")
	if err != nil {
		return nil, err
	}
	ttl, err := duration(fields, "secret_id_ttl")
	if err != nil {
		return nil, err
	}
	id := s.uuid()
	made := secretID{accessor: s.uuid(), uses: uses}
	if ttl > 0 {
		made.expires = s.now().Add(ttl)
	}
	if a.secrets[name] == nil {
		a.secrets[name] = map[string]secretID{}
	}
	a.secrets[name][id] = made
	return &reply{data: map[string]any{
		"secret_id": id, "secret_id_accessor": made.accessor, "secret_id_num_uses": uses, "secret_id_ttl": int64(ttl.Seconds()),
	}}, nil
}

func (a *appRoleLogin) signIn(s *Server, req *request) (*reply, error) {
	id := req.text("role_id")
	if id == "" {
		return nil, badRequest("missing role_id")
	}
	name := ""
	for n, i := range a.ids {
		if i == id && a.roles[n] != nil {
			name = n
		}
	}
	if name == "" {
		return nil, badRequest("invalid role ID")
	}
	r := a.roles[name]
	needed, given, err := (&request{data: r.fields}).flag("bind_secret_id")
	if err != nil {
		return nil, err
	}
	if needed || !given {
		if err := a.useSecretID(name, req.text("secret_id"), s.now()); err != nil {
			return nil, err
		}
	}
	return s.logIn(req, r, "", map[string]string{"role_name": name}), nil
}

func (a *appRoleLogin) useSecretID(name, id string, now time.Time) error {
	if id == "" {
		return badRequest("missing secret_id")
	}
	sec, ok := a.secrets[name][id]
	if !ok || !sec.expires.IsZero() && !now.Before(sec.expires) {
		return badRequest("invalid secret id")
	}
	switch sec.uses {
	case 0:
	case 1:
		delete(a.secrets[name], id)
	default:
		sec.uses--
		a.secrets[name][id] = sec
	}
	return nil
}
