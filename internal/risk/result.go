package risk

import (
	"encoding/json"
	"strings"
)

// Context is what the caller knows about the surroundings of a text. Its zero value knows
// nothing, and is fine.
type Context struct {
	// Env holds variables whose values are known.
	Env map[string]string
	// ReadFile opens manifests, scripts and task files that the text names. With nil, or an
	// error, what such a file would do stays unknown.
	ReadFile func(path string) ([]byte, error)
	// MountVersion is the version (1 or 2) of a key-value mount of Vault, 0 if it isn't known.
	MountVersion func(mount string) int
	// Aliases of the operator's shell: name to replacement text.
	Aliases map[string]string
}

// Reason is the verdict on one simple command.
type Reason struct {
	Class   Class  `json:"class"`
	Command string `json:"command"`
	Why     string `json:"why"`
}

// Touch is a thing that a command acts on. Which fields are set depends on what it is: a
// cluster object (Kind), an entry (Vault), a Host, or a file (Path).
type Touch struct {
	// Op is create, apply, update, delete, read, wait or exec.
	Op string
	// Kind is lower case and singular, without its group; "" if it isn't a cluster object.
	Kind, Group, Name, Namespace string
	// Selector is a label or field selector, or "--all", in place of a name.
	Selector string
	// Everywhere says that those of all namespaces are meant (-A); Namespace is "" then.
	Everywhere bool
	// Vault is mount/entry.
	Vault string
	Host  string
	Path  string
	// Keys are the names of the data keys a Secret is given, where they can be read.
	Keys []string
	// Given are the values of those keys, for comparing.
	Given Given
	// Spec is the spec of an object that is applied, where its manifest can be read; never of
	// a Secret, and with variables as they are written.
	Spec map[string]any
	// Condition is what is waited for (`--for`), for Op wait.
	Condition string
}

// String names the thing as the rest of the program writes it.
func (t Touch) String() string {
	switch {
	case t.Vault != "":
		return "vault " + t.Vault
	case t.Host != "":
		return "host " + t.Host
	case t.Path != "":
		return "path " + t.Path
	}
	s := t.Kind
	switch {
	case t.Name != "":
		s += "/" + t.Name
	case t.Selector != "":
		s += " " + t.Selector
	}
	switch {
	case t.Everywhere:
		s += " in all namespaces"
	case t.Namespace != "":
		s += " in " + t.Namespace
	}
	return s
}

// Target is a cluster, server or account that a command names for itself, which may be
// another one than the one that was confirmed.
type Target struct {
	// How is the flag, variable or verb that names it: "--context", "KUBECONFIG", "use-context".
	How   string
	Value string
	// Command is the command that carries it.
	Command string
}

// VaultKeys is what a `vault kv` write says about the keys of an entry, for the guard that
// tells which keys would be dropped.
type VaultKeys struct {
	// Entry is mount/path.
	Entry string
	// Op is put, patch, write, rollback, undelete, delete, destroy or metadata-delete.
	Op string
	// Keys are the names given; Removed are those named for removal by a patch.
	Keys, Removed []string
	// CAS is the value of a check-and-set flag, "" without one.
	CAS string
	// Complete is false when more keys may come from a file, standard input or a variable.
	Complete bool
	// Version is the number given to rollback, delete, undelete or destroy.
	Version string
}

// Opened is another context that a command opens: what is typed after it runs there.
type Opened struct {
	// Kind is ssh, exec, psql, redis-cli, shell, su … : the program that then reads the lines.
	Kind    string
	Where   string
	Command string
}

// Result is everything a text was found to do.
type Result struct {
	// Command is the text itself. No other field holds a value that stands in it: what follows
	// password= and its like is "…" there.
	Command string
	Class   Class
	// Reasons has one entry for each command that isn't a mere assignment, worst first and
	// in the order of the text within a class.
	Reasons []Reason
	Touches []Touch
	// Endless names the command that never ends by itself (`-w`, `-f`, port-forward, watch).
	Endless string
	Opens   []Opened
	// Interactive names the command that needs a terminal.
	Interactive string
	Targets     []Target
	// Generates names the command that makes a new credential (`openssl rand`, …).
	Generates string
	// Prints names the command whose output holds secret values.
	Prints string
	// Notes are remarks that change no class: hidden failures, prompts that were removed,
	// characters that only look like ASCII.
	Notes     []string
	VaultKeys []VaultKeys
	// ParseError is why the text isn't shell; the class is then Unknown at least, and was
	// judged line by line as well as that goes.
	ParseError string
}

// MarshalJSON writes the documented shape: command, class, reasons and touches as strings.
func (r Result) MarshalJSON() ([]byte, error) {
	reasons := r.Reasons
	if reasons == nil {
		reasons = []Reason{}
	}
	return json.Marshal(struct {
		Command string   `json:"command"`
		Class   Class    `json:"class"`
		Reasons []Reason `json:"reasons"`
		Touches []string `json:"touches"`
	}{r.Command, r.Class, reasons, r.TouchNames()})
}

// TouchNames are the touches as strings, each once, in the order they occur.
func (r Result) TouchNames() []string {
	names := make([]string, 0, len(r.Touches))
	seen := make(map[string]bool, len(r.Touches))
	for _, t := range r.Touches {
		if s := t.String(); !seen[s] {
			seen[s] = true
			names = append(names, s)
		}
	}
	return names
}

// Why is the reasons of the worst class in one line, for a status bar.
func (r Result) Why() string {
	var parts []string
	for _, x := range r.Reasons {
		if x.Class == r.Class && x.Why != "" {
			parts = append(parts, x.Why)
		}
	}
	return strings.Join(parts, "; ")
}
