package redact

import (
	"bytes"
	"strings"
)

// A document remembers what the lines so far said about the next ones: which
// object they are in, and whether a block of secret lines is open.
type document struct {
	objects []object
	block   *block
}

// An object is a YAML or JSON mapping whose keys stand at one indentation.
type object struct {
	indent int
	api    string
	kind   string
	vault  bool // an answer of Vault
}

// A block is a run of lines that are secret wholly or in their values.
type block struct {
	form   blockForm
	indent int  // of the line that opened it
	first  int  // indentation of its keys, -1 until the first one
	exempt int  // lines indented more than this are shown, -1 for none
	vault  bool // keys may be nested
	done   bool // the line just judged was its last one
}

type blockForm uint8

const (
	values blockForm = iota // key: value, the values are secret
	whole                   // everything is secret
	pem                     // a private key
	table                   // the rows that vault prints
)

func (d *document) busy() bool { return d.block != nil }

// line returns what must go from a line. With wait it says that more of what
// follows is needed first, which it never does at the end.
func (d *document) line(line, next []byte, final bool) (out []region, wait bool) {
	if d.block != nil {
		r, inside := d.block.line(line)
		if !inside || d.block.done {
			d.block = nil
		}
		if inside {
			return append(r, lineRules(line)...), false
		}
	}
	if key, open := beginsPEM(line); key.to > 0 {
		if open {
			d.block = &block{form: pem, first: -1, exempt: -1}
		}
		return append(lineRules(line), key), false
	}
	if bytes.HasPrefix(bytes.TrimSpace(line), []byte("===")) && bytes.Contains(line, []byte(" Data ")) {
		d.block = &block{form: table, first: -1, exempt: -1}
		return nil, false
	}
	f, ok := parseField(line)
	if !ok {
		return lineRules(line), false
	}
	if d.note(f, line, next, final) {
		return nil, true
	}
	return d.open(f, line), false
}

// note learns from a field; it reports whether the lines behind it are needed.
func (d *document) note(f field, line, next []byte, final bool) (wait bool) {
	o := d.at(f)
	switch f.key {
	case "apiVersion":
		if o.api != "" {
			*o = object{indent: f.indent}
		}
		o.api = f.value(line)
	case "kind":
		if o.kind != "" && o.api == "" {
			*o = object{indent: f.indent}
		}
		o.kind = f.value(line)
	case "request_id", "auth", "lease_id":
		o.vault = true
	case "data":
		if o.api == "v1" && o.kind == "" {
			kind, known := kindAhead(next, f.indent)
			if !known && !final && len(next) < maxHold {
				return true
			}
			if o.kind = kind; !known {
				o.kind = "Secret" // not to be told any more: the safe side
			}
		}
	}
	return false
}

// at returns the object that a field belongs to.
func (d *document) at(f field) *object {
	for len(d.objects) > 0 && d.objects[len(d.objects)-1].indent > f.indent {
		d.objects = d.objects[:len(d.objects)-1]
	}
	n := len(d.objects)
	if n > 0 && d.objects[n-1].indent == f.indent {
		if f.dash {
			d.objects[n-1] = object{indent: f.indent}
		}
		return &d.objects[n-1]
	}
	d.objects = append(d.objects, object{indent: f.indent})
	return &d.objects[n]
}

// open starts a block if the field opens one, and returns what must go from
// its own line.
func (d *document) open(f field, line []byte) []region {
	rules := lineRules(line)
	v := f.value(line)
	o := d.at(field{key: f.key, indent: f.indent})
	form := values
	switch {
	case f.key == "stringData", f.key == "data" && (o.kind == "Secret" || o.vault):
	case strings.HasSuffix(f.key, lastApplied), sensitive(f.key) && blockScalar(v):
		form = whole
	default:
		return rules
	}
	switch {
	case v == "" || v == "{" || blockScalar(v):
		d.block = &block{form: form, indent: f.indent, first: -1, exempt: -1, vault: o.vault}
	case form == values && v != "{}" && v != "null" && v != "[]":
		rules = append(rules, region{f.from, f.to})
	}
	return rules
}

func blockScalar(v string) bool {
	return len(v) > 0 && len(v) <= 3 && (v[0] == '|' || v[0] == '>')
}

// kindAhead looks for the kind of an object whose data has just begun. kubectl
// sorts keys, so it stands right behind the data.
func kindAhead(next []byte, indent int) (kind string, known bool) {
	for line := range bytes.Lines(next) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			return "", false
		}
		line = bytes.TrimRight(line, "\r\n")
		f, ok := parseField(line)
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case string(line) == "---", ok && f.indent < indent, ok && f.indent == indent && (f.dash || f.key == "apiVersion"):
			return "Secret", true
		case ok && f.indent == indent && f.key == "kind":
			return f.value(line), true
		}
	}
	return "", false
}
