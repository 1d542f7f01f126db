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

// secretEffects are what becomes of the value in its Secret.
func secretEffects(d deed, h home) []effect {
	var out []effect
	gone := false
	for _, t := range d.Touches {
		if gone && h.remade(t) {
			e := h.overwritten("makes anew the Secret that it has deleted, and in it", d.generated()+
				"who watches for changes only (Reloader) misses it, so that the pods keep the old value until a later restart; ")
			out = append(out, e)
			continue
		}
		if e, ok := h.secretTouch(t, d); ok {
			out = append(out, e)
			gone = gone || e.gone
		}
	}
	if d.action != nil {
		if e, ok := h.secretAction(d.action); ok {
			out = append(out, e)
		}
	}
	if len(out) == 0 && h.secret().Presence != world.Gone && d.blind() {
		out = append(out, h.secretGone("may delete, with what is only known when it runs, the Secret that holds"))
	}
	return append(out, h.byAddress(d)...)
}

// blind tells whether a command deletes objects of the cluster that only the
// shell knows.
func (d deed) blind() bool {
	return slices.ContainsFunc(d.Touches, func(t risk.Touch) bool { return t.Op == "delete" && variable(t.Kind) }) ||
		slices.ContainsFunc(d.Reasons, func(r risk.Reason) bool {
			return r.Class == risk.Destroy && strings.Contains(r.Why, "only known when it runs")
		})
}

// remade tells whether a Secret that was just deleted is made again.
func (h home) remade(t risk.Touch) bool {
	return (t.Op == "create" || t.Op == "apply") && t.Kind == "secret" && h.here(t.Namespace) && named(t.Name, h.name) &&
		(len(t.Keys) == 0 || slices.Contains(t.Keys, h.Key))
}

func (h home) secretTouch(t risk.Touch, d deed) (effect, bool) {
	switch {
	case t.Kind == "secret" && h.here(t.Namespace) && (t.Name == "" || named(t.Name, h.name)):
		return h.secretItself(t, d)
	case t.Op == "read" || t.Op == "wait":
		return effect{}, false // who looks at a release renders nothing
	case t.Op != "delete":
		return h.manager(t, d)
	case (t.Kind == "namespace" || t.Kind == "project") && (t.Name == "" || named(t.Name, h.namespace)) && h.secret().Presence != world.Gone:
		return h.secretGone("takes the Secret away that holds"), true
	case t.Kind == "externalsecret" && h.here(t.Namespace) && h.goesWith(t.Name):
		return h.secretGone("takes the Secret away, with the ExternalSecret that owns it, that holds"), true
	case t.Kind == "customresourcedefinition" && strings.HasPrefix(t.Name, "externalsecrets.") && h.goesWith(""):
		return h.secretGone("deletes every ExternalSecret, and with it the Secret that holds"), true
	}
	return h.manager(t, d)
}

// goesWith tells whether the Secret goes when an ExternalSecret does. What
// can't be told counts as yes.
func (h home) goesWith(name string) bool {
	s := h.secret()
	if s.Presence != world.Present {
		return s.Presence != world.Gone
	}
	return h.ownedBy("ExternalSecret", name)
}

func (h home) secretItself(t risk.Touch, d deed) (effect, bool) {
	present := h.secret().Presence
	switch t.Op {
	case "delete":
		if present == world.Gone {
			return effect{}, false
		}
		return h.secretGone("deletes the Secret that holds"), true
	case "apply":
		return h.applied(t, d)
	case "update":
		if d.only("annotates", "labels") {
			return effect{}, false
		}
		return h.overwritten("overwrites the Secret that holds", d.generated()), true
	case "create":
		if dry(d, t) {
			return effect{}, false // the apply that follows is judged by itself
		}
		return h.made(len(t.Keys) == 0 || slices.Contains(t.Keys, h.Key), d)
	}
	return effect{}, false
}

// dry tells whether a Secret is only made to be piped on.
func dry(d deed, created risk.Touch) bool {
	return slices.ContainsFunc(d.Touches, func(t risk.Touch) bool {
		return t.Op == "apply" && t.Kind == created.Kind && t.Name == created.Name
	})
}

// applied judges a manifest of the Secret, by the names of its keys.
func (h home) applied(t risk.Touch, d deed) (effect, bool) {
	if h.secret().Presence == world.Gone {
		return h.made(len(t.Keys) == 0 || slices.Contains(t.Keys, h.Key), d)
	}
	switch {
	case d.flag("--force"):
		return h.overwritten("deletes and makes anew the Secret that holds",
			"who watches for changes only (Reloader) misses it, so that the pods keep the old value until a later restart; "), true
	case len(t.Keys) > 0 && !slices.Contains(t.Keys, h.Key) && d.says("replace"):
		return h.overwritten("replaces the Secret, without the key that holds", ""), true
	case len(t.Keys) > 0 && !slices.Contains(t.Keys, h.Key):
		return h.overwritten("applies the Secret without the key that holds", "what was applied before is taken out; "), true
	case len(t.Keys) > 0 && h.foreseen.Now == Same:
		return h.keptAsItIs(), true
	}
	return h.overwritten("overwrites the Secret that holds", d.generated()), true
}

// keptAsItIs is a Secret that is given the value it has.
func (h home) keptAsItIs() effect {
	return effect{layer: Secret, harmless: true, how: "writes into the Secret what is there already as",
		then: "the two were compared without showing them; what the step really did is compared after it", undo: "nothing has to be taken back"}
}

// told says how the value that is given compares with the one that is there; ""
// where nothing is given.
func (h home) told() string {
	switch c := h.foreseen; c.Now {
	case Same:
		return "; the value is the one that is there already"
	case Whitespace:
		return "; the value differs from the one that is there in white space around it alone"
	case Changed:
		return "; the value is another one than the one that is there"
	case CantTell:
		return "; can't tell whether the value is another one: " + c.Why
	}
	return ""
}

func (h home) overwritten(how, first string) effect {
	then := first + "the pods read it at their next restart"
	if h.ownedBy("ExternalSecret", "") {
		then = first + "External Secrets put Vault's value back at once, and a restart in between reads the new one"
	}
	return effect{layer: Secret, rotates: true, how: how, then: then + h.told(), undo: h.undoSecret()}
}

func (h home) secretGone(how string) effect {
	return effect{layer: Secret, gone: true, how: how, undo: h.undoSecret()}
}

// made judges a Secret that is created: it refuses where one is, and is a new
// value where another place has the old one.
func (h home) made(withKey bool, d deed) (effect, bool) {
	if !withKey || h.secret().Presence != world.Gone {
		return effect{}, false
	}
	es, _ := h.source()
	has, known := h.inVault()
	switch {
	case has && known:
		return effect{layer: Secret, rotates: true, how: "makes the Secret by hand, beside the Vault entry that has", then: d.generated() + "the pods read it when they start",
			undo: fmt.Sprintf("delete it again and let External Secrets make it from version %d of the entry", h.entry().Version)}, true
	case es != nil:
		return effect{layer: Secret, rotates: true, how: "makes the Secret by hand that an ExternalSecret is to fill, and so", then: "the operator overwrites it as soon as it can",
			undo: "delete the ExternalSecret first"}, true
	case len(h.users()) > 0:
		return effect{layer: Secret, rotates: true, how: "makes a new Secret while pods still run with the old value of", then: d.generated() + "their next restart reads the new one",
			undo: "nothing, unless somebody has the old value"}, true
	}
	return effect{}, false
}

// secretAction judges the action that creates Secrets.
func (h home) secretAction(a *steps.Action) (effect, bool) {
	if a.Verb != steps.SecretCreate || a.Name != h.name || !h.here(a.Namespace) {
		return effect{}, false
	}
	return h.made(names(a, h.Key), deed{action: a})
}

// byAddress judges requests to the cluster's API that name the Secret or its
// namespace.
func (h home) byAddress(d deed) []effect {
	var out []effect
	namespace := "/api/v1/namespaces/" + h.namespace
	for _, r := range d.Reasons {
		item := ends(r.Command, namespace+"/secrets/"+h.name)
		all := ends(r.Command, namespace+"/secrets")
		switch {
		case r.Class <= risk.Read:
		case r.Class == risk.Destroy && (item || all):
			out = append(out, h.secretGone("deletes the Secret that holds"))
		case r.Class == risk.Destroy && (ends(r.Command, namespace) || ends(r.Command, namespace+"/finalize")):
			out = append(out, h.secretGone("takes the Secret away that holds"))
		case item:
			out = append(out, h.overwritten("overwrites the Secret that holds", ""))
		}
	}
	return out
}

// manager judges what is done to the release or application that the Secret
// belongs to.
func (h home) manager(t risk.Touch, d deed) (effect, bool) {
	release := dig.Text(h.secret().Body, "metadata", "annotations", "meta.helm.sh/release-name")
	var app string
	if id := dig.Text(h.secret().Body, "metadata", "annotations", "argocd.argoproj.io/tracking-id"); id != "" {
		app, _, _ = strings.Cut(id, ":")
	}
	if app == "" {
		app = dig.Text(h.secret().Body, "metadata", "labels", "argocd.argoproj.io/instance")
	}
	var what string
	switch {
	case t.Kind == "release" && release != "" && named(t.Name, release):
		what = "the Helm release"
	case t.Kind == "application" && app != "" && (t.Name == "" || named(t.Name, app)):
		what = "the Argo CD Application"
	default:
		return effect{}, false
	}
	if t.Op == "delete" {
		return h.secretGone("takes " + what + " away that made the Secret that holds"), true
	}
	return h.overwritten("renders "+what+" again, which may make anew", "a template that makes random values makes new ones each time; "), true
}

// undoSecret says what brings a protected value back once its Secret is gone.
func (h home) undoSecret() string {
	has, known := h.inVault()
	switch {
	case !known:
		return "can't tell whether Vault has it: " + h.vaultWhy()
	case has:
		return fmt.Sprintf("the Vault entry %s still has %s (version %d); External Secrets bring the same value back", h.Vault, h.Property, h.entry().Version)
	}
	return "nothing: no other place has it"
}
