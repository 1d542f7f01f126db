package risk

import "strings"

// wrap judges what a prefix such as sudo runs.
func wrap(c *call) {
	c.class, c.why = Read, "runs nothing"
	n := max(c.t.stop, 0)
	if len(c.pos) <= n {
		c.noCommand()
		return
	}
	c.done = true
	words := c.pos[n:]
	// sudo A=1 cmd
	for len(words) > 1 && isAssignment(words[0].text) {
		if name, v, _ := strings.Cut(words[0].text, "="); isTargetVar(name) {
			c.f.target(name, word{text: v, known: words[0].known}, c.cmd)
		}
		words = words[1:]
	}
	c.out = c.f.run(words, c.cmd, c.in)
	if c.murky != "" {
		c.f.add(Unknown, c.cmd, c.murky+" may hold flags or another program")
	}
}

func isAssignment(s string) bool {
	i := strings.IndexByte(s, '=')
	if i <= 0 {
		return false
	}
	for j := range i {
		if !letter(s[j]) && (j == 0 || s[j] < '0' || s[j] > '9') {
			return false
		}
	}
	return true
}

// noCommand is a prefix without a command: some open a shell.
func (c *call) noCommand() {
	if c.given("-i", "-s", "--login", "--shell") && c.t.name == "sudo" || c.t.name == "chroot" || c.t.name == "nsenter" || c.t.name == "toolbox" {
		c.class, c.why = Unknown, "opens a shell"
		c.opens("shell", "")
		return
	}
	if c.murky != "" {
		c.class, c.why = Unknown, "runs "+c.murky
	}
}

// watchHook judges what is repeated, which watch hands to sh -c.
func watchHook(c *call) {
	c.endless()
	if len(c.pos) == 0 {
		c.class, c.why = Read, "prints usage"
		return
	}
	c.done = true
	if c.given("-x", "--exec") {
		c.out = c.f.run(c.pos, c.cmd, c.in)
		return
	}
	c.f.fork().script(joined(c.pos), c.in)
}

// envHook judges `env A=1 cmd`; alone it prints the environment, secrets included.
func envHook(c *call) {
	for _, fl := range c.flags {
		if fl.name == "-S" || fl.name == "--split-string" {
			c.done = true
			c.f.fork().script(fl.value.text+" "+joined(c.pos), c.in)
			return
		}
	}
	pos := c.pos
	for len(pos) > 0 {
		name, v, ok := strings.Cut(pos[0].text, "=")
		if !ok {
			break
		}
		if isTargetVar(name) {
			c.f.target(name, word{text: v, known: pos[0].known}, c.cmd)
		}
		pos = pos[1:]
	}
	if len(pos) == 0 {
		c.class, c.why = Read, "prints the environment"
		c.prints()
		return
	}
	c.done = true
	for _, w := range c.all("-u", "--unset") {
		c.unsetsTarget(w.text)
	}
	before := len(c.f.w.res.Touches)
	c.out = c.f.run(pos, c.cmd, c.in)
	for _, t := range c.f.w.res.Touches[before:] {
		if (t.Kind != "" || t.Vault != "") && c.given("-i", "--ignore-environment") {
			c.f.target("unset", lit("the environment"), c.cmd)
			break
		}
	}
	if c.murky != "" {
		c.f.add(Unknown, c.cmd, c.murky+" may hold flags or another program")
	}
}

func trapHook(c *call) {
	c.class, c.why = Read, "sets what runs at the end"
	if len(c.pos) < 2 {
		return
	}
	if t := c.pos[0].text; t != "" && t != "-" {
		c.done = true
		c.f.fork().script(t, nil)
	}
}

// commandHook judges `command`: with -v or -V it only looks a program up.
func commandHook(c *call) {
	if c.given("-v", "-V") {
		c.class, c.why = Read, "looks a program up"
		if len(c.pos) > 0 {
			c.out = stream{text: c.pos[0].text, known: c.pos[0].known}
		}
		return
	}
	if len(c.pos) == 0 {
		c.class, c.why = Read, "runs nothing"
		return
	}
	// Neither functions nor aliases are looked at.
	c.done = true
	g := c.f.fork()
	g.funcs, g.aliases = nil, nil
	c.out = g.run(c.pos, c.cmd, c.in)
}

// flockHook judges `flock file cmd` and `flock file -c 'text'`.
func flockHook(c *call) {
	c.class, c.why = Read, "takes a lock"
	if w, ok := c.val("-c", "--command"); ok {
		c.done = true
		c.f.fork().script(w.text, c.in)
		return
	}
	if len(c.pos) < 2 {
		return
	}
	c.done = true
	c.out = c.f.run(c.pos[1:], c.cmd, c.in)
}
