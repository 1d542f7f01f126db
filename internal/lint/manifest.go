package lint

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"runbook/internal/steps"
)

// manifest yields every text of a manifest: the kind and the keys above it, its
// own key, and where it stands in the file.
func (p *pass) manifest(m steps.Manifest, f func(path []string, key, value string, at steps.Pos)) {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(m.Text), &doc) != nil || len(doc.Content) == 0 {
		return // the parser has said so
	}
	root := doc.Content[0]
	kind := ""
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "kind" {
			kind = root.Content[i+1].Value
		}
	}
	var walk func(n *yaml.Node, key string, path []string)
	walk = func(n *yaml.Node, key string, path []string) {
		switch n.Kind {
		case yaml.ScalarNode:
			first, _, _ := strings.Cut(n.Value, "\n")
			f(path, key, n.Value, p.find(m.Line+n.Line-1, first))
		case yaml.SequenceNode:
			for _, item := range n.Content {
				walk(item, key, path)
			}
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				next := path
				if n.Content[i+1].Kind != yaml.ScalarNode {
					next = append(path[:len(path):len(path)], n.Content[i].Value)
				}
				walk(n.Content[i+1], n.Content[i].Value, next)
			}
		}
	}
	walk(root, "", []string{kind})
}

// manifests yields every text of every manifest.
func (p *pass) manifests(f func(path []string, key, value string, at steps.Pos)) {
	for _, s := range p.book.Steps {
		for _, b := range s.Blocks {
			if b.Action == nil {
				continue
			}
			for _, m := range b.Action.Manifests {
				p.manifest(m, f)
			}
		}
	}
}
