package steps

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// A snippet is a piece of YAML inside a runbook, with what is needed to tell
// where in the file a node of it stands.
type snippet struct {
	text string
	line int   // line of the file, from 0, that the first line of text is from
	cols []int // columns cut off each line
}

func (s *snippet) pos(line, col int) Pos {
	if i := line - 1; i >= 0 && i < len(s.cols) {
		col += s.cols[i]
	}
	return Pos{Line: s.line + line, Col: max(col, 1)}
}

// cut makes a snippet of text that starts at column col of a line. Its lines
// are dedented by what they have in common; the first one, which may follow a
// keyword, on its own.
func cut(text string, line, col int) snippet {
	head, rest, more := strings.Cut(text, "\n")
	least := -1
	for l := range strings.SplitSeq(rest, "\n") {
		if n := indentOf(l); (least < 0 || n < least) && !blank(l) {
			least = n
		}
	}
	least = max(least, 0)
	n := indentOf(head)
	if n == 0 && least == 0 {
		return snippet{text: text, line: line, cols: []int{col}}
	}
	s := snippet{line: line, cols: []int{col + n}}
	var b strings.Builder
	b.WriteString(head[n:])
	if more {
		for l := range strings.SplitSeq(rest, "\n") {
			n := min(indentOf(l), least)
			b.WriteByte('\n')
			b.WriteString(l[n:])
			s.cols = append(s.cols, n)
		}
	}
	s.text = b.String()
	return s
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

var yamlErrorLine = regexp.MustCompile(`^yaml: (?:unmarshal errors:\n  )?line (\d+): (.*)`)

// node parses the snippet and returns its root, or nil for an empty one.
func (p *fileParser) node(s *snippet, rule string) (*yaml.Node, bool) {
	var doc yaml.Node
	err := yaml.Unmarshal([]byte(s.text), &doc)
	if err == nil {
		if len(doc.Content) == 0 {
			return nil, true
		}
		return doc.Content[0], true
	}
	line, text := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlErrorLine.FindStringSubmatch(err.Error()); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	lines := strings.Split(s.text, "\n")
	line = min(max(line, 1), len(lines))
	hint := ""
	switch {
	case strings.Contains(text, "did not find expected ',' or") && strings.Contains(s.text, "${"):
		hint = "inside [ ] and { }, put text with ${…} into quotes"
	case strings.Contains(text, "mapping values"):
		hint = "put text that contains a colon and a blank into quotes"
	case strings.Contains(text, "character that cannot start any token"), strings.Contains(text, "did not find expected"):
		hint = "put text that starts with a special character into quotes"
	}
	p.report(Diagnostic{Line: s.line + line, Col: s.pos(line, 1).Col, Severity: Error, Rule: rule,
		Message: "this isn't YAML: " + text, Hint: hint})
	return nil, false
}

// A reader reads the nodes of one snippet and reports what doesn't fit.
type reader struct {
	p    *fileParser
	s    *snippet
	rule string // of what it reports
}

func (r *reader) pos(n *yaml.Node) Pos { return r.s.pos(n.Line, n.Column) }

func (r *reader) fail(n *yaml.Node, text, hint string) {
	pos := r.pos(n)
	r.p.report(Diagnostic{Line: pos.Line, Col: pos.Col, Severity: Error, Rule: r.rule, Message: text, Hint: hint})
}

// fields calls f for each key of a mapping that is allowed, in the order of
// the file, and reports the others, and keys that occur twice.
func (r *reader) fields(n *yaml.Node, what string, allowed []string, f func(key string, v *yaml.Node)) bool {
	n = resolveAlias(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, what+" must be a mapping of keys to values", "keys: "+strings.Join(allowed, ", "))
		return false
	}
	var seen uint64 // a bit for each of allowed, which are few
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], resolveAlias(n.Content[i+1])
		which := slices.Index(allowed, k.Value)
		switch {
		case which < 0:
			r.failKey(k, what, allowed)
		case seen&(1<<which) != 0:
			r.fail(k, "the key "+quoted(k.Value)+" occurs twice in "+what, "remove one of them")
		default:
			seen |= 1 << which
			f(k.Value, v)
		}
	}
	return true
}

func (r *reader) failKey(k *yaml.Node, what string, allowed []string) {
	pos := r.pos(k)
	r.p.report(Diagnostic{Line: pos.Line, Col: pos.Col, Severity: Error, Rule: "unknown-key",
		Message: what + " has no key " + quoted(k.Value), Hint: suggestion(k.Value, allowed)})
}

// resolveAlias follows one alias; yaml.v3 refuses those that contain themselves.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// text reads a scalar as it is written.
func (r *reader) text(n *yaml.Node, key string) string {
	if n.Kind != yaml.ScalarNode {
		hint := "write it on one line"
		if n.Kind == yaml.MappingNode && n.Style == yaml.FlowStyle {
			hint = "put text that starts with { into quotes"
		}
		r.fail(n, key+" must be text", hint)
		return ""
	}
	if n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

func (r *reader) boolean(n *yaml.Node, key string) bool {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!bool" {
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	}
	r.fail(n, key+" must be true or false", "")
	return false
}

func (r *reader) number(n *yaml.Node, key string, least, most int) int {
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || v < least || v > most {
		r.fail(n, key+" must be a number from "+itoa(least)+" to "+itoa(most), "")
		return 0
	}
	return v
}

func (r *reader) duration(n *yaml.Node, key string) time.Duration {
	d, err := parseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d <= 0 {
		r.fail(n, key+" must be a duration above zero", "write it like 90s, 2m, 1h30m or 21d")
		return 0
	}
	return d
}

// oneOf reads a scalar that must be one of a few words.
func (r *reader) oneOf(n *yaml.Node, key string, words ...string) string {
	s := r.text(n, key)
	if s == "" && n.Kind != yaml.ScalarNode {
		return ""
	}
	if !slices.Contains(words, s) {
		r.fail(n, key+" can't be "+quoted(s), suggestion(s, words))
		return ""
	}
	return s
}

// each calls f for every item of a list, or for the node itself: a list of one
// needs no dash.
func (r *reader) each(n *yaml.Node, f func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		f(n)
		return
	}
	for _, c := range n.Content {
		f(resolveAlias(c))
	}
}

func (r *reader) texts(n *yaml.Node, key string) []string {
	var out []string
	r.each(n, func(c *yaml.Node) {
		if s := r.text(c, key); s != "" {
			out = append(out, s)
		}
	})
	return out
}

// parseDuration reads a Go duration that may also count days ("21d").
func parseDuration(s string) (time.Duration, error) {
	if days, rest, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.Atoi(days)
		if err == nil && n >= 0 && n < 100_000 {
			d := time.Duration(n) * 24 * time.Hour
			if rest == "" {
				return d, nil
			}
			more, err := time.ParseDuration(rest)
			return d + more, err
		}
	}
	return time.ParseDuration(s)
}

func quoted(s string) string { return "`" + s + "`" }
