package risk

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits on what one text may cost: a hostile one must not hang the person who reads it.
const (
	maxDepth    = 24
	maxCommands = 20000
	maxLoop     = 32
	maxWord     = 1 << 20
	maxText     = 1 << 19
	maxOpen     = 1 << 14
)

// walker holds what is common to a text and all the texts inside it.
type walker struct {
	larder
	// generates says that the text speaks of making random values somewhere.
	generates bool
	ctx       Context
	res       Result
	parser    *syntax.Parser
	left      int
	// veils are the values that nothing may show.
	veils  []veil
	veiled map[veil]bool
	depth  int
	t      *tableSet
	// decls are the functions in the order they were defined, called those that were called.
	decls  []funcDecl
	called map[*syntax.Stmt]bool
}

func (w *walker) spend(n int) bool {
	w.left -= n
	return w.left > 0
}

// frame is the state of one shell: what its variables, functions and aliases are.
type frame struct {
	w       *walker
	src     string
	vars    map[string]value
	funcs   map[string]funcDecl
	aliases map[string]string
	// in is the standard input that commands inherit, as in `… | while read x; do …`.
	in *stream
	// where names the container or host that the commands run in, "" for here.
	where string
}

type funcDecl struct {
	body *syntax.Stmt
	src  string
	// maybe says that it stands where it may not have been defined.
	maybe bool
}

func (f *frame) fork() *frame {
	g := *f
	g.vars = maps.Clone(f.vars)
	g.funcs = maps.Clone(f.funcs)
	g.aliases = maps.Clone(f.aliases)
	return &g
}

// elsewhere is a fresh shell that has none of this one's variables.
func (f *frame) elsewhere(where string) *frame {
	return &frame{w: f.w, where: where}
}

func (f *frame) lookup(name string) (value, bool) {
	if v, ok := f.vars[name]; ok {
		return v, true
	}
	if f.where == "" {
		if s, ok := f.w.ctx.Env[name]; ok {
			return value{words: []string{s}, known: true}, true
		}
	}
	if name == "IFS" {
		return value{words: []string{" "}, known: true}, true
	}
	return value{}, false
}

func (f *frame) set(name string, v value) {
	if f.vars == nil {
		f.vars = make(map[string]value, 4)
	}
	f.vars[name] = v
}

// forgetArgs makes $1, $@ and their like unknown.
func (f *frame) forgetArgs() {
	for _, n := range []string{"@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		f.set(n, value{})
	}
}

// branch runs do as something that may or may not happen: what it sets to another value is
// unknown afterwards.
func (f *frame) branch(do func()) {
	before, funcs := maps.Clone(f.vars), maps.Clone(f.funcs)
	do()
	for k, d := range f.funcs {
		if old, ok := funcs[k]; !ok || old.body != d.body {
			d.maybe = true
			f.funcs[k] = d
		}
	}
	for k, v := range f.vars {
		old, ok := before[k]
		if !ok {
			if s, had := f.w.ctx.Env[k]; had {
				old, ok = value{words: []string{s}, known: true}, true
			}
		}
		if ok && old.known && v.known && strings.Join(old.words, "\x00") == strings.Join(v.words, "\x00") {
			continue
		}
		f.vars[k] = value{words: v.words}
	}
}

// source is the text of a node as its author wrote it.
func (f *frame) source(n syntax.Node) string {
	a, b := int(n.Pos().Offset()), int(n.End().Offset())
	if a < 0 || b > len(f.src) || a >= b {
		return "…"
	}
	return f.src[a:b]
}

// add records a verdict.
func (f *frame) add(c Class, command, why string) {
	r := &f.w.res
	r.Class = max(r.Class, c)
	r.Reasons = append(r.Reasons, Reason{c, command, why})
}

func (f *frame) note(s string) {
	for _, n := range f.w.res.Notes {
		if n == s {
			return
		}
	}
	f.w.res.Notes = append(f.w.res.Notes, s)
}

func (f *frame) touch(t Touch) {
	f.w.res.Touches = append(f.w.res.Touches, t)
}

func (f *frame) target(how string, v word, command string) {
	if credential(how) {
		v.text = unseen
	}
	f.w.res.Targets = append(f.w.res.Targets, Target{How: how, Value: shown(v.text), Command: command})
}
