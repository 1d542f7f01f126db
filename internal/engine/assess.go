package engine

import (
	"strings"

	"runbook/internal/risk"
	"runbook/internal/steps"
	"sigs.k8s.io/yaml"
)

// Assess judges the blocks of a step: code has the text of each. The class is
// the worst of what would run and of what the author raises it to; a step
// without a command is a person's own doing, and asks for nothing.
func Assess(s *steps.BoundStep, code []string, c risk.Context) Assessment {
	a := Assessment{Class: risk.Read}
	for i, b := range s.Blocks {
		r := assessBlock(b, code[i], c)
		a.Blocks = append(a.Blocks, r)
		if !b.Offered {
			continue
		}
		a.Class = risk.Max(a.Class, r.Class)
		a.Endless = a.Endless || r.Endless != ""
	}
	if raised, err := risk.ParseClass(s.Risk); err == nil {
		a.Class = risk.Max(a.Class, raised)
	}
	return a
}

func assessBlock(b steps.Block, code string, c risk.Context) risk.Result {
	if b.Kind == steps.ActionBlock && b.Action != nil {
		return assessAction(b.Action)
	}
	return risk.Classify(code, c)
}

// assessAction judges an action by its verb: the verbs that create refuse to
// overwrite, so only rotate and an applied Secret can change a credential.
func assessAction(a *steps.Action) risk.Result {
	r := risk.Result{Command: string(a.Verb)}
	switch a.Verb {
	case steps.VaultCreate:
		add(&r, risk.Write, "creates the Vault entry "+a.Entry+", unless it exists", risk.Touch{Op: "create", Vault: a.Entry})
	case steps.VaultAdd:
		add(&r, risk.Write, "adds keys that are missing to the Vault entry "+a.Entry, risk.Touch{Op: "update", Vault: a.Entry})
	case steps.VaultRotate:
		add(&r, risk.Rotate, "overwrites "+a.Property+" of the Vault entry "+a.Entry, risk.Touch{Op: "update", Vault: a.Entry})
		r.VaultKeys = []risk.VaultKeys{{Entry: a.Entry, Op: "patch", Keys: []string{a.Property}, Complete: true}}
	case steps.SecretCreate:
		add(&r, risk.Write, "creates the Secret "+a.Name+", unless it exists",
			risk.Touch{Op: "create", Kind: "secret", Name: a.Name, Namespace: a.Namespace})
	case steps.Apply:
		for _, m := range a.Manifests {
			assessManifest(&r, m.Text)
		}
	}
	return r
}

// add puts one thing that an action does into its result.
func add(r *risk.Result, c risk.Class, why string, t risk.Touch) {
	r.Class = risk.Max(r.Class, c)
	r.Reasons = append(r.Reasons, risk.Reason{Class: c, Command: r.Command, Why: why})
	r.Touches = append(r.Touches, t)
}

// assessManifest judges one object of an apply action. An applied Secret
// overwrites whatever credential is there.
func assessManifest(r *risk.Result, text string) {
	var o struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"metadata"`
	}
	if err := yaml.Unmarshal([]byte(text), &o); err != nil || o.Kind == "" {
		add(r, risk.Unknown, "applies a manifest that can't be read", risk.Touch{Op: "apply"})
		return
	}
	group, _, found := strings.Cut(o.APIVersion, "/")
	if !found {
		group = ""
	}
	t := risk.Touch{Op: "apply", Kind: strings.ToLower(o.Kind), Group: group, Name: o.Metadata.Name, Namespace: o.Metadata.Namespace}
	if t.Kind == "secret" && group == "" {
		t.Keys, t.Given = risk.SecretGiven(text)
		add(r, risk.Rotate, "overwrites the Secret "+t.Name, t)
		return
	}
	add(r, risk.Write, "applies "+t.String(), t)
}
