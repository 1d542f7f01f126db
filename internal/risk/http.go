package risk

import (
	"encoding/json"
	"strings"
)

// jsonKeys are the top-level keys of a JSON object.
func jsonKeys(text string) ([]string, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return nil, false
	}
	var keys []string
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, false
		}
		k, ok := tok.(string)
		var v json.RawMessage
		if !ok || d.Decode(&v) != nil {
			return nil, false
		}
		keys = append(keys, k)
	}
	return keys, true
}

// curlHook judges curl and wget by method, address and what they write.
func curlHook(c *call) {
	c.out = stream{from: c.t.name}
	method := c.httpMethod()
	class, why := Read, "fetches"
	urls := append(append([]word(nil), c.pos...), c.all("--url")...)
	if len(urls) == 0 {
		urls = []word{{}}
	}
	for _, u := range urls {
		k, w := httpClass(method, u.text, c.body())
		if k > class || why == "fetches" {
			class, why = max(k, class), w
		}
		if h := hostOf(u.text); h != "" {
			op := "read"
			if k > Read {
				op = "update"
			}
			c.f.touch(Touch{Op: op, Host: h})
			if e := kvEntry(h, u.text); e != "" {
				if method == "DELETE" {
					op = "delete"
				}
				c.f.touch(Touch{Op: op, Vault: e})
			}
		}
	}
	c.class, c.why = class, why
	c.fileOutput()
}

func (c *call) httpMethod() string {
	if w, ok := c.val("-X", "--request", "--method"); ok {
		if !w.known && strings.HasPrefix(w.text, "$") {
			return "?"
		}
		return strings.ToUpper(w.text)
	}
	switch {
	case c.given("-I", "--head", "--spider"):
		return "HEAD"
	case c.given("-T", "--upload-file"):
		return "PUT"
	case c.given("-G", "--get"):
		return "GET"
	case c.given("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F", "--form", "--form-string",
		"--post-data", "--post-file", "--body-data", "--body-file"):
		return "POST"
	}
	return "GET"
}

func (c *call) body() string {
	w, ok := c.val("-d", "--data", "--data-raw", "--data-binary", "--json", "--post-data", "--body-data")
	if ok && strings.HasPrefix(w.text, "@") {
		return ""
	}
	return w.text
}

// fileOutput notes where a download is put.
func (c *call) fileOutput() {
	file := false
	for _, w := range c.all("-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--output-document") {
		if w.text != "-" && !harmlessDevice(w.text) && w.text != "/dev/null" {
			file = true
			c.f.touch(Touch{Op: "update", Path: shown(w.text)})
		}
	}
	if c.t.name == "wget" && !c.given("--spider") {
		w, named := c.val("-O", "--output-document")
		file = !named || w.text != "-" && w.text != "/dev/null"
	} else if c.given("-O", "--remote-name", "--remote-name-all") {
		file = true
	}
	if file && c.class < Write {
		c.class, c.why = Write, "downloads to a file"
	}
}

func hostOf(u string) string {
	u = shown(u)
	if _, rest, ok := strings.Cut(u, "://"); ok {
		u = rest
	}
	if i := strings.IndexAny(u, "/?#"); i >= 0 {
		u = u[:i]
	}
	// Credentials in an address stay out of what is shown.
	if i := strings.LastIndexByte(u, '@'); i >= 0 {
		u = u[i+1:]
	}
	if u == "" || strings.HasPrefix(u, "-") {
		return ""
	}
	return u
}

// httpRule is what a method on a path means where the method alone would mislead. The last
// line that fits wins.
type httpRule struct {
	methods string
	path    []string
	class   Class
	why     string
}

var httpRules = []httpRule{
	{"POST PUT PATCH", []string{"/_search", "/_count", "/_msearch", "/_validate", "/_analyze", "/api/v1/query", "/v3/kv/range", "/v3/maintenance/status", "/v3/cluster/member/list", "/v3/auth/authenticate", "/v3/watch", "/lookup", "/lookup-self", "/capabilities", "/selfsubjectaccessreviews", "/subjectaccessreviews", "/_cat/", "/api/ds/query", "/loki/api/v1/query", "/introspect", "/explain"}, Read, "asks, by its path"},
	{"POST PUT PATCH", []string{"/delete", "/remove", "/destroy", "/purge", "/_delete_by_query", "/v3/kv/deleterange", "/delete_series", "/clean_tombstones", "/drop", "/flushall", "/v3/cluster/member/remove", "/wipe", "/v3/lease/revoke", "/v3/auth/user/delete", "/v3/auth/role/delete", "/truncate"}, Destroy, "deletes, by its path"},
	{"POST PUT PATCH", []string{"/stop", "/shutdown", "/restart", "/reboot", "/quit", "/quitquitquit", "/kill", "/eviction", "/failover", "/switchover", "/sys/seal", "/step-down", "/revoke", "/revoke-self", "/revoke-prefix", "/revoke-force", "/poweroff", "/v3/maintenance/transfer-leadership", "/_close", "/drain", "/reinitialize"}, Interrupt, "stops or cuts off, by its path"},
	{"POST PUT PATCH", []string{"/rotate", "/rekey", "/rotate-root", "/reset-password", "/v3/auth/user/changepw", "/regenerate"}, Rotate, "replaces a credential, by its path"},
	{"POST PUT PATCH", []string{"/finalize"}, Destroy, "takes finalizers away, by its path"},
	{"PUT PATCH", []string{"/secrets/"}, Rotate, "overwrites a secret, by its path"},
	{"DELETE", []string{"/pods/", "/nodes/"}, Interrupt, "deletes a pod or node, by its path"},
}

// httpClass judges a request.
func httpClass(method, u, body string) (Class, string) {
	p := urlPath(u)
	class, why := Write, method+" to "+shown(redactURL(u))
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "LIST":
		return Read, "fetches " + shown(redactURL(u))
	case "?":
		return Unknown, "the method can't be told"
	case "DELETE":
		class, why = Destroy, "DELETE of "+shown(redactURL(u))
	case "POST", "PUT", "PATCH", "PURGE", "MKCOL", "COPY", "MOVE", "BAN":
	default:
		return Unknown, "sends the method " + method
	}
	if strings.HasPrefix(p, "/v1/") && vaultData(p) && method != "DELETE" {
		return Rotate, "overwrites an entry, by its path"
	}
	for _, r := range httpRules {
		if strings.Contains(r.methods, method) && r.fits(p) {
			class, why = r.class, r.why
		}
	}
	if k, w := segmentClass(p); k > class {
		class, why = k, w
	}
	if k, w := graphClass(p, body); k > class {
		class, why = k, w
	}
	return class, why
}

// fits compares whole segments: /delete fits …/delete and …/delete?x, not /delete-me. What
// ends in a slash fits a segment in between.
func (r httpRule) fits(p string) bool {
	for _, s := range r.path {
		if strings.HasSuffix(s, "/") && strings.Contains(p, s) || strings.HasSuffix(p, s) || strings.Contains(p, s+"/") {
			return true
		}
	}
	return false
}

// segmentClass judges by the last part of a path, where that is a verb as a whole.
func segmentClass(p string) (Class, string) {
	last := strings.ToLower(strings.TrimPrefix(strings.Trim(p[strings.LastIndexByte(p, '/')+1:], "_"), "do"))
	switch {
	case destroyWords[last]:
		return Destroy, "deletes, by its path"
	case rotateWords[last]:
		return Rotate, "replaces a credential, by its path"
	case interruptWords[last]:
		return Interrupt, "stops or cuts off, by its path"
	}
	return Read, ""
}

func vaultData(p string) bool {
	parts := strings.Split(p, "/")
	return len(parts) > 4 && parts[3] == "data" || len(parts) > 3 && parts[2] == "secret"
}

// kvEntry is the entry of Vault that an address means, as mount/entry, "" if it
// isn't one: /v1/MOUNT/data/ENTRY on a host that speaks of Vault.
func kvEntry(host, u string) string {
	path, ok := strings.CutPrefix(urlPath(u), "/v1/")
	if !ok || !strings.Contains(strings.ToLower(host), "vault") && !strings.HasSuffix(host, ":8200") {
		return ""
	}
	for _, sep := range []string{"/data/", "/metadata/"} {
		if mount, entry, ok := strings.Cut(path, sep); ok && mount != "" && entry != "" {
			return shown(mount + "/" + entry)
		}
	}
	return ""
}

// graphClass reads what a GraphQL or JSON body asks for.
func graphClass(p, body string) (Class, string) {
	if strings.HasSuffix(p, "/graphql") && strings.Contains(body, "mutation") {
		if k, w := speaks(strings.NewReplacer("(", "-", "{", "-", " ", "-").Replace(body)); k > Unknown {
			return k, "a mutation that speaks of " + w
		}
	}
	return Read, ""
}

func urlPath(u string) string {
	if _, rest, ok := strings.Cut(u, "://"); ok {
		u = rest
	}
	if i := strings.IndexAny(u, "?#"); i >= 0 {
		u = u[:i]
	}
	i := strings.IndexByte(u, '/')
	if i < 0 {
		return "/"
	}
	return strings.TrimRight(u[i:], "/")
}

func redactURL(u string) string {
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok {
		return u
	}
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if path != "" {
		host += "/" + path
	}
	return scheme + "://" + host
}

// httpieHook judges `http DELETE host/path a=b`.
func httpieHook(c *call) {
	c.rest = c.pos
	hideItems(c, "")
	pos := c.pos
	method := ""
	if len(pos) > 0 && strings.ToUpper(pos[0].text) == pos[0].text && strings.Trim(pos[0].text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		method, pos = pos[0].text, pos[1:]
	}
	if len(pos) == 0 {
		c.class, c.why = Read, "prints usage"
		return
	}
	if method == "" {
		method = "GET"
		for _, w := range pos[1:] {
			if strings.ContainsAny(w.text, "=@") && !strings.Contains(w.text, "==") {
				method = "POST"
			}
		}
		if c.in != nil {
			method = "POST"
		}
	}
	c.class, c.why = httpClass(method, pos[0].text, "")
	c.out = stream{from: c.t.name}
	if h := hostOf(pos[0].text); h != "" {
		c.f.touch(Touch{Op: opOf(c.class), Host: h})
	}
	outputFile(c, "-o,--output")
}

// forgeAPI judges `gh api PATH -X METHOD`.
func forgeAPI(c *call, _ string) {
	method := "GET"
	if w, ok := c.val("-X", "--method"); ok {
		method = strings.ToUpper(w.text)
	} else if c.given("-f", "--raw-field", "-F", "--field", "--input") {
		method = "POST"
	}
	path := ""
	if len(c.rest) > 0 {
		path = c.rest[0].text
	}
	body := joined(c.all("-f", "--raw-field", "-F", "--field"))
	if path == "graphql" {
		if !strings.Contains(body, "mutation") {
			c.class, c.why = Read, "asks the API"
			return
		}
		path = "/graphql"
	}
	c.class, c.why = httpClass(method, "https://api/"+strings.TrimPrefix(path, "/"), body)
}
