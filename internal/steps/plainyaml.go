package steps

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// A plainYAML reads what almost all annotations are: keys with one line of
// text each, or with a list of such lines. It gives the nodes that a YAML
// parser would; what it isn't sure of, it leaves to one. The nodes are good
// until the next call.
type plainYAML struct {
	nodes   []yaml.Node
	content []*yaml.Node
	items   []*yaml.Node // of the list being read
	list    *yaml.Node   // the list being read, or that a key waits for
	column  int          // where its dashes stand; 0 before the first
}

// read returns the mapping that text holds, or nil.
func (y *plainYAML) read(text string) *yaml.Node {
	most := 2*strings.Count(text, "\n") + 4
	if cap(y.nodes) < most {
		y.nodes, y.content, y.items = make([]yaml.Node, 0, most), make([]*yaml.Node, 0, most), make([]*yaml.Node, 0, most)
	}
	y.nodes, y.content, y.items, y.list = y.nodes[:0], y.content[:0], y.items[:0], nil
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		line = strings.TrimRight(line, " ")
		if line != "" && !y.line(line, n) {
			return nil
		}
	}
	if len(y.content) == 0 || !y.endList() {
		return nil
	}
	first := y.content[0]
	root := y.node(yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: first.Line, Column: first.Column})
	root.Content = y.content
	return root
}

func (y *plainYAML) node(n yaml.Node) *yaml.Node {
	y.nodes = append(y.nodes, n)
	return &y.nodes[len(y.nodes)-1]
}

func (y *plainYAML) line(line string, n int) bool {
	if c := line[0]; c == ' ' || c == '-' {
		return y.item(line, n)
	}
	end := 0
	for end < len(line) && isLetter(line[end]) {
		end++
	}
	const longestKey = 1000 // YAML takes no more than 1024 characters for a key of one line
	if end == 0 || end > longestKey || end == len(line) || line[end] != ':' || !y.endList() {
		return false
	}
	key := line[:end]
	if tagOf(key) != "!!str" {
		return false
	}
	y.content = append(y.content, y.node(yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: n, Column: 1}))
	if end++; end == len(line) {
		y.list, y.column = y.node(yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}), 0
		y.content = append(y.content, y.list)
		return true
	}
	v := y.scalar(line, end, n)
	y.content = append(y.content, v)
	return v != nil
}

// item reads a line of a list.
func (y *plainYAML) item(line string, n int) bool {
	at := len(line) - len(strings.TrimLeft(line, " "))
	if y.list == nil || line[at] != '-' || at+1 == len(line) || y.column != 0 && y.column != at+1 {
		return false
	}
	if y.column == 0 {
		y.column = at + 1
		y.list.Line, y.list.Column = n, at+1
	}
	v := y.scalar(line, at+1, n)
	y.items = append(y.items, v)
	return v != nil
}

// endList ends the list, if there is one. A key without anything is left to
// the parser.
func (y *plainYAML) endList() bool {
	if y.list == nil {
		return true
	}
	y.list.Content = y.items[:len(y.items):len(y.items)]
	y.items, y.list = y.items[len(y.items):], nil
	return y.column != 0
}

// scalar reads the value behind the colon or dash that ends at a byte of a line.
func (y *plainYAML) scalar(line string, at, n int) *yaml.Node {
	value := strings.TrimLeft(line[at:], " ")
	start := len(line) - len(value)
	if start == at {
		return nil
	}
	v := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: n, Column: start + 1}
	for i := range len(value) {
		if value[i] < ' ' || value[i] >= 0x7f {
			return nil
		}
	}
	switch c := value[0]; {
	case c == '"' || c == '\'':
		v.Value = strings.TrimPrefix(strings.TrimSuffix(value, value[:1]), value[:1])
		if len(value) != len(v.Value)+2 || strings.IndexByte(v.Value, c) >= 0 || strings.IndexByte(v.Value, '\\') >= 0 {
			return nil
		}
		v.Style = yaml.SingleQuotedStyle
		if c == '"' {
			v.Style = yaml.DoubleQuotedStyle
		}
	case strings.HasSuffix(value, ":") || strings.Contains(value, ": ") || strings.Contains(value, " #"):
		return nil
	default:
		if v.Tag = tagOf(value); v.Tag == "" {
			return nil
		}
	}
	return y.node(v)
}

// tagOf returns the type that YAML takes plain text for, or "" when that takes
// more than a look.
func tagOf(value string) string {
	switch c := value[0]; {
	case c >= '0' && c <= '9':
		last := len(value) - 1
		if strings.Trim(value[:last], "0123456789") == "" && strings.IndexByte("smhd", value[last]) >= 0 {
			return "!!str" // a duration
		}
		return ""
	case !isLetter(c) && c != '/' && c != '$':
		return ""
	}
	if len(value) > len("false") {
		return "!!str"
	}
	switch value {
	case "true", "false":
		return "!!bool"
	}
	switch strings.ToLower(value) {
	case "true", "false", "null":
		return ""
	}
	return "!!str"
}
