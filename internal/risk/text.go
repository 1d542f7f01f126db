package risk

import "strings"

// awkHook judges awk by its program: it can write files and run commands.
func awkHook(c *call) {
	c.class, c.why = Read, "prints text"
	c.out = stream{from: "awk", credential: c.in.orEmpty().credential}
	prog := ""
	switch f, ok := c.val("-f", "--file"); {
	case ok:
		c.class, c.why = Unknown, "runs the awk program "+shown(f.text)
		if st := c.f.file(f); st.known {
			prog = st.text
			c.class, c.why = Read, "prints text"
		}
	case len(c.pos) > 0:
		prog = c.pos[0].text
	}
	if v, ok := c.val("-i", "--include"); ok && v.text == "inplace" {
		c.class, c.why = Write, "changes files in place"
	}
	for _, call := range []string{"system(", "system (", "| getline", "|getline", "|&"} {
		if strings.Contains(prog, call) {
			c.class, c.why = Unknown, "runs commands from awk"
		}
	}
	if i := strings.Index(prog, `system("`); i >= 0 {
		inner := prog[i+len(`system("`):]
		if j := strings.IndexByte(inner, '"'); j >= 0 {
			c.f.fork().script(inner[:j], nil)
		}
	}
	for _, p := range pipedTo(prog) {
		c.class, c.why = Unknown, "runs commands from awk"
		c.f.fork().script(p, nil)
	}
	if redirectsToFile(prog) && c.class < Write {
		c.class, c.why = Write, "writes files from awk"
	}
}

// pipedTo are the commands of `print … | "cmd"` in an awk program.
func pipedTo(prog string) []string {
	var out []string
	for _, sep := range []string{`| "`, `|"`} {
		for _, part := range strings.Split(prog, sep)[1:] {
			if cmd, _, ok := strings.Cut(part, `"`); ok {
				out = append(out, cmd)
			}
		}
	}
	return out
}

func redirectsToFile(prog string) bool {
	for _, s := range []string{`> "`, `>"`, `>> "`, `>>"`} {
		for _, part := range strings.Split(prog, s)[1:] {
			// A comparison ($1 > "x") isn't behind a print.
			if !strings.HasPrefix(part, "/dev/stderr") && strings.Contains(prog, "print") && printsBefore(prog, s) {
				return true
			}
		}
	}
	return false
}

func printsBefore(prog, sep string) bool {
	before, _, _ := strings.Cut(prog, sep)
	i := strings.LastIndexAny(before, "{;\n")
	return strings.Contains(before[i+1:], "print")
}

// sedHook judges sed: -i changes files, and the commands w and e do more.
func sedHook(c *call) {
	c.class, c.why = Read, "prints text"
	in := c.in.orEmpty().reshaped()
	c.out = stream{from: "sed", text: in.text, objects: in.objects, credential: in.credential, shaped: true}
	if c.given("-i", "--in-place", "-I") {
		c.class, c.why = Write, "changes files in place"
		from := 0
		if !c.given("-e", "-f", "--expression", "--file") && len(c.pos) > 0 {
			from = 1
		}
		for _, w := range c.pos[min(from, len(c.pos)):] {
			c.f.touch(Touch{Op: "update", Path: shown(w.text)})
		}
	}
	progs := c.all("-e", "--expression")
	if len(progs) == 0 && len(c.pos) > 0 && !c.given("-f", "--file") {
		progs = c.pos[:1]
	}
	for _, p := range progs {
		if sedRuns(p.text) {
			c.class, c.why = Unknown, "runs commands from sed"
		}
	}
}

// sedRuns finds the e command and the e flag of s, by the shape of a substitution.
func sedRuns(p string) bool {
	p = strings.TrimSpace(p)
	if strings.HasPrefix(p, "e ") || strings.HasPrefix(p, "1e ") {
		return true
	}
	if len(p) > 3 && p[0] == 's' && !letter(p[1]) && p[1] != ' ' {
		parts := strings.Split(strings.ReplaceAll(p, `\`+p[1:2], ""), p[1:2])
		return len(parts) == 4 && strings.Contains(parts[3], "e") && strings.Trim(parts[3], "gepiIm0123456789") == ""
	}
	return false
}

// languageHook judges python -c and its like: other languages aren't read, but for what
// makes a credential.
func languageHook(c *call) {
	code := ""
	for _, w := range c.all("-c", "-e", "-E", "--eval", "-p", "--print", "-n", "-ne", "-pe", "-r") {
		code += w.text + "\n"
	}
	switch {
	case c.given("-V", "--version", "-v") && len(c.pos) == 0 && code == "":
		c.class, c.why = Read, "prints its version"
	case c.t.name == "python" && strings.HasPrefix(c.module(), "json.tool"):
		c.class, c.why = Read, "formats JSON"
		c.out = c.in.orEmpty()
	case c.t.name == "python" && c.module() == "venv":
		c.class, c.why = Write, "creates a virtual environment"
	case c.t.name == "python" && c.module() == "pip":
		c.done = true
		c.f.run(append([]word{lit("pip")}, c.pos...), c.cmd, c.in)
	case c.t.name == "python" && c.module() == "http.server":
		c.class, c.why = Read, "serves files"
		c.endless()
	case code != "":
		c.class, c.why = Unknown, "runs "+c.t.name+" code"
	case len(c.pos) == 0 && c.in == nil:
		c.class, c.why = Unknown, "opens "+c.t.name
		c.opens(c.t.name, "")
	default:
		c.class, c.why = Unknown, "runs a "+c.t.name+" program"
		if len(c.pos) > 0 {
			c.raise(c.pos[0].text, c.pos[1:])
		}
	}
}

func (c *call) module() string {
	w, _ := c.val("-m")
	return w.text
}
