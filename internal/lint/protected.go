package lint

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/risk"
	"runbook/internal/steps"
)

func checkProtected(p *pass) {
	for i := range p.plan.Protects {
		q := plainProtect(p.plan.Protects[i])
		for _, s := range p.scripts {
			if acknowledged(s.step) {
				continue
			}
			s.changes(q, func(at steps.Pos, how string) {
				p.report(at, sprintf("this %s the protected %s", how, nameOf(q)),
					"write the other keys only; if it is meant, say `risk: rotate` (or `destroy`) and `cost:` in the step's annotation")
			})
		}
		for j := range p.plan.Steps {
			p.protectedAction(&p.plan.Steps[j].Step, q)
		}
	}
}

// acknowledged tells whether the author has said that the step changes what
// others rely on, and what that costs.
func acknowledged(s *steps.Step) bool {
	return s.Cost != "" && (s.Risk == "rotate" || s.Risk == "destroy")
}

// plainProtect is a protected key as [plain] writes its names.
func plainProtect(q steps.Protect) steps.Protect {
	for _, s := range []*string{&q.Secret, &q.Key, &q.Vault, &q.Property} {
		*s = plain(*s)
	}
	return q
}

func nameOf(q steps.Protect) string {
	switch {
	case q.Name != "":
		return q.Name
	case q.Property != "":
		return q.Property + " of " + q.Vault
	}
	return q.Key + " of " + q.Secret
}

// changes yields how a script changes a protected value, and where. Statements
// are judged one by one; what only the whole script tells, because a variable is
// set further up, is said of its first line.
func (s *script) changes(q steps.Protect, f func(at steps.Pos, how string)) {
	found := false
	for _, stmt := range s.file.Stmts {
		r := s.judge(s.source(stmt))
		how := changesIn(r, q)
		if how == "" {
			continue
		}
		found = true
		at := stmt.Pos()
		for _, c := range s.calls {
			if within(c.node, stmt) && changesIn(c.risk(), q) != "" {
				at = c.node.Pos()
				break
			}
		}
		f(s.at(at), how)
	}
	if how := changesIn(&s.result, q); how != "" && !found {
		f(s.at(syntax.NewPos(0, 1, 1)), how)
	}
}

func changesIn(r *risk.Result, q steps.Protect) string {
	for _, k := range r.VaultKeys {
		if how := changesEntry(k, q); how != "" {
			return how
		}
	}
	for _, t := range r.Touches {
		if how := changesSecret(t, q); how != "" {
			return how
		}
	}
	return ""
}

// changesEntry says what a write to Vault does to a protected property.
func changesEntry(k risk.VaultKeys, q steps.Protect) string {
	if q.Vault == "" || plain(k.Entry) != q.Vault {
		return ""
	}
	names := q.Property == "" || slices.Contains(k.Keys, q.Property)
	switch k.Op {
	case "put":
		switch {
		case k.CAS == "0":
			return "" // refused where the entry exists
		case names:
			return "overwrites"
		case k.Complete:
			return "drops, because it doesn't name it,"
		}
		return "may drop or overwrite"
	case "patch":
		switch {
		case slices.Contains(k.Removed, q.Property):
			return "removes"
		case names:
			return "overwrites"
		}
		return ""
	case "rollback":
		return "puts an older value in place of"
	case "delete", "destroy", "metadata-delete":
		return "deletes"
	}
	return ""
}

// changesSecret says what a command does to a protected Secret. Deleting the
// namespace around it is a teardown, which names its cost as any other.
func changesSecret(t risk.Touch, q steps.Protect) string {
	if q.Secret == "" || t.Kind != "secret" || t.Name == "" {
		return ""
	}
	namespace, name, _ := strings.Cut(q.Secret, "/")
	if plain(t.Name) != name || t.Namespace != "" && plain(t.Namespace) != namespace {
		return ""
	}
	keyed := q.Key == "" || len(t.Keys) == 0 || slices.Contains(t.Keys, q.Key)
	switch t.Op {
	case "delete":
		return "deletes"
	case "apply", "update":
		if keyed {
			return "overwrites"
		}
	}
	return ""
}

// protectedAction looks at the actions of a step; those that create refuse to
// overwrite, and only `vault: rotate` and manifests remain.
func (p *pass) protectedAction(s *steps.Step, q steps.Protect) {
	if acknowledged(s) {
		return
	}
	hint := "if it is meant, say `risk: rotate` and `cost:` in the step's annotation"
	for _, b := range s.Blocks {
		a := b.Action
		switch {
		case a == nil:
		case a.Verb == steps.VaultRotate && plain(a.Entry) == q.Vault && plain(a.Property) == q.Property:
			p.report(a.Pos, sprintf("this overwrites the protected %s", nameOf(q)), hint)
		case a.Verb == steps.Apply:
			for _, m := range a.Manifests {
				p.protectedManifest(m, q, hint)
			}
		}
	}
}

// plain writes ${NAME} as $NAME, as the classifier does with what it doesn't know.
func plain(s string) string { return strings.NewReplacer("${", "$", "}", "").Replace(s) }

func (p *pass) protectedManifest(m steps.Manifest, q steps.Protect, hint string) {
	var namespace, name string
	keys := map[string]steps.Pos{}
	p.manifest(m, func(path []string, key, value string, at steps.Pos) {
		if path[0] != "Secret" || len(path) != 2 {
			return
		}
		switch {
		case path[1] == "metadata" && key == "name":
			name = plain(value)
		case path[1] == "metadata" && key == "namespace":
			namespace = plain(value)
		case path[1] == "data" || path[1] == "stringData":
			keys[key] = at
		}
	})
	at, has := keys[q.Key]
	if has && q.Secret == namespace+"/"+name {
		p.report(at, sprintf("this overwrites the protected %s", nameOf(q)), hint)
	}
}
