package risk

import "strings"

// parse divides the words of a call into flags, their values and positionals, by the tool's
// own arities.
func (t *tool) parse(args []word, l *larder) *call {
	c := &take(&l.calls, 1)[:1][0]
	*c = call{t: t, args: args, dash: -1, pos: l.room(len(args)), flags: take(&l.flags, flagsIn(args))}
	var vals, bools map[string]bool
	stop := t.stop
	for i := 0; i < len(args); i++ {
		a := args[i]
		s := a.text
		if stop > t.stop && len(c.pos) == stop {
			c.pos = append(c.pos, args[i:]...)
			return c
		}
		switch {
		case len(s) < 2 || s[0] != '-' || a.many:
			if a.many && !a.known && len(c.pos) == 0 && t.choosy() {
				c.murky = shown(s)
				continue
			}
			if stop >= 0 && len(c.pos) == stop {
				c.pos = append(c.pos, args[i:]...)
				return c
			}
			c.pos = append(c.pos, a)
			if len(c.pos) == 1 {
				vals, bools = t.verbValues[s], t.verbBools[s]
				if n, ok := t.verbStop[s]; ok {
					stop = n
				}
			}
		case s == "--":
			c.dash = len(c.pos)
			c.pos = append(c.pos, args[i+1:]...)
			return c
		default:
			i = c.flag(i, vals, bools)
		}
	}
	if c.murky != "" && len(c.pos) == 0 {
		c.pos = append(c.pos, word{text: c.murky})
	}
	return c
}

// flagsIn estimates how many flags there are.
func flagsIn(args []word) int {
	n := 0
	for _, a := range args {
		if len(a.text) > 1 && a.text[0] == '-' {
			n++
		}
	}
	return n
}

// choosy says that the first words decide what the tool does.
func (t *tool) choosy() bool { return len(t.first) > 0 || len(t.deep) > 0 || t.wraps }

// flag reads the flag at args[i] and returns the index of its last word.
func (c *call) flag(i int, vals, bools map[string]bool) int {
	a := c.args[i]
	s := a.text
	long := strings.HasPrefix(s, "--") || c.t.long
	name, value, eq := strings.Cut(s, "=")
	if c.t.long {
		name = "-" + strings.TrimLeft(name, "-")
	}
	if eq && (long || c.takesValue(name, vals, bools)) || len(name) == 2 && eq {
		c.flags = append(c.flags, flag{name: name, value: word{text: value, src: srcAfter(a.src, "="), known: a.known}, has: true, valued: c.named(name, vals), at: len(c.pos)})
		return i
	}
	if long || len(s) == 2 || c.takesValue(s, vals, bools) {
		if !c.takesValue(name, vals, bools) || i+1 >= len(c.args) {
			c.flags = append(c.flags, flag{name: name, at: len(c.pos)})
			return i
		}
		c.flags = append(c.flags, flag{name: name, value: c.args[i+1], has: true, valued: c.named(name, vals), at: len(c.pos)})
		return i + 1
	}
	return c.cluster(i, vals, bools)
}

// named says that a table lists the flag as one that takes a value.
func (c *call) named(name string, vals map[string]bool) bool { return vals[name] || c.t.values[name] }

func (c *call) takesValue(name string, vals, bools map[string]bool) bool {
	switch {
	case bools[name]:
		return false
	case vals[name]:
		return true
	case c.t.bools[name]:
		return false
	case c.t.values[name]:
		return true
	}
	return c.t.defaultValue && strings.HasPrefix(name, "--") && !strings.HasPrefix(name, "--no-")
}

// cluster reads -abc: flags of one letter each, the first of which that takes a value has
// the rest of the word, or the next word.
func (c *call) cluster(i int, vals, bools map[string]bool) int {
	a := c.args[i]
	s := a.text
	for j := 1; j < len(s); j++ {
		name := "-" + s[j:j+1]
		if c.t.attached[name] {
			c.flags = append(c.flags, flag{name: name, value: word{text: s[j+1:], known: a.known}, has: j+1 < len(s), at: len(c.pos)})
			return i
		}
		if !c.takesValue(name, vals, bools) {
			c.flags = append(c.flags, flag{name: name, at: len(c.pos)})
			continue
		}
		if rest := s[j+1:]; rest != "" {
			c.flags = append(c.flags, flag{name: name, value: word{text: strings.TrimPrefix(rest, "="), known: a.known}, has: true, valued: true, at: len(c.pos)})
			return i
		}
		if i+1 < len(c.args) {
			c.flags = append(c.flags, flag{name: name, value: c.args[i+1], has: true, valued: c.named(name, vals), at: len(c.pos)})
			return i + 1
		}
		c.flags = append(c.flags, flag{name: name, at: len(c.pos)})
	}
	return i
}

func falsy(s string) bool {
	switch strings.ToLower(s) {
	case "false", "none", "no", "off", "f":
		return true
	}
	return false
}

// last is the last flag given under any of the names: the one that counts.
func (c *call) last(names []string) (flag, bool) {
	for i := len(c.flags) - 1; i >= 0; i-- {
		if c.t.strict && c.flags[i].at > c.limit {
			continue
		}
		for _, n := range names {
			if c.flags[i].name == n {
				return c.flags[i], true
			}
		}
	}
	return flag{}, false
}

// has says whether a condition's flag is given.
func (c *call) has(k cond) bool {
	if k.names[0] == "--" {
		return c.dash >= 0
	}
	fl, ok := c.last(k.names)
	if !ok {
		return false
	}
	if k.hasEq {
		return fl.has && anyMatch(strings.Split(k.value, "|"), fl.value.text)
	}
	return fl.valued || !(fl.has && falsy(fl.value.text))
}

// val is the value of a flag, "" and false if it isn't given.
func (c *call) val(names ...string) (word, bool) {
	fl, ok := c.last(names)
	return fl.value, ok && fl.has
}

// all are the values of a flag that can be given more than once.
func (c *call) all(names ...string) []word {
	var out []word
	for _, fl := range c.flags {
		if c.t.strict && fl.at > c.limit {
			continue
		}
		for _, n := range names {
			if fl.name == n && fl.has {
				out = append(out, fl.value)
			}
		}
	}
	return out
}

// given says that a flag is there, whatever its value.
func (c *call) given(names ...string) bool {
	return c.has(cond{names: names})
}
