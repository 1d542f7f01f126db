package risk

import "strings"

// Words that say, in the name or the first arguments of a program nobody has a table for,
// that it takes something away. They only ever raise a verdict.
var destroyWords = map[string]bool{
	"delete": true, "del": true, "destroy": true, "remove": true, "rm": true, "drop": true, "purge": true, "wipe": true,
	"erase": true, "uninstall": true, "teardown": true, "nuke": true, "prune": true, "truncate": true, "cleanup": true,
	"clean": true, "unregister": true, "deregister": true, "decommission": true, "terminate": true, "zap": true, "shred": true,
	"format": true, "forget": true, "expunge": true, "flushall": true, "flushdb": true, "flush": true, "reset": true, "down": true,
	"obliterate": true, "undeploy": true, "rmi": true, "kill9": true, "tidy": true, "gc": true,
}

var interruptWords = map[string]bool{
	"stop": true, "shutdown": true, "poweroff": true, "reboot": true, "kill": true, "drain": true, "halt": true, "evict": true,
	"hibernate": true, "failover": true, "switchover": true, "suspend": true, "disconnect": true, "killall": true, "revoke": true,
	"detach": true, "deactivate": true,
}

var rotateWords = map[string]bool{"rotate": true, "rekey": true}

// stranger judges a program that no table knows: unknown, or what its name and first words
// own up to.
func (f *frame) stranger(name string, args []word, cmd string) stream {
	c := &call{f: f, cmd: cmd, args: args[1:], class: Unknown, t: strangerTool}
	*c = *strangerTool.parse(args[1:], &f.w.larder)
	c.f, c.cmd, c.class = f, cmd, Unknown
	c.why = "what " + shown(name) + " does isn't known"
	c.hideValues()
	if strings.HasSuffix(name, ":") && len(args) > 1 && credential(name) {
		f.hide(name, args[1], unseen)
	}
	c.raise(name, c.pos)
	f.add(c.class, cmd, c.why)
	return stream{from: name}
}

var strangerTool = newTool("")

// raise lifts an unknown verdict by what the words say. A flag that asks for a dry run stops
// the raise, and no more than that: nobody knows that the program honours it.
func (c *call) raise(name string, pos []word) {
	for _, fl := range c.flags {
		if strings.Contains(fl.name, "dry") && !(fl.has && falsy(fl.value.text)) || fl.name == "--check" {
			return
		}
	}
	class, found := speaks(name)
	for i, p := range pos {
		if i > 2 {
			break
		}
		if k, w := speaks(p.text); k > class {
			class, found = k, w
		}
	}
	for _, fl := range c.flags {
		if k, w := speaks(strings.TrimLeft(fl.name, "-")); k > class && destroyFlag(w) {
			class, found = k, w
		}
	}
	if class > Unknown {
		c.class = max(c.class, class)
		c.why += ", and it speaks of " + found
	}
}

func destroyFlag(w string) bool {
	switch w {
	case "delete", "destroy", "remove", "drop", "purge", "wipe", "prune", "erase":
		return true
	}
	return false
}

// speaks finds the worst of the telling words in a name such as delete_metrics.rb.
func speaks(s string) (Class, string) {
	if len(s) > 120 || strings.ContainsAny(s, " \n={") {
		return Read, ""
	}
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	class, found := Read, ""
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_.:+", r) }) {
		w = strings.ToLower(w)
		switch {
		case destroyWords[w]:
			return Destroy, w
		case rotateWords[w] && class < Rotate:
			class, found = Rotate, w
		case interruptWords[w] && class < Interrupt:
			class, found = Interrupt, w
		}
	}
	return class, found
}
