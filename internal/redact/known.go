package redact

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
)

// AddEnv registers the values of those variables, given as NAME=value, whose
// names say that they are secret. Of an address only the password in it counts:
// the rest names hosts and databases.
func (r *Redactor) AddEnv(environ []string) {
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || !sensitive(name) {
			continue
		}
		if _, rest, found := strings.Cut(value, "://"); found {
			if at := strings.LastIndex(rest, "@"); at < 0 || !strings.Contains(rest[:at], ":") {
				continue
			}
			value = userPassword(rest)
		}
		r.Add(value)
	}
}

// Known returns a Writer that removes registered values and every escape but
// colour, and nothing else: for what the program itself has written, where
// names and shapes stand for themselves.
func (r *Redactor) Known(w io.Writer) *Writer {
	known := r.Writer(w)
	known.ruleless = true
	return known
}

// Written returns a text of a document, or of an operator, as it may be shown:
// without registered values. What is a secret only by its shape or by the name
// beside it stays: whoever wrote it there showed it.
func (r *Redactor) Written(s string) string {
	known, _ := r.current().find([]byte(s), true)
	if len(known) == 0 {
		return s
	}
	return string(span{text: []byte(s)}.mask(merge(known)).text)
}

// JSON returns a JSON text with every character that a terminal might obey, or
// that turns the direction of reading, written as an escape of JSON. It means
// the same.
func JSON(text []byte) []byte {
	clean := true
	for _, r := range string(text) {
		if r >= 0x7f && obeyed(r) {
			clean = false
			break
		}
	}
	if clean {
		return text
	}
	var b strings.Builder
	for _, r := range string(text) {
		if r < 0x7f || !obeyed(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte("0123456789abcdef"[unit>>shift&15])
			}
		}
	}
	return []byte(b.String())
}

func obeyed(r rune) bool { return hidden(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
