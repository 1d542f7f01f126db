package cel

import (
	"strings"

	"github.com/google/cel-go/common/types"

	"runbook/internal/world"
)

// separator stands between the parts of a key; no name of the cluster has it.
const separator = "\x1f"

// An object is what an expression calls one.
type object struct {
	key                         string
	version, kind, name, inside string
}

func objectOf(key string) object {
	parts := append(strings.Split(key, separator), "")
	return object{key: key, version: parts[0], kind: parts[1], name: parts[2], inside: parts[3]}
}

func (o object) ref(defaultNamespace string) world.Ref {
	group, _, grouped := strings.Cut(o.version, "/")
	if !grouped {
		group = ""
	}
	namespace := o.inside
	if namespace == "" {
		namespace = defaultNamespace
	}
	return world.NewRef(o.kind, group, namespace, o.name)
}

func stringVal(s string) types.String { return types.String(s) }
