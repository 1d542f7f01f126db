package expect

import (
	"bytes"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/client-go/util/jsonpath"

	"runbook/internal/world"
)

// compares evaluates kubectl's JSONPath over the object. Order is that of
// Kubernetes quantities, so that 9 < 10 and 900Mi < 1Gi.
func compares(o world.Object, path, op, want string) world.Verdict {
	if o.Kind == "Secret" && strings.Contains(strings.ToLower(path), "data") {
		return unsure("values of a Secret are not read")
	}
	p := jsonpath.New("expectation")
	if err := p.Parse(path); err != nil {
		return unsure("the path can't be read: %v", err)
	}
	var out bytes.Buffer
	if err := p.Execute(&out, o.Body); err != nil {
		if op == "!=" && want != "" {
			return unsure("%s is not set", path)
		}
		return fails("%s is not set", path)
	}
	have := out.String()
	if op == "==" || op == "!=" {
		if (have == want || sameQuantity(have, want)) == (op == "==") {
			return holds()
		}
		return fails("%s is %s", path, orNothing(have))
	}
	return ordered(path, have, op, want)
}

// small bounds what is taken for a quantity: the parser works out 1e999999999
// digit by digit.
var small = regexp.MustCompile(`^[+-]?[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2}|[numkMGTPE]|[KMGTPE]i)?$`)

func quantity(s string) (resource.Quantity, bool) {
	if !small.MatchString(s) {
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(s)
	return q, err == nil
}

func sameQuantity(a, b string) bool {
	x, okX := quantity(a)
	y, okY := quantity(b)
	return okX && okY && x.Cmp(y) == 0
}

func ordered(path, have, op, want string) world.Verdict {
	x, ok := quantity(have)
	if !ok {
		return unsure("%s is %s, which is not a number", path, orNothing(have))
	}
	y, ok := quantity(want)
	if !ok {
		return unsure("%q is not a number", want)
	}
	c := x.Cmp(y)
	met, known := map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[op]
	switch {
	case !known:
		return unsure("%q is not a comparison", op)
	case met:
		return holds()
	}
	return fails("%s is %s", path, have)
}

func orNothing(s string) string {
	if s == "" {
		return "empty"
	}
	return s
}
