package steps

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	frontKeys   = []string{"runbook", "title", "purpose", "needs", "params", "protects"}
	paramKeys   = []string{"help", "example", "default", "type", "pattern", "choices", "secret"}
	protectKeys = []string{"name", "secret", "key", "vault", "property", "cost"}
	// ownKeys are so particular to runbooks that front matter with one of them
	// was meant as ours.
	ownKeys = []string{"protects", "purpose", "needs"}
)

// frontMatter reads the front matter, if there is one, and returns the first
// line behind it. Front matter of other tools is skipped; what isn't closed
// isn't front matter.
func (p *fileParser) frontMatter() int {
	if p.doc.count() == 0 {
		return 0
	}
	mark := strings.TrimRight(p.doc.line(0), " \t")
	if mark != "---" && mark != "+++" {
		p.misspeltFront(mark)
		return 0
	}
	for i := 1; i < p.doc.count(); i++ {
		line := strings.TrimRight(p.doc.line(i), " \t")
		if line != mark && !(mark == "---" && line == "...") {
			continue
		}
		if mark == "---" && !p.readFrontMatter(p.doc.lines(1, i)) {
			return 0
		}
		return i + 1
	}
	p.misspeltFront(mark)
	return 0
}

// misspeltFront reports front matter that is none because the line above or below
// it isn't `---`. It is content then, and nothing that it says counts.
func (p *fileParser) misspeltFront(mark string) {
	if len(mark) < 2 || !dashes(mark) {
		return
	}
	end := 1
	for end < p.doc.count() && !blank(p.doc.line(end)) && !dashes(p.doc.line(end)) {
		end++
	}
	closed := end < p.doc.count() && dashes(p.doc.line(end)) && !blank(p.doc.line(end))
	text := p.doc.lines(1, end)
	var doc yaml.Node
	if mark != "---" && !closed || yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return
	}
	d := Diagnostic{Line: 1, Col: 1, Severity: Warning, Rule: "front-matter",
		Message: "what looks like front matter doesn't start with `---`, and is taken for text", Hint: "make the first line `---`"}
	if mark == "---" {
		d.Line, d.Message, d.Hint = end+1, "the front matter isn't closed, and is taken for text", "close it with a line that is `---`"
	}
	if strings.HasPrefix(text, "runbook:") || strings.Contains(text, "\nrunbook:") {
		d.Severity = Error
	}
	p.report(d)
}

// dashes tells whether a line holds nothing else.
func dashes(line string) bool { return strings.Trim(line, "- \t") == "" }

// readFrontMatter reports whether the text is front matter at all.
func (p *fileParser) readFrontMatter(text string) bool {
	s := &snippet{text: text, line: 1}
	ours := strings.HasPrefix(text, "runbook:") || strings.Contains(text, "\nrunbook:")
	if !ours {
		return p.foreign(s)
	}
	root, ok := p.node(s, "front-matter")
	if !ok || root == nil {
		return true
	}
	p.declared = true
	r := &reader{p: p, s: s, rule: "front-matter"}
	r.fields(root, "front matter", frontKeys, func(key string, v *yaml.Node) {
		switch key {
		case "runbook":
			r.oneOf(v, "runbook", "v1")
		case "title":
			p.book.Title = r.text(v, key)
		case "purpose":
			p.book.Purpose = Purpose(r.oneOf(v, key, string(BringUp), string(Secrets), string(Teardown), string(FaultFinding)))
		case "needs":
			p.book.Needs = r.texts(v, key)
		case "params":
			p.params(r, v)
		case "protects":
			r.each(v, func(n *yaml.Node) { p.protect(r, n) })
		}
	})
	return true
}

// foreign looks at front matter without our key: only its title is of use, and
// a misspelt or forgotten key is worth a word.
func (p *fileParser) foreign(s *snippet) bool {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(s.text), &doc) != nil || len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		if len(strings.TrimSpace(s.text)) > 0 && len(doc.Content) == 0 {
			p.report(Diagnostic{Line: 1, Col: 1, Severity: Warning, Rule: "front-matter",
				Message: "what looks like front matter isn't YAML, and is ignored"})
			return true
		}
		return len(doc.Content) == 0
	}
	m := doc.Content[0]
	for i := 0; i+1 < len(m.Content); i += 2 {
		k, v := m.Content[i], m.Content[i+1]
		pos := s.pos(k.Line, k.Column)
		switch {
		case k.Value == "title" && v.Kind == yaml.ScalarNode:
			p.foreignTitle = v.Value
		case v.Value == "v1" && distance(strings.ToLower(k.Value), "runbook") <= 2:
			p.report(Diagnostic{Line: pos.Line, Col: pos.Col, Severity: Error, Rule: "unknown-key",
				Message: "front matter has no key " + quoted(k.Value), Hint: "did you mean `runbook`?"})
		case slices.Contains(ownKeys, k.Value), k.Value == "params" && declares(v):
			p.report(Diagnostic{Line: pos.Line, Col: pos.Col, Severity: Warning, Rule: "front-matter-ignored",
				Message: "this front matter is ignored: it doesn't say `runbook: v1`", Hint: "add `runbook: v1`"})
		}
	}
	return true
}

// declares tells parameters of a runbook from another tool's params: a name of
// a variable is given what we know of parameters, and nothing else.
func declares(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	known := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, q := n.Content[i], n.Content[i+1]
		if !paramName.MatchString(name.Value) || q.Kind != yaml.MappingNode {
			return false
		}
		known += len(q.Content)
		for j := 0; j < len(q.Content); j += 2 {
			if !slices.Contains(paramKeys, q.Content[j].Value) {
				return false
			}
		}
	}
	return known > 0
}

func (p *fileParser) params(r *reader, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "params must be a mapping of names to what is known of them", "")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		p.param(r, n.Content[i], resolveAlias(n.Content[i+1]))
	}
}

var paramName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// reservedNames steer the shell itself; a runbook that sets one would change
// what its own commands mean.
var reservedNames = []string{"PATH", "HOME", "SHELL", "IFS", "ENV", "BASH_ENV", "PWD", "OLDPWD", "USER", "UID", "TERM",
	"LD_PRELOAD", "LD_LIBRARY_PATH", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "CDPATH", "GLOBIGNORE"}

func (p *fileParser) param(r *reader, k, v *yaml.Node) {
	q := Param{Name: k.Value, Pos: r.pos(k)}
	switch {
	case !paramName.MatchString(q.Name):
		r.fail(k, "a parameter can't be named "+quoted(q.Name), "use letters, digits and _, like an environment variable")
		return
	case slices.Contains(reservedNames, q.Name):
		r.fail(k, "a parameter can't be named "+quoted(q.Name)+": the shell uses that name itself", "choose another name")
		return
	case p.book.Param(q.Name) != nil:
		r.fail(k, "the parameter "+quoted(q.Name)+" occurs twice", "remove one of them")
		return
	}
	var def *yaml.Node
	if v.Tag != "!!null" {
		r.fields(v, "parameter "+q.Name, paramKeys, func(key string, n *yaml.Node) {
			switch key {
			case "help":
				q.Help = r.text(n, key)
			case "example":
				q.Example = r.text(n, key)
			case "default":
				q.Default, q.HasDefault, def = r.text(n, key), n.Tag != "!!null", n
			case "type":
				if t := r.oneOf(n, key, "text", "bool", "int"); t != "text" {
					q.Type = ParamType(t)
				}
			case "pattern":
				q.Pattern = r.pattern(n)
			case "choices":
				q.Choices = r.texts(n, key)
			case "secret":
				q.Secret = r.boolean(n, key)
			}
		})
	}
	p.checkDefault(r, q, def)
	p.book.Params = append(p.book.Params, q)
}

func (r *reader) pattern(n *yaml.Node) string {
	s := r.text(n, "pattern")
	if _, err := regexp.Compile(s); err != nil {
		r.fail(n, "pattern "+quoted(s)+" isn't a regular expression: "+regexpError(err), "")
		return ""
	}
	return s
}

func regexpError(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

func (p *fileParser) checkDefault(r *reader, q Param, def *yaml.Node) {
	if def == nil || !q.HasDefault {
		return
	}
	if q.Secret {
		r.fail(def, "the secret parameter "+q.Name+" has a default: it would be no secret", "remove the default; it is asked for")
		return
	}
	if q.derived() {
		p.references(r.pos(def), q.Default, false)
		return
	}
	if err := q.Validate(q.Default); err != nil {
		r.fail(def, "the default of "+q.Name+" isn't allowed: "+err.Error(), "")
	}
}

func (p *fileParser) protect(r *reader, n *yaml.Node) {
	q := Protect{Pos: r.pos(n)}
	ok := r.fields(n, "an entry of protects", protectKeys, func(key string, v *yaml.Node) {
		s := r.text(v, key)
		p.references(r.pos(v), s, false)
		switch key {
		case "name":
			q.Name = s
		case "secret":
			q.Secret = s
		case "key":
			q.Key = s
		case "vault":
			q.Vault = s
		case "property":
			q.Property = s
		case "cost":
			q.Cost = s
		}
	})
	switch {
	case !ok:
		return
	case q.Secret == "" && q.Vault == "":
		r.fail(n, "nothing is protected here: neither a Secret nor a Vault entry is named", "add `secret: namespace/name` and `key:`, or `vault: mount/path` and `property:`")
	case q.Secret != "" && q.Key == "":
		r.fail(n, "which key of the Secret is protected isn't said", "add `key:`")
	case q.Secret != "" && strings.Count(q.Secret, "/") != 1:
		r.fail(n, "secret "+quoted(q.Secret)+" must be namespace/name", "write it like `${NAMESPACE}/name`")
	case q.Vault != "" && q.Property == "":
		r.fail(n, "which property of the Vault entry is protected isn't said", "add `property:`")
	case q.Vault != "" && !strings.Contains(q.Vault, "/"):
		r.fail(n, "vault "+quoted(q.Vault)+" must be mount/path", "")
	}
	if q.Name == "" {
		q.Name = strings.TrimSpace(q.Key + " " + q.Property)
	}
	p.book.Protects = append(p.book.Protects, q)
}
