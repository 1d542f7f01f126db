package expect

import (
	"runbook/internal/cel"
	"runbook/internal/world"
)

// expressionNeeds are the objects that a CEL expression names. One that doesn't
// compile needs nothing: its verdict says what is wrong with it.
func expressionNeeds(expr, defaultNamespace string) []Need {
	x, err := cel.Compile(expr)
	if err != nil {
		return nil
	}
	var needs []Need
	for _, ref := range x.Objects(defaultNamespace) {
		needs = append(needs, Need{Object: &ref})
	}
	return needs
}

func judgeExpression(expr string, w world.World, defaultNamespace string) world.Verdict {
	x, err := cel.Compile(expr)
	if err != nil {
		return unsure("the expression can't be read: %v", err)
	}
	return x.Eval(w, defaultNamespace)
}
