package vault

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// A filler carries out templates, each after those that it names.
type filler struct {
	specs  map[string]Spec
	values map[string]Secret
	state  map[string]visit
}

type visit int

const (
	unseen visit = iota
	underway
	finished
)

func (f *filler) visit(name string, from []string) error {
	spec := f.specs[name]
	if spec.Template == "" || f.state[name] == finished {
		return nil
	}
	from = append(slices.Clone(from), name)
	if f.state[name] == underway {
		return fmt.Errorf("fill %q: its template needs itself: %s", name, strings.Join(from, " → "))
	}
	f.state[name] = underway
	t, needs, err := parseTemplate(spec.Template)
	if err != nil {
		return fmt.Errorf("fill %q: %w", name, err)
	}
	for _, need := range needs {
		if _, ok := f.specs[need]; !ok {
			return fmt.Errorf("fill %q: its template names %q, and there is no such key beside it", name, need)
		}
		if err := f.visit(need, from); err != nil {
			return err
		}
	}
	v, err := f.execute(t, needs)
	if err != nil {
		return fmt.Errorf("fill %q: %w", name, err)
	}
	f.values[name], f.state[name] = v, finished
	return nil
}

func (f *filler) execute(t *template.Template, needs []string) (Secret, error) {
	data := map[string]string{}
	for _, n := range needs {
		data[n] = f.values[n].Reveal()
	}
	var out strings.Builder
	if err := t.Execute(&out, data); err != nil {
		// What text/template says may quote what it worked on.
		return Secret{}, errors.New("its template can't be carried out on these values")
	}
	return NewSecret(out.String()), nil
}

// parseTemplate returns the template and the keys that it names.
func parseTemplate(text string) (*template.Template, []string, error) {
	t, err := template.New("value").Option("missingkey=error").Funcs(template.FuncMap{
		"b64enc": func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	}).Parse(text)
	if err != nil {
		return nil, nil, errors.New(strings.TrimPrefix(err.Error(), "template: value:"))
	}
	var w walker
	if t.Tree != nil {
		w.node(t.Tree.Root)
	}
	slices.Sort(w.names)
	return t, slices.Compact(w.names), w.err
}

// A walker collects the names in a template: .name, $.name and
// index . "some-name", the form for names with a dash. What moves the dot is
// refused, so that a name always means a key.
type walker struct {
	names []string
	err   error
}

func (w *walker) node(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			w.node(c)
		}
	case *parse.ActionNode:
		w.node(n.Pipe)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			w.command(c)
		}
	case *parse.IfNode:
		w.node(n.Pipe)
		w.node(n.List)
		w.node(n.ElseList)
	case *parse.FieldNode:
		w.names = append(w.names, strings.Join(n.Ident, "."))
	case *parse.VariableNode:
		if len(n.Ident) > 1 {
			w.names = append(w.names, strings.Join(n.Ident[1:], "."))
		}
	case *parse.RangeNode, *parse.WithNode, *parse.TemplateNode:
		w.err = fmt.Errorf("its template can have values, pipes and if, but not %q", n.String())
	}
}

func (w *walker) command(c *parse.CommandNode) {
	if id, ok := c.Args[0].(*parse.IdentifierNode); ok && id.Ident == "index" {
		if len(c.Args) == 3 {
			if s, ok := c.Args[2].(*parse.StringNode); ok {
				w.names = append(w.names, s.Text)
				return
			}
		}
		// index gives "" for a name that isn't there, so it must be known here.
		w.err = errors.New(`its template can use index only as index . "name"`)
		return
	}
	for _, a := range c.Args {
		w.node(a)
	}
}
