package risk

import (
	"slices"
	"strings"
)

// judge comes to a verdict on a call: by a function of its own, or by the lines of its tool.
func (c *call) judge() {
	if c.t.hook != nil {
		c.t.hook(c)
	} else {
		c.byRule()
	}
	if c.done {
		return
	}
	c.dryRun()
	c.f.add(c.class, c.cmd, c.why)
	if c.murky != "" {
		c.f.add(Unknown, c.cmd, c.murky+" may hold flags or another verb")
	}
}

func (c *call) byRule() {
	r, end := c.t.match(c)
	c.rule = r
	if r == nil {
		c.noRule()
		return
	}
	c.limit = end
	c.rest = c.pos[min(end, len(c.pos)):]
	for _, a := range r.attrs {
		if a.first {
			a.do(c, a.arg)
		}
	}
	c.class, c.why = r.class, c.fill(r.why)
	c.op = opOf(c.class)
	for _, a := range r.attrs {
		if !a.first {
			a.do(c, a.arg)
		}
	}
	c.mistrust(r, end)
}

// mistrust raises the verdict of a line that is about a whole group of verbs (server, stack),
// or about everything, by the next word, where that is a verb that no line names.
func (c *call) mistrust(r *rule, end int) {
	if c.done || r.class > Unknown || len(r.conds) > 0 || end >= len(c.pos) || r.n >= 3*rankOne {
		return
	}
	group := end > 0 && c.t.groups[c.pos[0].text] || end == 0 && len(c.t.first) > 0
	next := c.pos[end].text
	if !group || c.dash >= 0 && end >= c.dash || strings.ContainsAny(next, "./:@") {
		return
	}
	if k, w := speaks(next); k > c.class {
		c.class, c.why = k, "what "+c.t.name+" "+joined(c.pos[:end+1])+" does isn't known, and it speaks of "+w
	}
}

func opOf(c Class) string {
	switch c {
	case Read:
		return "read"
	case Destroy:
		return "delete"
	}
	return "update"
}

// noRule judges a call that no line of its tool is about.
func (c *call) noRule() {
	switch {
	case c.t.reader:
		c.class, c.why = Read, "reads or computes"
		c.out = stream{from: c.t.name}
	case len(c.pos) > 0 && !c.pos[0].known:
		c.class, c.why = Unknown, "the verb "+shown(c.pos[0].text)+" can't be told"
	case len(c.pos) == 0 && c.murky == "" && (len(c.flags) == 0 || c.given("--version", "-version", "-V", "-v")):
		c.class, c.why = Read, "prints usage or its version"
	default:
		c.class, c.why = Unknown, "what "+c.t.name+" does with these arguments isn't known"
		if len(c.pos) > 0 {
			c.why = "what " + c.t.name + " " + shown(c.pos[0].text) + " does isn't known"
			c.raise(c.t.name, c.pos)
		}
	}
}

// fill puts the call's own words into the text of a rule.
func (c *call) fill(why string) string {
	if strings.IndexByte(why, '{') < 0 {
		return why
	}
	words := c.rest
	if slices.ContainsFunc(words, func(w word) bool { return w.veiled }) {
		words = slices.DeleteFunc(slices.Clone(words), func(w word) bool { return w.veiled })
	}
	s := cutText(joined(words), 80)
	return strings.TrimRight(strings.ReplaceAll(why, "{}", shown(s)), " ")
}

func (c *call) helps() bool {
	for _, fl := range c.flags {
		if c.t.help[fl.name] && !(fl.has && falsy(fl.value.text)) {
			// The last one counts: --help --help=false runs.
			c.limit = len(c.args)
			return c.has(cond{names: []string{fl.name}})
		}
	}
	return false
}

// dryRun takes back what a dry-run flag takes back.
func (c *call) dryRun() {
	if len(c.t.dry) == 0 || c.class == Read {
		return
	}
	if c.t.dryVerbs != nil && (len(c.pos) == 0 || !c.t.dryVerbs[c.pos[0].text]) {
		return
	}
	for _, d := range c.t.dry {
		fl, ok := c.last(d.names)
		if !ok {
			continue
		}
		switch {
		case fl.has && !fl.value.known:
			c.class, c.why = Unknown, "whether it is a dry run depends on "+shown(fl.value.text)
		case c.has(d):
			c.class, c.why = Read, "a dry run: changes nothing"
			c.dropTouches()
		}
	}
}

// dropTouches takes the change out of the touches of this call: a dry run only looks.
func (c *call) dropTouches() {
	ts := c.f.w.res.Touches
	for i := range ts {
		if i >= c.mark {
			ts[i].Op = "read"
		}
	}
}
