package risk

import "strings"

// effects are what a rule can do besides naming a class: `@name` or `@name:argument` at the
// end of its line. They see the call after its words were matched.
var effects = map[string]func(c *call, arg string){
	"touch":        touchEach,
	"op":           func(c *call, arg string) { c.op = arg },
	"run":          func(c *call, _ string) { c.runRest(c.rest) },
	"shell":        func(c *call, _ string) { c.shellText(joined(c.rest)) },
	"as":           delegate,
	"endless":      func(c *call, _ string) { c.endless() },
	"tty":          func(c *call, _ string) { c.tty() },
	"opens":        func(c *call, arg string) { c.opens(arg, "") },
	"prints":       func(c *call, _ string) { c.prints() },
	"generates":    func(c *call, _ string) { c.generates() },
	"pass":         func(c *call, _ string) { c.out = c.in.orEmpty().reshaped() },
	"target":       chooseTarget,
	"script":       scriptFlags,
	"sql":          sqlFlags,
	"stdin":        stdinSQL,
	"rmpaths":      removePaths,
	"output":       outputFile,
	"body":         taskBody,
	"objects":      kubeObjects,
	"delete":       kubeDelete,
	"manifests":    kubeManifests,
	"create":       kubeCreate,
	"exec":         kubeExec,
	"patch":        kubePatch,
	"named":        kubeNamed,
	"eventsfor":    kubeEvents,
	"copies":       kubeCopies,
	"flux":         fluxObjects,
	"waits":        kubeWait,
	"shows":        kubeShows,
	"replicas":     kubeReplicas,
	"typed":        func(c *call, _ string) { c.touchAll(c.objects(c.pos[1:])) }, // the rule has their kind already
	"entry":        vaultEntry,
	"kv":           vaultKV,
	"vaultpath":    vaultPath,
	"vaultspace":   vaultNamespace,
	"container":    containerRun,
	"sets":         setsVars,
	"setsargs":     func(c *call, _ string) { c.f.forgetArgs() },
	"unsets":       unsetsNames,
	"script2":      func(c *call, _ string) { c.shellText(c.pos[2].text) },
	"secretstream": func(c *call, _ string) { c.out = stream{from: c.cmd, credential: true} },
	"afterdash":    afterDash,
	"mvover":       moveOver,
	"tee":          teeDevices,
	"runs":         kubeRun,
	"hide":         hideWords,
	"hideitems":    hideItems,
	"hideflags":    hideFlags,
	"hideinput":    func(c *call, _ string) { c.hideInput() },
	"dashruns":     kubeDashRuns,
	"answered":     answered,
	"labels":       kubeLabels,
	"nodes":        kubeNodes,
	"waitrollout":  waitRollout,
	"waitapp":      waitApp,
	"completes":    func(c *call, _ string) { c.out = stream{completion: true} },
	"cnpgsql":      cnpgSQL,
	"sshrest":      sshRest,
	"sqlarg":       sqlArg,
	"sqlrest":      func(c *call, _ string) { c.class, c.why = sqlClass(c.f, joined(c.rest)) },
	"rediscmd":     redisCommand,
	"mongo":        mongoScript,
	"raiserest":    func(c *call, _ string) { c.raise("", c.pos) },
	"npmrun":       npmRun,
	"ghapi":        forgeAPI,
	"compose":      compose,
	"composed":     func(c *call, _ string) { c.out = stream{from: c.t.name} },
}

// hooks judge tools whose grammar isn't words and flags (find, curl, a shell).
var hooks = map[string]func(c *call){
	"wrap":     wrap,
	"shell":    shellHook,
	"eval":     evalHook,
	"source":   sourceHook,
	"alias":    aliasHook,
	"echo":     echoHook,
	"printf":   printfHook,
	"cat":      catHook,
	"ssh":      sshHook,
	"watch":    watchHook,
	"su":       suHook,
	"xargs":    xargsHook,
	"parallel": parallelHook,
	"find":     findHook,
	"env":      envHook,
	"trap":     trapHook,
	"awk":      awkHook,
	"sed":      sedHook,
	"language": languageHook,
	"command":  commandHook,
	"flock":    flockHook,
	"curl":     curlHook,
	"httpie":   httpieHook,
}

func (c *call) endless() {
	if c.f.w.res.Endless == "" {
		c.f.w.res.Endless = c.cmd
	}
}

func (c *call) tty() {
	if c.f.w.res.Interactive == "" {
		c.f.w.res.Interactive = c.cmd
	}
}

func (c *call) prints() {
	if c.f.w.res.Prints == "" {
		c.f.w.res.Prints = c.cmd
	}
}

func (c *call) generates() {
	if c.f.w.res.Generates == "" {
		c.f.w.res.Generates = c.cmd
	}
}

func (c *call) opens(kind, where string) {
	c.f.w.res.Opens = append(c.f.w.res.Opens, Opened{Kind: kind, Where: where, Command: c.cmd})
	c.tty()
}

// touchEach makes a touch of every remaining word; "touch:1:kind" only of the first.
func touchEach(c *call, arg string) {
	words := c.rest
	if kind, ok := strings.CutPrefix(arg, "1:"); ok {
		arg = kind
		if len(words) > 1 {
			words = words[:1]
		}
	}
	ns, _ := c.val("-n", "--namespace")
	for _, w := range words {
		t := Touch{Op: c.op, Name: shown(w.text)}
		switch arg {
		case "path":
			t = Touch{Op: c.op, Path: shown(w.text)}
		case "host":
			t = Touch{Op: c.op, Host: shown(w.text)}
		default:
			t.Kind, t.Group, _ = strings.Cut(arg, ".")
			t.Namespace = shown(ns.text)
		}
		c.f.touch(t)
	}
}

// runRest judges the remaining words as a command.
func (c *call) runRest(words []word) {
	c.done = true
	if len(words) == 0 {
		c.f.add(Unknown, c.cmd, "opens a shell")
		c.opens("shell", "")
		return
	}
	c.out = c.f.run(words, c.cmd, c.in)
	c.lift()
}

// lift records the rule's own verdict where it is worse than reading: the command in the
// wrapper doesn't make it better.
func (c *call) lift() {
	if c.class > Read && c.rule != nil {
		c.f.add(c.class, c.cmd, c.why)
	}
	if c.murky != "" {
		c.f.add(Unknown, c.cmd, c.murky+" may hold flags or another verb")
	}
}

// shellText judges a text that a shell is given.
func (c *call) shellText(text string) {
	c.done = true
	c.f.fork().script(text, c.in)
	c.lift()
}

// answered judges a program that asks before it overwrites a credential: what it is sent is
// the answer.
func answered(c *call, _ string) {
	if in := c.in.orEmpty(); in.from == "yes" || strings.HasPrefix(strings.ToLower(strings.TrimSpace(in.text)), "y") {
		c.class, c.why = Rotate, "overwrites a key: the answer is sent along"
	}
}

// delegate judges the remaining words as arguments of another tool.
func delegate(c *call, name string) {
	c.done = true
	args := append([]word{lit(name)}, c.args[indexOf(c.args, c.rest):]...)
	c.out = c.f.run(args, c.cmd, c.in)
}

// indexOf is where the rest begins among all the words, flags included.
func indexOf(args, rest []word) int {
	if len(rest) == 0 {
		return len(args)
	}
	for i := range args {
		if &args[i] == &rest[0] {
			return i
		}
	}
	for i := range args {
		if args[i].text == rest[0].text {
			return i
		}
	}
	return len(args)
}

// scriptFlags judges the values of flags as shell: "script:-c,--command".
func scriptFlags(c *call, arg string) {
	for _, w := range c.all(strings.Split(arg, ",")...) {
		c.f.fork().script(w.text, c.in)
		c.done = true
	}
	if c.done && c.class != Unknown {
		c.lift()
	}
}

// setsVars is read and its like: what the named variables hold isn't known afterwards.
func setsVars(c *call, _ string) {
	for _, w := range append(append([]word(nil), c.rest...), c.all("-a", "-v")...) {
		c.f.set(w.text, value{})
	}
	if len(c.rest) == 0 {
		c.f.set("REPLY", value{})
	}
}

// unsetsNames is unset and unalias: the program of that name is meant again.
func unsetsNames(c *call, _ string) {
	for _, w := range c.rest {
		c.unsetsTarget(w.text)
		c.f.set(w.text, value{})
		delete(c.f.funcs, w.text)
		delete(c.f.aliases, w.text)
	}
}

// unsetsTarget records that a variable with the target in it is taken away: what
// runs without it goes wherever the files of its tool say.
func (c *call) unsetsTarget(name string) {
	if isTargetVar(name) {
		c.f.target("unset", lit(name), c.cmd)
	}
}

// chooseTarget records a verb that selects another cluster or account for what follows.
func chooseTarget(c *call, how string) {
	v := word{text: joined(c.rest), known: allKnown(c.rest)}
	if name, ok := c.val("--name", "-n"); ok && v.text == "" {
		v = name
	}
	c.f.target(how, v, c.cmd)
}

// afterDash judges what follows "--", or failing that the remaining words.
func afterDash(c *call, _ string) {
	words := c.rest
	if c.dash >= 0 && c.dash <= len(c.pos) {
		words = c.pos[c.dash:]
	}
	c.runRest(words)
}

// compose judges `docker compose …` as docker-compose.
func compose(c *call, _ string) {
	c.done = true
	for i := range c.args {
		if c.args[i].text == "compose" {
			c.out = c.f.run(append([]word{lit("docker-compose")}, c.args[i+1:]...), c.cmd, c.in)
			return
		}
	}
}
