package lint

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shows are programs whose output is made of their input, so that a secret that
// is piped into them is printed all the same.
var shows = []string{"jq", "yq", "base64", "grep", "egrep", "head", "tail", "cut", "tr", "sed", "awk", "sort", "uniq", "cat", "less", "more",
	"tee", "column", "fold", "xxd", "od", "rev", "nl", "bat", "python", "python3", "json_pp", "openssl", "sh", "bash", "xargs", "echo"}

// printed tells whether what the command writes ends on the terminal: neither in
// a variable, nor in a file, nor in a program that keeps it.
func (c *call) printed() bool {
	for i := len(c.around) - 1; i >= 0; i-- {
		switch x := c.around[i].(type) {
		case *syntax.Stmt:
			if slices.ContainsFunc(x.Redirs, takesOutput) {
				return false
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			outer := c.enclosing(i)
			return outer != nil && slices.Contains([]string{"echo", "printf", "cat"}, outer.name) && outer.printed()
		case *syntax.BinaryCmd:
			if isPipe(x) && within(c.node, x.X) {
				if sink := c.script.lastOf(x.Y); sink == nil || !slices.Contains(shows, sink.name) || !sink.printed() {
					return false
				}
			}
		}
	}
	return true
}

func isPipe(b *syntax.BinaryCmd) bool { return b.Op == syntax.Pipe || b.Op == syntax.PipeAll }

func takesOutput(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob:
		return r.N == nil || r.N.Value == "1"
	case syntax.RdrAll, syntax.AppAll:
		return true
	}
	return false
}

func within(n, outer syntax.Node) bool {
	return n.Pos().Offset() >= outer.Pos().Offset() && n.End().Offset() <= outer.End().Offset()
}

// enclosing is the command that the substitution at around[i] is an argument of.
func (c *call) enclosing(i int) *call {
	for ; i >= 0; i-- {
		if x, ok := c.around[i].(*syntax.CallExpr); ok && len(x.Args) > 0 {
			return c.script.byNode[x]
		}
	}
	return nil
}

// lastOf is the last command of a statement: the one that writes its output.
func (s *script) lastOf(stmt *syntax.Stmt) *call {
	var last *call
	for _, c := range s.calls {
		if within(c.node, stmt) && (last == nil || !within(c.node, last.node)) {
			last = c
		}
	}
	return last
}

// feeds are the programs that the output of the command is piped into, or whose
// text it becomes by substitution, nearest first.
func (c *call) feeds() []*call {
	var out []*call
	for i := len(c.around) - 1; i >= 0; i-- {
		switch x := c.around[i].(type) {
		case *syntax.BinaryCmd:
			if isPipe(x) && within(c.node, x.X) {
				if sink := c.script.lastOf(x.Y); sink != nil {
					out = append(out, sink)
				}
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			if outer := c.enclosing(i); outer != nil {
				return append(out, outer)
			}
		}
	}
	return out
}

// topLevel is the statement of the script that the command belongs to.
func (c *call) topLevel() syntax.Node {
	for _, n := range c.around {
		if _, ok := n.(*syntax.Stmt); ok {
			return n
		}
	}
	return c.node
}

// expansions yields the variables that a node expands.
func expansions(n syntax.Node, f func(*syntax.ParamExp)) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.ParamExp); ok && x.Param != nil {
			f(x)
		}
		return true
	})
}

// assigned yields the names that a script gives values to, and where.
func (s *script) assigned(f func(name string, value *syntax.Word)) {
	syntax.Walk(s.file, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.Assign:
			if x.Name != nil && !x.Naked {
				f(x.Name.Value, x.Value)
			}
		case *syntax.WordIter:
			f(x.Name.Value, nil)
		case *syntax.ParamExp:
			if x.Exp != nil && (x.Exp.Op == syntax.AssignUnset || x.Exp.Op == syntax.AssignUnsetOrNull) {
				f(x.Param.Value, x.Exp.Word)
			}
		case *syntax.CallExpr:
			for _, name := range readNames(s.byNode[x]) {
				f(name, nil)
			}
		}
		return true
	})
}

// readNames are the variables that `read`, `mapfile` and the like fill.
func readNames(c *call) []string {
	if c == nil {
		return nil
	}
	switch c.name {
	case "read", "mapfile", "readarray", "getopts", "unset":
		return c.plain()
	case "printf":
		if name, ok := c.value("-v"); ok {
			return []string{name}
		}
	}
	return nil
}

// secretWord ends the names of variables, keys and flags that hold a secret.
var secretWord = regexp.MustCompile(`(?i)(^|_)(password|passwd|passphrase|secret|token|credentials?|pw|pass|api_?key|private_?key|session_?key|(secret_)?access_?key|encryption_?key|pgpassword|rediscli_auth)(_(new|old|b64|base64|[0-9]+))?$`)

// secretName tells whether a variable or key of this name holds a secret.
func secretName(name string) bool {
	name = camel.ReplaceAllString(name, "${1}_${2}")
	name = strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name))
	// A cluster token of etcd only tells clusters apart.
	return secretWord.MatchString(name) && !strings.HasPrefix(name, "no_") && !strings.HasSuffix(name, "cluster_token")
}

var camel = regexp.MustCompile(`([a-z0-9])([A-Z])`)
