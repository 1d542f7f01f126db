package guard

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"runbook/internal/risk"
)

// longest is how many characters somebody may be asked to type.
const longest = 120

// words are what must be typed: what is rotated, else the names of the worst
// things that are taken away, else the id of the step. They are never empty,
// and nothing that a keyboard hasn't.
func words(q Request) string {
	if names := rotated(q); len(names) > 0 && typeable(strings.Join(names, " and ")) {
		return "rotate " + strings.Join(names, " and ")
	}
	if name := taken(q.Results); typeable(name) {
		return name
	}
	if typeable(q.Step.ID) {
		return q.Step.ID
	}
	return "run step " + strconv.Itoa(q.Step.N)
}

// typeable tells whether a text can be typed as it is shown: letters that only
// look like ones, and spaces at the ends, can't.
func typeable(s string) bool {
	return s != "" && len(s) <= longest && s == strings.Join(strings.Fields(s), " ") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// weight is how much goes with a thing of a kind.
func weight(t risk.Touch) int {
	switch t.Kind {
	case "namespace", "project":
		return 5
	case "customresourcedefinition":
		return 4
	case "persistentvolume", "persistentvolumeclaim", "cluster":
		return 3
	case "":
		if t.Vault != "" {
			return 3
		}
		return 0
	}
	return 2
}

// most is how many names somebody may be asked to type.
const most = 3

// taken names the things that are taken away with which most goes; "" when they
// can't be named, or are many.
func taken(results []risk.Result) string {
	var found []risk.Touch
	for _, r := range results {
		for _, t := range r.Touches {
			if t.Op == "delete" && weight(t) > 0 {
				found = append(found, t)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	heaviest := weight(slices.MaxFunc(found, func(a, b risk.Touch) int { return cmp.Compare(weight(a), weight(b)) }))
	var names []string
	for _, t := range found {
		name := t.Name
		if t.Vault != "" {
			name = mountOf(t.Vault)
		}
		switch {
		case weight(t) != heaviest || slices.Contains(names, name):
		case name == "" || variable(name):
			return "" // a word that stands for a part would be a lie about the rest
		default:
			names = append(names, name)
		}
	}
	if len(names) > most {
		return ""
	}
	return strings.Join(names, " ")
}
