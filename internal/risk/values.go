package risk

import "strings"

// credentialWords end the names of flags, variables and keys that hold a credential.
var credentialWords = []string{
	"password", "passwd", "passphrase", "token", "secret", "apikey", "api-key", "access-key", "accesskey", "secret-key", "secretkey", "private-key", "auth-key",
	"secret-string", "secret-binary", "credentials", "pwd", "psk", "session-key", "encryption-key", "signing-key", "unseal-key", "-pass", "-pw", "bearer", "requirepass", "masterauth",
	"storepass", "keypass",
}

// notCredential begin the names of switches about credentials.
var notCredential = []string{"no-", "skip-", "show-", "reset-", "require-", "generate-", "suppress-", "with-", "without-"}

// credential says that what goes by this name is a credential, by the name's end.
func credential(name string) bool {
	n := strings.Trim(name, "-_:\"' ")
	if len(n) < 2 {
		return false
	}
	if len(n) <= 4 && (sameName(n, "pass") || sameName(n, "pw")) {
		return true
	}
	for _, w := range credentialWords {
		if len(n) >= len(w) && sameName(n[len(n)-len(w):], w) {
			for _, p := range notCredential {
				if len(n) > len(p) && sameName(n[:len(p)], p) {
					return false
				}
			}
			return true
		}
	}
	return false
}

// sameName compares a name with one in lower case and with dashes.
func sameName(s, name string) bool {
	if len(s) != len(name) {
		return false
	}
	for i := len(s) - 1; i >= 0; i-- {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c |= 0x20
		case c == '_':
			c = '-'
		}
		if c != name[i] {
			return false
		}
	}
	return true
}

// after cuts a word behind the first sep: what is in front, and the rest as a word.
func (w word) after(sep string) (string, word, bool) {
	name, v, ok := strings.Cut(w.text, sep)
	_, src, _ := strings.Cut(w.src, sep)
	return name, word{text: v, src: src, known: w.known}, ok
}

// spelled is a word as its author wrote it.
func (w word) spelled() string {
	if w.src != "" {
		return w.src
	}
	return w.text
}

// hideValues finds the values among the words of a call: by the names of flags, keys and
// headers, by the shape of an address, and by what the tool's table says of its flags.
func (c *call) hideValues() {
	for i, a := range c.args {
		s := a.text
		if len(s) > 2 && s[0] == '-' && !strings.Contains(s, "=") && i+1 < len(c.args) && credential(s) && !c.t.bools[s] {
			if next := c.args[i+1]; !strings.HasPrefix(next.text, "-") {
				c.f.hide(a.spelled(), next, unseen)
			}
		}
		if len(s) > 1 && s[len(s)-1] == ':' && i+1 < len(c.args) && credential(s) {
			c.f.hide(a.spelled(), c.args[i+1], unseen)
		}
		c.hideWithin(a)
	}
	for _, fl := range c.flags {
		if kind := c.t.secret[fl.name]; kind != "" && fl.has {
			c.hideFlag(fl, kind)
		}
	}
	if c.readsSecret() {
		c.hideInput()
	}
}

// hideFlag hides the value of a flag that the tool's table calls a secret.
func (c *call) hideFlag(fl flag, kind string) {
	switch kind {
	case "kv":
		c.hidePairs(fl.value)
	case "user":
		if name, v, ok := fl.value.after(":"); ok {
			c.f.hide(name+":", v, unseen)
			c.f.hide(fl.name+name+":", v, unseen)
		}
	case "body":
		c.hideBody(fl)
	default:
		c.f.hide(fl.name, fl.value, unseen)
		c.f.hide(fl.name+"=", fl.value, unseen)
	}
}

// hidePairs hides the values of a=b,c=d.
func (c *call) hidePairs(w word) {
	name, v, ok := w.after("=")
	if !ok {
		return
	}
	c.f.hide(name+"=", v, unseen)
	for part := range strings.SplitSeq(v.text, ",") {
		if k, x, ok := strings.Cut(part, "="); ok {
			c.f.hide(k+"=", word{text: x, known: w.known}, unseen)
		}
	}
}

// hideBody hides the content of a body, and keeps the names in it.
func (c *call) hideBody(fl flag) {
	if fl.value.text != "" {
		v := fl.value
		show := skeleton(v.text)
		c.f.hide(fl.name, v, show)
		c.f.hide(fl.name+"=", v, show)
	}
}

// skeleton is JSON, or a form, with its values left out.
func skeleton(s string) string {
	t := strings.TrimSpace(s)
	if t == "" || t[0] != '{' && t[0] != '[' {
		if !strings.Contains(t, "=") || strings.ContainsAny(t, " \n") {
			return unseen
		}
		parts := strings.Split(t, "&")
		for i, p := range parts {
			name, _, ok := strings.Cut(p, "=")
			if !ok {
				return unseen
			}
			parts[i] = name + "=" + unseen
		}
		return strings.Join(parts, "&")
	}
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		switch ch := t[i]; {
		case strings.IndexByte("{}[],: \n\t", ch) >= 0:
			b.WriteByte(ch)
		case ch == '"':
			n := jsonString(t[i:])
			if strings.HasPrefix(strings.TrimLeft(t[i+n:], " \t\n"), ":") {
				b.WriteString(t[i : i+n])
			} else {
				b.WriteString(unseen)
			}
			i += n - 1
		default:
			j := i
			for j < len(t) && strings.IndexByte("{}[],: \n\t\"", t[j]) < 0 {
				j++
			}
			b.WriteString(unseen)
			i = j - 1
		}
	}
	return b.String()
}

func jsonString(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// hideWithin finds the values inside one word: in an address, a header, a connection string.
func (c *call) hideWithin(w word) {
	s := w.text
	if i := strings.IndexByte(s, ':'); i > 0 {
		c.hideHeader(w, i)
		if i := strings.Index(s, "://"); i >= 0 {
			c.hideUser(s, i+len("://"), w.known)
		}
	}
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '=')
		if i < 0 {
			return
		}
		i += from
		from = i + 1
		k := i
		for k > 0 && (wordByte(s[k-1]) || s[k-1] == '-' || s[k-1] == '_' || s[k-1] == '.') {
			k--
		}
		if name := s[k:i]; credential(name) {
			c.hideAssigned(name, word{text: s[from:], src: srcAfter(w.src, name+"="), known: w.known})
		}
	}
}

func srcAfter(src, anchor string) string {
	_, rest, _ := strings.Cut(src, anchor)
	return rest
}

// hideAssigned hides what follows name=, as a whole and up to where a connection string or
// a query would go on.
func (c *call) hideAssigned(name string, v word) {
	c.f.hide(name+"=", v, unseen)
	if i := strings.IndexAny(v.text, " &;,"); i > 0 {
		c.f.hide(name+"=", word{text: v.text[:i], known: v.known}, unseen)
	}
}

// hideUser hides the credential of scheme://user:password@host; the host begins at i.
func (c *call) hideUser(s string, i int, known bool) {
	end := len(s)
	if j := strings.IndexAny(s[i:], "/?# "); j >= 0 {
		end = i + j
	}
	at := strings.LastIndexByte(s[i:end], '@')
	if at < 0 {
		// A slash in a password isn't escaped by everybody.
		if at = strings.IndexByte(s[i:], '@'); at < 0 || strings.ContainsAny(s[i:i+at], " ?#") {
			return
		}
	}
	user, pw, ok := strings.Cut(s[i:i+at], ":")
	scheme := s[max(0, strings.LastIndexAny(s[:i-3], " =\"'+")+1):i]
	if ok {
		c.f.hide(scheme+user+":", word{text: pw, known: known}, unseen)
		return
	}
	if !strings.HasPrefix(scheme, "ssh") {
		c.f.hide(scheme, word{text: user, known: known}, unseen)
	}
}

// hideHeader hides what follows the name of a header that authenticates; the colon is at i.
func (c *call) hideHeader(w word, i int) {
	k := strings.LastIndexAny(w.text[:i], " =\"'") + 1
	name := strings.ToLower(w.text[k:i])
	if !credential(name) && name != "authorization" && name != "proxy-authorization" && name != "cookie" && name != "private-token" && name != "set-cookie" {
		return
	}
	anchor := w.text[k : i+1]
	c.f.hide(anchor, word{text: strings.TrimSpace(w.text[i+1:]), src: strings.TrimSpace(srcAfter(w.src, anchor)), known: w.known}, unseen)
}

// readsSecret says that a call takes a credential from its input.
func (c *call) readsSecret() bool {
	if c.in == nil {
		return false
	}
	switch c.t.name {
	case "passwd":
		return true
	case "sudo":
		return c.given("-S", "--stdin")
	}
	for _, fl := range c.flags {
		if strings.HasSuffix(fl.name, "-stdin") {
			return true
		}
	}
	for _, w := range c.args {
		if strings.HasSuffix(w.text, "=-") || strings.HasSuffix(w.text, "/dev/stdin") {
			return true
		}
	}
	return false
}

// hideInput hides what a call is sent by echo, printf or a here-string.
func (c *call) hideInput() {
	if c.in == nil || c.in.text == "" {
		return
	}
	v := word{text: strings.TrimSpace(c.in.text), known: c.in.known}
	for _, anchor := range []string{"echo", "echo -n", "echo -e", "echo -en", "echo -ne", "printf", "printf %s", "printf '%s'", `printf "%s"`, `printf '%s\n'`, `printf "%s\n"`, "<<<"} {
		c.f.hide(anchor, v, unseen)
	}
}

// hideWords hides the remaining words from the n-th on; -1 is the last of several.
func hideWords(c *call, arg string) {
	n := int(arg[len(arg)-1] - '0')
	if arg == "-1" {
		n = max(len(c.rest)-1, 1)
	}
	// From behind, while the word in front is still there to be found.
	for i := len(c.rest) - 1; i >= n; i-- {
		c.hideWord(c.rest[i])
	}
}

// hideWord hides a word by the one in front of it.
func (c *call) hideWord(w word) {
	if w.text == "-" {
		c.hideInput()
		return
	}
	for i := len(c.args) - 1; i > 0; i-- {
		if c.args[i].text == w.text {
			c.f.hide(c.args[i-1].spelled(), w, unseen)
			break
		}
	}
	if len(c.args) > 0 && c.args[0].text == w.text {
		c.f.hide(c.t.name, w, unseen)
	}
	for i := range c.rest {
		if c.rest[i].text == w.text {
			c.rest[i].veiled = true
		}
	}
}

// hideItems hides the values of the remaining words that are name=value; the reason names
// none of them.
func hideItems(c *call, _ string) {
	for i := range c.rest {
		if name, v, ok := c.rest[i].after("="); ok {
			c.rest[i].veiled = true
			c.f.hide(name+"=", v, unseen)
		}
	}
}

// hideFlags hides the values of flags that are secrets behind this verb only.
func hideFlags(c *call, arg string) {
	names := strings.Split(arg, ",")
	for _, fl := range c.flags {
		for _, n := range names {
			if fl.name == n && fl.has {
				c.hideFlag(fl, "value")
			}
		}
	}
}

// hideSQL hides the literals behind PASSWORD and IDENTIFIED BY.
func (f *frame) hideSQL(text string) {
	up := strings.ToUpper(text)
	if len(up) != len(text) {
		return
	}
	for _, key := range []string{"PASSWORD", " BY", " AS"} {
		for from := 0; ; {
			i := strings.Index(up[from:], key)
			if i < 0 {
				break
			}
			from += i + len(key)
			rest := strings.TrimLeft(text[from:], " =(\t\n")
			if rest == "" || rest[0] != '\'' {
				continue
			}
			n := quotedLen(rest)
			gap := text[from : len(text)-len(rest)]
			f.hide(text[from-len(key):from]+gap, word{text: strings.Trim(rest[:n], "'"), known: true}, unseen)
		}
	}
}
