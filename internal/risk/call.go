package risk

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call is one simple command under judgement.
type call struct {
	f    *frame
	t    *tool
	cmd  string
	args []word
	// pos are the words that are neither flags nor their values; dash is how many of them
	// stood before a "--", -1 without one.
	pos   []word
	flags []flag
	dash  int
	// murky is the source of an expansion before the verb that may hold flags, or the verb.
	murky string
	// rest are the positionals behind those that the rule named.
	rest  []word
	in    *stream
	out   stream
	rule  *rule
	class Class
	why   string
	op    string
	// mark is how many touches there were before this call.
	mark int
	// limit is how many positionals may stand before a flag of a strict tool.
	limit int
	// done says that an effect has recorded verdicts of its own.
	done bool
}

type flag struct {
	name  string
	value word
	has   bool
	// valued flags always take a value: that it reads "no" doesn't switch them off.
	valued bool
	// at is how many positionals stood before it.
	at int
}

// callExpr judges a simple command: its assignments, then what it runs.
func (f *frame) callExpr(c *syntax.CallExpr, in *stream) stream {
	src := shown(f.source(c))
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			f.assign(a)
			f.envTarget(a.Name.Value, src)
		}
		return stream{known: true}
	}
	args := f.words(c.Args)
	if len(c.Assigns) == 0 {
		return f.run(args, src, in)
	}
	// Assignments before a command are in its environment only.
	g := f.fork()
	for _, a := range c.Assigns {
		g.envAssign(a, src)
	}
	return g.run(args, src, in)
}

// envAssign judges the A=1 of `A=1 cmd`.
func (f *frame) envAssign(a *syntax.Assign, src string) {
	f.assign(a)
	f.envTarget(a.Name.Value, src)
}

func isTargetVar(name string) bool {
	switch name {
	case "KUBECONFIG", "VAULT_ADDR", "BAO_ADDR", "VAULT_NAMESPACE", "BAO_NAMESPACE", "DOCKER_HOST", "DOCKER_CONTEXT",
		"AWS_PROFILE", "PGHOST", "ARGOCD_SERVER", "HELM_KUBECONTEXT", "HELM_KUBEAPISERVER", "VAULT_AGENT_ADDR",
		"KUBE_CONFIG_PATH", "KUBE_CONFIG_PATHS", "KUBE_CTX", "KUBE_HOST", "NOMAD_ADDR", "CONSUL_HTTP_ADDR",
		"TALOSCONFIG", "CLOUDSDK_CORE_PROJECT", "TF_WORKSPACE", "ETCDCTL_ENDPOINTS":
		return true
	}
	return false
}

func (f *frame) envTarget(name, src string) {
	if !isTargetVar(name) {
		return
	}
	if v, ok := f.lookup(name); ok && len(v.words) > 0 {
		f.target(name, word{text: v.words[0], known: v.known}, src)
	}
}

// run judges a command given as words.
func (f *frame) run(args []word, cmd string, in *stream) stream {
	if len(args) == 0 {
		return stream{}
	}
	if f.w.depth >= maxDepth || !f.w.spend(1) {
		f.add(Unknown, cmd, "nested too deep to be judged")
		return stream{}
	}
	f.w.depth++
	defer func() { f.w.depth-- }()
	name := args[0].text
	if !args[0].known {
		// $BIN/kubectl is kubectl, wherever it lies.
		i := strings.LastIndexByte(name, '/')
		t := f.w.t.find(name[i+1:])
		if i < 0 || t == nil || !t.choosy() || strings.ContainsAny(name[i+1:], "$`)}") {
			return f.runUnknown(args, cmd)
		}
		return f.program(name[i+1:], args, cmd, in)
	}
	if d, ok := f.funcs[name]; ok {
		out := f.callFunc(d, args, in)
		if d.maybe && f.w.t.find(name) != nil {
			return merge(out, f.program(name, args, cmd, in))
		}
		return out
	}
	if a, ok := f.alias(name); ok && !args[0].quoted {
		out := f.runAlias(name, a, args[1:], cmd, in)
		if f.w.t.find(name) != nil {
			// A script doesn't expand aliases: then the program itself runs.
			return merge(out, f.program(name, args, cmd, in))
		}
		return out
	}
	return f.program(name, args, cmd, in)
}

// runUnknown judges a command whose program is only known at run time.
func (f *frame) runUnknown(args []word, cmd string) stream {
	p := shown(args[0].text)
	if strings.HasPrefix(p, "<") && strings.HasSuffix(p, ">") {
		f.add(Unknown, cmd, "the program is the placeholder "+p)
	} else {
		f.add(Unknown, cmd, "which program "+p+" is can't be told")
	}
	return stream{}
}

func (f *frame) alias(name string) (string, bool) {
	if a, ok := f.aliases[name]; ok {
		return a, true
	}
	if f.where != "" {
		return "", false
	}
	a, ok := f.w.ctx.Aliases[name]
	return a, ok
}

// runAlias puts the text of an alias before the arguments. An alias may use its own name;
// chains of aliases end at the limit on depth.
func (f *frame) runAlias(name, text string, rest []word, cmd string, in *stream) stream {
	fields := strings.Fields(text)
	simple := !strings.ContainsAny(text, "|&;<>()$`\\\"'\n")
	if !simple || len(fields) == 0 {
		f.script(text+" "+joined(rest), in)
		return stream{}
	}
	args := make([]word, 0, len(fields)+len(rest))
	for _, s := range fields {
		args = append(args, lit(s))
	}
	args = append(args, rest...)
	if fields[0] == name {
		return f.program(name, args, cmd, in)
	}
	return f.run(args, cmd, in)
}

func (f *frame) callFunc(d funcDecl, args []word, in *stream) stream {
	if f.w.called == nil {
		f.w.called = map[*syntax.Stmt]bool{}
	}
	f.w.called[d.body] = true
	g := f.fork()
	g.src = d.src
	// A function that calls itself by its own name has been judged already.
	for name, x := range g.funcs {
		if x.body == d.body {
			delete(g.funcs, name)
		}
	}
	all := value{known: allKnown(args[1:])}
	for i, a := range args[1:] {
		all.words = append(all.words, a.text)
		if i < 9 {
			g.set(string(rune('1'+i)), value{words: []string{a.text}, known: a.known})
		}
	}
	g.set("@", all)
	g.set("*", all)
	return g.stmt(d.body, in)
}

// program judges a call of an external program or builtin.
func (f *frame) program(name string, args []word, cmd string, in *stream) stream {
	if base, ok := initScript(name); ok && len(args) > 1 {
		args = append([]word{lit("service"), lit(base)}, args[1:]...)
		name = "service"
	}
	t := f.w.t.find(name)
	if verb, ok := pluginVerb(name); ok && t == nil && !relative(name) {
		args = append([]word{lit("kubectl"), lit(verb)}, args[1:]...)
		t = f.w.t.find("kubectl")
	}
	if t == nil || relative(name) && (!t.choosy() || len(args) < 2) {
		return f.stranger(name, args, cmd)
	}
	c := t.parse(f.withEnvArgs(t, args[1:]), &f.w.larder)
	c.f, c.cmd, c.in, c.mark = f, cmd, in, len(f.w.res.Touches)
	c.hideValues()
	if c.helps() {
		f.add(Read, cmd, "prints help")
		return stream{}
	}
	for _, fl := range c.flags {
		if t.targets[fl.name] {
			f.target(fl.name, fl.value, cmd)
		}
	}
	c.judge()
	return c.out
}

// initScript is the service that a script of the init system is about.
func initScript(name string) (string, bool) {
	if !strings.HasPrefix(name, "/") {
		return "", false
	}
	for _, dir := range []string{"/etc/init.d/", "/etc/rc.d/", "/etc/rc.d/init.d/", "/usr/local/etc/rc.d/"} {
		if base, ok := strings.CutPrefix(name, dir); ok && base != "" && !strings.Contains(base, "/") {
			return base, true
		}
	}
	return "", false
}

// pluginVerb is the verb of a plugin of kubectl that is run by the name of its file.
func pluginVerb(name string) (string, bool) {
	verb, ok := strings.CutPrefix(name[strings.LastIndexByte(name, '/')+1:], "kubectl-")
	return strings.ReplaceAll(verb, "_", "-"), ok && verb != ""
}

// relative says that a program is a file of the working folder. ./test isn't the builtin:
// only a tool whose verbs are known is trusted to be what it is called.
func relative(name string) bool {
	return strings.IndexByte(name, '/') > 0 && name[0] != '~'
}

// withEnvArgs adds the arguments that a tool takes from its environment.
func (f *frame) withEnvArgs(t *tool, args []word) []word {
	if t.argsFrom == "" {
		return args
	}
	names := []string{t.argsFrom}
	for _, a := range args {
		if !strings.HasPrefix(a.text, "-") {
			names = append(names, t.argsFrom+"_"+a.text)
			break
		}
	}
	for _, n := range names {
		if v, ok := f.lookup(n); ok {
			for _, s := range v.words {
				for field := range strings.FieldsSeq(s) {
					args = append(args[:len(args):len(args)], word{text: field, known: v.known})
				}
			}
		}
	}
	return args
}

// find is the grammar of a program, however it is spelled: with a path, a version, .exe.
func (s *tableSet) find(name string) *tool {
	if t := s.tool(name); t != nil {
		return t
	}
	base := name
	if strings.IndexByte(name, '/') >= 0 {
		base = path.Base(name)
	}
	if i := strings.LastIndexByte(base, '\\'); i >= 0 {
		base = base[i+1:]
	}
	base = strings.TrimSuffix(base, ".exe")
	if t := s.tool(base); t != nil {
		return t
	}
	return s.tool(versionless(base))
}

// versionless cuts what follows the name in kubectl-1.30, kubectl_v1.30.2, python3.11.
func versionless(s string) string {
	i := strings.IndexAny(s, "0123456789")
	if i <= 0 || strings.Trim(s[i:], "0123456789._-") != "" {
		return ""
	}
	return strings.TrimRight(strings.TrimSuffix(s[:i], "v"), "-_.v")
}
