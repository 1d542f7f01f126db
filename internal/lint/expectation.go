package lint

import (
	"slices"
	"strings"

	"runbook/internal/steps"
	"runbook/internal/world"
)

// builtinKinds have been in every API server for years, so what they never say
// of themselves is known.
var builtinKinds = strings.Fields(`namespace node pod service configmap secret serviceaccount event endpoints persistentvolumeclaim
	persistentvolume deployment statefulset daemonset replicaset job cronjob ingress networkpolicy storageclass role rolebinding
	clusterrole clusterrolebinding poddisruptionbudget horizontalpodautoscaler resourcequota limitrange`)

func checkNever(p *pass) {
	p.expectations(func(e steps.Expectation) {
		if e.Subject.Source != steps.Kube || strings.Contains(e.Subject.Kind, "$") {
			return
		}
		kind := kindOf(e.Subject)
		known := slices.Contains(builtinKinds, kind)
		switch {
		case e.Check == steps.Accepted && known:
			p.report(e.Pos, sprintf("a %s is never accepted: only routes, gateways and their policies are", kind), "did you mean `is ready`?")
		case e.Check == steps.Active && known && kind != "namespace":
			p.report(e.Pos, sprintf("a %s is never active: only a namespace is", kind), "did you mean `is ready`?")
		case e.Check == steps.HasKeys && kind != "secret" && kind != "configmap":
			p.report(e.Pos, sprintf("a %s has no keys: only a Secret, a ConfigMap or an entry of Vault has", kind), "")
		case e.Check == steps.TLSListener && kind != "gateway":
			p.report(e.Pos, sprintf("a %s has no listeners: only a Gateway has", kind), "")
		}
	})
}

// kindOf is the kind in the one form that all names of it have in common.
func kindOf(s steps.Subject) string { return world.NewRef(s.Kind, s.Group, "", "").Kind }

func checkContradictions(p *pass) {
	for _, s := range p.book.Steps {
		for _, list := range [][]steps.Expectation{s.Before, s.Expect} {
			for i, e := range list {
				for _, earlier := range list[:i] {
					if why := contradicts(earlier, e); why != "" {
						p.report(e.Pos, sprintf("%q and %q can't hold at the same time: %s", earlier.Text, e.Text, why),
							"what must hold first goes under `before`, what must hold afterwards under `expect`")
					}
				}
			}
		}
	}
}

// contradicts says why two expectations exclude each other, or "".
func contradicts(a, b steps.Expectation) string {
	if a.Check == steps.Absent || b.Check == steps.Absent {
		if a.Check == steps.Absent {
			a, b = b, a
		}
		return needsAbsent(a, b)
	}
	if subjectOf(a) != subjectOf(b) || a.Check != b.Check || len(a.Args) == 0 || len(b.Args) == 0 {
		return ""
	}
	last := len(a.Args) - 1
	switch {
	case a.Check == steps.Answers && a.Args[0] != b.Args[0]:
		return "an address gives one answer"
	case a.Check == steps.JSONPath && a.Args[0] == b.Args[0] && a.Args[1] == "==" && b.Args[1] == "==" && a.Args[2] != b.Args[2]:
		return "a field has one value"
	case a.Check == steps.Condition && a.Args[0] == b.Args[0] && orTrue(a.Args[last]) != orTrue(b.Args[last]):
		return "a condition has one status"
	}
	return ""
}

// needsAbsent says why something must be there that b says is absent.
func needsAbsent(a, b steps.Expectation) string {
	if a.Check == steps.Absent {
		return ""
	}
	x, y := subjectOf(a), subjectOf(b)
	switch {
	case x == y:
		return "it is there or it isn't"
	case y.Kind == "namespace" && x.Source == steps.Kube && x.Namespace == y.Name:
		return "nothing is left in a namespace that is gone"
	}
	return ""
}

func subjectOf(e steps.Expectation) steps.Subject {
	s := e.Subject
	if s.Source == steps.Kube {
		ref := world.NewRef(s.Kind, s.Group, s.Namespace, s.Name)
		s.Kind, s.Group, s.Namespace = ref.Kind, ref.Group, ref.Namespace
	}
	return s
}

func orTrue(status string) string {
	if status == "" {
		return "True"
	}
	return status
}
