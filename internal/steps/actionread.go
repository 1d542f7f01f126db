package steps

import (
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"go.yaml.in/yaml/v3"
)

// actionVerbs lists, for the first key of an action, the values it may have
// and the keys that may follow.
var actionVerbs = map[string]struct {
	verbs []ActionVerb
	keys  []string
}{
	"vault":  {[]ActionVerb{VaultCreate, VaultAdd, VaultRotate}, []string{"vault", "entry", "data", "property", "generate", "bytes"}},
	"secret": {[]ActionVerb{SecretCreate}, []string{"secret", "namespace", "name", "type", "data"}},
	"apply":  {[]ActionVerb{Apply}, []string{"apply"}},
	"wait":   {nil, []string{"wait", "within"}},
}

// readAction reads the body of a `yaml action` fence. It returns nil when
// there is nothing to carry out; what is wrong has then been reported.
func (p *fileParser) readAction(f *fence, lines []string) *Action {
	head, rest := lines, []string(nil)
	for i, l := range lines {
		if strings.TrimRight(l, " ") == "---" && i > 0 {
			head, rest = lines[:i], lines[i:]
			break
		}
	}
	s := &snippet{text: strings.Join(head, "\n"), line: f.open + 1, cols: columns(len(head), f.indent)}
	root, ok := p.node(s, "action")
	if !ok {
		return nil
	}
	r := &reader{p: p, s: s, rule: "action"}
	start := Pos{Line: f.open + 2, Col: f.indent + 1}
	if root == nil || root.Kind != yaml.MappingNode || len(root.Content) == 0 {
		p.fail(start, "action", "an action must start with `vault:`, `secret:`, `apply:` or `wait:`", "")
		return nil
	}
	a := &Action{Pos: r.pos(root)}
	before := len(p.book.Diagnostics)
	if !p.actionVerb(r, a, root) {
		return nil
	}
	p.actionRest(r, a, root)
	switch {
	case a.Verb == Apply:
		p.readManifests(f, a, rest, f.open+1+len(head))
	case len(rest) > 0:
		p.fail(Pos{Line: f.open + 2 + len(head), Col: 1}, "action", "only `apply: manifests` is followed by documents", "put each action into a fence of its own")
	}
	p.actionComplete(r, a, root)
	for _, d := range p.book.Diagnostics[before:] {
		if d.Severity == Error {
			return nil
		}
	}
	return a
}

func columns(n, col int) []int {
	cols := make([]int, n)
	for i := range cols {
		cols[i] = col
	}
	return cols
}

// actionVerb finds the verb among the keys; it needn't be the first.
func (p *fileParser) actionVerb(r *reader, a *Action, root *yaml.Node) bool {
	var known, words []string
	for key := range actionVerbs {
		known = append(known, key)
	}
	slices.Sort(known)
	for i := 0; i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		spec, ok := actionVerbs[k.Value]
		if !ok {
			continue
		}
		if k.Value == "wait" {
			a.Verb = Wait
			return true
		}
		for _, verb := range spec.verbs {
			word := strings.TrimPrefix(string(verb), k.Value+": ")
			words = append(words, word)
			if v.Value == word {
				a.Verb = verb
				return true
			}
		}
		r.fail(v, k.Value+" can't be "+quoted(v.Value), suggestion(v.Value, words))
		return false
	}
	k := root.Content[0]
	r.fail(k, "there is no action "+quoted(k.Value), suggestion(k.Value, known))
	return false
}

func (p *fileParser) actionRest(r *reader, a *Action, root *yaml.Node) {
	key, _, _ := strings.Cut(string(a.Verb), ":")
	rotated := ActionData{Generate: "base64", Bytes: 32, Pos: a.Pos}
	r.fields(root, "the action "+string(a.Verb), actionVerbs[key].keys, func(key string, v *yaml.Node) {
		switch key {
		case "entry":
			a.Entry = p.open(r, v, key)
		case "property":
			a.Property = p.open(r, v, key)
			rotated.Pos = r.pos(v)
		case "namespace":
			a.Namespace = p.open(r, v, key)
		case "name":
			a.Name = p.open(r, v, key)
		case "type":
			a.Type = p.open(r, v, key)
		case "data":
			p.actionData(r, a, v)
		case "generate":
			rotated.Generate = r.oneOf(v, key, generators...)
		case "bytes":
			rotated.Bytes = r.number(v, key, 8, 1024)
		case "wait":
			if list := p.expectations(r, v, key); len(list) == 1 {
				a.Wait = &list[0]
			} else if len(list) > 1 {
				r.fail(v, "wait takes one expectation", "use one action for each")
			}
		case "within":
			a.Within = r.duration(v, key)
		}
	})
	if a.Verb == VaultRotate && a.Property != "" && len(a.Data) == 0 {
		rotated.Key = a.Property
		a.Data = []ActionData{rotated}
	}
}

// open reads a text that is shown to people, so that no secret may be part of it.
func (p *fileParser) open(r *reader, v *yaml.Node, key string) string {
	s := r.text(v, key)
	p.references(r.pos(v), s, false)
	return s
}

// actionComplete reports what an action can't do without.
func (p *fileParser) actionComplete(r *reader, a *Action, root *yaml.Node) {
	need := func(missing bool, key, hint string) {
		if missing {
			r.fail(root, "the action "+string(a.Verb)+" lacks "+quoted(key), hint)
		}
	}
	switch a.Verb {
	case VaultCreate, VaultAdd:
		need(a.Entry == "", "entry", "write `entry: mount/path`")
		need(len(a.Data) == 0, "data", "")
		if a.Property != "" {
			r.fail(root, "`property` belongs to `vault: rotate`", "")
		}
	case VaultRotate:
		need(a.Entry == "", "entry", "write `entry: mount/path`")
		need(a.Property == "", "property", "name the one property that gets a new value")
		if len(a.Data) > 1 || len(a.Data) == 1 && a.Data[0].Key != a.Property {
			r.fail(root, "`vault: rotate` changes one property only", "leave `data` out, and say `generate` and `bytes`")
		}
	case SecretCreate:
		need(a.Name == "", "name", "")
		need(len(a.Data) == 0, "data", "")
	case Apply:
		need(len(a.Manifests) == 0, "manifests", "put them behind a line with ---")
	case Wait:
		need(a.Wait == nil, "wait", "")
	}
	if a.Entry != "" && (!strings.Contains(a.Entry, "/") || strings.HasPrefix(a.Entry, "/") || strings.HasSuffix(a.Entry, "/")) {
		r.fail(root, "entry "+quoted(a.Entry)+" must be mount/path", "")
	}
	p.checkTemplates(r, a, root)
}

var (
	generators = []string{"base64", "hex", "alphanumeric", "uuid"}
	dataKeys   = []string{"generate", "bytes", "template"}
)

func (p *fileParser) actionData(r *reader, a *Action, v *yaml.Node) {
	if v.Kind != yaml.MappingNode {
		r.fail(v, "data must be a mapping of keys to values", "")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(v.Content); i += 2 {
		k, n := v.Content[i], resolveAlias(v.Content[i+1])
		if seen[k.Value] {
			r.fail(k, "the key "+quoted(k.Value)+" occurs twice in data", "remove one of them")
			continue
		}
		seen[k.Value] = true
		d := ActionData{Key: k.Value, Pos: r.pos(k)}
		if n.Kind == yaml.ScalarNode {
			d.Literal = r.text(n, k.Value)
			p.references(r.pos(n), d.Literal, true)
		} else {
			p.generated(r, &d, n)
		}
		a.Data = append(a.Data, d)
	}
}

func (p *fileParser) generated(r *reader, d *ActionData, n *yaml.Node) {
	ok := r.fields(n, "the value of "+d.Key, dataKeys, func(key string, v *yaml.Node) {
		switch key {
		case "generate":
			d.Generate = r.oneOf(v, key, generators...)
		case "bytes":
			d.Bytes = r.number(v, key, 8, 1024)
		case "template":
			d.Template = r.text(v, key)
			p.references(r.pos(v), d.Template, true)
		}
	})
	switch {
	case !ok:
	case d.Template != "" && (d.Generate != "" || d.Bytes != 0):
		r.fail(n, "the value of "+d.Key+" is either generated or made from a template", "")
	case d.Template == "" && d.Generate == "" && d.Bytes != 0:
		r.fail(n, "how the value of "+d.Key+" is generated isn't said", "add `generate: base64`, `hex`, `alphanumeric` or `uuid`")
	case d.Generate == "uuid" && d.Bytes != 0:
		r.fail(n, "a uuid has no `bytes`", "leave it out")
	case d.Generate != "" && d.Generate != "uuid" && d.Bytes == 0:
		d.Bytes = 32
	}
}

// checkTemplates reports templates that can't be parsed, or that use a key
// which isn't there: both would only fail when the secret is written.
func (p *fileParser) checkTemplates(r *reader, a *Action, root *yaml.Node) {
	var keys []string
	for _, d := range a.Data {
		keys = append(keys, d.Key)
	}
	for _, d := range a.Data {
		if d.Template == "" {
			continue
		}
		t, err := template.New(d.Key).Parse(d.Template)
		if err != nil {
			p.fail(d.Pos, "action", "the template of "+d.Key+" can't be read: "+strings.TrimPrefix(err.Error(), "template: "), "")
			continue
		}
		if t.Tree == nil {
			continue
		}
		for _, name := range templateFields(t.Root) {
			if !slices.Contains(keys, name) {
				p.fail(d.Pos, "action", "the template of "+d.Key+" uses "+quoted(name)+", which isn't among the data", suggestion(name, keys))
			}
			if name == d.Key {
				p.fail(d.Pos, "action", "the template of "+d.Key+" uses itself", "")
			}
		}
	}
}

// templateFields lists the first names of the fields that a template uses.
func templateFields(n parse.Node) []string {
	var names []string
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, c := range n.Nodes {
			names = append(names, templateFields(c)...)
		}
	case *parse.ActionNode:
		names = templateFields(n.Pipe)
	case *parse.PipeNode:
		if n == nil {
			return nil
		}
		for _, c := range n.Cmds {
			for _, arg := range c.Args {
				names = append(names, templateFields(arg)...)
			}
		}
	case *parse.FieldNode:
		names = append(names, n.Ident[0])
	case *parse.IfNode:
		names = append(templateFields(n.Pipe), append(templateFields(n.List), templateFields(n.ElseList)...)...)
	}
	return names
}
