package vault

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
	"github.com/hashicorp/hcl"
	"github.com/hashicorp/hcl/hcl/ast"
)

// capability is a set of what a policy may grant, plus deny.
type capability uint

const (
	capDeny capability = 1 << iota
	capCreate
	capRead
	capUpdate
	capDelete
	capList
	capSudo
	capPatch
)

var capabilityNames = map[string]capability{
	"deny": capDeny, "create": capCreate, "read": capRead, "update": capUpdate,
	"delete": capDelete, "list": capList, "sudo": capSudo, "patch": capPatch,
}

// oldPolicies are the capability sets that a stanza's "policy" stood for
// before there were capabilities.
var oldPolicies = map[string][]string{
	"deny":  {"deny"},
	"read":  {"read", "list"},
	"write": {"create", "read", "update", "delete", "list"},
	"sudo":  {"create", "read", "update", "delete", "list", "sudo"},
}

// A policy is a named set of rules, and its text as it was given.
type policy struct {
	name, raw string
	rules     []rule
}

// A rule is one path stanza. Its path starts with the namespace's.
type rule struct {
	path     string
	prefix   bool // the path ended in *
	wild     bool // the path has a + segment; a trailing * is kept
	caps     capability
	allowed  map[string][]any
	denied   map[string][]any
	required []string
	wrapOnly bool // answers have to be wrapped, which no request here asks for
}

// parsePolicy reads a policy in HCL or JSON. The messages are Vault's.
func parsePolicy(namespace, name, text string) (*policy, error) {
	root, err := hcl.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("failed to parse policy: %w", err)
	}
	list, ok := root.Node.(*ast.ObjectList)
	if !ok {
		return nil, errors.New("failed to parse policy: does not contain a root object")
	}
	if err := checkKeys(list, "name", "path"); err != nil {
		return nil, fmt.Errorf("failed to parse policy: %w", err)
	}
	p := &policy{name: name, raw: text}
	for _, item := range list.Filter("path").Items {
		r, err := parseRule(namespace, item)
		if err != nil {
			return nil, fmt.Errorf("failed to parse policy: %w", err)
		}
		// Templates are filled from the identity of the token's owner, which
		// no token has here; Vault skips such rules then.
		if !strings.Contains(r.path, "{{") {
			p.rules = append(p.rules, r)
		}
	}
	return p, nil
}

func mustPolicy(namespace, name, text string) *policy {
	p, err := parsePolicy(namespace, name, text)
	if err != nil {
		panic(err) // a built-in text
	}
	return p
}

func checkKeys(node ast.Node, valid ...string) error {
	list, ok := node.(*ast.ObjectList)
	if o, isType := node.(*ast.ObjectType); isType {
		list, ok = o.List, true
	}
	if !ok {
		return fmt.Errorf("cannot check HCL keys of type %T", node)
	}
	known := map[string]bool{}
	for _, v := range valid {
		known[v] = true
	}
	for _, item := range list.Items {
		key, _ := item.Keys[0].Token.Value().(string)
		if !known[key] {
			return fmt.Errorf("invalid key %q on line %d", key, item.Assign.Line)
		}
	}
	return nil
}

type stanza struct {
	Policy       string           `hcl:"policy"`
	Capabilities []string         `hcl:"capabilities"`
	Allowed      map[string][]any `hcl:"allowed_parameters"`
	Denied       map[string][]any `hcl:"denied_parameters"`
	Required     []string         `hcl:"required_parameters"`
	MinWrap      any              `hcl:"min_wrapping_ttl"`
	MaxWrap      any              `hcl:"max_wrapping_ttl"`
}

func parseRule(namespace string, item *ast.ObjectItem) (rule, error) {
	key := "path"
	if len(item.Keys) > 0 {
		key, _ = item.Keys[0].Token.Value().(string)
	}
	if err := checkKeys(item.Val, "comment", "policy", "capabilities", "allowed_parameters", "denied_parameters",
		"required_parameters", "min_wrapping_ttl", "max_wrapping_ttl", "mfa_methods", "control_group"); err != nil {
		return rule{}, fmt.Errorf("path %q: %w", key, err)
	}
	var st stanza
	if err := hcl.DecodeObject(&st, item.Val); err != nil {
		return rule{}, fmt.Errorf("path %q: %w", key, err)
	}
	r := rule{path: namespace + strings.TrimPrefix(key, "/"), required: st.Required}
	if strings.Contains(r.path, "+*") {
		return rule{}, fmt.Errorf("path %q: invalid use of wildcards ('+*' is forbidden)", r.path)
	}
	r.wild = r.path == "+" || strings.Contains(r.path, "/+") || strings.HasPrefix(r.path, "+/")
	if !r.wild && strings.HasSuffix(r.path, "*") {
		r.path, r.prefix = strings.TrimSuffix(r.path, "*"), true
	}
	r.allowed, r.denied = lowerKeys(st.Allowed), lowerKeys(st.Denied)
	r.wrapOnly = positiveDuration(st.MinWrap) || positiveDuration(st.MaxWrap)
	var err error
	r.caps, err = parseCapabilities(key, st)
	return r, err
}

func parseCapabilities(key string, st stanza) (capability, error) {
	names := st.Capabilities
	if st.Policy != "" {
		old, ok := oldPolicies[st.Policy]
		if !ok {
			return 0, fmt.Errorf("path %q: invalid policy %q", key, st.Policy)
		}
		names = append(names, old...)
	}
	var caps capability
	for _, n := range names {
		c, ok := capabilityNames[n]
		if !ok {
			return 0, fmt.Errorf("path %q: invalid capability %q", key, n)
		}
		if c == capDeny {
			return capDeny, nil // beside deny nothing else counts
		}
		caps |= c
	}
	return caps, nil
}

func lowerKeys(m map[string][]any) map[string][]any {
	if m == nil {
		return nil
	}
	out := map[string][]any{}
	for k, v := range m {
		out[strings.ToLower(k)] = v
	}
	return out
}

func positiveDuration(v any) bool {
	if v == nil {
		return false
	}
	d, err := parseutil.ParseDurationSecond(v)
	return err == nil && d > 0
}

// defaultPolicy is what every token gets that doesn't refuse it.
const defaultPolicy = `# What any token may do: see to itself.
path "auth/token/lookup-self" { capabilities = ["read"] }
path "auth/token/renew-self" { capabilities = ["update"] }
path "auth/token/revoke-self" { capabilities = ["update"] }
path "sys/capabilities-self" { capabilities = ["update"] }
path "sys/internal/ui/resultant-acl" { capabilities = ["read"] }
path "sys/renew" { capabilities = ["update"] }
path "sys/leases/renew" { capabilities = ["update"] }
path "sys/leases/lookup" { capabilities = ["update"] }
path "cubbyhole/*" { capabilities = ["create", "read", "update", "delete", "list"] }
path "sys/wrapping/wrap" { capabilities = ["update"] }
path "sys/wrapping/lookup" { capabilities = ["update"] }
path "sys/wrapping/unwrap" { capabilities = ["update"] }
path "sys/tools/hash" { capabilities = ["update"] }
path "sys/tools/hash/*" { capabilities = ["update"] }
path "sys/control-group/request" { capabilities = ["update"] }
path "identity/oidc/provider/+/authorize" { capabilities = ["read", "update"] }
`
