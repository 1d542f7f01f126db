package risk

import "strings"

// entryOf is mount and path of an entry as `vault kv` takes it: -mount=m e, or m/e. The API
// form m/data/e means the same entry.
func (c *call) entryOf() (string, bool) {
	if len(c.rest) == 0 && (len(c.pos) < 2 || !strings.Contains(c.pos[1].text, "/")) {
		return "", false
	}
	at := c.pos[len(c.pos)-1]
	if len(c.rest) > 0 {
		at = c.rest[0]
	}
	p := strings.Trim(shown(at.text), "/")
	if m, ok := c.val("-mount"); ok {
		return strings.Trim(shown(m.text), "/") + "/" + p, true
	}
	parts := strings.SplitN(p, "/", 3)
	if len(parts) == 3 && (parts[1] == "data" || parts[1] == "metadata") {
		p = parts[0] + "/" + parts[2]
	}
	return p, true
}

// vaultEntry touches the entry that the first word names.
func vaultEntry(c *call, _ string) {
	if e, ok := c.entryOf(); ok {
		c.f.touch(Touch{Op: c.op, Vault: e})
	}
}

// vaultKV judges the writing verbs of kv; arg is the operation.
func vaultKV(c *call, arg string) {
	e, ok := c.entryOf()
	if !ok {
		return
	}
	k := VaultKeys{Entry: e, Op: arg, Complete: true}
	for _, w := range c.rest[1:] {
		name, _, has := strings.Cut(w.text, "=")
		switch {
		case has:
			k.Keys = append(k.Keys, shown(name))
			k.Complete = k.Complete && (w.known || !strings.HasPrefix(name, "$"))
		default:
			// "-" and "@file" hold the keys themselves.
			k.Complete = false
			c.keysFrom(w, &k)
		}
	}
	for _, w := range c.all("-remove-data") {
		for name := range strings.SplitSeq(w.text, ",") {
			k.Removed = append(k.Removed, shown(name))
		}
	}
	if w, ok := c.val("-cas"); ok {
		k.CAS = shown(w.text)
	}
	if w, ok := c.val("-versions", "-version"); ok {
		k.Version = shown(w.text)
	}
	c.f.w.res.VaultKeys = append(c.f.w.res.VaultKeys, k)
	c.f.touch(Touch{Op: kvTouch(arg, k.CAS), Vault: e, Keys: k.Keys})
	c.kvClass(k)
}

func kvTouch(op, cas string) string {
	switch {
	case op == "put" && cas == "0":
		return "create"
	case op == "delete" || op == "destroy" || op == "metadata-delete":
		return "delete"
	}
	return "update"
}

func (c *call) kvClass(k VaultKeys) {
	mount, _, _ := strings.Cut(k.Entry, "/")
	if m, ok := c.val("-mount"); ok {
		mount = strings.Trim(m.text, "/")
	}
	version := 0
	if c.f.w.ctx.MountVersion != nil {
		version = c.f.w.ctx.MountVersion(mount)
	}
	switch {
	case k.Op == "put" && version == 1:
		c.class, c.why = Destroy, "overwrites "+k.Entry+"; the mount keeps no old version"
	case k.Op == "put" && k.CAS == "0":
		c.class, c.why = Write, "creates "+k.Entry+"; fails if it exists"
	case k.Op == "put":
		c.why = "replaces all keys of " + k.Entry + "; keys that aren't named are gone from it"
	case k.Op == "patch" && len(k.Removed) == 0 && len(k.Keys) > 0:
		c.why = "overwrites " + cutText(strings.Join(k.Keys, ", "), 80) + " of " + k.Entry
	case k.Op == "patch" && len(k.Removed) > 0:
		c.class, c.why = Rotate, "removes "+strings.Join(k.Removed, ", ")+" from "+k.Entry
	case k.Op == "patch" && len(k.Keys) > 0:
		c.why = "overwrites " + strings.Join(k.Keys, ", ") + " of " + k.Entry
	case k.Op == "patch":
		c.why = "overwrites keys of " + k.Entry
	case k.Op == "delete" && version == 1:
		c.why = "deletes " + k.Entry + "; the mount keeps no old version"
	}
}

// vaultNamespace touches the namespace that the first word names, as the API
// names it.
func vaultNamespace(c *call, _ string) {
	if len(c.rest) > 0 {
		c.f.touch(Touch{Op: c.op, Vault: "sys/namespaces/" + strings.Trim(shown(c.rest[0].text), "/")})
	}
}

// keysFrom reads the names of keys from a file or from a here-document.
func (c *call) keysFrom(w word, k *VaultKeys) {
	var st stream
	switch {
	case w.text == "-":
		st = c.in.orEmpty()
		c.hideInput()
	case strings.HasPrefix(w.text, "@"):
		st = c.f.file(word{text: w.text[1:], known: w.known})
	default:
		return
	}
	if !st.known {
		return
	}
	if names, ok := jsonKeys(st.text); ok {
		k.Keys = append(k.Keys, names...)
		k.Complete = true
	}
}

// vaultPath judges `vault write` and `vault delete` by the path, where it says what it is.
// The conventional names of mounts are not trusted to make anything better than Unknown,
// apart from those that Vault itself fixes (sys, auth, identity, cubbyhole).
func vaultPath(c *call, arg string) {
	// The path is the word behind the verb, whether the line names its shape or not.
	if len(c.pos) < 2 {
		return
	}
	p := strings.Trim(shown(c.pos[1].text), "/")
	c.f.touch(Touch{Op: c.op, Vault: p})
	mount, _, _ := strings.Cut(p, "/")
	if arg == "write" && c.class == Unknown && c.f.w.ctx.MountVersion != nil {
		switch c.f.w.ctx.MountVersion(mount) {
		case 1:
			c.class, c.why = Destroy, "overwrites "+p+"; the mount keeps no old version"
		case 2:
			c.class, c.why = Rotate, "writes a new version of "+p
		}
	}
}
