package risk

import "strings"

// moveOver looks where mv moves things: onto nothing, they are gone.
func moveOver(c *call, _ string) {
	if n := len(c.rest); n > 0 && c.rest[n-1].text == "/dev/null" {
		c.class, c.why = Destroy, "moves a file into nothing"
	}
	for _, w := range c.rest {
		c.f.touch(Touch{Op: "update", Path: shown(w.text)})
	}
}

func teeDevices(c *call, _ string) {
	for _, w := range c.rest {
		switch {
		case w.text == "/dev/null" || harmlessDevice(w.text):
		case strings.HasPrefix(w.text, "/dev/") && !strings.HasPrefix(w.text, "/dev/shm/"):
			c.class, c.why = Destroy, "writes onto the device "+shown(w.text)
		case credentialFile(w.text):
			c.class, c.why = Rotate, "overwrites the credentials in "+shown(w.text)
		}
	}
}

// removePaths is rm: what it removes, and what a variable that is empty makes of it.
func removePaths(c *call, _ string) {
	for _, w := range c.rest {
		p := shown(w.text)
		c.f.touch(Touch{Op: "delete", Path: p})
		switch {
		case rootish(p):
			c.why = "removes everything under " + p
		case !w.known && strings.HasPrefix(p, "$") && strings.ContainsAny(p, "/"):
			name := strings.Trim(strings.SplitN(p, "/", 2)[0], "${}")
			c.why = "removes " + p + "; with " + name + " empty that is " + p[strings.IndexByte(p, '/'):]
		}
	}
}

func rootish(p string) bool {
	switch p {
	case "/", "/*", "/.", "//*", "~", "~/*", "$HOME", "${HOME}", ".", "*", "./*", "..", "/home/*", "/etc", "/usr", "/var":
		return true
	}
	return false
}

// outputFile records a flag that names a file to write: a local write, at least.
func outputFile(c *call, arg string) {
	for _, w := range c.all(strings.Split(arg, ",")...) {
		if w.text == "" || w.text == "-" || w.text == "/dev/null" || harmlessDevice(w.text) {
			continue
		}
		c.f.touch(Touch{Op: "update", Path: shown(w.text)})
		if c.class < Write {
			c.class, c.why = Write, "writes "+shown(w.text)
		}
	}
}
