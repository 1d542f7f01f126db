package risk

import (
	"slices"
	"strings"
	"sync"
)

// tool is the grammar of one program, as a table in the folder grammar gives it.
type tool struct {
	name string
	// long is set for tools whose long flags have one dash (-auto-approve).
	long bool
	// strict tools take flags only between the verb and its first argument.
	strict bool
	// defaultValue is set for tools whose unlisted long flags take a value.
	defaultValue bool
	help         map[string]bool
	values       map[string]bool
	bools        map[string]bool
	// attached are short flags whose value, if any, is the rest of their word (mysql -psecret).
	attached   map[string]bool
	verbValues map[string]map[string]bool
	verbBools  map[string]map[string]bool
	// targets are flags that name another cluster, server or account.
	targets map[string]bool
	// secret are flags whose value is a credential, or holds some: "value", "kv" (a=b),
	// "user" (user:password) or "body".
	secret map[string]string
	// dry are flags that make one of the dryVerbs (all, if there is none) change nothing.
	dry      []cond
	dryVerbs map[string]bool
	// stop ends the flags after so many positionals: what follows is another command. -1: never.
	stop     int
	verbStop map[string]int
	// argsFrom is a variable whose words are added to the arguments, as is that of the same
	// name with an underscore and the verb.
	argsFrom string
	rules    []*rule
	first    map[string][]*rule
	// groups are first words that other words follow in some rule: what stands behind them is
	// a verb, too.
	groups map[string]bool
	wild   []*rule
	deep   map[string][]*rule
	// deepWild are the rules that begin with ** and a pattern.
	deepWild []*rule
	// reader is set for programs that only read, whatever their arguments.
	reader bool
	hook   func(c *call)
	// wraps is set for prefixes of another command.
	wraps bool
	// inherits is set for a tool that begins with another one's rules, and may override them.
	inherits bool
}

// rule is one line: which words and flags it is about, and the verdict.
type rule struct {
	n     int
	words []pattern
	conds []cond
	end   bool
	class Class
	why   string
	attrs []attr
}

// attr is an effect with its argument.
type attr struct {
	do  func(c *call, arg string)
	arg string
	// first are those that hide values, before the reason is written.
	first bool
}

// cond is a flag that must (or with not, must not) be given.
type cond struct {
	not   bool
	names []string
	value string
	hasEq bool
}

// tables finds its way in the grammar once: it is embedded in the program, and never changes.
var tables = sync.OnceValue(func() *tableSet {
	t, err := loadTables()
	if err != nil {
		panic("risk: " + err.Error())
	}
	return t
})

// verb is the rule that the first words of a command line fall under, nil without one.
func (t *tableSet) verb(name, args string) *rule {
	tl := t.tool(name)
	if tl == nil {
		return nil
	}
	if len(tl.rules) == 0 {
		return &rule{}
	}
	fields := strings.Fields(args)
	ws := make([]word, len(fields))
	for i, s := range fields {
		ws[i] = lit(s)
	}
	c := tl.parse(ws, &larder{})
	r, _ := tl.match(c)
	return r
}

func hasGlob(s string) bool { return strings.ContainsAny(s, "*?") }

// globMatch is a match of the whole of s, where * and ? also stand for slashes: names of
// objects and entries have them.
func globMatch(pattern, s string) bool {
	star, mark := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// pattern is what one position of a rule takes: any word, some words, or some shapes.
type pattern struct {
	// rest is "**": any number of words.
	rest bool
	// any is "*".
	any   bool
	words []string // few, so that looking through them beats a map
	globs []string
}

func newPattern(s string) pattern {
	p := pattern{rest: s == "**"}
	for alt := range strings.SplitSeq(s, "|") {
		switch {
		case alt == "*" || alt == "**":
			p.any = true
		case hasGlob(alt):
			p.globs = append(p.globs, alt)
		default:
			p.words = append(p.words, alt)
		}
	}
	return p
}

func (p pattern) matches(s string) bool {
	if p.any || slices.Contains(p.words, s) {
		return true
	}
	for _, g := range p.globs {
		if globMatch(g, s) {
			return true
		}
	}
	return false
}

func anyMatch(alts []string, s string) bool {
	for _, a := range alts {
		if a == s || hasGlob(a) && globMatch(a, s) {
			return true
		}
	}
	return false
}

// match finds the rule for a call: the anchored one of the highest rank, else the one whose
// verb comes first, else the one for everything.
func (t *tool) match(c *call) (*rule, int) {
	var best *rule
	bestEnd := 0
	try := func(list []*rule) {
		for i := len(list) - 1; i >= 0; i-- {
			r := list[i]
			if best != nil && r.n < best.n {
				return
			}
			if end := r.fits(c); end >= 0 {
				best, bestEnd = r, end
				return
			}
		}
	}
	if len(c.pos) > 0 {
		try(t.first[c.pos[0].text])
	}
	try(t.wild)
	if best != nil && best.n >= rankOne {
		best, bestEnd = t.worseBeside(c, best, bestEnd)
		return t.worseBehind(c, best, bestEnd)
	}
	if len(t.deep) == 0 && len(t.deepWild) == 0 {
		return best, bestEnd
	}
	if r, end := t.matchDeep(c); r != nil {
		return r, end
	}
	return best, bestEnd
}

// worseBeside looks for a worse line of the same rank that is about other flags of the call:
// --rotate is no exception to --vacuum-size, though its line stands below.
func (t *tool) worseBeside(c *call, r *rule, end int) (*rule, int) {
	if r.class < Write || len(r.conds) == 0 {
		return r, end
	}
	look := func(list []*rule) {
		for _, q := range list {
			if q.class > r.class && q.n/rankOne == r.n/rankOne && q.besides(r) {
				if e := q.fits(c); e >= 0 {
					r, end = q, e
				}
			}
		}
	}
	if len(c.pos) > 0 {
		look(t.first[c.pos[0].text])
	}
	look(t.wild)
	c.limit = end
	return r, end
}

// besides says that a line isn't one that the other makes an exception of: it is about a verb
// where the other is only about flags, or about flags that the other doesn't name.
func (r *rule) besides(other *rule) bool {
	if len(r.words) > 0 && len(other.words) == 0 {
		return true
	}
	given := false
	for _, k := range r.conds {
		given = given || !k.not
		for _, o := range other.conds {
			if slices.ContainsFunc(k.names, func(n string) bool { return slices.Contains(o.names, n) }) {
				return false
			}
		}
	}
	return given
}

// worseBehind looks at the word behind a rule that names one word at most and is harmless:
// where that word is a worse verb of the tool, it counts (nmcli connection down).
func (t *tool) worseBehind(c *call, r *rule, end int) (*rule, int) {
	if r.n >= 3*rankOne || r.class > Write || len(r.conds) > 0 || end >= len(c.pos) {
		return r, end
	}
	if d, dEnd := t.matchAt(c, t.deep[c.pos[end].text], end); d != nil && d.class > r.class {
		return d, dEnd
	}
	return r, end
}

// deepest is how many words of a command line may be its verb.
const deepest = 7

// matchDeep looks for the verb behind any number of nouns: the first word that is one. Some
// nouns are spelled like verbs (snapshot, label), so a later word that is a worse verb wins;
// patterns count only for the first, since names are made of such words.
func (t *tool) matchDeep(c *call) (*rule, int) {
	var best *rule
	bestEnd := 0
	for i := range c.pos[:min(len(c.pos), deepest)] {
		r, end := t.matchAt(c, t.deep[c.pos[i].text], i)
		if best == nil {
			if g, gEnd := t.matchAt(c, t.deepWild, i); g != nil && (r == nil || g.n > r.n) {
				r, end = g, gEnd
			}
		}
		if r != nil && (best == nil || r.class > best.class) {
			best, bestEnd = r, end
		}
	}
	if best != nil {
		c.limit = bestEnd
	}
	return best, bestEnd
}

func (t *tool) matchAt(c *call, list []*rule, i int) (*rule, int) {
	for j := len(list) - 1; j >= 0; j-- {
		r := list[j]
		if end := r.matchWords(r.words[1:], c.pos, i); end >= 0 && r.meets(c, end) {
			return r, end
		}
	}
	return nil, 0
}

// fits is the number of positionals that the rule's words use up, -1 if it doesn't fit.
func (r *rule) fits(c *call) int {
	end := r.matchWords(r.words, c.pos, 0)
	if end < 0 || !r.meets(c, end) {
		return -1
	}
	return end
}

func (r *rule) meets(c *call, end int) bool {
	if r.end && end != len(c.pos) {
		return false
	}
	c.limit = end
	for _, k := range r.conds {
		if c.has(k) == k.not {
			return false
		}
	}
	return true
}

func (r *rule) matchWords(words []pattern, pos []word, i int) int {
	for n, p := range words {
		if p.rest {
			for j := i; j <= len(pos); j++ {
				if end := r.matchWords(words[n+1:], pos, j); end >= 0 {
					return end
				}
			}
			return -1
		}
		if i >= len(pos) || !p.matches(pos[i].text) {
			return -1
		}
		i++
	}
	return i
}
