package expect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"runbook/internal/steps"
	"runbook/internal/world"
)

// Judge says whether e holds in w as of w.Now. Only what is known and fresh
// makes it hold; out is what the step has printed so far, for expectations
// about output.
func Judge(e steps.Expectation, w world.World, defaultNamespace, out string) world.Verdict {
	switch e.Subject.Source {
	case steps.Kube:
		return judgeObject(e, w, defaultNamespace)
	case steps.Vault:
		return judgeVault(e, w)
	case steps.HTTP:
		return judgeProbe(e, probe(w, e.Subject.URL), w.Now)
	case steps.Output:
		return judgeOutput(arg(e, 0), out)
	case steps.CEL:
		return judgeExpression(arg(e, 0), w, defaultNamespace)
	}
	return unsure("nobody knows how to look at %q", e.Text)
}

// All is the verdict over all expectations: it holds when each does, else the
// worst speaks, one that can't change any more before all others.
func All(es []steps.Expectation, w world.World, defaultNamespace, out string) world.Verdict {
	all := world.Verdict{Answer: world.Holds}
	for _, e := range es {
		v := Judge(e, w, defaultNamespace, out)
		if v.Final && !all.Final || all.Final == v.Final && rank(v) > rank(all) {
			all = v
			if v.Answer != world.Holds {
				all.Why = e.Text + ": " + v.Why
			}
		}
	}
	return all
}

func rank(v world.Verdict) int {
	return slices.Index([]world.Answer{world.Holds, world.TooEarly, world.CantTell, world.DoesNot}, v.Answer)
}

func judgeObject(e steps.Expectation, w world.World, defaultNamespace string) world.Verdict {
	o := object(w, Ref(e.Subject, defaultNamespace))
	if e.Check == steps.Absent {
		return absent(o, w)
	}
	if v, unknown := world.Unknown(o); unknown {
		return v
	}
	if o.Presence != world.Present {
		return world.Judge(o, w.Now)
	}
	switch e.Check {
	case steps.Ready:
		return world.Judge(o, w.Now)
	case steps.Active:
		return active(o, w)
	case steps.Exists:
		return exists(o)
	case steps.HasKeys:
		return hasKeys(o, e.Args)
	case steps.Accepted:
		return accepted(o, w)
	case steps.Condition:
		return world.JudgeCondition(o, w.Now, arg(e, 0), arg(e, 1))
	case steps.JSONPath:
		return compares(o, arg(e, 0), arg(e, 1), arg(e, 2))
	case steps.TLSListener:
		return listens(o, w, arg(e, 0), arg(e, 1))
	}
	return unsure("%q can't be asked of a %s", e.Check, o.Kind)
}

// object returns what is known of ref; what nobody has asked for is Asking.
func object(w world.World, ref world.Ref) world.Object {
	o, ok := w.Objects[ref]
	if !ok {
		o.Ref = ref
	}
	return o
}

// absent holds also for a kind that the cluster doesn't serve, and never for
// an object that can't be asked for.
func absent(o world.Object, w world.World) world.Verdict {
	if v, unknown := world.Unknown(o); unknown {
		return v
	}
	switch o.Presence {
	case world.Gone:
		return holds()
	case world.NoKind:
		return holdsBut("its kind is not installed")
	}
	if since := deleted(o); since != "" {
		return verdict(world.TooEarly, "%s", world.Judge(o, w.Now).Why)
	}
	return fails("it is still there")
}

func deleted(o world.Object) string {
	meta, _ := o.Body["metadata"].(map[string]any)
	since, _ := meta["deletionTimestamp"].(string)
	return since
}

func exists(o world.Object) world.Verdict {
	if since := deleted(o); since != "" {
		return holdsBut("but it is being deleted since %s", since)
	}
	return holds()
}

func active(o world.Object, w world.World) world.Verdict {
	if o.Kind == "Namespace" {
		return world.Judge(o, w.Now)
	}
	return compares(o, "{.status.phase}", "==", "Active")
}

func accepted(o world.Object, w world.World) world.Verdict {
	if strings.HasSuffix(o.Kind, "Route") && o.Group == "gateway.networking.k8s.io" {
		return world.RouteAccepted(o, w.Now)
	}
	return world.JudgeCondition(o, w.Now, "Accepted", "")
}

func hasKeys(o world.Object, keys []string) world.Verdict {
	if o.Kind != "Secret" && o.Kind != "ConfigMap" {
		return unsure("a %s has no keys", o.Kind)
	}
	if missing := world.Missing(o.Keys, keys); len(missing) > 0 {
		return fails("lacks %s", strings.Join(missing, ", "))
	}
	return holds()
}

// listens looks for a listener of the Gateway that ends TLS for the host,
// works, and lets routes of the namespace in.
func listens(o world.Object, w world.World, host, namespace string) world.Verdict {
	if o.Kind != "Gateway" {
		return unsure("a %s has no listeners", o.Kind)
	}
	var worst []world.Verdict
	var others []string
	for _, l := range world.Listeners(o.Body) {
		if !l.TLS() || !l.Serves(host) {
			others = append(others, fmt.Sprintf("%s (%s %s)", l.Name, l.Protocol, orAny(l.Hostname)))
			continue
		}
		v := l.Ready()
		if v.Answer == world.Holds && namespace != "" {
			v = l.Admits(object(w, world.NewRef("namespace", "", "", namespace)))
		}
		if v.Answer == world.Holds {
			return v
		}
		worst = append(worst, v)
	}
	if len(worst) > 0 {
		return slices.MinFunc(worst, func(a, b world.Verdict) int { return rank(a) - rank(b) })
	}
	if len(others) == 0 {
		return fails("it has no listener")
	}
	return fails("no TLS listener for %s, only %s", host, strings.Join(others, ", "))
}

func orAny(host string) string {
	if host == "" {
		return "for any host"
	}
	return host
}

func judgeOutput(pattern, out string) world.Verdict {
	re, err := regexp.Compile("(?m)" + pattern)
	switch {
	case err != nil:
		return unsure("the pattern can't be compiled: %v", err)
	case re.MatchString(out):
		return holds()
	case out == "":
		return verdict(world.TooEarly, "no output yet")
	}
	return fails("no line of the output matches /%s/", pattern)
}
