package steps

import "time"

// An ActionVerb is what an action does.
type ActionVerb string

// The verbs of actions, as they stand in the first key of the fence.
const (
	VaultCreate  ActionVerb = "vault: create"
	VaultAdd     ActionVerb = "vault: add"
	VaultRotate  ActionVerb = "vault: rotate"
	SecretCreate ActionVerb = "secret: create"
	Apply        ActionVerb = "apply: manifests"
	Wait         ActionVerb = "wait"
)

// An Action is a step carried out in-process; no secret value is part of it.
// Text fields may hold ${PARAM} until bound.
type Action struct {
	Verb      ActionVerb
	Pos       Pos
	Entry     string       // vault: mount/path
	Property  string       // vault: rotate
	Namespace string       // secret: create
	Name      string       // secret: create
	Type      string       // secret: create
	Data      []ActionData // in the order of the file
	Manifests []Manifest   // apply
	Wait      *Expectation
	Within    time.Duration
}

// ActionData says how the value of one key comes about.
type ActionData struct {
	Key      string
	Literal  string // may hold ${PARAM}
	Generate string // base64, hex, alphanumeric, uuid
	Bytes    int    // of randomness
	Template string // text/template over the other keys
	Secret   bool   // set by Bind: the value must never be shown
	Pos      Pos
}

// A Manifest is one YAML document of an apply action, unresolved.
type Manifest struct {
	Text string
	Line int
}
