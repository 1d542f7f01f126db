package vault

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
)

func (s *Server) accessor() string {
	return base64.RawURLEncoding.EncodeToString(s.random(18))
}

// tokenAPI serves auth/token/.
func (s *Server) tokenAPI(req *request, rest string) (*reply, error) {
	type key struct {
		path string
		read bool
	}
	if req.op == opList && rest == "accessors/" {
		return s.listAccessors(), nil
	}
	if req.op != opRead && req.op != opUpdate {
		return nil, errUnsupported
	}
	handlers := map[key]func(*request) (*reply, error){
		{"lookup-self", true}:      s.lookupSelf,
		{"lookup-self", false}:     s.lookupSelf,
		{"lookup", true}:           s.lookupToken,
		{"lookup", false}:          s.lookupToken,
		{"lookup-accessor", false}: s.lookupAccessor,
		{"create", false}:          func(r *request) (*reply, error) { return s.createToken(r, false) },
		{"create-orphan", false}:   func(r *request) (*reply, error) { return s.createToken(r, true) },
		{"renew-self", false}:      func(r *request) (*reply, error) { return s.renewToken(r, r.tokenID) },
		{"renew", false}:           func(r *request) (*reply, error) { return s.renewToken(r, r.text("token")) },
		{"revoke-self", false}:     func(r *request) (*reply, error) { return s.revokeToken(r.tokenID) },
		{"revoke", false}:          func(r *request) (*reply, error) { return s.revokeToken(r.text("token")) },
		{"revoke-accessor", false}: s.revokeAccessor,
		{"revoke-orphan", false}:   s.revokeOrphan,
	}
	h, ok := handlers[key{rest, req.op == opRead}]
	if ok {
		return h(req)
	}
	if _, other := handlers[key{rest, req.op != opRead}]; other {
		return nil, errUnsupported
	}
	return nil, errNoSuchPath
}

func (s *Server) listAccessors() *reply {
	var out []string
	for _, t := range s.tokens.byID {
		out = append(out, t.accessor)
	}
	slices.Sort(out)
	return listing(out)
}

// lookupSelf doesn't go through lookup: a token may look at itself with its
// last use.
func (s *Server) lookupSelf(req *request) (*reply, error) {
	return &reply{data: req.token.info(s.now())}, nil
}

func (s *Server) lookupToken(req *request) (*reply, error) {
	id := req.text("token")
	if id == "" {
		return s.lookupSelf(req)
	}
	t := s.tokens.lookup(id, s.now())
	if t == nil {
		return nil, fail(http.StatusForbidden, "bad token")
	}
	return &reply{data: t.info(s.now())}, nil
}

func (s *Server) lookupAccessor(req *request) (*reply, error) {
	accessor := req.text("accessor")
	if accessor == "" {
		return nil, badRequest("missing accessor")
	}
	t := s.tokens.byAccessor(accessor, s.now())
	if t == nil {
		return nil, wrapped(http.StatusBadRequest, "invalid accessor")
	}
	info := t.info(s.now())
	info["id"] = "" // whoever knows an accessor doesn't get the token
	return &reply{data: info}, nil
}

func (s *Server) renewToken(req *request, id string) (*reply, error) {
	if id == "" {
		return nil, badRequest("missing token ID")
	}
	now := s.now()
	t := s.tokens.lookup(id, now)
	switch {
	case t == nil:
		return nil, badRequest("token not found")
	case t.kind == "batch":
		return nil, badRequest("batch tokens cannot be renewed")
	case !t.renewable:
		return nil, badRequest("lease is not renewable")
	}
	increment, err := duration(req, "increment")
	if err != nil {
		return nil, err
	}
	ttl, warnings := t.leaseFor(increment, now)
	if ttl <= 0 {
		return nil, fail(http.StatusInternalServerError, "past the max TTL, cannot renew")
	}
	t.expires, t.renewed = now.Add(ttl), now
	auth := t.auth()
	auth.LeaseDuration = int(ttl.Seconds())
	return &reply{auth: auth, warnings: warnings}, nil
}

func (s *Server) revokeToken(id string) (*reply, error) {
	t := s.tokens.lookup(id, s.now())
	switch {
	case id == "":
		return nil, badRequest("missing token ID")
	case t != nil && t.kind == "batch":
		return nil, badRequest("batch tokens cannot be revoked")
	case t != nil:
		s.tokens.revoke(id)
	}
	return nil, nil
}

func (s *Server) revokeAccessor(req *request) (*reply, error) {
	accessor := req.text("accessor")
	if accessor == "" {
		return nil, badRequest("missing accessor")
	}
	t := s.tokens.byAccessor(accessor, s.now())
	if t == nil {
		return &reply{warnings: []string{"No token found with this accessor"}}, nil
	}
	s.tokens.revoke(t.id)
	return nil, nil
}

func (s *Server) revokeOrphan(req *request) (*reply, error) {
	id := req.text("token")
	switch {
	case id == "":
		return nil, badRequest("missing token ID")
	case !s.aclOf(req.token).sudo(req.ns.path + req.path):
		return nil, badRequest("root or sudo privileges required to revoke and orphan")
	case s.tokens.lookup(id, s.now()) == nil:
		return nil, badRequest("token to revoke not found")
	}
	s.tokens.orphan(id)
	return nil, nil
}

// createToken makes a child of the request's token, or an orphan.
func (s *Server) createToken(req *request, orphan bool) (*reply, error) {
	parent := req.token
	switch {
	case parent.numUses == lastUse:
		return nil, badRequest("parent token lookup failed: no parent found")
	case parent.kind == "batch":
		return nil, badRequest("batch tokens cannot create more tokens")
	case parent.numUses > 0:
		return nil, badRequest("restricted use token cannot generate child tokens")
	}
	sudo := s.aclOf(parent).sudo(req.ns.path + req.path)
	t := &token{
		id: s.tokenID("hvs."), accessor: s.accessor(), parent: parent.id, namespace: req.ns.path,
		path: "auth/token/" + lastSegment(req.path), displayName: "token", created: s.now(), kind: "service", renewable: true,
		entity: parent.entity,
	}
	for _, step := range []func() error{
		func() error { return t.setKind(req) },
		func() error { return t.setIdentity(req, sudo) },
		func() error { return t.setPolicies(req, parent, sudo) },
		func() error { return t.setLineage(req, orphan, sudo) },
		func() error { return t.setTimes(req, sudo) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	warnings, err := t.start(parent)
	if err != nil {
		return nil, err
	}
	if t.kind == "batch" {
		t.id, t.accessor, t.renewable = s.tokenID("hvb."), "", false
	}
	if s.tokens.byID[t.id] != nil {
		return nil, badRequest("cannot create a token with a duplicate ID")
	}
	s.tokens.add(t)
	return &reply{auth: t.auth(), warnings: warnings}, nil
}

func (t *token) setKind(req *request) error {
	switch kind := req.text("type"); kind {
	case "", "service":
	case "batch":
		t.kind = "batch"
		for _, field := range []string{"num_uses", "explicit_max_ttl", "period"} {
			if v, ok := req.data[field]; ok && fmt.Sprint(v) != "0" && fmt.Sprint(v) != "" {
				return badRequest(fmt.Sprintf("batch tokens cannot have %q set", field))
			}
		}
	default:
		return badRequest("invalid 'token_type' value")
	}
	return nil
}

func (t *token) setIdentity(req *request, sudo bool) error {
	uses, _, err := req.number("num_uses")
	if err != nil {
		return err
	}
	if uses < 0 {
		return badRequest("number of uses cannot be negative")
	}
	t.numUses = uses
	if name := req.text("display_name"); name != "" {
		t.displayName = "token-" + name
	}
	meta, _, err := req.table("meta")
	if err != nil {
		return err
	}
	for k, v := range meta {
		if t.meta == nil {
			t.meta = map[string]string{}
		}
		t.meta[k] = fmt.Sprint(v)
	}
	if renewable, given, err := req.flag("renewable"); err != nil {
		return err
	} else if given {
		t.renewable = renewable
	}
	if id := req.text("id"); id != "" {
		if !sudo {
			return badRequest("root or sudo privileges required to specify token id")
		}
		t.id = id
	}
	return nil
}

func (t *token) setPolicies(req *request, parent *token, sudo bool) error {
	asked, err := req.list("policies")
	if err != nil {
		return err
	}
	noDefault, _, err := req.flag("no_default_policy")
	if err != nil {
		return err
	}
	addDefault := false
	switch {
	case parent.namespace != t.namespace:
		addDefault = !noDefault
	case len(asked) == 0:
		asked = parent.policies
	case sudo:
		addDefault = !noDefault
	default:
		for _, p := range cleanPolicies(asked, false) {
			if !slices.Contains(parent.policies, p) {
				return badRequest("child policies must be subset of parent")
			}
		}
		addDefault = !noDefault && slices.Contains(parent.policies, "default")
	}
	t.policies = cleanPolicies(asked, addDefault)
	if noDefault {
		t.policies = slices.DeleteFunc(t.policies, func(p string) bool { return p == "default" })
	}
	if !slices.Contains(t.policies, "root") {
		return nil
	}
	switch {
	case !slices.Contains(parent.policies, "root"):
		return badRequest("root tokens may not be created without parent token being root")
	case t.namespace != "":
		return badRequest("root tokens may not be created from a parent namespace")
	case t.kind == "batch":
		return badRequest("batch tokens cannot be root tokens")
	}
	return nil
}

func (t *token) setLineage(req *request, orphan, sudo bool) error {
	noParent, _, err := req.flag("no_parent")
	if err != nil {
		return err
	}
	if noParent && !sudo {
		return badRequest("root or sudo privileges required to create orphan token")
	}
	if orphan || noParent {
		t.parent, t.entity = "", ""
	}
	return nil
}

func (t *token) setTimes(req *request, sudo bool) error {
	for _, f := range []struct {
		name string
		into *time.Duration
	}{{"ttl", &t.ttl}, {"explicit_max_ttl", &t.explicitMax}, {"period", &t.period}} {
		d, err := duration(req, f.name)
		if err != nil {
			return err
		}
		if d < 0 {
			return badRequest(f.name + " must be positive")
		}
		*f.into = d
	}
	if t.period > 0 && !sudo {
		return badRequest("root or sudo privileges required to create periodic token")
	}
	return nil
}

// start begins the token's lease. Only a root token may have none.
func (t *token) start(parent *token) (warnings []string, err error) {
	root := slices.Contains(t.policies, "root")
	if t.period > 0 || t.ttl > 0 || !root {
		t.ttl, warnings = t.leaseFor(t.ttl, t.created)
	} else if t.explicitMax > 0 {
		t.ttl = t.explicitMax
	}
	if t.ttl == 0 {
		if parent.ttl != 0 {
			return nil, badRequest("expiring root tokens cannot create non-expiring root tokens")
		}
		t.renewable = false
		return warnings, nil
	}
	t.expires = t.created.Add(t.ttl)
	return warnings, nil
}

// duration reads a field in seconds or as a Go duration.
func duration(req *request, name string) (time.Duration, error) {
	v, ok := req.data[name]
	if !ok || v == nil || v == "" {
		return 0, nil
	}
	d, err := parseutil.ParseDurationSecond(v)
	if err != nil {
		return 0, badRequest(err.Error())
	}
	return d, nil
}

func lastSegment(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}
