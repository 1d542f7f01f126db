package lint

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/steps"
)

// sample finds what authors write where a reader puts something of their own.
var sample = regexp.MustCompile(`(?i)\b(change[-_]?me|replace[-_]?me|your[-_][a-z0-9_-]+|my[-_](password|secret|token|cluster|namespace|domain|bucket|project)|xxx+|foobar|example\.(com|org|net)|insert[-_]here)\b|\bTODO\b|\bFIXME\b`)

func checkSamples(p *pass) {
	for _, s := range p.scripts {
		p.openPlaceholders(s)
		for _, c := range s.calls {
			if c.name == "echo" || c.name == "printf" {
				continue // text for people
			}
			for i, a := range c.rest {
				if !slices.Contains(s.block.Placeholders, a) {
					p.sampleIn(a, s.at(c.words[i].Pos()))
				}
			}
		}
	}
	for _, q := range p.book.Params {
		if sample.MatchString(q.Default) {
			p.report(q.Pos, sprintf("the default of %s is the sample value %s: nobody is asked, and it is used as it is", q.Name, p.quote(q.Default)),
				"make it `example:`, which is only shown")
		}
	}
	p.manifests(func(_ []string, _, value string, at steps.Pos) { p.sampleIn(value, at) })
	for _, s := range p.book.Steps {
		for _, b := range s.Blocks {
			if b.Action == nil {
				continue
			}
			p.sampleIn(b.Action.Entry, b.Action.Pos)
			for _, d := range b.Action.Data {
				p.sampleIn(d.Literal, d.Pos)
			}
		}
	}
}

func (p *pass) sampleIn(text string, at steps.Pos) {
	if word := sample.FindString(text); word != "" {
		p.report(at, sprintf("the sample value %s was left in", p.quote(word)), "declare a parameter for it, with this as its `example:`")
	}
}

// openPlaceholders reports what keeps a fence from being offered.
func (p *pass) openPlaceholders(s *script) {
	if s.block.Why != steps.WhyPlaceholder {
		return
	}
	said := map[string]bool{}
	var open []string // one finding for all of a fence
	first := ""
	for _, name := range s.block.Placeholders {
		shown := asWritten(s.block.Code, name)
		declared := slices.ContainsFunc(p.book.Params, func(q steps.Param) bool { return flatName(q.Name) == flatName(name) })
		if said[name] || shown[0] == '<' && declared {
			continue
		}
		said[name] = true
		if open = append(open, p.quote(shown)); len(open) == 1 {
			first = name
		}
	}
	if open == nil {
		return
	}
	parameter := "a parameter"
	if len(open) > 1 {
		parameter = "a parameter for each"
	}
	p.report(s.locate(asWritten(s.block.Code, first)), sprintf("nothing is known to put in for %s, so the commands aren't offered", list(open)),
		sprintf("declare %s, and write <%s> or $%s", parameter, strings.ToLower(paramOf(first)), paramOf(first)))
}

// asWritten is a placeholder with the brackets that it has in the code.
func asWritten(code, name string) string {
	for _, form := range []string{"<?>", "{{ ? }}", "{{?}}", "{{< ? >}}", "[?]", "{?}", "?"} {
		if shown := strings.Replace(form, "?", name, 1); strings.Contains(code, shown) && shown != "" {
			return shown
		}
	}
	return "…"
}

// paramOf makes the name of a parameter of a placeholder's.
func paramOf(name string) string {
	var b strings.Builder
	for _, r := range strings.ToUpper(name) {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' && b.Len() > 0 {
			b.WriteRune(r)
		} else if b.Len() > 0 {
			b.WriteByte('_')
		}
	}
	out := strings.Trim(b.String(), "_")
	out = strings.TrimPrefix(strings.TrimPrefix(out, "YOUR_"), "MY_")
	if out != "" {
		return out
	}
	return "NAME"
}

// applies are the programs that put what they are given over what is there.
func applies(c *call) bool {
	plain := c.plain()
	switch {
	case c.isKubectl():
		return slices.Contains(plain, "apply") || slices.Contains(plain, "replace") || slices.Contains(plain, "patch")
	case c.name == "vault" || c.name == "bao":
		cas, _ := c.value("-cas")
		return len(plain) > 1 && plain[0] == "kv" && (plain[1] == "put" || plain[1] == "patch") && cas != "0"
	case c.name == "helm":
		return slices.Contains(plain, "upgrade")
	case c.name == "kustomize", c.name == "helmfile":
		return slices.Contains(plain, "apply") || slices.Contains(plain, "sync")
	}
	return false
}

func checkGenerator(p *pass) {
	for _, s := range p.scripts {
		made := map[string]bool{} // variables that hold something generated
		for _, stmt := range s.file.Stmts {
			r := s.judge(s.source(stmt))
			syntax.Walk(stmt, func(n syntax.Node) bool {
				if a, ok := n.(*syntax.Assign); ok && a.Name != nil && a.Value != nil && r.Generates != "" {
					made[a.Name.Value] = true
				}
				return true
			})
			fresh := r.Generates != ""
			expansions(stmt, func(x *syntax.ParamExp) { fresh = fresh || made[x.Param.Value] })
			if !fresh {
				continue
			}
			for _, c := range s.calls {
				if within(c.node, stmt) && applies(c) {
					p.report(s.at(c.node.Pos()), sprintf("each run of this step puts a new secret over the old one: %s", p.quote(c.source())),
						"create instead: `secret: create` and `vault: create` refuse to overwrite")
					break
				}
			}
		}
	}
}
