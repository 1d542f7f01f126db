package engine

import (
	"slices"
	"strings"

	"runbook/internal/risk"
	"runbook/internal/steps"
	"sigs.k8s.io/yaml"
)

// Code returns what would run, block by block, with the operator's edits; of a
// settled step what ran.
func (e *Engine) Code(step string) []string {
	b, ok := e.step(step)
	if !ok {
		return nil
	}
	return e.code(b)
}

func (e *Engine) code(b binding) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	code := slices.Clone(b.Code)
	for i, edited := range e.edits[b.ID] {
		code[i] = edited
	}
	return code
}

// Assess judges what a step would run, edits included.
func (e *Engine) Assess(step string) Assessment {
	b, ok := e.step(step)
	if !ok {
		return Assessment{}
	}
	return e.assess(b)
}

func (e *Engine) assess(b binding) Assessment {
	code := e.code(b)
	key := b.ID + "\x00" + strings.Join(code, "\x00")
	if b.old {
		key = "old " + key
	}
	e.mu.Lock()
	gen := e.foot.gen
	a, ok := e.judged[key]
	e.mu.Unlock()
	if ok {
		return a
	}
	a = shownAssessment(e.cfg.Hide, Assess(b.BoundStep, code, e.riskContext(b)))
	e.mu.Lock()
	if e.foot.gen == gen {
		e.judged[key] = a
	}
	e.mu.Unlock()
	return a
}

// touches are what the commands of a step act on. What isn't offered acts on
// nothing here: it is meant for elsewhere, or names a stand-in.
func (e *Engine) touches(b binding) []risk.Touch {
	var out []risk.Touch
	for i, r := range e.assess(b).Blocks {
		if b.Blocks[i].Offered {
			out = append(out, r.Touches...)
		}
	}
	return out
}

func (e *Engine) riskContext(b binding) risk.Context {
	env := map[string]string{}
	for name, v := range b.values {
		if !v.Secret {
			env[name] = v.Text
		}
	}
	return risk.Context{Env: env, ReadFile: e.cfg.Read, MountVersion: e.cfg.Mount}
}

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
