package risk

import "strings"

// xargsHook judges the command that xargs runs, with arguments that only its input knows.
func xargsHook(c *call) {
	if len(c.pos) == 0 {
		c.class, c.why = Read, "prints its input"
		c.out = c.in.orEmpty()
		return
	}
	c.done = true
	args := append([]word(nil), c.pos...)
	in := c.in.orEmpty()
	repl, replaces := c.val("-I", "-i", "--replace")
	if _, ok := c.last([]string{"-i"}); ok && !replaces {
		repl, replaces = lit("{}"), true
	}
	if replaces {
		c.substitute(args, repl.text, in)
	} else if in.known && in.text != "" {
		for _, s := range strings.Fields(in.text) {
			args = append(args, lit(s))
		}
	} else {
		args = append(args, word{text: "…", many: true})
	}
	c.runFilled(args)
}

// substitute puts what the input holds into the words that ask for it. A word that is known
// apart from that stays known: it is a name, unless it is the verb.
func (c *call) substitute(args []word, mark string, in stream) {
	text, known := "…", false
	if in.known && strings.TrimSpace(in.text) != "" {
		text, known = strings.TrimSpace(in.text), true
	}
	for i := range args {
		if strings.Contains(args[i].text, mark) {
			args[i].known = args[i].known && (known || strings.ContainsAny(args[i].text, " \n"))
			args[i].text = strings.ReplaceAll(args[i].text, mark, text)
		}
	}
}

// runFilled runs the command without an input of its own: xargs has read it.
func (c *call) runFilled(args []word) {
	g := c.f.fork()
	g.in = nil
	c.out = g.run(args, c.cmd, &stream{known: true, from: "/dev/null"})
}

// parallelHook judges GNU parallel: a command with arguments, or whole commands as arguments.
func parallelHook(c *call) {
	c.done = true
	var cmdWords []word
	var lists [][]word
	for _, w := range c.pos {
		switch {
		case strings.HasPrefix(w.text, ":::"):
			lists = append(lists, nil)
		case len(lists) > 0:
			lists[len(lists)-1] = append(lists[len(lists)-1], w)
		default:
			cmdWords = append(cmdWords, w)
		}
	}
	if len(cmdWords) == 0 {
		c.parallelCommands(lists)
		return
	}
	text := joined(cmdWords)
	filled := false
	for _, m := range []string{"{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}"} {
		if strings.Contains(text, m) {
			filled = true
			text = strings.ReplaceAll(text, m, "…")
		}
	}
	if !filled {
		text += " …"
	}
	c.f.fork().script(text, nil)
}

// parallelCommands judges `parallel ::: 'cmd a' 'cmd b'`, or commands from standard input.
func (c *call) parallelCommands(lists [][]word) {
	if len(lists) > 0 {
		for _, w := range lists[0] {
			c.f.fork().script(w.text, nil)
		}
		return
	}
	c.f.add(Unknown, c.cmd, "runs what it is sent")
	if in := c.in.orEmpty(); in.text != "" {
		c.f.fork().script(in.text, nil)
	}
}

// findHook judges the actions of find.
func findHook(c *call) {
	c.class, c.why = Read, "lists files"
	for i := 0; i < len(c.args); i++ {
		switch s := c.args[i].text; s {
		case "-delete":
			c.class, c.why = Destroy, "removes the files it finds"
			c.findTouches()
		case "-exec", "-execdir", "-ok", "-okdir":
			j := i + 1
			for j < len(c.args) && c.args[j].text != ";" && c.args[j].text != "+" {
				j++
			}
			c.findRun(append([]word(nil), c.args[i+1:j]...))
			i = j
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if c.class < Write {
				c.class, c.why = Write, "writes a file"
			}
		}
	}
}

func (c *call) findTouches() {
	for _, w := range c.args {
		if strings.HasPrefix(w.text, "-") || w.text == "(" || w.text == "!" {
			return
		}
		c.f.touch(Touch{Op: "delete", Path: shown(w.text)})
	}
}

func (c *call) findRun(args []word) {
	if len(args) == 0 {
		return
	}
	for i := range args {
		if args[i].text == "{}" {
			args[i] = word{text: "…", many: false}
		}
	}
	c.f.run(args, c.cmd, &stream{known: true})
}
