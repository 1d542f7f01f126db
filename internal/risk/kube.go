package risk

import (
	"encoding/json"
	"strings"
)

func (c *call) touchAll(ts []Touch) {
	for _, t := range ts {
		c.f.touch(t)
	}
}

// kubeObjects makes touches of the objects that the remaining words name.
func kubeObjects(c *call, kind string) {
	words := c.rest
	if kind != "" {
		words = append([]word{lit(kind)}, words...)
	}
	c.touchAll(c.objects(words))
}

// kubeDelete judges what is deleted: pods and nodes come back, nothing else does.
func kubeDelete(c *call, _ string) {
	files := c.all("-f", "--filename", "-k", "--kustomize")
	if raw, ok := c.val("--raw"); ok {
		// The server is sent a plain DELETE: --dry-run isn't part of it.
		c.done = true
		c.f.add(Destroy, c.cmd, "deletes "+shown(raw.text)+"; --dry-run isn't honoured with --raw")
		return
	}
	if len(files) > 0 || len(c.rest) == 0 {
		c.why = "deletes everything that is in " + shown(joined(files))
		c.deleteManifests(files)
		return
	}
	ts := c.objects(c.rest)
	c.touchAll(ts)
	restarts := len(ts) > 0
	for _, t := range ts {
		restarts = restarts && (t.Kind == "pod" || t.Kind == "node") && (t.Group == "" || t.Group == "metrics.k8s.io")
	}
	c.why = "deletes " + c.whatDeleted(ts)
	if restarts {
		c.class = Interrupt
	}
}

func (c *call) deleteManifests(files []word) {
	for _, fl := range files {
		st := c.manifest(fl)
		for _, t := range manifestTouches(st, c.namespaceOf()) {
			t.Op = c.op
			c.f.touch(t)
		}
	}
}

func (c *call) whatDeleted(ts []Touch) string {
	if len(ts) == 0 {
		return "objects that are only known when it runs"
	}
	names := make([]string, 0, 4)
	for i, t := range ts {
		if i == 3 {
			names = append(names, "…")
			break
		}
		names = append(names, describe(t))
	}
	s := strings.Join(names, ", ")
	if c.given("-A", "--all-namespaces") {
		s += " in all namespaces"
	}
	return s
}

func describe(t Touch) string {
	s := t.Kind + " " + t.Name
	switch {
	case t.Name == "" && t.Selector == "--all":
		s = "every " + t.Kind
	case t.Name == "" && t.Selector != "":
		s = "every " + t.Kind + " matching " + t.Selector
	case t.Name == "":
		s = "every " + t.Kind + " that is selected"
	}
	switch t.Kind {
	case "namespace", "project":
		return s + " and everything in it"
	case "customresourcedefinition":
		return s + " and every object of its kind in all namespaces"
	case "persistentvolumeclaim", "persistentvolume":
		return s + " and perhaps its data"
	}
	return s
}

// kubeCreate judges `create`: objects that exist make it fail, so it only ever adds.
func kubeCreate(c *call, arg string) {
	c.op = "create"
	if files := c.all("-f", "--filename", "-k", "--kustomize"); len(files) > 0 && arg == "" {
		for _, fl := range files {
			for _, t := range manifestTouches(c.manifest(fl), c.namespaceOf()) {
				t.Op = "create"
				c.f.touch(t)
			}
		}
		return
	}
	if len(c.pos) < 2 {
		return
	}
	kind, names := c.pos[1].text, c.pos[2:]
	if arg != "" {
		kind, names = arg, c.rest
	}
	secret := kind == "secret" || kind == "secrets"
	if (secret || kind == "service" || kind == "svc") && arg == "" && len(names) > 0 {
		// create secret generic NAME, create service clusterip NAME
		names = names[1:]
	}
	if kind == "token" {
		c.why = "makes a token"
		c.prints()
		return
	}
	if len(names) == 0 {
		return
	}
	t := c.object(kind, names[0].text, c.namespaceOf())
	if secret {
		t.Keys, t.Given = secretKeys(c), flagsGiven(c)
		c.why = "creates secret " + shown(names[0].text) + "; fails if it exists"
	}
	c.f.touch(t)
	if c.given("--dry-run") || c.hasDryValue() {
		c.out = stream{from: c.cmd, objects: []Touch{t}, credential: secret}
		return
	}
	kubeDashRuns(c, "")
}

func (c *call) hasDryValue() bool {
	w, ok := c.val("--dry-run")
	return ok && !falsy(w.text)
}

// secretKeys are the names of the keys in --from-literal and --from-file.
func secretKeys(c *call) []string {
	var keys []string
	for _, w := range c.all("--from-literal", "--from-file") {
		k, _, ok := strings.Cut(w.text, "=")
		if !ok {
			k = k[strings.LastIndexByte(k, '/')+1:]
		}
		keys = append(keys, shown(k))
	}
	return keys
}

// kubeExec judges what runs in a container.
func kubeExec(c *call, _ string) {
	if len(c.rest) == 0 {
		return
	}
	var argv []word
	pod := c.rest[0]
	switch {
	case c.dash >= 0:
		argv = c.pos[min(c.dash, len(c.pos)):]
		if c.dash <= len(c.pos)-len(c.rest) {
			// The pod is chosen by -f; all that remains is the command.
			argv = c.rest
		}
	case len(c.rest) > 1:
		argv = c.rest[1:]
	}
	where := shown(pod.text)
	t := Touch{Op: "exec", Kind: "pod", Name: where, Namespace: c.namespaceOf()}
	if kind, name, ok := strings.Cut(where, "/"); ok {
		t.Kind, _ = kindOf(kind)
		t.Name = name
	}
	c.f.touch(t)
	g := c.f.elsewhere(t.String())
	tty := c.given("-t", "--tty") || c.given("-i", "--stdin")
	if len(argv) == 0 {
		c.class, c.why = Unknown, "opens a session in "+where
		c.opens("exec", t.String())
		return
	}
	c.done = true
	in := c.in
	if !c.given("-i", "--stdin") {
		in = nil
	}
	before := len(c.f.w.res.Opens)
	c.out = g.run(argv, c.cmd, in)
	for i := before; i < len(c.f.w.res.Opens); i++ {
		c.f.w.res.Opens[i].Where = t.String()
	}
	if tty && len(c.f.w.res.Opens) > before {
		c.tty()
	}
}

// kubePatch judges a patch by what it sets: finalizers taken away, replicas of nought,
// the data of a Secret.
func kubePatch(c *call, _ string) {
	ts := c.objects(c.rest)
	c.touchAll(ts)
	for _, t := range ts {
		if t.Kind == "secret" {
			c.hidePatch()
		}
	}
	body := ""
	for _, w := range c.all("-p", "--patch") {
		body += w.text
	}
	if w, ok := c.val("--patch-file"); ok {
		body += c.f.file(w).text
	}
	class, why := patchClass(body)
	if class > Write {
		c.class, c.why = class, why
		return
	}
	for _, t := range ts {
		if t.Kind == "secret" && !onlyMetadata(body) {
			c.class, c.why = Rotate, "overwrites values of secret "+t.Name
		}
	}
}

// hidePatch hides what a patch sets, and keeps the names.
func (c *call) hidePatch() {
	for _, fl := range c.flags {
		if (fl.name == "-p" || fl.name == "--patch") && fl.has {
			c.hideBody(fl)
		}
	}
}

func onlyMetadata(body string) bool {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &m) != nil || len(m) == 0 {
		return false
	}
	for k := range m {
		if k != "metadata" {
			return false
		}
	}
	return true
}

// flatten leaves of JSON and YAML what is neither a blank nor a quote.
var flatten = strings.NewReplacer(" ", "", "\n", "", "\t", "", `"`, "", "'", "", `\`, "")

func patchClass(body string) (Class, string) {
	flat := flatten.Replace(body)
	switch {
	case strings.Contains(flat, "finalizers:[]") || strings.Contains(flat, "finalizers:null") || strings.Contains(flat, "finalizers:[null]") ||
		strings.Contains(flat, "op:remove") && strings.Contains(flat, "/finalizers"),
		strings.Contains(flat, "finalizers,value:[]"), strings.Contains(flat, "/finalizers,op:remove"):
		return Destroy, "takes the finalizers away: what owns the object won't clean up"
	case strings.Contains(flat, "ownerReferences:null") || strings.Contains(flat, "ownerReferences:[]"):
		return Destroy, "takes the owners away: nothing cleans the object up with them"
	case strings.Contains(flat, "replicas:0") || strings.Contains(flat, "/replicas,value:0"):
		return Interrupt, "scales to 0"
	case strings.Contains(flat, "hibernation:on"), strings.Contains(flat, "unschedulable:true"), strings.Contains(flat, "running:false"),
		strings.Contains(flat, "restartedAt"):
		return Interrupt, "stops or restarts what runs"
	case strings.Contains(flat, "reclaimPolicy:Delete"):
		return Write, ""
	case strings.Contains(flat, "$patch:delete"):
		return Destroy, "removes a part of the object"
	case strings.Contains(flat, "confirmation:yes-really-destroy-data"):
		return Destroy, "lets its deletion wipe the data"
	}
	return Write, ""
}

// kubeWait makes a touch with the condition that is waited for.
func kubeWait(c *call, arg string) {
	c.op = "wait"
	cond, _ := c.val("--for")
	if arg != "" {
		cond = lit(arg)
	}
	for _, t := range c.objects(c.rest) {
		t.Condition = shown(cond.text)
		c.f.touch(t)
	}
}

// kubeShows notes what a reading verb shows: values of secrets, or without end.
func kubeShows(c *call, _ string) {
	ts := c.objects(c.rest)
	c.touchAll(ts)
	if c.given("-w", "--watch", "--watch-only") {
		c.endless()
	}
	out, ok := c.val("-o", "--output", "--template")
	if !ok || out.text == "name" || out.text == "wide" {
		return
	}
	for _, t := range ts {
		if t.Kind == "secret" || t.Kind == "all" {
			c.prints()
			c.out = stream{from: c.cmd, objects: []Touch{t}, credential: true}
			return
		}
	}
	c.out = stream{from: c.cmd, objects: ts}
}

// kubeReplicas judges scale: to 0 cuts the service.
func kubeReplicas(c *call, _ string) {
	c.touchAll(c.objects(c.rest))
	n, ok := c.val("--replicas")
	switch {
	case !ok:
	case strings.Trim(n.text, "0") == "" && n.text != "":
		c.class, c.why = Interrupt, "scales "+shown(joined(c.rest))+" to 0"
	case !n.known && strings.HasPrefix(n.text, "$"):
		c.class, c.why = Unknown, "scales to "+shown(n.text)+", which may be 0"
	}
}
