package steps

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A note is one annotation of ours: what stands in a `<!-- step … -->` or
// `<!-- fault … -->` comment.
type note struct {
	line  int // of the comment
	last  int
	pos   Pos
	step  *Step    // the fields that the annotation sets, for step
	fault *Fault   // for fault
	keys  []string // that it sets, for step
}

// has tells whether the annotation sets a key.
func (n *note) has(key string) bool { return slices.Contains(n.keys, key) }

// onlyWhen tells an annotation of a heading that makes a choice from one that
// makes a step.
func (n *note) onlyWhen() bool { return len(n.keys) == 1 && n.has("when") }

var (
	stepKeys = []string{"id", "when", "done", "before", "expect", "within", "watch", "risk", "cost", "interactive",
		"background", "timeout", "shell", "undo", "manual"}
	faultKeys = []string{"id", "when", "log", "event", "container", "of"}
)

// readNotes reads the comments that are annotations. Comments of other tools
// are left alone; what looks like a misspelt annotation is an error, because
// an annotation that silently does nothing is worse than none.
func (p *fileParser) readNotes() {
	for i := range p.scan.comments {
		c := &p.scan.comments[i]
		body := p.doc.text[c.start:c.end]
		word, n := firstWord(body)
		if !c.closed {
			p.unclosedComment(c, word)
			continue
		}
		switch low := strings.ToLower(word); {
		case word == "step" || word == "fault":
			p.readNote(c, word, body, n)
		case low == "runbook" || low == "step" || low == "fault" || misspelt(low, body[n:]):
			p.fail(p.place(c.start), "unknown-annotation", "there is no annotation "+quoted(word),
				suggestion(low, []string{"step", "fault"}))
		}
	}
}

// misspelt tells a slip in `step` or `fault` from a comment that is none of
// our business: one of our keys must follow.
func misspelt(word, rest string) bool {
	if distance(word, "step") > 1 && distance(word, "fault") > 1 && word != "steps" && word != "faults" {
		return false
	}
	return hasKey(rest)
}

func hasKey(body string) bool {
	for line := range strings.Lines(body) {
		key, _, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		for _, k := range stepKeys {
			if k == key {
				return true
			}
		}
		if key == "log" || key == "event" {
			return true
		}
	}
	return false
}

func (p *fileParser) unclosedComment(c *comment, word string) {
	severity := Warning
	if word == "step" || word == "fault" {
		severity = Error
	}
	p.report(Diagnostic{Line: c.open + 1, Col: 1, Severity: severity, Rule: "unclosed-comment",
		Message: "this comment is never closed and hides the rest of the file", Hint: "close it with -->"})
}

// firstWord returns the first word of a comment, and where it ends.
func firstWord(s string) (string, int) {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n') {
		i++
	}
	n := i
	for n < len(s) && (isWord(s[n]) || s[n] == '-') {
		n++
	}
	return s[i:n], n
}

// place turns an offset into a position.
func (p *fileParser) place(offset int) Pos {
	line := p.doc.lineAt(offset)
	return Pos{Line: line + 1, Col: offset - p.doc.starts[line] + 1}
}

func (p *fileParser) readNote(c *comment, word, body string, n int) {
	at := p.place(c.start + n)
	s := cut(body[n:], at.Line-1, at.Col-1)
	if rest := strings.TrimSpace(body[n:]); word == "step" && !p.declared && rest != "" && !hasKey(rest) && !strings.HasPrefix(body[n:], "\n") {
		p.report(Diagnostic{Line: at.Line, Col: 1, Severity: Warning, Rule: "unknown-annotation",
			Message: "this comment starts like an annotation but has none of its keys, and is ignored"})
		return
	}
	nt := note{line: c.open, last: c.last, pos: p.place(c.start + n - len(word))}
	root, ok := p.yaml.read(s.text), true
	if root == nil {
		root, ok = p.node(&s, "annotation")
	}
	if !ok {
		return
	}
	r := &reader{p: p, s: &s, rule: "annotation"}
	if word == "step" {
		nt.step = &Step{}
		if root != nil {
			r.fields(root, "step", stepKeys, func(key string, v *yaml.Node) {
				nt.keys = append(nt.keys, key)
				p.stepField(r, nt.step, key, v)
			})
		}
	} else {
		nt.fault = &Fault{Line: c.open + 1}
		p.readFault(r, &nt, root)
	}
	p.notes = append(p.notes, nt)
}

func (p *fileParser) stepField(r *reader, s *Step, key string, v *yaml.Node) {
	switch key {
	case "id":
		s.ID = r.identifier(v)
	case "when":
		s.When = p.when(r, v)
	case "done":
		if list := p.expectations(r, v, key); len(list) > 0 {
			s.Done = &list[0]
			if len(list) > 1 {
				r.fail(v, "done takes one expectation", "put the others under `expect`")
			}
		}
	case "before":
		s.Before = p.expectations(r, v, key)
	case "expect":
		s.Expect = p.expectations(r, v, key)
	case "within":
		s.Within = r.duration(v, key)
	case "watch":
		s.Watch = p.subjects(r, v)
	case "risk":
		s.Risk = p.risk(r, v)
	case "cost":
		s.Cost = r.text(v, key)
		p.references(r.pos(v), s.Cost, false)
	case "interactive":
		s.Interactive = r.boolean(v, key)
	case "background":
		s.Background = r.boolean(v, key)
	case "timeout":
		s.Timeout = r.duration(v, key)
	case "shell":
		s.Shell = r.oneOf(v, key, "bash", "sh", "zsh")
	case "undo":
		s.Undo = r.text(v, key)
	case "manual":
		s.Manual = r.boolean(v, key)
	}
}

// risk reads the class that the author raises a step to. A document can raise
// its own guard, never lower it.
func (p *fileParser) risk(r *reader, v *yaml.Node) string {
	switch s := r.text(v, "risk"); s {
	case "destroy", "rotate", "interrupt":
		return s
	case "read", "write", "unknown", "none", "safe":
		r.fail(v, "risk can't be "+quoted(s)+": an annotation raises the class of a step, it never lowers it",
			"use destroy, rotate or interrupt, or leave it out")
	default:
		r.fail(v, "risk can't be "+quoted(s), suggestion(s, []string{"destroy", "rotate", "interrupt"}))
	}
	return ""
}

func (r *reader) identifier(v *yaml.Node) string {
	s := r.text(v, "id")
	for i := range len(s) {
		if !isWord(s[i]) && s[i] != '-' && s[i] != '.' {
			r.fail(v, "the id "+quoted(s)+" has characters that a command line can't take as they are", "use letters, digits, -, _ and .")
			return ""
		}
	}
	if s == "" {
		r.fail(v, "the id is empty", "leave it out, or name the step")
	}
	return s
}

// when reads `PARAM == value` or `PARAM != value`.
func (p *fileParser) when(r *reader, v *yaml.Node) *When {
	text := strings.TrimSpace(r.text(v, "when"))
	w := &When{Text: text}
	name, value, ok := strings.Cut(text, "==")
	if !ok {
		name, value, w.Negate = cutNot(text)
		ok = w.Negate
	}
	w.Param, w.Value = strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"'`)
	if !ok || !paramName.MatchString(w.Param) {
		r.fail(v, "when must compare a parameter with a value, and is "+quoted(text), "write it like `VARIANT == external-secrets`")
		return nil
	}
	q := p.book.Param(w.Param)
	switch {
	case q == nil:
		r.fail(v, "when names the parameter "+quoted(w.Param)+", which there is none of", suggestion(w.Param, p.paramNames()))
		return nil
	case q.Secret:
		r.fail(v, "when can't depend on the secret parameter "+quoted(w.Param), "")
		return nil
	}
	if err := q.Validate(w.Value); err != nil {
		r.fail(v, "when can never be decided by "+quoted(w.Value)+": "+err.Error(), suggestion(w.Value, q.Choices))
	}
	return w
}

func cutNot(text string) (string, string, bool) { return strings.Cut(text, "!=") }

func (p *fileParser) paramNames() []string {
	var names []string
	for _, q := range p.book.Params {
		names = append(names, q.Name)
	}
	return names
}

// expectations reads sentences. A list entry `cel: …` is a mapping to YAML and
// a sentence to us.
func (p *fileParser) expectations(r *reader, v *yaml.Node, key string) []Expectation {
	var list []Expectation
	r.each(v, func(n *yaml.Node) {
		var text string
		if n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == "cel" {
			text = "cel: " + r.text(n.Content[1], "cel")
		} else if text = r.text(n, key); text == "" {
			if n.Kind == yaml.ScalarNode {
				r.fail(n, key+" is empty", "write a sentence like `secret/name exists`, or leave it out")
			}
			return
		}
		e, err := ParseExpectation(text, r.pos(n))
		if err != nil {
			p.failWith("expectation", err)
			return
		}
		p.references(e.Pos, e.Text, false)
		list = append(list, e)
	})
	return list
}

func (p *fileParser) subjects(r *reader, v *yaml.Node) []Subject {
	var list []Subject
	r.each(v, func(n *yaml.Node) {
		text := r.text(n, "watch")
		if text == "" {
			return
		}
		s, err := ParseSubject(text, r.pos(n))
		if err != nil {
			p.failWith("expectation", err)
			return
		}
		p.references(r.pos(n), text, false)
		list = append(list, s)
	})
	return list
}
