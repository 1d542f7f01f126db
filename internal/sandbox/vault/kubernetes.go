package vault

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// kubernetesLogin exchanges a service account's token for Vault's.
type kubernetesLogin struct {
	roles  map[string]*role
	config map[string]any
}

func (k *kubernetesLogin) login(path string) bool { return path == "login" }

func (k *kubernetesLogin) exists(path string) bool {
	_, ok := k.roles[strings.TrimPrefix(path, "role/")]
	return ok
}

func (k *kubernetesLogin) handle(s *Server, req *request, path string) (*reply, error) {
	if name, ok := strings.CutPrefix(path, "role/"); ok || path == "role" {
		return rolesAPI(req, k.roles, name, func(r *request) error {
			for _, f := range []string{"bound_service_account_names", "bound_service_account_namespaces"} {
				if l, err := r.list(f); err != nil || len(l) == 0 {
					return badRequest(fmt.Sprintf("%q can not be empty", f))
				}
			}
			return nil
		})
	}
	switch path {
	case "config":
		return k.configAPI(req)
	case "login":
		if req.op != opUpdate {
			return nil, errUnsupported
		}
		return k.signIn(s, req)
	}
	return nil, errNoSuchPath
}

func (k *kubernetesLogin) configAPI(req *request) (*reply, error) {
	switch req.op {
	case opRead:
		if k.config == nil {
			return nil, nil
		}
		return &reply{data: k.config}, nil
	case opUpdate, opCreate:
		if req.text("kubernetes_host") == "" {
			return nil, badRequest("no host provided")
		}
		k.config = map[string]any{}
		for name, v := range req.data {
			if name != "token_reviewer_jwt" {
				k.config[name] = v
			}
		}
		k.config["token_reviewer_jwt_set"] = req.text("token_reviewer_jwt") != ""
		return nil, nil
	}
	return nil, errUnsupported
}

func (k *kubernetesLogin) signIn(s *Server, req *request) (*reply, error) {
	name, jwt := req.text("role"), req.text("jwt")
	switch {
	case name == "":
		return nil, badRequest("missing role")
	case jwt == "":
		return nil, badRequest("missing jwt")
	case k.roles[name] == nil:
		return nil, badRequest(fmt.Sprintf("invalid role name %q", name))
	}
	if s.opt.ReviewJWT == nil {
		return nil, errDenied
	}
	account, err := s.opt.ReviewJWT(jwt)
	if err != nil {
		return nil, errDenied
	}
	r := k.roles[name]
	fields := &request{data: r.fields}
	if !bound(fields, "bound_service_account_namespaces", account.Namespace) {
		return nil, wrapped(http.StatusForbidden, "namespace not authorized")
	}
	if !bound(fields, "bound_service_account_names", account.Name) {
		return nil, wrapped(http.StatusForbidden, "service account name not authorized")
	}
	return s.logIn(req, r, account.Namespace+"-"+account.Name, map[string]string{
		"role": name, "service_account_name": account.Name, "service_account_namespace": account.Namespace,
		"service_account_secret_name": "", "service_account_uid": account.UID,
	}), nil
}

// bound tells whether a role's list has the name; a star is any, and one at an
// end any that starts or ends so.
func bound(fields *request, list, name string) bool {
	l, err := fields.list(list)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(l, func(p string) bool { return globbed(p, name) })
}
