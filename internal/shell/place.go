package shell

import (
	"bytes"
	"strings"
)

// A place rewrites, where a command's output comes in, how a shell says where in
// a step something went wrong. It names the file that it reads, which is private
// and gone when the step has ended: what is of use to a person is the line of
// the command.
//
//	/tmp/…/step-3: line 2: helm: command not found     bash
//	/tmp/…/step-3.run: 2: /tmp/…/step-3: helm: not …   dash
//	/tmp/…/step-3:2: command not found: helm           zsh
//
// All of them become "line 2: …". A function of an earlier step comes from the
// saved state, whose lines mean nothing: there the line goes as well.
type place struct {
	files []byte // how the paths of all steps' files begin
	held  []byte // what may be the start of such a path, or of a line behind it
}

// burst is how much a terminal gives at once. A slash alone at the end of less
// is what somebody types to search in a pager: it is shown at once.
const burst = 4 << 10

// kinds are the files beside that of the step's own code. What sources the code
// has its lines; those of the others mean nothing to its author.
var kinds = []struct {
	suffix  string
	foreign bool
}{{".run", false}, {".state", true}, {".rc", true}, {".bash", true}, {".zsh/.zshenv", true}}

// rewrite returns what of the stream can be passed on with p.
func (l *place) rewrite(p []byte) []byte {
	if len(l.files) == 0 {
		return p
	}
	if len(l.held) > 0 {
		p = append(l.held, p...)
		l.held = nil
	}
	var out []byte
	short := len(p) < burst
	for {
		i := bytes.Index(p, l.files)
		if i < 0 {
			n := startOfEnd(p, l.files)
			if n == 1 && short {
				n = 0
			}
			l.held = bytes.Clone(p[len(p)-n:])
			return joined(out, p[:len(p)-n])
		}
		line, n, open := position(p[i+len(l.files):])
		if open {
			l.held = bytes.Clone(p[i:])
			return joined(out, p[:i])
		}
		out = append(out, p[:i]...)
		if n == 0 { // a path, and no place in it
			out = append(out, l.files...)
		}
		out = append(out, line...)
		p = p[i+len(l.files)+n:]
	}
}

// flush returns what was held back.
func (l *place) flush() []byte {
	p := l.held
	l.held = nil
	return p
}

func joined(out, p []byte) []byte {
	if out == nil {
		return p
	}
	return append(out, p...)
}

// position reads what stands behind the start of a path: the number of the
// step, what kind of file it is, and where in it. It returns what to show for
// the first n bytes, and whether more is needed to tell.
func position(p []byte) (line string, n int, open bool) {
	digits := number(p)
	if digits == len(p) {
		return "", 0, len(p) < longestPlace
	}
	rest := p[digits:]
	foreign := false
	for _, k := range kinds {
		if strings.HasPrefix(k.suffix, string(rest)) {
			return "", 0, true
		}
		if bytes.HasPrefix(rest, []byte(k.suffix)) {
			rest, foreign = rest[len(k.suffix):], k.foreign
			break
		}
	}
	if len(rest) > 0 && rest[0] != ':' || digits == 0 {
		return "", 0, false
	}
	at, open := reference(rest)
	if open {
		return "", 0, true
	}
	n = len(p) - len(rest) + at.to
	if at.line != "" && !foreign {
		line = "line " + at.line + ": "
	}
	return line, n, false
}

// longestPlace bounds what is held back for a number.
const longestPlace = 20

// A located is a place behind a path, up to the message.
type located struct {
	line string // empty if none is named here
	to   int    // how much of the text it takes
}

// reference reads ": line 3: ", ": 3: " or ":3: "; what follows a colon and is
// no number belongs to the message.
func reference(p []byte) (at located, open bool) {
	word := []byte(": line ")
	rest := p
	switch {
	case bytes.HasPrefix(word, p):
		return at, true
	case bytes.HasPrefix(p, word):
		rest = p[len(word):]
	case bytes.HasPrefix(p, word[:2]):
		rest = p[2:]
	default:
		rest = p[1:]
	}
	digits := number(rest)
	end := rest[digits:]
	switch {
	case digits < longestPlace && bytes.HasPrefix([]byte(": "), end):
		return at, true
	case digits == 0 || digits >= longestPlace || !bytes.HasPrefix(end, []byte(": ")):
		if bytes.HasPrefix(p, word[:2]) {
			return located{to: 2}, false
		}
		return located{to: 1}, false
	}
	return located{line: string(rest[:digits]), to: len(p) - len(end) + 2}, false
}

// number returns how many digits p starts with.
func number(p []byte) (n int) {
	for n < len(p) && p[n] >= '0' && p[n] <= '9' {
		n++
	}
	return n
}
