package risk

import "strings"

// kubeRun judges `kubectl run`: the pod it makes, and what that is told to run.
func kubeRun(c *call, _ string) {
	if len(c.rest) == 0 {
		return
	}
	t := c.object("pod", c.rest[0].text, c.namespaceOf())
	t.Op = "create"
	c.f.touch(t)
	argv := c.rest[1:]
	tty := c.given("-t", "--tty")
	if len(argv) == 0 {
		if tty {
			c.class, c.why = Unknown, "opens a session in a new pod"
			c.opens("exec", t.String())
		}
		return
	}
	g := c.f.elsewhere(t.String())
	before := len(c.f.w.res.Opens)
	g.run(argv, c.cmd, c.in)
	if !tty {
		c.f.w.res.Opens = c.f.w.res.Opens[:min(before, len(c.f.w.res.Opens))]
	}
}

// kubeDashRuns judges what a new container is told to run, behind the "--"; that it is made
// counts, too.
func kubeDashRuns(c *call, _ string) {
	if c.dash < 0 || c.dash >= len(c.pos) {
		return
	}
	c.f.elsewhere("a new container").run(c.pos[c.dash:], c.cmd, c.in)
}

// kubeLabels touches the objects of label and annotate: the words that set nothing. On a
// Secret a changed label is no changed value.
func kubeLabels(c *call, _ string) {
	var words []word
	for _, w := range c.rest {
		if !strings.Contains(w.text, "=") && !strings.HasSuffix(w.text, "-") {
			words = append(words, w)
		}
	}
	c.touchAll(c.objects(words))
	for _, w := range c.rest {
		if strings.HasPrefix(w.text, "force-sync=") {
			c.why = "makes the operator fetch at once: a value that was changed at its source arrives"
		}
	}
}

func kubeNodes(c *call, _ string) {
	words := c.rest
	if len(words) == 0 && len(c.pos) > 1 {
		// The line's own words have used up the nodes.
		words = c.pos[1:]
	}
	if len(words) > 0 && (words[0].text == "node" || words[0].text == "nodes" || words[0].text == "no") {
		words = words[1:]
	}
	for i, w := range words {
		if i > 0 && strings.ContainsAny(w.text, "=:") {
			break
		}
		name := strings.TrimPrefix(strings.TrimPrefix(w.text, "node/"), "nodes/")
		c.f.touch(c.object("node", name, ""))
	}
	if _, ok := c.val("-l", "--selector"); ok && len(words) == 0 {
		c.f.touch(c.object("node", "", ""))
	}
}

func waitRollout(c *call, _ string) {
	c.op = "wait"
	for _, t := range c.objects(c.rest) {
		t.Condition = "rollout"
		c.f.touch(t)
	}
}

func waitApp(c *call, _ string) {
	for _, w := range c.rest {
		c.f.touch(Touch{Op: "wait", Kind: "application", Group: "argoproj.io", Name: shown(w.text), Condition: "healthy"})
	}
}
