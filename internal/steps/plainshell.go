package steps

import (
	"strings"
)

// A plainReader reads code that consists of plain commands: words, quotes and
// variables; pipes, && and ||; comments. Most code in runbooks is like that,
// and what the rules need of it takes no syntax tree. What the reader isn't
// sure of, it leaves to the parser.
type plainReader struct {
	script

	code    string
	i       int
	words   []string // of all calls
	calls   []call   // of all statements
	regions []region

	// The statement and the command being read.
	stmt      statement
	inStmt    bool
	call      call
	firstCall int  // of the statement, in calls
	firstWord int  // of the command, in words
	piped     bool // the command is part of a pipe
	joint     bool // an operator waits for a command
}

// A region is where a hole stands in something else than a bare word.
type region struct {
	from, to int
	as       place
}

// read reads code into the script, or says that it is beyond it.
func (r *plainReader) read(code string, holes []hole) bool {
	*r = plainReader{code: code, script: script{stmts: r.stmts[:0], places: r.places[:0]},
		words: r.words[:0], calls: r.calls[:0], regions: r.regions[:0]}
	if tooDeep(code) || !r.statements() {
		return false
	}
	for _, h := range holes {
		as := barePlace
		for _, g := range r.regions {
			if h.start >= g.from && h.end <= g.to {
				as = g.as
			}
		}
		r.places = append(r.places, as)
	}
	return true
}

func (r *plainReader) statements() bool {
	for r.i < len(r.code) {
		ok := true
		switch c := r.code[r.i]; c {
		case ' ', '\t':
			r.i++
		case '\n', ';':
			ok = r.endStatement(c)
			r.i++
		case '#':
			ok = r.comment()
		case '&', '|':
			ok = r.operator(c)
		case '\\':
			ok = (r.inCall() || r.joint) && strings.HasPrefix(r.code[r.i:], "\\\n")
			r.i += 2
		default:
			ok = r.word()
		}
		if !ok {
			return false
		}
	}
	return r.endStatement('\n')
}

// inCall tells whether a word of the command has been read.
func (r *plainReader) inCall() bool { return len(r.words) > r.firstWord }

// endStatement ends the statement, if there is one, at a newline, a semicolon
// or the end.
func (r *plainReader) endStatement(c byte) bool {
	if !r.inCall() {
		return !r.joint && c != ';'
	}
	r.stmt.whole = r.stmt.at == r.call.at
	r.endCall()
	r.stmt.calls = r.calls[r.firstCall:len(r.calls):len(r.calls)]
	r.stmts = append(r.stmts, r.stmt)
	r.stmt, r.inStmt, r.firstCall = statement{}, false, len(r.calls)
	return true
}

// endCall ends a command that isn't part of a pipe, or a pipe.
func (r *plainReader) endCall() {
	if !r.piped {
		r.call.words = r.words[r.firstWord:len(r.words):len(r.words)]
		r.calls = append(r.calls, r.call)
	}
	r.piped, r.firstWord = false, len(r.words)
}

// operator reads &&, || and |, on one line with what they join.
func (r *plainReader) operator(c byte) bool {
	if !r.inCall() {
		return false
	}
	r.i++
	double := r.i < len(r.code) && r.code[r.i] == c
	switch {
	case double:
		r.i++
		r.endCall()
	case c == '|' && !strings.HasPrefix(r.code[r.i:], "&"):
		r.piped, r.firstWord = true, len(r.words)
		r.call = call{at: -1}
	default:
		return false
	}
	r.joint = true
	return true
}

func (r *plainReader) comment() bool {
	n := strings.IndexByte(r.code[r.i:], '\n')
	if n < 0 {
		n = len(r.code) - r.i
	}
	text := r.code[r.i : r.i+n]
	if r.joint || strings.HasSuffix(text, `\`) || !printable(text) {
		return false
	}
	r.regions = append(r.regions, region{r.i, r.i + n, commentPlace})
	r.i += n
	return true
}
