package cel

import (
	"strings"

	"runbook/internal/world"
)

// Eval says whether the expression holds in w as of w.Now. It can't be told
// while an object that it names isn't there or isn't known, and when it asks
// for a field that isn't set.
func (x *Expr) Eval(w world.World, defaultNamespace string) world.Verdict {
	objects := map[string]any{}
	for _, o := range x.named {
		ref := o.ref(defaultNamespace)
		body, why := known(w, ref)
		if why != "" {
			return unsure("%s: %s", ref, why)
		}
		objects[o.key] = body
	}
	out, _, err := x.program.Eval(map[string]any{objectsVar: objects, "now": w.Now})
	if err != nil {
		return unsure("%s", failure(err))
	}
	switch out.Value() {
	case true:
		return world.Verdict{Answer: world.Holds}
	case false:
		return world.Verdict{Answer: world.DoesNot, Why: "it is false"}
	}
	return unsure("it is a %s, not a condition", out.Type().TypeName())
}

// known returns an object of the world, or why there is none to look at.
func known(w world.World, ref world.Ref) (body map[string]any, why string) {
	o, ok := w.Objects[ref]
	if !ok {
		o.Ref = ref
	}
	if v, unknown := world.Unknown(o); unknown {
		return nil, v.Why
	}
	if o.Presence != world.Present {
		return nil, world.Judge(o, w.Now).Why
	}
	return o.Body, ""
}

// failure says why an evaluation came to no end, in words that help: a field
// that isn't set is the usual reason, because the cluster leaves zeros out.
func failure(err error) string {
	text := plain(err.Error())
	if key, ok := strings.CutPrefix(text, "no such key: "); ok {
		return key + " is not set; has(….)" + " asks whether it is"
	}
	return text
}

func unsure(format string, args ...any) world.Verdict {
	return world.Verdict{Answer: world.CantTell, Why: world.Say(format, args...)}
}
