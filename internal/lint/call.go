package lint

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/risk"
)

// A call is one simple command of a script.
type call struct {
	script *script
	node   *syntax.CallExpr
	around []syntax.Node // what it stands in, outermost first
	args   []string      // its words without quotes; expansions as they are written
	// name is the program that does the work, behind sudo, env and the like, and
	// rest are its arguments.
	name  string
	rest  []string
	words []*syntax.Word // of rest
	via   []string       // the programs before it
}

func newCall(s *script, n *syntax.CallExpr, around []syntax.Node) *call {
	c := &call{script: s, node: n, around: slices.Clone(around)}
	for _, w := range n.Args {
		c.args = append(c.args, s.text(w))
	}
	c.unwrap()
	return c
}

// wrappers run the command that follows them; the letters are their flags that
// take a value.
var wrappers = map[string]string{
	"sudo": "ugpChD", "doas": "uC", "env": "uCS", "time": "fo", "timeout": "ks", "nohup": "", "nice": "n", "ionice": "cnp",
	"stdbuf": "ioe", "command": "", "builtin": "", "exec": "a", "xargs": "InLPsdEai", "watch": "nd", "setsid": "", "caffeinate": "tw",
}

// unwrap finds the program that does the work.
func (c *call) unwrap() {
	i := 0
	for i < len(c.args) {
		name := path.Base(c.args[i])
		values, ok := wrappers[name]
		if !ok {
			break
		}
		n := skipFlags(c.args, i+1, values)
		if name == "timeout" {
			n++ // the duration
		}
		if n >= len(c.args) {
			break
		}
		c.via = append(c.via, name)
		i = n
	}
	if i < len(c.args) {
		c.name = path.Base(c.args[i])
		c.rest, c.words = c.args[i+1:], c.node.Args[i+1:]
	}
}

// skipFlags returns the first word from i on that is neither a flag, nor the
// value of one, nor an assignment.
func skipFlags(args []string, i int, values string) int {
	for i < len(args) {
		a := args[i]
		switch {
		case a == "--":
			return i + 1
		case len(a) == 2 && a[0] == '-' && strings.Contains(values, a[1:]):
			i += 2
		case strings.HasPrefix(a, "-") || strings.Contains(a, "=") && !strings.HasPrefix(a, "="):
			i++
		default:
			return i
		}
	}
	return i
}

// text is a word without its quotes; what is expanded stays as it is written.
func (s *script) text(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch x := part.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(x.Value, "\\\n", ""), `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(x.Value)
		case *syntax.DblQuoted:
			for _, in := range x.Parts {
				if l, ok := in.(*syntax.Lit); ok {
					b.WriteString(l.Value)
				} else {
					b.WriteString(s.source(in))
				}
			}
		default:
			b.WriteString(s.source(part))
		}
	}
	return b.String()
}

func (c *call) source() string { return c.script.source(c.node) }

// risk says what this command does on its own.
func (c *call) risk() *risk.Result { return c.script.judge(c.source()) }

// has tells whether one of the long or one-dash words is given, alone or with =value.
func (c *call) has(flags ...string) bool {
	return slices.ContainsFunc(c.rest, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return slices.Contains(flags, name)
	})
}

// short tells whether a one-letter flag is given, alone or with others.
func (c *call) short(letter string) bool {
	return slices.ContainsFunc(c.rest, func(a string) bool {
		return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(strings.TrimRight(a[1:], "0123456789"), letter)
	})
}

// value returns what a flag is given, as the next word or behind =.
func (c *call) value(flags ...string) (string, bool) {
	for i, a := range c.rest {
		name, v, ok := strings.Cut(a, "=")
		switch {
		case !slices.Contains(flags, name):
		case ok:
			return v, true
		case i+1 < len(c.rest):
			return c.rest[i+1], true
		}
	}
	return "", false
}

// words that aren't flags.
func (c *call) plain() []string {
	var out []string
	for _, a := range c.rest {
		if !strings.HasPrefix(a, "-") {
			out = append(out, a)
		}
	}
	return out
}

// isKubectl tells whether the program is kubectl by one of its names.
func (c *call) isKubectl() bool {
	return slices.Contains([]string{"kubectl", "k", "oc", "kubecolor"}, c.name)
}
