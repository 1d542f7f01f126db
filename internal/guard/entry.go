package guard

import (
	"fmt"
	"slices"
	"strings"

	"runbook/internal/dig"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// entryEffects are what becomes of the value in its Vault entry.
func entryEffects(d deed, h home) []effect {
	if h.Vault == "" {
		return nil
	}
	var out []effect
	add := func(e effect, ok bool) {
		if ok {
			out = append(out, e)
		}
	}
	if d.action != nil {
		add(h.entryAction(d.action))
		return out
	}
	told := false
	for _, v := range d.VaultKeys {
		if sameEntry(v.Entry, h.Vault) {
			told = true
			add(h.kv(v, d))
		}
	}
	for _, t := range d.Touches {
		switch api := apiOf(t.Vault, h.Vault); {
		case t.Vault == "" || t.Op == "read":
		case api != "" && !told:
			add(h.api(api, t, d))
		case holds(mountOf(t.Vault), h.Vault) && (t.Op == "delete" || d.says("secrets move")):
			add(h.mountGone(t.Op == "delete"), true)
		}
	}
	for api := range apis {
		if !told && h.addressed(d, api) {
			add(h.api(api, risk.Touch{Op: opOf(d.Class)}, d))
		}
	}
	if d.Class > risk.Read && d.says("sys/remount") {
		moved := h.mountGone(false)
		moved.how = "moves the mount away, if it is the one, that holds"
		add(moved, true)
	}
	if d.Class == risk.Destroy && h.mountAddressed(d) {
		add(h.mountGone(true), true)
	}
	if d.says("snapshot restore", "snapshot-force") {
		add(effect{layer: VaultEntry, rotates: true, how: "takes Vault back to the snapshot's age, and with it", then: h.reach(), undo: h.undoVault()}, true)
	}
	return out
}

func opOf(c risk.Class) string {
	if c == risk.Destroy {
		return "delete"
	}
	return "update"
}

// sameEntry compares entries; one that is only known when it runs may be any.
func sameEntry(entry, wanted string) bool {
	return entry == wanted || variable(entry) && strings.HasSuffix(wanted, entry[strings.LastIndex(entry, "/")+1:]) || strings.HasPrefix(entry, "$") && !strings.Contains(entry, "/")
}

// mountOf is the mount, or the namespace, that a path of the API is about.
func mountOf(path string) string {
	for _, of := range []string{"sys/mounts/", "sys/namespaces/"} {
		if name, ok := strings.CutPrefix(path, of); ok {
			return name
		}
	}
	return path
}

// mountAddressed tells whether a command that deletes names the mount of the
// entry by an address of the API. Where a mount ends only Vault knows, so every
// cut is tried.
func (h home) mountAddressed(d deed) bool {
	for i := range h.Vault {
		if h.Vault[i] == '/' && slices.ContainsFunc(d.Reasons, func(r risk.Reason) bool {
			return r.Class == risk.Destroy && ends(r.Command, "/v1/sys/mounts/"+h.Vault[:i])
		}) {
			return true
		}
	}
	return false
}

// holds tells whether a path is a mount, or a folder, that the entry is in.
func holds(path, entry string) bool { return path != "" && strings.HasPrefix(entry, path+"/") }

// apis are the parts of the KV v2 API, and of the path of the entry itself
// where the mount has no versions.
var apis = map[string]bool{"data": true, "metadata": true, "delete": true, "undelete": true, "destroy": true}

// apiOf says which part of the API of the entry a path is; "" when it is
// another's. Only Vault knows where a mount ends, so every cut is tried.
func apiOf(path, entry string) string {
	if path == entry {
		return "entry"
	}
	for i := range entry {
		if entry[i] != '/' {
			continue
		}
		rest, ok := strings.CutPrefix(path, entry[:i]+"/")
		if !ok {
			continue
		}
		api, tail, _ := strings.Cut(rest, "/")
		if apis[api] && tail == entry[i+1:] {
			return api
		}
	}
	return ""
}

// addressed tells whether a command that changes something names the entry by
// an address of the API: the host and the mount may be variables, the rest is
// rarely one.
func (h home) addressed(d deed, api string) bool {
	_, rest, _ := strings.Cut(h.Vault, "/")
	return rest != "" && slices.ContainsFunc(d.Reasons, func(r risk.Reason) bool {
		i := strings.Index(r.Command, "/v1/")
		return i >= 0 && r.Class > risk.Read && ends(r.Command[i:], "/"+api+"/"+rest)
	})
}

// ends tells whether the text has the path, and nothing longer.
func ends(text, path string) bool {
	for {
		i := strings.Index(text, path)
		if i < 0 {
			return false
		}
		text = text[i+len(path):]
		if text == "" || strings.ContainsAny(text[:1], " \"'?\n\t;&|)") {
			return true
		}
	}
}

// kv judges a command of vault kv. A put replaces the whole map, so a key that
// it doesn't name is dropped.
func (h home) kv(v risk.VaultKeys, d deed) (effect, bool) {
	switch v.Op {
	case "put", "write":
		return h.put(v, d)
	case "patch":
		return h.patch(v, d)
	case "rollback":
		return effect{layer: VaultEntry, rotates: true, how: "may bring back an older value of",
			then: "the whole older map becomes current, the other keys too; " + h.reach(), undo: h.undoVault()}, true
	case "undelete":
		return effect{layer: VaultEntry, rotates: true, how: "may bring back an older value of", then: h.reach(), undo: h.undoVault()}, true
	case "delete", "destroy", "metadata-delete":
		return h.entryGone(v.Op), true
	}
	return effect{}, false
}

func (h home) put(v risk.VaultKeys, d deed) (effect, bool) {
	e := h.entry()
	if v.CAS == "0" {
		return effect{}, false // it fails where the entry exists
	}
	if e.Presence == world.Gone {
		return h.another(d)
	}
	out := effect{layer: VaultEntry, rotates: true, undo: h.undoVault()}
	has, known := h.inVault()
	switch {
	case slices.Contains(v.Keys, h.Property):
		out.how, out.then = "overwrites", d.generated()+h.reach()
	case known && !has && v.Complete:
		return effect{}, false
	case known && has && v.Complete:
		out.how, out.then = "replaces the whole entry and drops", h.dropped()
	case known && has:
		out.how, out.then = "replaces the whole entry and drops, unless what it reads names it,", h.dropped()
	default:
		out.how = "replaces the whole entry and may drop"
		out.then = "can't tell (" + h.vaultWhy() + "): name it in the command, or use vault kv patch; " + h.dropped()
	}
	return out, true
}

func (h home) patch(v risk.VaultKeys, d deed) (effect, bool) {
	out := effect{layer: VaultEntry, rotates: true, undo: h.undoVault()}
	switch {
	case slices.Contains(v.Removed, h.Property):
		out.how, out.then = "changes the entry: it removes", h.dropped()
	case slices.Contains(v.Keys, h.Property):
		out.how, out.then = "changes", d.generated()+h.reach()
	case !v.Complete:
		out.how, out.then = "changes, if what it reads names it,", h.reach()
	default:
		return effect{}, false
	}
	return out, true
}

// api judges a request to the API of the entry.
func (h home) api(api string, t risk.Touch, d deed) (effect, bool) {
	switch {
	case api == "metadata" && t.Op != "delete", api == "entry" && d.says("metadata put", "metadata patch"):
		return h.latent(d)
	case api == "delete", api == "destroy", t.Op == "delete":
		return h.entryGone(api), true
	case api == "undelete":
		return h.kv(risk.VaultKeys{Op: "undelete"}, d)
	case api == "entry" && d.only("brings a version", "changes the metadata"):
		return effect{}, false
	}
	return h.put(risk.VaultKeys{Op: "write"}, d)
}

// latent judges settings that let time take the value away.
func (h home) latent(d deed) (effect, bool) {
	out := effect{layer: VaultEntry, undo: "set it back before that: vault kv metadata put"}
	switch {
	case d.says("delete-version-after", "delete_version_after"):
		out.how = "lets versions delete themselves, later, and with them"
		out.then = "versions written from then on are concerned, and nobody is asked when it happens"
	case d.says("max-versions", "max_versions"):
		out.how = "limits how many versions are kept, and so for how long an older value can be brought back of"
	default:
		return effect{}, false
	}
	return out, true
}

// entryGone is the entry deleted, its version destroyed, or all of it.
func (h home) entryGone(op string) effect {
	out := effect{layer: VaultEntry, gone: true, how: "deletes the Vault entry that holds", then: h.withoutEntry()}
	switch op {
	case "delete":
		out.undo = "vault kv undelete, until the version is destroyed or pruned"
		if h.entry().KV == 1 {
			out.undo = "nothing: the mount keeps no old version"
		}
	case "destroy":
		out.how = "destroys for good a version of the Vault entry that holds"
		out.undo = "nothing for that version"
	default:
		out.undo = "nothing in Vault: all versions and the metadata go"
	}
	if has, known := h.besideVault(); known && has {
		out.undo += "; the Secret " + h.Secret + " still has it, until that goes"
	}
	return out
}

func (h home) mountGone(all bool) effect {
	if !all {
		return effect{layer: VaultEntry, how: "moves the mount away that holds", then: h.withoutEntry(), undo: "move it back"}
	}
	out := h.entryGone("mount")
	out.how = "deletes the mount, with the Vault entry that holds"
	return out
}

// entryAction judges the actions that write entries.
func (h home) entryAction(a *steps.Action) (effect, bool) {
	if a.Entry != h.Vault {
		return effect{}, false
	}
	switch a.Verb {
	case steps.VaultRotate:
		if a.Property != h.Property {
			return effect{}, false
		}
		return effect{layer: VaultEntry, rotates: true, how: "changes", then: h.reach(), undo: h.undoVault()}, true
	case steps.VaultCreate, steps.VaultAdd:
		if h.entry().Presence == world.Gone && names(a, h.Property) {
			return h.another(deed{action: a})
		}
	}
	return effect{}, false
}

func names(a *steps.Action, key string) bool {
	return slices.ContainsFunc(a.Data, func(d steps.ActionData) bool { return d.Key == key })
}

// another is a value put into Vault while the Secret has one that didn't come
// from there: the two differ, and the next sync decides for Vault's.
func (h home) another(d deed) (effect, bool) {
	if h.name == "" || h.secret().Presence != world.Present || !slices.Contains(h.secret().Keys, h.Key) {
		return effect{}, false
	}
	return effect{layer: VaultEntry, rotates: true, how: "puts a value into Vault beside the Secret that holds",
		then: d.generated() + "an ExternalSecret that fills the Secret then overwrites what is there",
		undo: "keep the ExternalSecret away, or put the Secret's own value into the entry"}, true
}

// reach says how a new value gets from the entry to the process.
func (h home) reach() string {
	es, known := h.source()
	switch {
	case h.name == "":
		return ""
	case es == nil && known:
		return "no ExternalSecret brings it to the Secret; it stays latent until one does"
	case es == nil:
		return "the Secret follows when External Secrets sync, the pods at their next restart"
	case dig.Text(es, "spec", "refreshPolicy") == "CreatedOnce" || dig.Text(es, "spec", "refreshInterval") == "0":
		return "the ExternalSecret doesn't refresh: it stays latent until the Secret is made again"
	}
	return "the Secret follows within " + refresh(es) + ", the pods at their next restart"
}

func refresh(es map[string]any) string {
	if every := dig.Text(es, "spec", "refreshInterval"); every != "" {
		return every
	}
	return "1h"
}

// dropped says what an ExternalSecret makes of a key that is no longer there.
func (h home) dropped() string {
	es, _ := h.source()
	switch {
	case es == nil:
		return h.reach()
	case len(dig.List(es, "spec", "dataFrom")) > 0 && len(dig.List(es, "spec", "data")) == 0:
		return "the key vanishes from the Secret within " + refresh(es) + " while the ExternalSecret says Ready, and the pods fail at their next restart"
	}
	return "the ExternalSecret fails and the Secret keeps the old value, until it has to be made again"
}

// withoutEntry says what an ExternalSecret makes of an entry that isn't there.
func (h home) withoutEntry() string {
	es, _ := h.source()
	switch p := dig.Text(es, "spec", "target", "deletionPolicy"); {
	case es == nil:
		return ""
	case p == "Delete":
		return "the Secret is deleted with it within " + refresh(es) + " (deletionPolicy Delete)"
	case p == "Merge":
		return "the key goes from the Secret within " + refresh(es) + " (deletionPolicy Merge)"
	}
	return "the Secret keeps the value (deletionPolicy Retain), until it has to be made again"
}

// undoVault says what brings a protected value back once the entry is written.
func (h home) undoVault() string {
	e := h.entry()
	switch {
	case e.Presence == world.Present && e.KV == 2 && e.Version > 0:
		return fmt.Sprintf("version %d of the Vault entry %s keeps the old value until it is pruned", e.Version, h.Vault)
	case e.Presence == world.Present && e.KV == 1:
		return "nothing: no older version is kept"
	case e.Presence == world.Gone:
		return "nothing: there is no older version"
	}
	return "can't tell which version keeps the old value: " + h.vaultWhy()
}

// besideVault tells whether the Secret has the value.
func (h home) besideVault() (has, known bool) {
	s := h.secret()
	switch s.Presence {
	case world.Present:
		return slices.Contains(s.Keys, h.Key), true
	case world.Gone:
		return false, true
	}
	return false, h.name == ""
}
