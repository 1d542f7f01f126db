package cel

import "strings"

// checkReferences refuses ${PARAM} outside of a plain string: its value would
// be read as part of the expression.
func checkReferences(expr string) *Error {
	for i := 0; i < len(expr); i++ {
		switch {
		case expr[i] == '"' || expr[i] == '\'':
			start := i
			end := closing(expr, i)
			refers := strings.Contains(expr[start:min(end, len(expr))], "${")
			if refers && (raw(expr, start) || strings.HasPrefix(expr[start:], strings.Repeat(expr[start:start+1], 3))) {
				return &Error{Col: start + 1, Text: "a parameter can't stand in a raw or a triple-quoted string", Hint: `use a plain one: "${NAME}"`}
			}
			i = end - 1
		case strings.HasPrefix(expr[i:], "${"):
			return &Error{Col: i + 1, Text: "a parameter must stand inside a string", Hint: `for example int("${REPLICAS}")`}
		case strings.HasPrefix(expr[i:], "//"):
			return nil // the rest is a comment
		}
	}
	return nil
}

// raw tells whether the string at i is a raw or a bytes literal.
func raw(expr string, i int) bool {
	return i > 0 && strings.IndexByte("rRbB", expr[i-1]) >= 0
}

// closing returns the offset behind the string that starts at i.
func closing(expr string, i int) int {
	mark := expr[i : i+1]
	if strings.HasPrefix(expr[i:], strings.Repeat(mark, 3)) {
		mark = expr[i : i+3]
	}
	for n := i + len(mark); n < len(expr); n++ {
		switch {
		case expr[n] == '\\' && !raw(expr, i):
			n++
		case strings.HasPrefix(expr[n:], mark):
			return n + len(mark)
		}
	}
	return len(expr)
}
