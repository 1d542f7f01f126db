package steps

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// A fileParser carries what is known while one file is read.
type fileParser struct {
	book         *Runbook
	doc          *document
	first        int  // line behind the front matter
	frontOver    bool // it has been read
	declared     bool // front matter says that this is a runbook
	foreignTitle string

	scan  *scanner
	heads []headline
	notes []note
	refs  []ref
	shell *shellReader
	yaml  plainYAML
	said  map[flaw]bool
	lines []string        // the memory of [fileParser.body]
	vars  map[string]bool // what [fileParser.assigned] found out
}

// Parse reads a runbook, and keeps src. It never fails: what is wrong with the file stands in
// Diagnostics, and [Runbook.Err] tells whether it can be used.
func Parse(path string, src []byte) *Runbook {
	p := &fileParser{
		book:  &Runbook{Path: path},
		shell: newShellReader(),
		said:  map[flaw]bool{},
		vars:  map[string]bool{},
	}
	p.book.Source = normalise(src)
	text := string(p.book.Source)
	p.doc = newDocument(text)
	p.book.lines = p.doc.starts
	switch {
	case !isText(p.book.Source):
		p.report(Diagnostic{Line: 1, Col: 1, Severity: Error, Rule: "not-text",
			Message: "this isn't a text file", Hint: "a runbook is Markdown in UTF-8"})
		return p.book
	case strings.TrimSpace(text) == "":
		p.report(Diagnostic{Line: 1, Col: 1, Severity: Error, Rule: "empty-file", Message: "the file is empty"})
		return p.book
	}
	p.first = p.frontMatter()
	p.frontOver = true
	for _, r := range p.refs {
		p.checkReference(r)
	}
	if line := tooDeepLine(p.doc, p.first); line > 0 {
		p.report(Diagnostic{Line: line, Col: 1, Severity: Error, Rule: "too-deep",
			Message: "this line is nested too deeply to be read", Hint: "remove quote or list marks"})
		return p.book
	}
	o := outlineOf(p.doc, p.book.Source, p.first)
	p.scan = scan(p.doc, p.first, o.hidden)
	agree(p.scan, o)
	p.heads = headlines(p.scan, o)
	p.readNotes()
	p.judgeFences()
	p.assemble(o)
	p.finish()
	return p.book
}

// finish settles what only the whole file tells.
func (p *fileParser) finish() {
	b := p.book
	if b.Title == "" {
		b.Title = p.title()
	}
	if len(b.Steps) == 0 && len(b.Faults) == 0 {
		p.report(Diagnostic{Line: 1, Col: 1, Severity: Error, Rule: "no-steps",
			Message: "no step was found: there is no heading or numbered item with commands below it",
			Hint:    "put commands into a fence that starts with ```sh"})
	}
	slices.SortStableFunc(b.Diagnostics, func(x, y Diagnostic) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
	})
}

func (p *fileParser) title() string {
	for _, h := range p.heads {
		if h.level == 1 && h.text != "" {
			return h.text
		}
	}
	switch {
	case p.foreignTitle != "":
		return p.foreignTitle
	case len(p.heads) > 0 && p.heads[0].text != "":
		return p.heads[0].text
	}
	return strings.TrimSuffix(filepath.Base(p.book.Path), filepath.Ext(p.book.Path))
}

// report adds a diagnostic; its place is kept inside the file.
func (p *fileParser) report(d Diagnostic) {
	d.Path = p.book.Path
	d.Line = min(max(d.Line, 1), max(p.doc.count(), 1))
	d.Col = max(d.Col, 1)
	if d.Line <= p.doc.count() {
		d.Col = min(d.Col, len(p.doc.line(d.Line-1))+1)
	}
	p.book.Diagnostics = append(p.book.Diagnostics, d.OneLine())
}

func (p *fileParser) fail(pos Pos, rule, text, hint string) {
	p.report(Diagnostic{Line: pos.Line, Col: pos.Col, Severity: Error, Rule: rule, Message: text, Hint: hint})
}

// failWith reports an error of a sentence where it says it is.
func (p *fileParser) failWith(rule string, err error) {
	var e *ParseError
	if errors.As(err, &e) {
		p.fail(e.Pos, rule, e.Text, e.Hint)
	}
}

// An InvalidError says that a runbook can't be used: it holds the diagnostics
// that are errors, in the order of the file.
type InvalidError struct {
	Diagnostics []Diagnostic
}

func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns an [*InvalidError] when the runbook has errors, else nil.
func (r *Runbook) Err() error {
	var bad []Diagnostic
	for _, d := range r.Diagnostics {
		if d.Severity == Error {
			bad = append(bad, d)
		}
	}
	if bad == nil {
		return nil
	}
	return &InvalidError{Diagnostics: bad}
}

// Param returns the parameter with a name, or nil.
func (r *Runbook) Param(name string) *Param {
	for i := range r.Params {
		if r.Params[i].Name == name {
			return &r.Params[i]
		}
	}
	return nil
}

// A ref is a text that may refer to parameters.
type ref struct {
	pos    Pos
	text   string
	hidden bool // a secret's value may stand here
}

// references checks the parameters that a text refers to: at once, or at the
// end of the front matter, when all of them are known.
func (p *fileParser) references(pos Pos, text string, hidden bool) {
	if !strings.Contains(text, "${") {
		return
	}
	r := ref{pos: pos, text: text, hidden: hidden}
	if p.frontOver {
		p.checkReference(r)
		return
	}
	p.refs = append(p.refs, r)
}

func (p *fileParser) checkReference(r ref) {
	eachReference(r.text, func(name string, _ int) {
		q := p.book.Param(name)
		switch {
		case q == nil:
			p.fail(r.pos, "unknown-param", "there is no parameter "+quoted(name), suggestion(name, p.paramNames()))
		case q.Secret && !r.hidden:
			p.fail(r.pos, "secret-in-text", "the secret parameter "+quoted(name)+" would be shown here",
				"secrets may only be used in commands, and as data of vault: and secret: actions")
		}
	})
}
