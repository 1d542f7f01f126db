package vault

import (
	"strings"
	"time"
)

// A role maps a login to policies; both kinds of login share it.
type role struct {
	fields   map[string]any // as written, for reading back
	policies []string
	ttl      time.Duration
	max      time.Duration
	explicit time.Duration
	period   time.Duration
	uses     int
}

// readRole takes the token fields, under their current and their older names.
func readRole(req *request, old *role) (*role, error) {
	r := &role{fields: map[string]any{}}
	if old != nil {
		for k, v := range old.fields {
			r.fields[k] = v
		}
	}
	for k, v := range req.data {
		r.fields[k] = v
	}
	all := &request{data: r.fields}
	for _, name := range []string{"token_policies", "policies"} {
		p, err := all.list(name)
		if err != nil {
			return nil, err
		}
		r.policies = append(r.policies, p...)
	}
	for _, f := range []struct {
		into  *time.Duration
		names []string
	}{
		{&r.ttl, []string{"token_ttl", "ttl"}},
		{&r.max, []string{"token_max_ttl", "max_ttl"}},
		{&r.explicit, []string{"token_explicit_max_ttl"}},
		{&r.period, []string{"token_period", "period"}},
	} {
		for _, name := range f.names {
			d, err := duration(all, name)
			if err != nil {
				return nil, err
			}
			if d > 0 {
				*f.into = d
			}
		}
	}
	uses, _, err := all.number("token_num_uses")
	r.uses = uses
	return r, err
}

func (r *role) read() map[string]any {
	out := map[string]any{}
	for k, v := range r.fields {
		out[k] = v
	}
	out["token_policies"] = r.policies
	out["token_ttl"], out["token_max_ttl"] = int64(r.ttl.Seconds()), int64(r.max.Seconds())
	out["token_period"], out["token_num_uses"] = int64(r.period.Seconds()), r.uses
	return out
}

// rolesAPI keeps roles; both kinds of login do it in the same way.
func rolesAPI(req *request, roles map[string]*role, name string, check func(*request) error) (*reply, error) {
	switch req.op {
	case opList:
		return listing(sortedKeys(roles)), nil
	case opRead:
		r, ok := roles[name]
		if !ok {
			return nil, nil
		}
		return &reply{data: r.read()}, nil
	case opDelete:
		delete(roles, name)
		return nil, nil
	case opCreate, opUpdate:
		r, err := readRole(req, roles[name])
		if err != nil {
			return nil, err
		}
		if err := check(&request{data: r.fields}); err != nil {
			return nil, err
		}
		roles[name] = r
		return nil, nil
	}
	return nil, errUnsupported
}

// logIn makes the token of a login. Its name starts with where it was made.
func (s *Server) logIn(req *request, r *role, display string, meta map[string]string) *reply {
	at, _ := req.ns.authAt(req.path)
	name := strings.ReplaceAll(strings.TrimSuffix(at.path, "/"), "/", "-")
	if display != "" {
		name += "-" + display
	}
	t := &token{
		id: s.tokenID("hvs."), accessor: s.accessor(), namespace: req.ns.path,
		policies: cleanPolicies(r.policies, true), path: req.path, displayName: name, meta: meta,
		kind: "service", entity: s.uuid(), numUses: r.uses, roleMax: r.max, explicitMax: r.explicit, period: r.period,
		created: s.now(), renewable: true,
	}
	ttl, warnings := t.leaseFor(r.ttl, t.created)
	t.ttl, t.expires = ttl, t.created.Add(ttl)
	s.tokens.add(t)
	return &reply{auth: t.auth(), warnings: warnings}
}
