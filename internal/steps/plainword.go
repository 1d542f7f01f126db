package steps

import (
	"strings"
	"unicode/utf8"
)

// A plainWord is a word being read.
type plainWord struct {
	start    int
	parts    int
	text     string // what the parts read so far stand for
	expanded bool   // only a shell could tell
	host     string // the variable that the last part is
}

// word reads a word and makes it part of the command.
func (r *plainReader) word() bool {
	first := !r.inCall()
	w := plainWord{start: r.i}
	for r.i < len(r.code) && !endsWord(r.code[r.i]) {
		ok := false
		switch r.code[r.i] {
		case '\'':
			ok = r.singleQuotes(&w)
		case '"':
			ok = r.doubleQuotes(&w)
		case '$':
			w.host, ok = r.variable()
			w.add("")
			w.expanded = true
		default:
			ok = r.bare(&w, first)
		}
		if !ok {
			return false
		}
	}
	if !first && mayStandIn(r.code[w.start:r.i]) {
		return false
	}
	if first {
		if reserved[r.code[w.start:r.i]] {
			return false
		}
		r.begin(&w)
	}
	if w.expanded {
		w.text = ""
	}
	r.words = append(r.words, knownWord(w.text))
	r.joint = false
	return true
}

// mayStandIn tells whether a word may stand for a value, see [standIn].
func mayStandIn(word string) bool {
	switch last := word[len(word)-1]; {
	case last == 'e':
		return endsInCamel(word)
	case last < 'A' || last > 'Z':
		return false
	}
	_, value, _ := strings.Cut(word, "=")
	return isStandIn(word) || isStandIn(value) || value == "N"
}

// begin begins a command, and a statement if there is none.
func (r *plainReader) begin(w *plainWord) {
	if r.piped {
		return // nobody asks for it
	}
	r.call = call{at: w.start}
	if w.parts == 1 {
		r.call.host = w.host
	}
	if !r.inStmt {
		r.stmt.at, r.inStmt = w.start, true
	}
}

func (w *plainWord) add(text string) {
	if w.parts++; w.parts == 1 {
		w.text = text
	} else {
		w.text += text
	}
}

func endsWord(c byte) bool {
	switch c {
	case ' ', '\t', '\n', ';', '&', '|':
		return true
	}
	return false
}

// bare reads the letters up to the next quote or end. In the first word, fewer
// are plain: an assignment or a keyword changes what follows.
func (r *plainReader) bare(w *plainWord, first bool) bool {
	start := r.i
	for r.i < len(r.code) && isPlain(r.code[r.i], first) {
		r.i++
	}
	w.add(r.code[start:r.i])
	return r.i > start
}

func isPlain(c byte, first bool) bool {
	if isWord(c) {
		return true
	}
	switch c {
	case '-', '.', '/', ':', ',', '@', '%', '+', '~':
		return true
	case '=', '{', '}', '[', ']', '*', '?', '^', '!':
		return !first
	}
	return false
}

// reserved are the words that are no commands where a command is expected.
var reserved = wordSet(`if then elif else fi while until for select do done case esac in function time coproc let
	declare local export readonly typeset nameref foreach repeat end always nocorrect`)

func (r *plainReader) singleQuotes(w *plainWord) bool {
	n := strings.IndexByte(r.code[r.i+1:], '\'')
	if n < 0 {
		return false
	}
	text := r.code[r.i+1 : r.i+1+n]
	r.regions = append(r.regions, region{r.i, r.i + n + 2, singleQuoted})
	r.i += n + 2
	w.add(text)
	return printable(text)
}

func (r *plainReader) doubleQuotes(w *plainWord) bool {
	start, mine := r.i, len(r.regions)
	r.regions = append(r.regions, region{from: start, as: doubleQuoted})
	r.i++
	for r.i < len(r.code) {
		switch r.code[r.i] {
		case '"':
			text := r.code[start+1 : r.i]
			r.i++
			r.regions[mine].to = r.i
			w.add(text)
			return printable(text)
		case '\\':
			if r.i++; strings.HasPrefix(r.code[r.i:], "\n") {
				return false
			}
			r.i++
		case '$':
			if _, ok := r.variable(); !ok {
				return false
			}
			w.expanded = true
		case '`':
			return false
		default:
			r.i++
		}
	}
	return false
}

// variable reads $NAME or ${NAME}. Of the first it returns the name, if it is
// in small letters.
func (r *plainReader) variable() (host string, ok bool) {
	start, n := r.i, r.i+1
	braced := strings.HasPrefix(r.code[n:], "{")
	if braced {
		n++
	}
	name := n
	for n < len(r.code) && isWord(r.code[n]) {
		n++
	}
	if n == name || r.code[name] >= '0' && r.code[name] <= '9' {
		return "", false
	}
	host = r.code[name:n]
	if braced {
		if n == len(r.code) || r.code[n] != '}' {
			return "", false
		}
		n++
	}
	r.i = n
	r.regions = append(r.regions, region{start, n, unsafePlace})
	if braced || !smallName(host) {
		host = ""
	}
	return host, true
}

// printable tells whether text is UTF-8 without control characters but blanks.
func printable(text string) bool {
	ascii := true
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0x80:
			ascii = false
		case c < ' ' && c != '\t' && c != '\n' || c == 0x7f:
			return false
		}
	}
	return ascii || utf8.ValidString(text)
}
