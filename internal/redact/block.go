package redact

import "bytes"

// A field is a line of the form key: value in YAML or printed JSON.
type field struct {
	indent   int
	dash     bool // it begins a list item
	key      string
	quoted   bool
	from, to int // the value without its quotes, in the line
}

func (f field) value(line []byte) string { return string(line[f.from:f.to]) }

// parseField reads a line as a field. A list marker counts as indentation.
func parseField(line []byte) (f field, ok bool) {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '-' && i+1 < len(line) && line[i+1] == ' ') {
		f.dash = f.dash || line[i] == '-'
		i++
	}
	f.indent = i
	if i < len(line) && line[i] == '"' {
		f.quoted = true
		i++
	}
	start := i
	for i < len(line) && (nameByte(line[i]) || line[i] == '/') {
		i++
	}
	f.key = string(line[start:i])
	if f.quoted {
		if i == len(line) || line[i] != '"' {
			return f, false
		}
		i++
	}
	if f.key == "" || i == len(line) || line[i] != ':' {
		return f, false
	}
	i++
	if i < len(line) && line[i] != ' ' && line[i] != '\t' {
		return f, false
	}
	f.from, f.to = trimValue(line, i, len(line))
	return f, true
}

// trimValue narrows [from, to) to the value: no space, no comma behind JSON,
// no quotes.
func trimValue(line []byte, from, to int) (int, int) {
	for from < to && (line[from] == ' ' || line[from] == '\t') {
		from++
	}
	for to > from && (line[to-1] == ' ' || line[to-1] == '\t' || line[to-1] == '\r') {
		to--
	}
	if from < to && line[from] == '"' {
		if line[to-1] == ',' && to-from > 1 {
			to--
		}
		if to-from >= 2 && line[to-1] == '"' {
			return from + 1, to - 1
		}
	}
	return from, to
}

func indentOf(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " "))
}

// line judges a line inside the block; inside is false for the first one
// behind it.
func (b *block) line(line []byte) (out []region, inside bool) {
	text := bytes.TrimSpace(line)
	if b.form == pem {
		return b.pemLine(line, text)
	}
	if b.form == table {
		return b.row(line, text)
	}
	indent := indentOf(line)
	if len(text) == 0 {
		return nil, true
	}
	if indent <= b.indent {
		return nil, false
	}
	if b.exempt >= 0 && indent > b.exempt {
		return nil, true
	}
	b.exempt = -1
	if b.form == whole {
		return []region{{indent, indent + len(text)}}, true
	}
	return b.value(line, text, indent), true
}

// value judges a line of a block whose values are secret.
func (b *block) value(line, text []byte, indent int) []region {
	if len(bytes.Trim(text, "{}[],")) == 0 {
		return nil
	}
	f, ok := parseField(line)
	if ok && b.first < 0 {
		b.first = f.indent
	}
	if !ok || f.indent > b.first && !f.quoted {
		return []region{{indent, indent + len(text)}}
	}
	v := f.value(line)
	switch {
	case b.vault && f.key == "metadata" && (v == "" || v == "{"):
		b.exempt = f.indent
	case b.vault && f.key == "data" && v == "":
		b.first = -1
	case v == "" || v == "{" || v == "[" || blockScalar(v), v == "null" || v == "null,":
	default:
		return []region{{f.from, f.to}}
	}
	return nil
}

// outside reports whether a line that has not ended yet is certainly behind the
// block, so that a prompt there need not wait.
func (b *block) outside(line []byte) bool {
	text := bytes.TrimSpace(line)
	if len(text) == 0 {
		return false
	}
	switch b.form {
	case pem:
		return text[0] != '-' && !base64Tail(text)
	case table:
		return false
	}
	return indentOf(line) <= b.indent
}

// row judges a row of the table under "Data" that vault prints; an empty line
// or the next heading ends it. The rows of a value with newlines have no key.
func (b *block) row(line, text []byte) (out []region, inside bool) {
	if len(text) == 0 || bytes.HasPrefix(text, []byte("===")) {
		return nil, false
	}
	key := until(text, " \t")
	head := string(text[:key])
	if head == "Key" && b.first < 0 || head == "---" {
		b.first = 0
		return nil, true
	}
	from := indentOf(line)
	if key == len(text) {
		return []region{{from, from + len(text)}}, true
	}
	at := from + key
	for line[at] == ' ' || line[at] == '\t' {
		at++
	}
	return []region{{at, from + len(text)}}, true
}

// beginsPEM recognises the start of a private key, and whether it goes on in
// the next line. JSON has all of it in one.
func beginsPEM(line []byte) (key region, open bool) {
	from := bytes.Index(line, []byte("-----BEGIN "))
	if from < 0 || !bytes.Contains(line[from:], []byte("PRIVATE KEY")) {
		return region{}, false
	}
	i := bytes.Index(line[from:], []byte("-----END "))
	if i < 0 {
		return region{from, len(line)}, true
	}
	end := from + i + len("-----END ")
	if j := bytes.Index(line[end:], []byte("-----")); j >= 0 {
		return region{from, end + j + 5}, false
	}
	return region{from, len(line)}, false
}

// pemLine judges a line of a private key. What cannot belong to one ends it:
// a key that was cut off must not swallow the output behind it.
func (b *block) pemLine(line, text []byte) (out []region, inside bool) {
	from := indentOf(line)
	if i := bytes.Index(line, []byte("-----END ")); i >= 0 {
		b.done = true
		return []region{{min(from, i), len(line)}}, true
	}
	if len(text) == 0 {
		return nil, true
	}
	for _, h := range []string{"Proc-Type:", "DEK-Info:", "Comment:"} {
		if bytes.HasPrefix(text, []byte(h)) {
			return []region{{from, from + len(text)}}, true
		}
	}
	if !base64Tail(text) {
		return nil, false
	}
	return []region{{from, from + len(text)}}, true
}

// base64Tail reports whether a line ends in base64. Other programs put
// something before each line of a key: a number, a prefix, "> ".
func base64Tail(text []byte) bool {
	tail := text[bytes.LastIndexAny(text, " \t|>")+1:]
	for _, c := range tail {
		if !(upper(c) || lower(c) || digit(c) || c == '+' || c == '/' || c == '=') {
			return false
		}
	}
	return len(bytes.Fields(text)) <= 3 // prose has more
}
