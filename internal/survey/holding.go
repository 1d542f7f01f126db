package survey

import (
	"context"
	"fmt"
	"strings"

	"runbook/internal/guard"
	"runbook/internal/vault"
)

// path is a path of Vault's API that is deleted: a mount with all that it holds,
// a namespace with all its mounts, or an entry.
func (s Surveyor) path(ctx context.Context, path string) []guard.Loss {
	if variable(path) {
		return []guard.Loss{unknown("whatever vault "+path+" stands for", "not known before it runs")}
	}
	path = strings.Trim(path, "/")
	if namespace, ok := strings.CutPrefix(path, "sys/namespaces/"); ok {
		return s.vaultNamespace(ctx, namespace)
	}
	mount, named := strings.CutPrefix(path, "sys/mounts/")
	if !named && (path == "sys" || strings.HasPrefix(path, "sys/") || strings.HasPrefix(path, "auth/")) {
		return nil // of Vault itself: its class says what it is
	}
	if s.Vault == nil {
		losses := s.readers(ctx, mount)
		if named || !strings.Contains(path, "/") {
			losses = append(losses, unknown("every entry of the mount "+mount, "they are not counted: no Vault is configured"))
		}
		return losses
	}
	h, err := s.Vault.Holding(ctx, mount)
	switch {
	case vault.KindOf(err) == vault.NoMount:
		return nil // there is nothing to delete
	case err != nil:
		return append(s.readers(ctx, mount), unknown("what vault "+mount+" holds", "could not list: "+vault.Why(err)))
	case h.Path == h.Mount:
		return append(s.readers(ctx, h.Path), mountLosses(h)...)
	case !h.Entry && len(h.Entries) > 0 && len(h.Unlisted) == 0:
		return []guard.Loss{{What: "vault " + h.Path, Why: "it is a folder, and no entry: nothing goes, and the " + counts(h) + " in it stay"}}
	}
	return s.readers(ctx, h.Path) // only the entry goes: what is below it stays
}

// vaultNamespace is all that the mounts of a namespace hold.
func (s Surveyor) vaultNamespace(ctx context.Context, name string) []guard.Loss {
	what := "everything in the Vault namespace " + name
	if s.Vault == nil {
		return []guard.Loss{unknown(what, "it is not counted: no Vault is configured")}
	}
	h, err := s.Vault.NamespaceHolding(ctx, name)
	if err != nil {
		return []guard.Loss{unknown(what, "could not list: "+vault.Why(err))}
	}
	out := entryLosses(h, "the Vault namespace "+name)
	return append(out, unknown("who reads from the Vault namespace "+name, "no store of this cluster is compared with it; its policies, logins and namespaces go too"))
}

// mountLosses are what goes with a mount.
func mountLosses(h vault.Holding) []guard.Loss {
	if h.Type != "kv" && h.Type != "generic" {
		return []guard.Loss{unknown("everything that the mount "+h.Mount+" has made", "it is of type "+h.Type+", which keeps no entries: what it issued is not listed")}
	}
	return entryLosses(h, "the mount "+h.Mount)
}

// entryLosses are the entries that go, and what could not be listed of them.
func entryLosses(h vault.Holding, of string) []guard.Loss {
	var out []guard.Loss
	switch {
	case len(h.Entries) > 0:
		var names first
		for _, e := range h.Entries {
			names.add(e)
		}
		out = append(out, guard.Loss{What: counts(h) + " of " + of + ": " + names.String(), Irrecoverable: true,
			Why: "with all their versions; nothing but a snapshot of Vault brings their values back"})
	case len(h.Unlisted) == 0:
		out = append(out, guard.Loss{What: of, Why: "it holds no entry"})
	}
	for _, u := range h.Unlisted {
		out = append(out, unknown("what is in vault "+u.Path, "could not list: "+u.Why))
	}
	return out
}

// counts is how many entries a holding has.
func counts(h vault.Holding) string {
	if h.More {
		return fmt.Sprintf("more than %d entries", len(h.Entries))
	}
	if len(h.Entries) == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", len(h.Entries))
}
