package steps

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readManifests cuts the documents behind the head and checks that each names
// what it is.
func (p *fileParser) readManifests(f *fence, a *Action, lines []string, line int) {
	for i := 0; i < len(lines); {
		i++ // the --- line
		first := i
		for i < len(lines) && strings.TrimRight(lines[i], " ") != "---" {
			i++
		}
		text := joinLines(lines[first:i])
		if blank(text) {
			continue
		}
		m := Manifest{Text: text, Line: line + first + 1}
		if p.checkManifest(m, f.indent) {
			a.Manifests = append(a.Manifests, m)
		}
	}
}

func (p *fileParser) checkManifest(m Manifest, indent int) bool {
	n := strings.Count(m.Text, "\n")
	s := &snippet{text: m.Text, line: m.Line - 1, cols: columns(n, indent)}
	root, ok := p.node(s, "manifest")
	if !ok || root == nil {
		return false
	}
	have := map[string]bool{}
	r := &reader{p: p, s: s, rule: "manifest"}
	if root.Kind != yaml.MappingNode {
		r.fail(root, "a manifest must be a mapping", "")
		return false
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		have[root.Content[i].Value] = true
	}
	for _, key := range []string{"apiVersion", "kind", "metadata"} {
		if !have[key] {
			r.fail(root, "this manifest has no "+quoted(key), "")
			return false
		}
	}
	eachScalar(root, func(v *yaml.Node) { p.references(r.pos(v), v.Value, false) })
	return true
}

// eachScalar calls f for every scalar below a node, keys included. Aliases are
// not followed: what they stand for is visited where it is written.
func eachScalar(n *yaml.Node, f func(*yaml.Node)) {
	if n.Kind == yaml.ScalarNode {
		f(n)
	}
	for _, c := range n.Content {
		eachScalar(c, f)
	}
}

// bindManifest fills parameters into the scalars of a parsed manifest: a value
// with quotes or newlines stays one value.
func bindManifest(m Manifest, v Values) (Manifest, error) {
	if !strings.Contains(m.Text, "${") {
		return m, nil
	}
	dec := yaml.NewDecoder(strings.NewReader(m.Text))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return m, err
	}
	eachScalar(&doc, func(n *yaml.Node) {
		text := fill(n.Value, v, nil)
		if text == n.Value {
			return
		}
		n.Value = text
		if n.Style == 0 && n.Tag == "!!str" {
			retag(n)
		}
	})
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
		return m, err
	}
	m.Text = b.String()
	return m, nil
}

// retag gives a plain scalar the type that its text has now, so that
// `replicas: ${N}` becomes a number. A quoted one stays text.
func retag(n *yaml.Node) {
	var probe yaml.Node
	if strings.ContainsAny(n.Value, "\n:#{}[]&*!|>'\"%@`,") {
		return
	}
	if yaml.Unmarshal([]byte(n.Value), &probe) == nil && len(probe.Content) == 1 && probe.Content[0].Kind == yaml.ScalarNode {
		switch tag := probe.Content[0].Tag; tag {
		case "!!int", "!!bool", "!!float":
			n.Tag = tag
		}
	}
}
