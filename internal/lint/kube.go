package lint

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/risk"
	"runbook/internal/steps"
)

// namespaced are kinds that always have a namespace. A kind that isn't known
// is left alone: it may have none.
var namespaced = strings.Fields(`pod deployment statefulset daemonset replicaset replicationcontroller job cronjob service endpoints endpointslice
	configmap secret serviceaccount ingress networkpolicy persistentvolumeclaim role rolebinding lease horizontalpodautoscaler
	poddisruptionbudget resourcequota limitrange externalsecret secretstore pushsecret certificate certificaterequest issuer order challenge
	httproute grpcroute tlsroute tcproute gateway referencegrant cluster backup scheduledbackup pooler application appproject helmrelease
	kustomization gitrepository helmrepository servicemonitor podmonitor prometheusrule ciliumnetworkpolicy`)

func checkNamespace(p *pass) {
	for _, s := range p.scripts {
		chosen := false
		var open []*call // one finding for all of a fence: they are mended together
		severity := steps.Info
		for _, c := range s.calls {
			chosen = chosen || choosesNamespace(c)
			if chosen || !c.isKubectl() || c.has("--namespace", "-A", "--all-namespaces", "--raw") || givesNamespace(c) || !c.actsInNamespace() {
				continue
			}
			if c.risk().Class != risk.Read && severity != p.rule.Severity {
				severity = p.rule.Severity
				open = append([]*call{c}, open...) // the one that changes something is named
				continue
			}
			open = append(open, c)
		}
		if open == nil {
			continue
		}
		more := ""
		if n := len(open) - 1; n > 0 {
			more = sprintf(", nor %s", plural(n, "does one more command here", "do %d more commands here"))
		}
		p.reportAs(severity, s.at(open[0].node.Pos()), sprintf("%s doesn't say in which namespace%s", p.quote(open[0].source()), more),
			"add -n; otherwise the context of whoever runs it decides")
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return sprintf(many, n)
}

// actsInNamespace tells whether kubectl is given objects that have a namespace.
func (c *call) actsInNamespace() bool {
	if plain := c.plain(); len(plain) > 0 && slices.Contains([]string{"logs", "port-forward", "attach"}, plain[0]) {
		return true
	}
	return !fromFile(c) && slices.ContainsFunc(c.risk().Touches, func(t risk.Touch) bool {
		return t.Namespace == "" && slices.Contains(namespaced, t.Kind)
	})
}

// givesNamespace knows -n, -nshop and -n=shop.
func givesNamespace(c *call) bool {
	return slices.ContainsFunc(c.rest, func(a string) bool { return strings.HasPrefix(a, "-n") && !strings.HasPrefix(a, "--") })
}

// fromFile tells whether the objects come from a file, which may name their namespace.
func fromFile(c *call) bool {
	return c.has("-f", "--filename", "-k", "--kustomize") || slices.ContainsFunc(c.rest, func(a string) bool {
		return strings.HasPrefix(a, "-f") && !strings.HasPrefix(a, "--") && len(a) > 2
	})
}

// choosesNamespace tells whether a command sets the namespace for those after it.
func choosesNamespace(c *call) bool {
	switch {
	case c.name == "kubens":
		return len(c.plain()) > 0
	case !c.isKubectl():
		return c.name == "alias" && strings.Contains(c.source(), "-n")
	}
	plain := c.plain()
	return len(plain) > 1 && (plain[0] == "ns" || plain[0] == "project" || plain[0] == "config" && plain[1] == "set-context" && c.has("--namespace"))
}

func checkHidden(p *pass) {
	for _, s := range p.scripts {
		syntax.Walk(s.file, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.BinaryCmd:
				if x.Op == syntax.OrStmt && nothing(s, x.Y) && s.takesAway(x.X) {
					p.report(s.at(x.OpPos), sprintf("whatever goes wrong with %s is hidden", p.quote(s.source(x.X))), instead(s.source(x.X)))
					return false
				}
			case *syntax.Stmt:
				for _, r := range x.Redirs {
					if nullErrors(s, r) && s.takesAway(x) {
						p.report(s.at(r.OpPos), sprintf("why %s fails is not shown", p.quote(s.source(x))), "leave the error messages where they can be read")
						return false
					}
				}
			}
			return true
		})
	}
}

func instead(code string) string {
	if strings.Contains(code, "kubectl") {
		return "use --ignore-not-found, which forgives only that"
	}
	return "test for the one thing that may be missing, and let everything else fail"
}

func nothing(s *script, stmt *syntax.Stmt) bool {
	x, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(x.Args) == 0 {
		return false
	}
	name := s.text(x.Args[0])
	return name == "true" || name == ":"
}

func nullErrors(s *script, r *syntax.Redirect) bool {
	if r.Word == nil || s.text(r.Word) != "/dev/null" {
		return false
	}
	return r.Op == syntax.RdrAll || r.N != nil && r.N.Value == "2"
}

func (s *script) takesAway(n syntax.Node) bool {
	return s.judge(s.source(n)).Class >= risk.Interrupt
}

func checkUnset(p *pass) {
	known := map[string]bool{"HOME": true, "PWD": true, "TMPDIR": false}
	for _, q := range p.book.Params {
		known[q.Name] = true
	}
	for _, s := range p.scripts {
		s.assigned(func(name string, w *syntax.Word) {
			known[name] = known[name] || w == nil || s.text(w) != ""
		})
		for _, c := range s.calls {
			if !removesTrees(c) {
				continue
			}
			for _, w := range c.words {
				if name := leadingVariable(w); name != "" && !known[name] {
					path := s.text(w)
					p.report(s.at(w.Pos()), sprintf("with %s unset this removes %s", name, p.quote(strings.TrimPrefix(strings.TrimPrefix(path, "${"+name+"}"), "$"+name))),
						sprintf("write ${%s:?}: the shell then stops instead", name))
				}
			}
		}
	}
}

func removesTrees(c *call) bool {
	switch c.name {
	case "rm":
		return c.short("r") || c.short("R") || c.has("--recursive")
	case "find":
		return c.has("-delete") || slices.Contains(c.rest, "rm")
	}
	return false
}

// leadingVariable is the variable that a path begins with, when a slash follows
// and the shell doesn't stop at an empty one.
func leadingVariable(w *syntax.Word) string {
	var parts []syntax.WordPart
	for _, part := range w.Parts {
		if q, ok := part.(*syntax.DblQuoted); ok {
			parts = append(parts, q.Parts...)
		} else {
			parts = append(parts, part)
		}
	}
	if len(parts) < 2 {
		return ""
	}
	x, isVar := parts[0].(*syntax.ParamExp)
	rest, isLit := parts[1].(*syntax.Lit)
	if !isVar || !isLit || x.Exp != nil || x.Param == nil || !strings.HasPrefix(rest.Value, "/") {
		return ""
	}
	return x.Param.Value
}
