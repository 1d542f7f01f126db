package risk

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts judges statements in order; what they print together is returned.
func (f *frame) stmts(list []*syntax.Stmt, in *stream) stream {
	if len(list) == 1 {
		return f.stmt(list[0], in)
	}
	all := stream{known: true}
	var text strings.Builder
	for i, s := range list {
		if i > 0 && succeeds(s, "true", ":") {
			f.note("hides a failure: ends with " + shown(f.stmtSource(s)))
		}
		o := f.stmt(s, in)
		text.WriteString(o.text)
		all = stream{
			known: all.known && o.known, objects: append(all.objects, o.objects...),
			credential: all.credential || o.credential, shaped: all.shaped || o.shaped, from: o.from, here: all.here || o.here,
		}
	}
	all.text = text.String()
	return all
}

// capture judges the statements of a substitution, which run in a shell of their own.
func (f *frame) capture(list []*syntax.Stmt) stream { return f.fork().stmts(list, f.in) }

func (f *frame) stmt(s *syntax.Stmt, in *stream) stream {
	if !f.w.spend(1) {
		f.add(Unknown, shown(f.stmtSource(s)), "the text is too long to be judged")
		return stream{}
	}
	if in == nil {
		in = f.in
	}
	rd := f.redirects(s, in)
	if rd.in != nil {
		in = rd.in
	}
	if s.Background {
		f.note("runs in the background: a failure is not seen")
	}
	if s.Cmd == nil {
		return stream{}
	}
	out := f.command(s, in)
	if rd.out {
		return stream{known: true}
	}
	return out
}

func (f *frame) command(s *syntax.Stmt, in *stream) stream {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if f.w.generates && f.w.res.Generates == "" && generator(f.source(s)) {
			f.w.res.Generates = shown(f.stmtSource(s))
		}
		return f.callExpr(c, in)
	case *syntax.BinaryCmd:
		return f.binary(c, in)
	case *syntax.Subshell:
		return f.fork().stmts(c.Stmts, in)
	case *syntax.Block:
		return f.stmts(c.Stmts, in)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return f.stmt(c.Stmt, in)
		}
	case *syntax.CoprocClause:
		return f.stmt(c.Stmt, in)
	case *syntax.IfClause:
		return f.ifClause(c, in)
	case *syntax.WhileClause:
		return f.whileClause(c, in)
	case *syntax.ForClause:
		return f.forClause(c, in)
	case *syntax.CaseClause:
		return f.caseClause(c, in)
	case *syntax.FuncDecl:
		f.declare(c)
	case *syntax.DeclClause:
		f.declClause(c)
	default:
		// Tests, arithmetic and let run nothing of themselves, but may hold substitutions.
		f.walkNested(s.Cmd)
	}
	return stream{known: true}
}

// walkNested judges every command inside a node that is no command itself.
func (f *frame) walkNested(n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, f.nested)
}

// nested judges a node if it runs commands, and says whether to look inside it.
func (f *frame) nested(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CmdSubst:
		f.capture(n.Stmts)
		return false
	case *syntax.ProcSubst:
		f.capture(n.Stmts)
		return false
	}
	return true
}

func (f *frame) binary(c *syntax.BinaryCmd, in *stream) stream {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		out := f.fork().stmt(c.X, in)
		return f.fork().stmt(c.Y, &out)
	case syntax.OrStmt:
		a := f.stmt(c.X, in)
		if succeeds(c.Y, "true", ":", "echo") {
			f.note("hides a failure: " + shown(f.stmtSource(c.Y)))
		}
		var b stream
		f.branch(func() { b = f.stmt(c.Y, in) })
		return merge(a, b)
	default:
		a := f.stmt(c.X, in)
		b := f.stmt(c.Y, in)
		return merge(a, b)
	}
}

func merge(a, b stream) stream {
	return stream{
		text: a.text + b.text, known: a.known && b.known, objects: append(a.objects, b.objects...),
		credential: a.credential || b.credential, shaped: a.shaped || b.shaped, from: a.from, here: a.here || b.here,
	}
}

// succeeds says that a statement is one of these programs, which do nothing but succeed.
func succeeds(s *syntax.Stmt, names ...string) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return false
	}
	return slices.Contains(names, c.Args[0].Lit())
}

func (f *frame) ifClause(c *syntax.IfClause, in *stream) stream {
	f.stmts(c.Cond, in)
	out := stream{}
	f.branch(func() { out = f.stmts(c.Then, in) })
	if c.Else != nil {
		f.branch(func() {
			if len(c.Else.Cond) > 0 {
				out = merge(out, f.ifClause(c.Else, in))
			} else {
				out = merge(out, f.stmts(c.Else.Then, in))
			}
		})
	}
	out.known = false
	return out
}

func (f *frame) whileClause(c *syntax.WhileClause, in *stream) stream {
	f.forget(c.Do)
	saved := f.in
	f.in = in
	defer func() { f.in = saved }()
	var out stream
	f.branch(func() {
		f.stmts(c.Cond, in)
		out = f.stmts(c.Do, in)
	})
	out.known = false
	return out
}

// forget makes what a loop assigns unknown before its first line is judged: the second
// round sees what the first one left.
func (f *frame) forget(body []*syntax.Stmt) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if a, ok := n.(*syntax.Assign); ok && a.Name != nil {
				if old, had := f.lookup(a.Name.Value); had {
					f.set(a.Name.Value, value{words: old.words})
				}
			}
			return true
		})
	}
}

func (f *frame) forClause(c *syntax.ForClause, in *stream) stream {
	f.forget(c.Do)
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		f.walkNested(c.Loop)
		var out stream
		f.branch(func() { out = f.stmts(c.Do, in) })
		out.known = false
		return out
	}
	items := f.words(iter.Items)
	if c.Select || len(items) == 0 || len(items) > maxLoop || !allKnown(items) || globbed(items) || !f.w.spend(len(items)*len(c.Do)) {
		items = []word{{text: "$" + iter.Name.Value}}
	}
	out := stream{known: true}
	f.branch(func() {
		for _, it := range items {
			f.set(iter.Name.Value, value{words: []string{it.text}, known: it.known})
			out = merge(out, f.stmts(c.Do, in))
		}
	})
	return out
}

// globbed says that a list depends on the files that are there.
func globbed(ws []word) bool {
	for _, w := range ws {
		if !w.quoted && strings.ContainsAny(w.text, "*?[") {
			return true
		}
	}
	return false
}

func (f *frame) caseClause(c *syntax.CaseClause, in *stream) stream {
	f.one(c.Word)
	out := stream{}
	for _, it := range c.Items {
		for _, p := range it.Patterns {
			f.walkNested(p)
		}
		f.branch(func() { out = merge(out, f.stmts(it.Stmts, in)) })
	}
	out.known = false
	return out
}

// declare stores a function; its body is judged when it is called, or at the end.
func (f *frame) declare(c *syntax.FuncDecl) {
	if c.Name == nil {
		return
	}
	if f.funcs == nil {
		f.funcs = make(map[string]funcDecl, 2)
	}
	d := funcDecl{body: c.Body, src: f.src}
	f.funcs[c.Name.Value] = d
	f.w.decls = append(f.w.decls, d)
}

// uncalled judges the functions that nobody called: who defines one means to run it,
// perhaps from the next fence.
func (f *frame) uncalled() {
	for i := 0; i < len(f.w.decls); i++ {
		d := f.w.decls[i]
		if f.w.called[d.body] {
			continue
		}
		g := f.fork()
		g.src = d.src
		g.stmt(d.body, nil)
	}
	f.w.decls = nil
}

func (f *frame) declClause(c *syntax.DeclClause) {
	for _, a := range c.Args {
		if a.Name == nil {
			f.one(a.Value)
			continue
		}
		if a.Naked && a.Value == nil && a.Array == nil {
			continue
		}
		f.assign(a)
		f.envTarget(a.Name.Value, shown(f.source(c)))
	}
}

func (f *frame) assign(a *syntax.Assign) {
	if a.Index != nil {
		f.walkNested(a.Index)
	}
	v := value{known: true}
	switch {
	case a.Array != nil:
		for _, el := range a.Array.Elems {
			if el.Value == nil {
				continue
			}
			ws := f.expand(el.Value, nil)
			v.known = v.known && allKnown(ws) && !globbed(ws)
			v.words = append(v.words, texts(ws)...)
		}
	case a.Value != nil:
		w := f.one(a.Value)
		v = value{words: []string{w.text}, known: w.known}
	default:
		v.words = []string{""}
	}
	if a.Append {
		old, ok := f.lookup(a.Name.Value)
		switch {
		case !ok || !old.known:
			v.known = false
		case a.Array != nil:
			v.words = append(append([]string(nil), old.words...), v.words...)
		case len(old.words) > 0 && len(v.words) > 0:
			v.words = []string{old.words[0] + v.words[0]}
		}
	}
	if a.Index != nil {
		v.known = false
	}
	if credential(a.Name.Value) && len(v.words) == 1 && a.Value != nil {
		f.hide(a.Name.Value+"=", word{text: v.words[0], src: f.source(a.Value), known: v.known}, unseen)
	}
	f.set(a.Name.Value, v)
}
