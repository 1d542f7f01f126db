package cel

import (
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"runbook/internal/world"
)

// mostCost bounds what one evaluation may do, in the library's own units: far
// above anything a person writes, far below what can be felt.
const mostCost = 1_000_000

// objectsVar is the variable that object(…) turns into a look-up of.
const objectsVar = "@objects"

// An Expr is an expression that was found to be right.
type Expr struct {
	program cel.Program
	named   []object
}

// An Error says what is wrong with an expression.
type Error struct {
	Col  int // in bytes from the start of the expression, from 1
	Text string
	Hint string // may be empty
}

func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Col, e.Text) }

// Compile reads an expression. The error is an [*Error]: it isn't CEL, its
// types don't fit, it isn't a condition, or it names an object in a way that
// can't be known beforehand.
func Compile(expr string) (*Expr, error) {
	if err := checkReferences(expr); err != nil {
		return nil, err
	}
	e, err := env()
	if err != nil {
		return nil, fmt.Errorf("set up expressions: %w", err)
	}
	tree, issues := e.Compile(expr)
	if issues.Err() != nil {
		first := issues.Errors()[0]
		return nil, &Error{Col: byteCol(expr, first.Location), Text: plain(first.Message), Hint: meant(first.Message)}
	}
	if t := tree.OutputType(); !t.IsExactType(cel.BoolType) && !t.IsExactType(cel.DynType) {
		return nil, &Error{Col: 1, Text: fmt.Sprintf("the expression is a %s, not a condition", t), Hint: "compare it with something"}
	}
	program, err := e.Program(tree, cel.CostLimit(mostCost))
	if err != nil {
		return nil, &Error{Col: 1, Text: plain(err.Error())}
	}
	return &Expr{program: program, named: named(tree)}, nil
}

// Objects are the objects that the expression names; those without a namespace
// are looked for in defaultNamespace.
func (x *Expr) Objects(defaultNamespace string) []world.Ref {
	refs := make([]world.Ref, len(x.named))
	for i, o := range x.named {
		refs[i] = o.ref(defaultNamespace)
	}
	return refs
}

var env = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		cel.Variable("now", cel.TimestampType),
		cel.Variable(objectsVar, cel.MapType(cel.StringType, cel.DynType)),
		cel.Macros(append(cel.StandardMacros, cel.GlobalVarArgMacro("object", expandObject))...),
		cel.CrossTypeNumericComparisons(true),
	)
})

// expandObject turns object("apps/v1", "Deployment", "web") into a look-up of
// the object by its key, and refuses arguments that aren't literal.
func expandObject(f cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
	if len(args) != 3 && len(args) != 4 {
		return nil, f.NewError(0, "object takes an apiVersion, a kind, a name, and if need be a namespace")
	}
	parts := make([]string, len(args))
	for i, a := range args {
		text, ok := "", false
		if a.Kind() == ast.LiteralKind {
			text, ok = a.AsLiteral().Value().(string)
		}
		switch {
		case !ok:
			return nil, f.NewError(a.ID(), "what object names must be a literal string, so that it can be watched")
		case text == "":
			return nil, f.NewError(a.ID(), "this names nothing")
		case strings.Contains(text, separator):
			return nil, f.NewError(a.ID(), "no object has such a name")
		}
		parts[i] = text
	}
	key := f.NewLiteral(stringVal(strings.Join(parts, separator)))
	return f.NewCall(operators.Index, f.NewIdent(objectsVar), key), nil
}

// named finds the objects in the expanded expression, each once.
func named(tree *cel.Ast) []object {
	var all []object
	seen := map[string]bool{}
	root := ast.NavigateAST(tree.NativeRep())
	for _, call := range ast.MatchDescendants(root, ast.FunctionMatcher(operators.Index)) {
		args := call.AsCall().Args()
		if args[0].Kind() != ast.IdentKind || args[0].AsIdent() != objectsVar {
			continue
		}
		key, _ := args[1].AsLiteral().Value().(string)
		if !seen[key] {
			seen[key] = true
			all = append(all, objectOf(key))
		}
	}
	return all
}

// byteCol turns the library's place, which counts characters from 0, into a
// column of bytes.
func byteCol(expr string, at common.Location) int {
	n := 0
	for i := range expr {
		if n >= at.Column() {
			return i + 1
		}
		n++
	}
	return len(expr) + 1
}

// meant says what was probably meant by a sign that CEL doesn't have.
func meant(message string) string {
	for _, sign := range [][2]string{{"'=>", "`>=`"}, {"'=<", "`<=`"}, {"'=", "`==`"}, {"'&", "`&&`"}, {"'|", "`||`"}} {
		if strings.Contains(message, "token recognition error at: "+sign[0]) {
			return "did you mean " + sign[1] + "?"
		}
	}
	return ""
}

// plain takes the library's own words out of a message.
func plain(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text = strings.TrimPrefix(text, "Syntax error: ")
	if sign, ok := strings.CutPrefix(text, "token recognition error at: "); ok {
		return sign + " means nothing here"
	}
	text = strings.ReplaceAll(text, " (in container '')", "")
	return text
}
