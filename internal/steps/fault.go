package steps

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Fault is a heading of a fault-finding runbook that says what can be wrong:
// a fault of the catalogue, or one with a test of its own.
type Fault struct {
	ID        string // stable name
	Catalogue bool   // ID is that of a fault of the catalogue; there is no own test
	Title     string
	Line      int    // of the annotation
	Text      string // Markdown that explains it, fences left out

	When      *Expectation // fires while it holds
	Log       string       // regular expression; fires when a line of the logs matches
	Container string       // whose logs; "" means any of the subject
	Event     string       // fires when an event has this reason
	Of        *Subject     // what Log and Event are looked for on; nil means the namespace of the run

	Steps []string // ids of the steps below the heading, which fix it
}

// Bind fills the parameters in.
func (f Fault) Bind(v Values) Fault {
	if f.When != nil {
		e := f.When.Bind(v)
		f.When = &e
	}
	if f.Of != nil {
		s := f.Of.Bind(v)
		f.Of = &s
	}
	f.Log = fill(f.Log, v, regexp.QuoteMeta)
	f.Container = fill(f.Container, v, nil)
	f.Event = fill(f.Event, v, nil)
	return f
}

func (p *fileParser) readFault(r *reader, nt *note, root *yaml.Node) {
	f := nt.fault
	if root == nil {
		p.fail(nt.pos, "annotation", "which fault is meant isn't said", "name one of the catalogue, or give it a `when:`, `log:` or `event:`")
		return
	}
	if root.Kind == yaml.ScalarNode {
		f.ID, f.Catalogue = r.identifier(root), true
		return
	}
	ok := r.fields(root, "fault", faultKeys, func(key string, v *yaml.Node) {
		nt.keys = append(nt.keys, key)
		p.faultField(r, f, key, v)
	})
	if !ok {
		return
	}
	own := f.When != nil || f.Log != "" || f.Event != ""
	f.Catalogue = f.ID != "" && !own
	switch {
	case !own && !f.Catalogue && !nt.has("when") && !nt.has("log") && !nt.has("event"):
		p.fail(nt.pos, "annotation", "this fault has no test", "name one of the catalogue with `id:`, or add `when:`, `log:` or `event:`")
	case (f.Of != nil || f.Container != "") && f.Log == "" && f.Event == "":
		p.fail(nt.pos, "annotation", "`of` and `container` say whose logs or events are meant, but there is no `log` and no `event`", "")
	}
}

func (p *fileParser) faultField(r *reader, f *Fault, key string, v *yaml.Node) {
	switch key {
	case "id":
		f.ID = r.identifier(v)
	case "when":
		if list := p.expectations(r, v, key); len(list) == 1 {
			f.When = &list[0]
		} else if len(list) > 1 {
			r.fail(v, "when takes one expectation", "join them in one `cel:` expression")
		}
	case "log":
		f.Log = strings.TrimSuffix(strings.TrimPrefix(r.text(v, key), "/"), "/")
		if _, err := regexp.Compile(f.Log); err != nil {
			r.fail(v, "log "+quoted(f.Log)+" isn't a regular expression: "+regexpError(err), "")
		}
		p.references(r.pos(v), f.Log, false)
	case "event":
		f.Event = r.text(v, key)
		p.references(r.pos(v), f.Event, false)
	case "container":
		f.Container = r.text(v, key)
		p.references(r.pos(v), f.Container, false)
	case "of":
		if list := p.subjects(r, v); len(list) == 1 {
			f.Of = &list[0]
		} else if len(list) > 1 {
			r.fail(v, "of names one thing", "")
		}
	}
}
