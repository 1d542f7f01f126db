package risk

import "strings"

// shellHook judges sh, bash and their like: a text with -c, a script, or standard input.
func shellHook(c *call) {
	if w, ok := c.commandText(); ok {
		c.done = true
		c.scriptArgs(w, c.pos)
		return
	}
	if len(c.pos) > 0 && !c.given("-s") {
		c.scriptFile(c.pos[0])
		return
	}
	c.shellInput()
}

// commandText is the text behind -c, which may stand in a cluster (-ec, -lc).
func (c *call) commandText() (word, bool) {
	if !c.given("-c") || len(c.pos) == 0 {
		return word{}, false
	}
	w := c.pos[0]
	c.pos = c.pos[1:]
	return w, true
}

// scriptArgs judges the text of -c with its arguments: the first is $0.
func (c *call) scriptArgs(w word, args []word) {
	g := c.f.fork()
	if !w.known && !strings.ContainsAny(w.text, " \n") {
		c.f.add(Unknown, c.cmd, "what "+shown(w.text)+" holds can't be told")
		return
	}
	if len(args) > 1 {
		all := value{known: allKnown(args[1:])}
		for i, a := range args[1:] {
			all.words = append(all.words, a.text)
			if i < 9 {
				g.set(string(rune('1'+i)), value{words: []string{a.text}, known: a.known})
			}
		}
		g.set("@", all)
		g.set("*", all)
	}
	if c.in.orEmpty().text != "" {
		g.in = c.in
	}
	g.script(w.text, c.in)
}

// scriptFile is a script: unknown whatever its flags, and worse where its text is.
func (c *call) scriptFile(w word) {
	if w.in != nil {
		c.in = w.in
		c.shellInput()
		return
	}
	if w.text == "/dev/stdin" {
		c.shellInput()
		return
	}
	c.class, c.why = Unknown, "runs the script "+shown(w.text)
	if st := c.f.file(w); st.known {
		g := c.f.fork()
		g.script(st.text, nil)
		return
	}
	c.raise(w.text, c.pos[1:])
}

// shellInput judges a shell that reads its commands from standard input.
func (c *call) shellInput() {
	in := c.in.orEmpty()
	c.class = Unknown
	switch {
	case c.in == nil:
		c.why = "opens a shell"
		c.opens("shell", "")
	case in.completion:
		c.class, c.why = Read, "loads completions"
	case in.here:
		// An author's own text: judged as what it is.
		c.done = true
		c.f.fork().script(in.text, nil)
	default:
		c.why = "runs what it is sent"
		if in.from != "" {
			c.why = "runs what comes from " + shown(in.from)
		}
		if in.text != "" {
			c.f.fork().script(in.text, nil)
		}
	}
}

func evalHook(c *call) {
	w := word{text: joined(c.args), known: allKnown(c.args)}
	if len(c.args) == 0 {
		c.class, c.why = Read, "evaluates nothing"
		return
	}
	if !w.known {
		c.class, c.why = Unknown, "evaluates "+shown(w.text)
		if strings.ContainsAny(w.text, " ") && !strings.HasPrefix(w.text, "$") {
			c.f.fork().script(w.text, c.in)
		}
		return
	}
	c.done = true
	c.f.script(w.text, c.in)
}

// sourceHook judges `. file`: what the file does to the session can't be told unless it can
// be read.
func sourceHook(c *call) {
	c.class, c.why = Unknown, "runs a file in this shell"
	if len(c.pos) == 0 {
		return
	}
	w := c.pos[0]
	switch {
	case w.in != nil && w.in.completion:
		c.class, c.why = Read, "loads completions"
	case w.in != nil && w.in.known:
		c.f.script(w.in.text, nil)
	case w.in != nil:
		c.why = "runs what " + shown(w.text) + " prints in this shell"
	default:
		c.why = "runs " + shown(w.text) + " in this shell"
		if st := c.f.file(w); st.known {
			c.f.script(st.text, nil)
		}
	}
}

func aliasHook(c *call) {
	c.class, c.why = Read, "names commands for this shell"
	for _, a := range c.args {
		name, text, ok := strings.Cut(a.text, "=")
		if !ok || name == "" {
			continue
		}
		if c.f.aliases == nil {
			c.f.aliases = map[string]string{}
		}
		c.f.aliases[name] = text
	}
}

func echoHook(c *call) {
	c.class, c.why = Read, "prints text"
	args := c.args
	for len(args) > 0 && (args[0].text == "-e" || args[0].text == "-n" || args[0].text == "-en" || args[0].text == "-ne" || args[0].text == "-E") {
		args = args[1:]
	}
	text := joined(args)
	if len(args) != len(c.args) && strings.IndexByte(text, '\\') >= 0 {
		text = ansiC(text)
	}
	c.out = stream{text: text + "\n", known: allKnown(args), from: "echo"}
}

func printfHook(c *call) {
	c.class, c.why = Read, "prints text"
	if len(c.args) == 0 {
		return
	}
	if c.args[0].text == "-v" && len(c.args) > 1 {
		c.f.set(c.args[1].text, value{})
		return
	}
	format := ansiC(c.args[0].text)
	out := stream{known: allKnown(c.args), from: "printf"}
	rest := c.args[1:]
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.text += format[i : i+1]
			continue
		}
		i++
		for i+1 < len(format) && strings.IndexByte("-+ #0123456789.", format[i]) >= 0 {
			i++
		}
		if format[i] == '%' {
			out.text += "%"
		} else if len(rest) > 0 {
			out.text += rest[0].text
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		out.text += " " + joined(rest)
	}
	c.out = out
}

// catHook passes on its input, or the files it is given.
func catHook(c *call) {
	c.class, c.why = Read, "prints files"
	if len(c.pos) == 0 || len(c.pos) == 1 && c.pos[0].text == "-" {
		c.out = c.in.orEmpty()
		c.out.here = false
		return
	}
	c.out = stream{known: true}
	for _, w := range c.pos {
		st := c.f.file(w)
		if w.in != nil {
			st = *w.in
		}
		c.out = merge(c.out, st)
		c.out.from = w.text
	}
}

// sshHook judges what runs on the other host; without a command a shell opens there.
func sshHook(c *call) {
	if len(c.pos) == 0 {
		c.class, c.why = Read, "prints usage"
		return
	}
	host := shown(c.pos[0].text)
	c.f.touch(Touch{Op: "exec", Host: host})
	for _, o := range c.all("-o") {
		// ProxyCommand and LocalCommand run here.
		if name, text, ok := strings.Cut(o.text, "="); ok && strings.HasSuffix(strings.ToLower(name), "command") && text != "none" {
			c.f.fork().script(text, nil)
		}
	}
	if c.given("-O", "-V", "-Q", "-G") {
		c.class, c.why = Read, "asks the ssh client"
		return
	}
	g := c.f.elsewhere(host)
	if len(c.pos) > 1 {
		c.done = true
		if w := c.pos[1]; len(c.pos) == 2 && !w.known && !strings.ContainsAny(w.text, " ") {
			c.f.add(Unknown, c.cmd, "what "+shown(w.text)+" runs on "+host+" can't be told")
			return
		}
		g.script(joined(c.pos[1:]), c.in)
		return
	}
	switch in := c.in.orEmpty(); {
	case c.given("-N"):
		c.class, c.why = Read, "forwards ports to "+host
		c.endless()
	case in.here:
		c.done = true
		g.script(in.text, nil)
	case c.in != nil:
		c.class, c.why = Unknown, "runs on "+host+" what it is sent"
		g.script(in.text, nil)
	default:
		c.class, c.why = Unknown, "opens a shell on "+host
		c.opens("ssh", host)
	}
}

func suHook(c *call) {
	if ws := c.all("-c", "--command"); len(ws) > 0 {
		c.done = true
		for _, w := range ws {
			c.f.fork().script(w.text, c.in)
		}
		return
	}
	if in := c.in.orEmpty(); c.in != nil && in.here {
		c.done = true
		c.f.fork().script(in.text, nil)
		return
	}
	c.class, c.why = Unknown, "opens a shell as another user"
	who := "root"
	if len(c.pos) > 0 {
		who = shown(c.pos[len(c.pos)-1].text)
	}
	c.opens("su", who)
}

// sshRest judges `knife ssh QUERY COMMAND`: the command runs on every host that is found.
func sshRest(c *call, _ string) {
	words := c.rest
	if len(words) == 0 && len(c.pos) > 2 {
		words = c.pos[2:]
	}
	if len(words) == 0 {
		return
	}
	c.done = true
	switch words[0].text {
	case "interactive", "tmux", "screen", "macterm", "cssh":
		c.f.add(Unknown, c.cmd, "opens a session on other hosts")
		c.opens("ssh", "")
		return
	}
	g := c.f.elsewhere(shown(c.pos[1].text))
	if len(words) == 1 && !words[0].known && !strings.Contains(words[0].text, " ") {
		c.f.add(Unknown, c.cmd, "what "+shown(words[0].text)+" runs can't be told")
		return
	}
	g.script(joined(words), nil)
}
