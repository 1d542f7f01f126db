package steps

import (
	"strconv"
	"strings"
	"unicode"
)

func itoa(n int) string { return strconv.Itoa(n) }

// plainText removes the inline Markdown of a title: emphasis, code marks,
// links, images, tags and a trailing {#anchor}.
func plainText(s string) string {
	if i := strings.LastIndex(s, "{#"); i > 0 && strings.HasSuffix(s, "}") {
		s = strings.TrimSpace(s[:i])
	}
	if strings.ContainsFunc(s, isControl) {
		s = strings.Map(func(r rune) rune {
			if isControl(r) {
				return -1
			}
			return r
		}, s)
	}
	if !strings.ContainsAny(s, "*_`[]<>\\!&") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && unicode.IsPunct(rune(s[i+1])):
			b.WriteByte(s[i+1])
			i += 2
		case c == '`':
			n := runLen(s[i:], '`')
			mark := s[i : i+n]
			if body, _, ok := strings.Cut(s[i+n:], mark); ok {
				b.WriteString(strings.TrimSpace(body))
				i += n + len(body) + n
			} else {
				b.WriteString(mark)
				i += n
			}
		case c == '*':
			i++
		case c == '_' && !(i > 0 && isWord(s[i-1]) && i+1 < len(s) && isWord(s[i+1])):
			i++
		case c == '!' && i+1 < len(s) && s[i+1] == '[':
			i++
		case c == '[':
			if label, n := linkLabel(s[i:]); n > 0 {
				b.WriteString(plainText(label))
				i += n
				continue
			}
			b.WriteByte(c)
			i++
		case c == '<':
			if n := tagLen(s[i:]); n > 0 {
				i += n
				continue
			}
			b.WriteByte(c)
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return strings.TrimSpace(b.String())
}

// linkLabel reads [label](target) or [label][ref] and returns the label and the
// length of the whole.
func linkLabel(s string) (string, int) {
	end := strings.IndexByte(s, ']')
	if end < 0 || end+1 >= len(s) {
		return "", 0
	}
	var closer byte
	switch s[end+1] {
	case '(':
		closer = ')'
	case '[':
		closer = ']'
	default:
		return "", 0
	}
	n := strings.IndexByte(s[end+1:], closer)
	if n < 0 {
		return "", 0
	}
	return s[1:end], end + 1 + n + 1
}

// tagLen returns the length of a known inline tag; <placeholders> stay.
func tagLen(s string) int {
	end := strings.IndexByte(s, '>')
	if end < 0 {
		return 0
	}
	name := strings.ToLower(tagName(strings.TrimPrefix(s[1:], "/")))
	switch name {
	case "a", "b", "i", "em", "strong", "code", "kbd", "br", "sup", "sub", "span", "img", "summary", "details", "u", "tt":
		return end + 1
	}
	return 0
}

// anchor makes the id of a heading the way GitHub does: lower case, blanks
// become dashes, punctuation goes.
func anchor(title string) string {
	var b strings.Builder
	b.Grow(len(title))
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}
