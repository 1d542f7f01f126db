package guard

import (
	"fmt"
	"slices"
	"strings"

	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// rotated names the protected value that a step would overwrite on purpose or
// by accident; "" when there is none.
func rotated(q Request) string {
	for _, p := range q.Protects {
		for _, r := range q.Results {
			if overwrites(r, p, q.World) != "" {
				return p.Name
			}
		}
	}
	return ""
}

// protectWarnings says first of all what would become of protected values.
func protectWarnings(q Request) []Warning {
	var out []Warning
	for _, p := range q.Protects {
		for _, r := range q.Results {
			if how := overwrites(r, p, q.World); how != "" {
				out = append(out, Warning{Protects: p.Name, Text: sentence(how, p), Undo: undoVault(p, q.World)})
			}
			if how := takesAway(r, p, q.World); how != "" {
				out = append(out, Warning{Protects: p.Name, Text: sentence(how, p), Undo: undoSecret(p, q.World)})
			}
		}
	}
	return slices.CompactFunc(out, func(a, b Warning) bool { return a == b })
}

func sentence(how string, p steps.Protect) string {
	s := how + " the " + p.Name
	if p.Cost != "" {
		s += ": " + p.Cost
	}
	return s
}

// overwrites says how a command would change a protected value; "" when it doesn't.
func overwrites(r risk.Result, p steps.Protect, w world.World) string {
	for _, v := range r.VaultKeys {
		if v.Entry == p.Vault {
			if how := vaultWrite(v, p, w); how != "" {
				return how
			}
		}
	}
	for _, t := range r.Touches {
		if isSecret(t, p) && (t.Op == "apply" || t.Op == "update") && r.Class >= risk.Rotate {
			return "overwrites the Secret that holds"
		}
	}
	return ""
}

// vaultWrite judges a write to the entry that holds a protected value. A put
// replaces the whole map, so a key that it doesn't name is dropped.
func vaultWrite(v risk.VaultKeys, p steps.Protect, w world.World) string {
	entry, known := w.Entries[v.Entry]
	absent := known && entry.Presence == world.Gone
	switch v.Op {
	case "put", "write":
		if v.CAS == "0" || absent {
			return ""
		}
		if slices.Contains(v.Keys, p.Property) {
			return "overwrites"
		}
		if known && entry.Presence == world.Present && entry.KeysWhy == "" && !slices.Contains(entry.Keys, p.Property) && v.Complete {
			return ""
		}
		return "replaces the whole entry and drops"
	case "patch":
		if slices.Contains(v.Keys, p.Property) || slices.Contains(v.Removed, p.Property) || !v.Complete {
			return "changes"
		}
		return ""
	case "rollback", "undelete":
		return "may bring back an older value of"
	}
	return ""
}

func isSecret(t risk.Touch, p steps.Protect) bool {
	namespace, name, ok := strings.Cut(p.Secret, "/")
	return ok && t.Kind == "secret" && t.Name == name && (t.Namespace == namespace || t.Namespace == "")
}

// takesAway says how a command would remove a protected value; "" when it doesn't.
func takesAway(r risk.Result, p steps.Protect, w world.World) string {
	for _, v := range r.VaultKeys {
		if v.Entry == p.Vault && slices.Contains([]string{"delete", "destroy", "metadata-delete"}, v.Op) {
			return "deletes the Vault entry that holds"
		}
	}
	namespace, _, _ := strings.Cut(p.Secret, "/")
	for _, t := range r.Touches {
		switch {
		case t.Op != "delete":
		case isSecret(t, p):
			return "deletes the Secret that holds"
		case t.Kind == "namespace" && t.Name == namespace && secretState(p, w) != world.Gone:
			return "takes the Secret away that holds"
		case t.Kind == "externalsecret" && owns(t, p, w):
			return "takes the Secret away, with the ExternalSecret that owns it, that holds"
		}
	}
	return ""
}

// owns tells whether an ExternalSecret owns the protected Secret, so that
// deleting it deletes the Secret. What can't be told counts as yes.
func owns(t risk.Touch, p steps.Protect, w world.World) bool {
	o, ok := w.Objects[secretRef(p)]
	if !ok || o.Presence != world.Present {
		return o.Presence != world.Gone
	}
	meta, _ := o.Body["metadata"].(map[string]any)
	owners, _ := meta["ownerReferences"].([]any)
	for _, x := range owners {
		owner, _ := x.(map[string]any)
		if owner["kind"] == "ExternalSecret" && (t.Name == "" || owner["name"] == t.Name) {
			return true
		}
	}
	return false
}

func secretRef(p steps.Protect) world.Ref {
	namespace, name, _ := strings.Cut(p.Secret, "/")
	return world.NewRef("secret", "", namespace, name)
}

func secretState(p steps.Protect, w world.World) world.Presence {
	return w.Objects[secretRef(p)].Presence
}

// inVault tells whether the entry has the property now. known is false when
// that can't be told.
func inVault(p steps.Protect, w world.World) (has, known bool) {
	e, ok := w.Entries[p.Vault]
	if !ok || p.Vault == "" {
		return false, p.Vault == ""
	}
	switch e.Presence {
	case world.Gone:
		return false, true
	case world.Present:
		return slices.Contains(e.Keys, p.Property), e.KeysWhy == "" && !e.Deleted && !e.Destroys
	}
	return false, false
}

// undoSecret says what brings a protected value back once its Secret is gone.
func undoSecret(p steps.Protect, w world.World) string {
	has, known := inVault(p, w)
	switch {
	case !known:
		return "can't tell whether Vault has it: " + vaultWhy(p, w)
	case has:
		e := w.Entries[p.Vault]
		return fmt.Sprintf("the Vault entry %s still has %s (version %d); External Secrets bring the same value back", p.Vault, p.Property, e.Version)
	}
	return "nothing: no other place has it"
}

func vaultWhy(p steps.Protect, w world.World) string {
	e := w.Entries[p.Vault]
	switch {
	case e.Why != "":
		return e.Why
	case e.KeysWhy != "":
		return e.KeysWhy
	}
	return "the entry " + p.Vault + " was not answered"
}

// undoVault says what brings a protected value back once the entry is overwritten.
func undoVault(p steps.Protect, w world.World) string {
	e := w.Entries[p.Vault]
	if e.Presence == world.Present && e.KV == 2 && e.Version > 0 {
		return fmt.Sprintf("version %d of the Vault entry %s keeps the old value until it is pruned", e.Version, p.Vault)
	}
	return "nothing: no older version is kept"
}

// protectLosses names a protected value that nothing could bring back.
func protectLosses(q Request) []Loss {
	var out []Loss
	for _, p := range q.Protects {
		for _, r := range q.Results {
			if takesAway(r, p, q.World) == "" {
				continue
			}
			has, known := inVault(p, q.World)
			out = append(out, Loss{
				What: "the " + p.Name, Why: undoSecret(p, q.World),
				Irrecoverable: known && !has, Unknown: !known,
			})
		}
	}
	return slices.Compact(out)
}

// targetWarnings says of every command that names another target than the
// pinned one.
func targetWarnings(q Request) []Warning {
	var out []Warning
	for _, r := range q.Results {
		for _, t := range r.Targets {
			if t.Value == q.Where.Context || t.Value == q.Where.Server || t.Value == q.Where.Vault {
				continue
			}
			out = append(out, Warning{Text: fmt.Sprintf("%s %s names another target than %s", t.How, t.Value, pinned(q.Where))})
		}
	}
	return out
}

func pinned(w Where) string {
	if w.Context == "" {
		return "the one this run is pinned to"
	}
	return "context " + w.Context
}
