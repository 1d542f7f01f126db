package risk

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// value is a variable: its words, and whether they are what it really holds.
type value struct {
	words []string
	known bool
}

// expander collects the fields of one word.
type expander struct {
	f      *frame
	out    []word
	buf    []byte
	known  bool
	any    bool
	quoted bool
	many   bool
	in     *stream
	pieces int
	// single keeps everything in one field, as in an assignment.
	single bool
}

// words expands the arguments of a command.
func (f *frame) words(args []*syntax.Word) []word {
	out := f.w.room(len(args) + 2)
	for _, a := range args {
		if l := plain(a); l != "" {
			out = append(out, word{text: l, known: true})
			continue
		}
		n := len(out)
		out = f.expand(a, out)
		for i := range out[n:] {
			out[n+i].src = f.source(a)
		}
	}
	return out
}

// plain is the text of a word that needs no expansion at all, "" if it does.
func plain(w *syntax.Word) string {
	if len(w.Parts) != 1 {
		return ""
	}
	l, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.IndexByte(l.Value, '\\') >= 0 || strings.IndexByte(l.Value, '{') >= 0 {
		return ""
	}
	return l.Value
}

func (f *frame) expand(w *syntax.Word, out []word) []word {
	if braced(w) {
		w2 := *w
		w2.Parts = append([]syntax.WordPart(nil), w.Parts...)
		if syntax.SplitBraces(&w2) {
			if n := alternatives(&w2); n > 1 && n <= maxLoop && f.w.spend(n) {
				for alt, err := range expand.BracesSeq(nil, &w2) {
					if err != nil {
						break
					}
					out = f.fields(alt, out)
				}
				return out
			}
		}
	}
	return f.fields(w, out)
}

// alternatives is how many words the braces of a word stand for, counted up to a limit.
func alternatives(w *syntax.Word) int {
	n := 1
	for _, p := range w.Parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		sum := 0
		for _, el := range b.Elems {
			sum += alternatives(el)
		}
		n = min(n*max(sum, 1), maxLoop+1)
	}
	return n
}

// braced says that a word may be a list in braces; sequences such as {1..9} are left as they
// are, since they name things and never verbs.
func braced(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.Contains(l.Value, "{") && !strings.Contains(l.Value, "..") {
			return true
		}
	}
	return false
}

func (f *frame) fields(w *syntax.Word, out []word) []word {
	e := expander{f: f, out: out, known: true}
	for _, p := range w.Parts {
		e.part(p, false)
		e.pieces++
	}
	e.flush()
	return e.out
}

func (e *expander) flush() {
	if !e.any && !e.quoted {
		return
	}
	e.out = append(e.out, word{text: string(e.buf), known: e.known, many: e.many && e.pieces == 1, quoted: e.quoted, in: e.in})
	e.buf, e.known, e.any, e.quoted, e.many, e.in = e.buf[len(e.buf):], true, false, false, false, nil
}

func (e *expander) add(s string) {
	if s == "" {
		return
	}
	e.any = true
	if len(e.buf)+len(s) > maxWord {
		// Doubling a variable 40 times must not fill the memory.
		e.known = false
		return
	}
	e.buf = append(e.buf, s...)
}

func (e *expander) unknown(src string, inQuotes bool) {
	e.add(src)
	e.known = false
	e.many = !inQuotes && !e.single
}

// split adds a known value, cut at blanks as an unquoted expansion is.
func (e *expander) split(s string, inQuotes bool) {
	if inQuotes || e.single || !strings.ContainsAny(s, " \t\n") {
		e.add(s)
		return
	}
	if strings.TrimLeft(s, " \t\n") != s {
		e.flush()
	}
	for i, part := range strings.Fields(s) {
		if i > 0 {
			e.flush()
		}
		e.add(part)
	}
	if strings.TrimRight(s, " \t\n") != s {
		e.flush()
	}
}

func (e *expander) part(p syntax.WordPart, inQuotes bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		e.add(unescape(p.Value, inQuotes))
	case *syntax.SglQuoted:
		e.quoted = true
		if p.Dollar {
			e.add(ansiC(p.Value))
		} else {
			e.add(p.Value)
		}
	case *syntax.DblQuoted:
		e.quoted = true
		for _, q := range p.Parts {
			e.part(q, true)
		}
	case *syntax.ParamExp:
		e.param(p, inQuotes)
	case *syntax.CmdSubst:
		s := e.f.capture(p.Stmts)
		if s.known {
			e.split(strings.TrimRight(s.text, "\n"), inQuotes)
		} else {
			e.unknown(e.f.source(p), inQuotes)
		}
	case *syntax.ProcSubst:
		s := e.f.capture(p.Stmts)
		e.unknown(e.f.source(p), true)
		e.in = &s
	case *syntax.ArithmExp:
		e.f.walkNested(p.X)
		e.unknown(e.f.source(p), true)
	case *syntax.ExtGlob:
		e.add(e.f.source(p))
	case *syntax.BraceExp:
		e.add("{…}")
		e.known = false
	}
}

// unescape removes the backslashes of a literal.
func unescape(s string, inQuotes bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case s[i] == '\n':
		case inQuotes && !strings.ContainsRune("$`\"\\", rune(s[i])):
			b.WriteByte('\\')
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func ansiC(s string) string {
	out, _, err := expand.Format(nil, s, nil)
	if err != nil {
		return s
	}
	return out
}

func (e *expander) param(p *syntax.ParamExp, inQuotes bool) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	switch {
	case p.Index != nil || p.Slice != nil || p.Repl != nil:
		// Subscripts and patterns are expanded too.
		syntax.Walk(p, e.f.nested)
	case p.Exp != nil && p.Exp.Word != nil:
		e.f.walkNested(p.Exp.Word)
	}
	v, ok := e.f.lookup(name)
	plain := !p.Excl && !p.Length && !p.Width && !p.IsSet && p.Slice == nil && p.Repl == nil && p.Names == 0
	if !plain {
		e.unknown(e.f.source(p), inQuotes)
		return
	}
	if p.Exp != nil {
		e.paramDefault(p, v, ok, inQuotes)
		return
	}
	if !ok || !v.known {
		e.unknown(e.f.source(p), inQuotes)
		return
	}
	if i, isAll := index(p); isAll {
		e.all(v, inQuotes && i != "*")
		return
	} else if i != "" {
		e.element(p, v, i, inQuotes)
		return
	}
	if name == "@" || name == "*" {
		e.all(v, inQuotes && name == "@")
		return
	}
	if len(v.words) > 0 {
		e.split(v.words[0], inQuotes)
	}
}

// paramDefault handles ${x:-word}, ${x:=word}, ${x:?text} and ${x:+word}. Where x is known
// the answer is; where it isn't, nothing is.
func (e *expander) paramDefault(p *syntax.ParamExp, v value, ok, inQuotes bool) {
	has := ok && v.known && len(v.words) > 0 && v.words[0] != ""
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if has {
			e.split(v.words[0], inQuotes)
			return
		}
		if ok && v.known && p.Exp.Word != nil && p.Exp.Op != syntax.ErrorUnset && p.Exp.Op != syntax.ErrorUnsetOrNull {
			for _, q := range p.Exp.Word.Parts {
				e.part(q, inQuotes)
			}
			return
		}
	}
	e.unknown(e.f.source(p), inQuotes)
}

func index(p *syntax.ParamExp) (string, bool) {
	if p.Index == nil {
		return "", false
	}
	w, ok := p.Index.(*syntax.Word)
	if !ok {
		return "?", false
	}
	s := w.Lit()
	return s, s == "@" || s == "*"
}

func (e *expander) all(v value, separate bool) {
	if !separate || e.single {
		e.split(strings.Join(v.words, " "), e.quoted)
		return
	}
	for i, s := range v.words {
		if i > 0 {
			e.flush()
		}
		e.quoted = true
		e.add(s)
	}
}

func (e *expander) element(p *syntax.ParamExp, v value, i string, inQuotes bool) {
	if len(i) == 1 && i[0] >= '0' && i[0] <= '9' && int(i[0]-'0') < len(v.words) {
		e.split(v.words[i[0]-'0'], inQuotes)
		return
	}
	e.unknown(e.f.source(p), inQuotes)
}

// one expands a word to a single text, as in an assignment or a redirection.
func (f *frame) one(w *syntax.Word) word {
	if w == nil {
		return lit("")
	}
	if l := plain(w); l != "" {
		return lit(l)
	}
	e := expander{f: f, known: true, single: true}
	for _, p := range w.Parts {
		e.part(p, false)
	}
	return word{text: string(e.buf), known: e.known, quoted: e.quoted, in: e.in}
}
