package risk

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// taskBody judges the targets of task, make, just and npm by their bodies, where the caller
// lets us read them. Otherwise they are unknown, or worse by their names.
func taskBody(c *call, kind string) {
	targets, extra := c.pos, ""
	if kind == "task" && c.dash >= 0 {
		// What stands behind the "--" is no target: the body says what becomes of it.
		targets, extra = c.pos[:c.dash], joined(c.pos[c.dash:])
	}
	if kind == "npm" {
		targets = c.rest
	}
	names := make([]string, 0, len(targets))
	for _, w := range targets {
		if strings.Contains(w.text, "=") {
			continue
		}
		names = append(names, w.text)
	}
	if len(names) == 0 {
		names = []string{map[string]string{"task": "default"}[kind]}
	}
	bodies, ok := c.bodies(kind)
	for _, n := range names {
		if _, found := bodies[n]; !ok || !found {
			c.f.add(c.unread(n))
			continue
		}
		c.runTarget(bodies, n, extra, map[string]bool{})
	}
	c.done = true
}

func (c *call) unread(name string) (Class, string, string) {
	u := &call{class: Unknown, flags: c.flags, why: "what the target " + shown(name) + " runs wasn't read"}
	if name == "" {
		u.why = "what the default target runs wasn't read"
	}
	u.raise(name, nil)
	return u.class, c.cmd, u.why
}

// runTarget judges the lines of a target, and of those it depends on. extra is what a task is
// given as CLI_ARGS.
func (c *call) runTarget(bodies map[string][]string, name, extra string, seen map[string]bool) {
	if seen[name] {
		return
	}
	seen[name] = true
	lines, ok := bodies[name]
	if !ok {
		c.f.add(Unknown, c.cmd, "what the target "+shown(name)+" runs wasn't read")
		return
	}
	if len(lines) == 0 {
		c.f.add(Read, c.cmd, "the target "+shown(name)+" runs nothing")
	}
	for _, l := range lines {
		if dep, ok := strings.CutPrefix(l, depMark); ok {
			c.runTarget(bodies, dep, extra, seen)
			continue
		}
		g := c.f.fork()
		g.script(detemplate(withArgs(l, extra)), nil)
	}
}

// withArgs puts the arguments of a task where its line asks for them.
func withArgs(line, args string) string {
	for _, mark := range []string{"{{.CLI_ARGS}}", "{{ .CLI_ARGS }}"} {
		line = strings.ReplaceAll(line, mark, args)
	}
	return line
}

// depMark begins a line that names another target instead of a command.
const depMark = "\x00"

// detemplate makes shell variables of template expressions: a name from one is fine, a verb
// or a program from one is unknown.
func detemplate(s string) string {
	for {
		i := strings.Index(s, "{{")
		if i < 0 {
			return s
		}
		j := strings.Index(s[i:], "}}")
		if j < 0 {
			return s
		}
		s = s[:i] + "${template}" + s[i+j+2:]
	}
}

// bodies reads the file of targets: name to command lines.
func (c *call) bodies(kind string) (map[string][]string, bool) {
	files := map[string][]string{
		"task": {"Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"},
		"make": {"GNUmakefile", "makefile", "Makefile"}, "just": {"justfile", "Justfile", ".justfile"}, "npm": {"package.json"},
	}[kind]
	if w, ok := c.val("-f", "--file", "--taskfile", "-t", "--justfile", "--makefile"); ok {
		files = []string{w.text}
	}
	dir := ""
	if w, ok := c.val("-C", "-d", "--dir", "--directory", "--prefix"); ok {
		dir = strings.TrimSuffix(w.text, "/") + "/"
	}
	for _, name := range files {
		st := c.f.file(lit(dir + name))
		if !st.known {
			continue
		}
		switch kind {
		case "task":
			return taskTargets(st.text)
		case "npm":
			return npmTargets(st.text)
		default:
			return makeTargets(st.text, kind), true
		}
	}
	return nil, false
}

type taskfile struct {
	Includes map[string]yaml.Node `yaml:"includes"`
	Tasks    map[string]yaml.Node `yaml:"tasks"`
}

type taskDef struct {
	Cmds    []yaml.Node `yaml:"cmds"`
	Cmd     string      `yaml:"cmd"`
	Deps    []yaml.Node `yaml:"deps"`
	Aliases []string    `yaml:"aliases"`
	Vars    map[string]yaml.Node
}

// taskTargets reads a Taskfile. Tasks of included files aren't in it, and so stay unknown.
func taskTargets(text string) (map[string][]string, bool) {
	var f taskfile
	if yaml.Unmarshal([]byte(text), &f) != nil {
		return nil, false
	}
	out := make(map[string][]string, len(f.Tasks))
	for name, n := range f.Tasks {
		var d taskDef
		switch n.Kind {
		case yaml.ScalarNode:
			d.Cmd = n.Value
		case yaml.SequenceNode:
			_ = n.Decode(&d.Cmds)
		default:
			if n.Decode(&d) != nil {
				continue
			}
		}
		lines := d.lines()
		out[name] = lines
		for _, a := range d.Aliases {
			out[a] = lines
		}
	}
	return out, true
}

func (d taskDef) lines() []string {
	var lines []string
	for _, v := range d.Vars {
		// Dynamic variables run even in a dry run.
		var m struct{ Sh string }
		if v.Kind == yaml.MappingNode && v.Decode(&m) == nil && m.Sh != "" {
			lines = append(lines, m.Sh)
		}
	}
	for _, n := range append(append([]yaml.Node(nil), d.Deps...), d.Cmds...) {
		lines = append(lines, taskLine(n, n.Kind == yaml.ScalarNode && isDep(d.Deps, n)))
	}
	if d.Cmd != "" {
		lines = append(lines, d.Cmd)
	}
	return lines
}

func isDep(deps []yaml.Node, n yaml.Node) bool {
	for _, d := range deps {
		if d.Line == n.Line && d.Column == n.Column {
			return true
		}
	}
	return false
}

func taskLine(n yaml.Node, dep bool) string {
	if n.Kind == yaml.ScalarNode {
		if dep {
			return depMark + n.Value
		}
		return n.Value
	}
	var m struct {
		Cmd, Task string
		Defer     yaml.Node
	}
	if n.Decode(&m) != nil {
		return "${template}"
	}
	switch {
	case m.Cmd != "":
		return m.Cmd
	case m.Task != "":
		return depMark + strings.TrimPrefix(m.Task, ":")
	case m.Defer.Kind != 0:
		return taskLine(m.Defer, false)
	}
	return "${template}"
}

// makeTargets reads a Makefile or a justfile: an unindented "name: deps" and the indented
// lines that follow.
func makeTargets(text, kind string) map[string][]string {
	out := map[string][]string{}
	var names []string
	first := ""
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			for _, n := range names {
				out[n] = append(out[n], makeLine(trimmed))
			}
			continue
		}
		head, deps, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(deps, "=") || strings.ContainsAny(head, "=$") || strings.HasPrefix(head, ".") {
			names = nil
			continue
		}
		names = strings.Fields(strings.TrimPrefix(head, "@"))
		if kind == "just" && len(names) > 1 {
			names = names[:1]
		}
		for _, n := range names {
			if first == "" {
				first = n
			}
			out[n] = []string{}
			for _, d := range strings.Fields(strings.TrimLeft(deps, ":")) {
				if d == "##" || d == "#" || strings.HasPrefix(d, "#") {
					break
				}
				if strings.Trim(d, "&|()") == d && (kind != "make" || !strings.ContainsAny(d, "./$%")) {
					out[n] = append(out[n], depMark+d)
				}
			}
		}
	}
	if first != "" {
		out[""] = []string{depMark + first}
	}
	return out
}

// makeLine cuts the prefixes @, - and +, and makes shell of make's variables.
func makeLine(s string) string {
	s = strings.TrimLeft(s, "@-+")
	s = strings.ReplaceAll(s, "$$", "\x01")
	s = strings.ReplaceAll(s, "$(", "${make_")
	for i := strings.Index(s, "${make_"); i >= 0; {
		j := strings.IndexByte(s[i:], ')')
		if j < 0 {
			break
		}
		s = s[:i] + "${template}" + s[i+j+1:]
		i = strings.Index(s, "${make_")
	}
	return strings.ReplaceAll(s, "\x01", "$")
}

func npmTargets(text string) (map[string][]string, bool) {
	var p struct {
		Scripts map[string]string `yaml:"scripts"`
	}
	if yaml.Unmarshal([]byte(text), &p) != nil {
		return nil, false
	}
	out := map[string][]string{}
	for n, s := range p.Scripts {
		out[n] = []string{s}
	}
	return out, true
}

// containerRun judges what an image is told to run: its arguments, if they begin with a
// program that is known. A shell on a terminal is a session.
func containerRun(c *call, _ string) {
	if len(c.rest) == 0 {
		return
	}
	argv := c.rest[1:]
	tty := c.given("-t", "--tty") || c.given("-i", "--interactive")
	if e, ok := c.val("--entrypoint"); ok {
		argv = append([]word{e}, argv...)
	}
	if len(argv) == 0 {
		return
	}
	if !argv[0].known || c.f.w.t.find(argv[0].text) != nil {
		before := len(c.f.w.res.Opens)
		g := c.f.elsewhere(shown(c.rest[0].text))
		c.out = g.run(argv, c.cmd, c.in)
		switch opened := len(c.f.w.res.Opens) > before; {
		case opened && !tty:
			c.f.w.res.Opens = c.f.w.res.Opens[:before]
		case !opened && c.class == Unknown && argv[0].known:
			// On a terminal, but no session: what runs has been judged.
			c.class = Write
		}
	}
}

// npmRun judges a script of package.json by its body.
func npmRun(c *call, _ string) {
	if c.rest == nil || c.pos[0].text != "run" && c.pos[0].text != "run-script" {
		c.rest = c.pos[:1]
	}
	if len(c.rest) == 0 {
		c.class, c.why = Read, "lists scripts"
		return
	}
	c.rest = c.rest[:1]
	taskBody(c, "npm")
}
