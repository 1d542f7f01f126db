package steps

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A document is a normalised file cut into lines, which count from 0 here and
// from 1 in everything exported.
type document struct {
	text   string
	starts []int // offset of each line, and the length of the text at the end
}

// normalise removes a byte order mark and turns CRLF and CR into LF. All that
// reads the text later, goldmark included, may rely on it. A text without
// any is returned as it is.
func normalise(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(src, '\r') < 0 {
		return src
	}
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(src, []byte("\r"), []byte("\n"))
}

// isText tells a text from a program or an archive: no NUL, and UTF-8 but for
// a stray byte here and there.
func isText(src []byte) bool {
	if bytes.IndexByte(src, 0) >= 0 {
		return false
	}
	if utf8.Valid(src) {
		return true
	}
	bad := 0
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		}
		i += n
	}
	return bad*20 <= len(src)
}

func newDocument(text string) *document {
	d := &document{text: text, starts: make([]int, 0, strings.Count(text, "\n")+2)}
	d.starts = append(d.starts, 0)
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		d.starts = append(d.starts, i)
	}
	if last := d.starts[len(d.starts)-1]; last < len(text) {
		d.starts = append(d.starts, len(text))
	}
	return d
}

func (d *document) count() int { return len(d.starts) - 1 }

// line returns a line without its newline.
func (d *document) line(i int) string {
	return strings.TrimSuffix(d.text[d.starts[i]:d.starts[i+1]], "\n")
}

// lines returns the text of the lines from a up to but without b, newlines
// included.
func (d *document) lines(a, b int) string {
	b = min(b, d.count())
	if a >= b {
		return ""
	}
	return d.text[d.starts[a]:d.starts[b]]
}

// lineAt returns the line that an offset lies in.
func (d *document) lineAt(offset int) int {
	lo, hi := 0, len(d.starts)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if d.starts[mid] <= offset {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return min(lo, max(d.count()-1, 0))
}

// A margin is what stands left of the text of a line: quote marks, list
// markers and blanks.
type margin struct {
	quotes int
	col    int  // column of the text, tabs counted to the next multiple of 4
	width  int  // bytes
	marker bool // a list marker is part of it
}

// marginOf reads the margin of a line. At most maxQuotes quote marks belong to
// it, and list markers only if asked for.
func marginOf(line string, maxQuotes int, markers bool) margin {
	var m margin
	for m.width < len(line) {
		switch c := line[m.width]; {
		case c == ' ':
			m.col++
			m.width++
		case c == '\t':
			m.col += 4 - m.col%4
			m.width++
		case c == '>' && m.quotes < maxQuotes && !m.marker:
			m.quotes++
			m.width++
			if m.width < len(line) && line[m.width] == ' ' {
				m.width++
			}
			m.col = 0 // columns count from the inner margin of the quote
		case markers && markerLen(line[m.width:]) > 0:
			n := markerLen(line[m.width:])
			m.col += n
			m.width += n
			m.marker = true
		default:
			return m
		}
	}
	return m
}

// markerLen returns the length of a list marker at the start of s that is
// followed by a blank, or 0.
func markerLen(s string) int {
	n := 0
	switch c := s[0]; {
	case c == '-' || c == '*' || c == '+':
		n = 1
	case c >= '0' && c <= '9':
		for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0
		}
		n++
	default:
		return 0
	}
	if n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		return n
	}
	return 0
}

// dedent removes up to n columns of blanks from the start of a line; a tab that
// is cut through leaves the rest of its columns as blanks.
func dedent(line string, n int) string {
	col := 0
	for i := 0; i < len(line); i++ {
		if col >= n {
			return line[i:]
		}
		switch line[i] {
		case ' ':
			col++
		case '\t':
			next := col + 4 - col%4
			if next > n {
				return strings.Repeat(" ", next-n) + line[i+1:]
			}
			col = next
		default:
			return line[i:]
		}
	}
	return ""
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
