package guard

import (
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"runbook/internal/dig"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// syncEffects are what becomes of the way from the entry to the Secret.
func syncEffects(d deed, h home) []effect {
	var out []effect
	for _, m := range manifests(d) {
		if e, ok := h.syncApplied(m); ok {
			out = append(out, e)
		}
	}
	for _, t := range d.Touches {
		if e, ok := h.syncTouched(t, d); ok {
			out = append(out, e)
		}
	}
	return out
}

// A manifest is an object that is applied. Spec is nil where it can't be read.
type manifest struct {
	kind, namespace, name string
	spec                  map[string]any
}

// manifests are the objects that a deed applies.
func manifests(d deed) []manifest {
	var out []manifest
	if d.action != nil && d.action.Verb == steps.Apply {
		for _, m := range d.action.Manifests {
			var o struct {
				Kind     string
				Metadata struct{ Name, Namespace string }
				Spec     map[string]any
			}
			if yaml.Unmarshal([]byte(m.Text), &o) == nil {
				out = append(out, manifest{strings.ToLower(o.Kind), o.Metadata.Namespace, o.Metadata.Name, o.Spec})
			}
		}
		return out
	}
	for _, t := range d.Touches {
		if t.Op == "apply" {
			out = append(out, manifest{t.Kind, t.Namespace, t.Name, t.Spec})
		}
	}
	return out
}

func (h home) syncApplied(m manifest) (effect, bool) {
	switch m.kind {
	case "externalsecret":
		if h.here(m.namespace) {
			return h.esApplied(m)
		}
	case "sealedsecret":
		if h.here(m.namespace) && named(m.name, h.name) {
			return h.overwritten("unseals into the Secret that holds", "sealing the same value again changes nothing, sealing another one does; "), h.secret().Presence != world.Gone
		}
	case "pushsecret":
		if h.pushed(m.spec) {
			return effect{layer: VaultEntry, rotates: true, how: "pushes a Secret's value into Vault, over", then: h.reach(), undo: h.undoVault()}, h.entry().Presence != world.Gone
		}
	case "secretstore", "clustersecretstore":
		es, _ := h.source()
		if kind, name := world.StoreOf(es); es != nil && kind == m.kind && named(m.name, name) {
			return h.redirected("changes the store behind", "another path, namespace or server has another value, or none"), true
		}
	}
	return effect{}, false
}

// pushed tells whether a PushSecret writes the property of the entry.
func (h home) pushed(spec map[string]any) bool {
	return slices.ContainsFunc(dig.List(spec, "data"), func(d any) bool {
		ref := dig.At(d, "match", "remoteRef")
		key, property := dig.Text(ref, "remoteKey"), dig.Text(ref, "property")
		return key != "" && (h.Vault == key || strings.HasSuffix(h.Vault, "/"+key)) && (property == "" || property == h.Property)
	})
}

// esApplied judges a manifest of an ExternalSecret.
func (h home) esApplied(m manifest) (effect, bool) {
	now, known := h.source()
	was := h.es(m.name)
	body := map[string]any{"metadata": map[string]any{"name": m.name}, "spec": m.spec}
	switch {
	case m.spec == nil && (was != nil && fills(was, h.name) || named(m.name, h.name)):
		return h.redirected("changes, in a way that can't be told, the ExternalSecret that fills the Secret with", ""), true
	case was != nil && fills(was, h.name) && !fills(body, h.name):
		e := h.secretGone("makes the ExternalSecret fill another Secret, so that the old one is deleted with")
		e.layer = ExternalSecret
		return e, true
	case !fills(body, h.name):
		return effect{}, false
	case was != nil && fills(was, h.name):
		if fields := differing(dig.Map(was, "spec"), m.spec, h.Key); len(fields) > 0 {
			return h.redirected("changes "+strings.Join(fields, ", ")+" of the ExternalSecret that fills the Secret with",
				"another source, or another encoding of the same value: the bytes differ"), true
		}
		return effect{}, false
	case now != nil:
		return h.redirected("adds a second ExternalSecret for the Secret that holds", "the two overwrite each other"), true
	case h.secret().Presence == world.Gone || !known && h.secret().Presence != world.Present:
		return effect{}, false // nothing is there to be overwritten
	case h.ownedBy("ExternalSecret", m.name):
		return effect{}, false // it made the Secret, and comes back
	}
	return h.adopted(body), true
}

// adopted is a Secret that was made by hand and is taken over.
func (h home) adopted(es map[string]any) effect {
	how := "adopts the Secret that was made by hand, and overwrites with what Vault has"
	if policy(es) == "Merge" {
		how = "merges what Vault has into the Secret that was made by hand, over"
	}
	return effect{layer: ExternalSecret, rotates: true, how: how, then: "at once; the pods read it at their next restart",
		undo: "nothing: the value that was made by hand is in no other place; put it into the Vault entry first"}
}

// redirected is an ExternalSecret that gets its value from elsewhere.
func (h home) redirected(how, because string) effect {
	then := "the Secret follows at once, the pods at their next restart"
	if because != "" {
		then = because + "; " + then
	}
	return effect{layer: ExternalSecret, rotates: true, how: how, then: then, undo: "apply the old manifest again"}
}

func (h home) es(name string) map[string]any {
	items, _ := h.listed("externalsecret")
	for _, o := range items {
		if dig.Text(o.Body, "metadata", "name") == name {
			return o.Body
		}
	}
	return nil
}

// defaults are what the API server fills in, by field; a manifest that leaves
// them out means the same.
var defaults = map[string]any{
	"refreshInterval": "1h", "refreshPolicy": "Periodic", "creationPolicy": "Owner", "deletionPolicy": "Retain",
	"conversionStrategy": "Default", "decodingStrategy": "None", "metadataPolicy": "None", "engineVersion": "v2",
	"mergePolicy": "Replace", "kind": "SecretStore",
}

// deciding are the fields of an ExternalSecret that decide which bytes arrive.
var deciding = []string{"data", "dataFrom", "secretStoreRef", "target", "refreshPolicy"}

// differing names the fields in which two specs mean different bytes under a key.
func differing(was, now map[string]any, key string) []string {
	var out []string
	for _, f := range deciding {
		before, after := was[f], now[f]
		if f == "data" && key != "" && dig.At(was, "target", "template") == nil && dig.At(now, "target", "template") == nil {
			before, after = dataFor(before, key), dataFor(after, key)
		}
		if !reflect.DeepEqual(plainer(f, before), plainer(f, after)) {
			out = append(out, f)
		}
	}
	return out
}

// dataFor are the items of data that make one key: without a template, the
// others make keys of their own.
func dataFor(data any, key string) []any {
	items, _ := data.([]any)
	var mine []any
	for _, item := range items {
		if dig.Text(item, "secretKey") == key {
			mine = append(mine, item)
		}
	}
	return mine
}

// plainer takes out what the API server fills in, and what is empty.
func plainer(field string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if p := plainer(k, x); p != nil {
				out[k] = p
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		var out []any
		for _, x := range v {
			out = append(out, plainer("", x))
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	if v == defaults[field] || v == "" {
		return nil
	}
	return v
}

// syncTouched judges commands that name the ExternalSecret or its store
// without a manifest.
func (h home) syncTouched(t risk.Touch, d deed) (effect, bool) {
	if t.Op != "update" {
		return effect{}, false
	}
	es, _ := h.source()
	if es == nil {
		return effect{}, false
	}
	kind, store := world.StoreOf(es)
	mine := t.Kind == "externalsecret" && h.here(t.Namespace) && (t.Name == "" || named(t.Name, dig.Text(es, "metadata", "name")))
	behind := t.Kind == kind && (t.Name == "" || named(t.Name, store))
	switch {
	case !mine && !behind, d.only("labels"):
		return effect{}, false
	case mine && d.only("annotates", "labels", "makes the operator fetch"):
		return h.forced(es)
	case d.only("annotates", "labels"):
		return effect{}, false
	case behind:
		return h.redirected("changes the store behind", "another path, namespace or server has another value, or none"), true
	}
	return h.redirected("changes the ExternalSecret that fills the Secret with", "another source, or another encoding of the same value"), true
}

// forced is a sync that is asked for now: it brings what was written to the
// entry since the last one.
func (h home) forced(es map[string]any) (effect, bool) {
	e, last := h.entry(), dig.Time(es, "status", "refreshTime")
	if e.Presence != world.Present || e.Created.IsZero() || last.IsZero() || !e.Created.After(last) {
		return effect{}, false
	}
	return effect{layer: ExternalSecret, rotates: true, how: "brings what was written to the Vault entry since the last sync, perhaps a new value of",
		then: "the pods read it at their next restart", undo: h.undoVault()}, true
}
