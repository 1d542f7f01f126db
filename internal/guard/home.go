package guard

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"runbook/internal/dig"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// Facts are the objects that say where a protected value is: its Secret. Before
// a step that changes something they are also the ExternalSecrets that may fill
// it, and the pods that may have read it, which can be many.
func Facts(p steps.Protect, changes bool) []world.Ref {
	namespace, name, ok := strings.Cut(p.Secret, "/")
	if !ok {
		return nil
	}
	out := []world.Ref{world.NewRef("secret", "", namespace, name)}
	if changes {
		out = append(out, world.NewRef("externalsecret", "", namespace, ""), world.NewRef("pod", "", namespace, ""))
	}
	return out
}

// A home is a protected value with what is known of the places it is in.
type home struct {
	steps.Protect
	namespace, name string // of its Secret; both "" without one
	w               world.World
	foreseen        Change // the zero Change where nothing is given to it, or nobody has compared
}

func homeOf(p steps.Protect, w world.World) home {
	h := home{Protect: p, w: w}
	if namespace, name, ok := strings.Cut(p.Secret, "/"); ok {
		h.namespace, h.name = namespace, name
	}
	return h
}

func homes(q Request) []home {
	var out []home
	for _, p := range q.Protects {
		h := homeOf(p, q.World)
		if i := slices.IndexFunc(q.Foreseen, func(c Change) bool { return c.Protects == p.Name }); i >= 0 {
			h.foreseen = q.Foreseen[i]
		}
		out = append(out, h)
	}
	return out
}

func (h home) entry() world.Entry { return h.w.Entries[h.Vault] }

func (h home) secret() world.Object {
	return h.w.Objects[world.NewRef("secret", "", h.namespace, h.name)]
}

// here tells whether a namespace may be that of the Secret. One that isn't
// named may be any.
func (h home) here(namespace string) bool {
	return h.name != "" && (namespace == "" || namespace == h.namespace || variable(namespace))
}

// named tells whether a name may be the wanted one: a name that is only known
// when it runs may be.
func named(name, wanted string) bool { return name == wanted || variable(name) }

// variable tells whether a word holds something that only the shell knows.
func variable(s string) bool { return strings.ContainsAny(s, "$`*?[{…") }

// listed are the objects of a kind beside the Secret; known is false when they
// could not be listed.
func (h home) listed(kind string) (items []world.Object, known bool) {
	o := h.w.Objects[world.NewRef(kind, "", h.namespace, "")]
	switch o.Presence {
	case world.Present:
		return o.Related, true
	case world.Gone, world.NoKind:
		return nil, true
	}
	return nil, false
}

// source is the ExternalSecret that fills the Secret; nil when there is none,
// or when that isn't known.
func (h home) source() (body map[string]any, known bool) {
	items, known := h.listed("externalsecret")
	for _, o := range items {
		if fills(o.Body, h.name) {
			return o.Body, true
		}
	}
	return nil, known
}

// fills tells whether an ExternalSecret writes the Secret.
func fills(es map[string]any, secret string) bool {
	return policy(es) != "None" && world.TargetSecret(es) == secret
}

// policy is the creationPolicy of an ExternalSecret.
func policy(es map[string]any) string {
	if p := dig.Text(es, "spec", "target", "creationPolicy"); p != "" {
		return p
	}
	return "Owner"
}

// ownedBy tells whether the Secret goes with an object of the kind, of any name
// when name is "".
func (h home) ownedBy(kind, name string) bool {
	owners, _ := dig.At(h.secret().Body, "metadata", "ownerReferences").([]any)
	return slices.ContainsFunc(owners, func(o any) bool {
		return dig.Text(o, "kind") == kind && (name == "" || named(name, dig.Text(o, "name")))
	})
}

// inVault tells whether the entry has the property now. known is false when
// that can't be told.
func (h home) inVault() (has, known bool) {
	e, ok := h.w.Entries[h.Vault]
	if !ok || h.Vault == "" {
		return false, h.Vault == ""
	}
	switch e.Presence {
	case world.Gone:
		return false, true
	case world.Present:
		return slices.Contains(e.Keys, h.Property), e.KeysWhy == "" && !e.Deleted && !e.Destroys
	}
	return false, false
}

// vaultWhy says why it isn't known what Vault has.
func (h home) vaultWhy() string {
	e := h.entry()
	switch {
	case e.Why != "":
		return e.Why
	case e.KeysWhy != "":
		return "its keys can't be listed: " + e.KeysWhy
	case e.Deleted:
		return fmt.Sprintf("version %d is deleted, and can be undeleted", e.Version)
	case e.Destroys:
		return fmt.Sprintf("version %d is destroyed", e.Version)
	}
	return "the entry " + h.Vault + " was not answered"
}

// written is when the key of the Secret was last given a value, and by whom.
// The zero time means that it isn't known.
func (h home) written() (at time.Time, by string) {
	fields, _ := dig.At(h.secret().Body, "metadata", "managedFields").([]any)
	for _, f := range fields {
		_, direct := dig.At(f, "fieldsV1", "f:data", "f:"+h.Key).(map[string]any)
		_, text := dig.At(f, "fieldsV1", "f:stringData", "f:"+h.Key).(map[string]any)
		if !direct && !text {
			continue
		}
		if t := dig.Time(f, "time"); t.After(at) {
			at, by = t, dig.Text(f, "manager")
		}
	}
	if at.IsZero() {
		at = dig.Time(h.secret().Body, "metadata", "creationTimestamp")
	}
	return at, by
}
