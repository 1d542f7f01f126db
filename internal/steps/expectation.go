package steps

import "time"

// An Expectation is one sentence about the world that holds or doesn't. Text
// fields may hold ${PARAM} until [Expectation.Bind] has filled them in.
type Expectation struct {
	Text    string
	Pos     Pos
	Subject Subject
	Check   Check
	Args    []string // what the check needs: keys, path and value, status code, host and namespace, pattern
	Within  time.Duration
}

// A Check is what an expectation says of its subject.
type Check string

// The checks, with what stands in Args.
const (
	Ready       Check = "ready"     // is ready: the kind's own rule
	Active      Check = "active"    // namespace or Vault is active
	Exists      Check = "exists"    //
	Absent      Check = "absent"    //
	HasKeys     Check = "has keys"  // Secret, ConfigMap or Vault entry; Args: the keys
	Accepted    Check = "accepted"  // HTTPRoute
	Condition   Check = "condition" // Args: type, status ("" means True)
	JSONPath    Check = "jsonpath"  // Args: path, operator, value
	MayRead     Check = "may read"  // Vault token; Args: path
	TLSListener Check = "tls"       // Gateway; Args: host, namespace that must be let in
	Answers     Check = "answers"   // URL; Args: status code
	Redirects   Check = "redirects" // URL; Args: "https"
	Trusted     Check = "trusted"   // URL; Args: for how long from now, as a Go-like duration ("21d")
	Expression  Check = "cel"       // Args: the expression
	OutputMatch Check = "output"    // Args: the regular expression
)

// A Source says where a subject is looked up.
type Source string

// The sources of subjects.
const (
	Kube   Source = "kube"
	Vault  Source = "vault"
	HTTP   Source = "http"
	Output Source = "output"
	CEL    Source = "cel"
)

// A Subject is a thing whose state can be watched.
type Subject struct {
	Source Source
	// Kube
	Kind      string // as written, lower case: deployment, pvc, externalsecret
	Group     string // when written as kind.group
	Name      string
	Namespace string // "" means the run's namespace (or none, for cluster-scoped kinds)
	// Vault: "" (health), "token", or an entry as mount/path
	Entry string
	// HTTP
	URL string
}
