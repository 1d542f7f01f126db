package steps

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits that keep hostile input from costing more than its size: the shell
// parser is recursive without a bound, and a stack that overflows can't be
// recovered from.
const (
	longestCode = 1 << 19
	deepestCode = 1000
	mostJoints  = 10_000 // pipes and lists
	mostHoles   = 200    // each is looked up in the tree
)

var errTooDeep = errors.New("it is nested too deeply or too long to be read")

// parseShell parses code with the grammar of bash.
func parseShell(parser *syntax.Parser, code string) (*syntax.File, error) {
	if tooDeep(code) {
		return nil, errTooDeep
	}
	return parser.Parse(strings.NewReader(code), "")
}

// tooDeep estimates the nesting of code from above, without knowing quotes.
func tooDeep(code string) bool {
	if len(code) < deepestCode {
		return false
	}
	if len(code) > longestCode {
		return true
	}
	depth, joints := 0, 0
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '(', '{', '[', '!', '`':
			depth++
		case ')', '}', ']':
			depth = max(depth-1, 0)
		case '\n':
			if depth > 0 && (i+1 == len(code) || code[i+1] == '\n') {
				depth--
			}
		case '|', '&':
			joints++
		case 'i', 'w', 'u', 'c', 'f', 's', 't', 'e', 'd':
			if (i == 0 || !isWord(code[i-1])) && opensCompound(code[i:]) {
				depth++
			}
		}
		if depth > deepestCode || joints > mostJoints {
			return true
		}
	}
	return false
}

func opensCompound(s string) bool {
	for _, w := range []string{"if", "while", "until", "case", "for", "select", "function", "time", "then", "else", "elif", "do", "coproc"} {
		if strings.HasPrefix(s, w) && (len(s) == len(w) || !isWord(s[len(w)])) {
			return true
		}
	}
	return false
}
