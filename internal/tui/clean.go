package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// tabStop is how far apart tab stops are; a tab has no width of its own.
const tabStop = 8

// oneLine makes text from outside fit for one line of the screen: no escape
// sequence, no control character, nothing invisible that reorders what is read.
func oneLine(s string) string {
	s = ansi.Strip(strings.ToValidUTF8(s, "�"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case hidden(r):
			return -1
		}
		return r
	}, s)
}

// hidden tells the characters that are never drawn: controls of both sets, and
// format characters such as the ones that turn the direction of reading.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// plainLines splits text into lines that are fit for the screen; tabs keep
// their columns.
func plainLines(s string) []string {
	s = strings.ReplaceAll(strings.TrimRight(s, "\n"), "\r\n", "\n")
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = oneLine(expandTabs(line))
	}
	return lines
}

// expandTabs puts spaces in place of tabs.
func expandTabs(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	col := 0
	for i, part := range strings.Split(line, "\t") {
		if i > 0 {
			pad := tabStop - col%tabStop
			b.WriteString(strings.Repeat(" ", pad))
			col += pad
		}
		b.WriteString(part)
		col += ansi.StringWidth(part)
	}
	return b.String()
}

// colourOnly keeps of one line of a program's output the text and its colours.
// The engine has done this already; what can move the cursor or write the
// clipboard isn't let through on one package's word alone.
func colourOnly(line string) string {
	line = expandTabs(line)
	if !needsCleaning(line) {
		return line
	}
	var b strings.Builder
	coloured := false
	var state byte
	for rest := strings.ToValidUTF8(line, "�"); rest != ""; {
		seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
		rest, state = rest[n:], next
		switch {
		case isColour(seq):
			coloured = true
			b.WriteString(seq)
		case width > 0:
			b.WriteString(strings.Map(dropHidden, seq))
		}
	}
	if coloured {
		b.WriteString(resetSGR)
	}
	return b.String()
}

// drawable is the last thing that a row of the screen passes: whatever was drawn
// into it, also by the parts that aren't ours, only text and colours come out.
func drawable(row string) string {
	for i := 0; i < len(row); {
		switch c := row[i]; {
		case c == 0x1b:
			end := i + 2
			for end < len(row) && strings.IndexByte("0123456789;:", row[end]) >= 0 {
				end++
			}
			if end >= len(row) || !isColour(row[i:end+1]) {
				return colourOnly(row)
			}
			i = end + 1
		case c < 0x80:
			if c < ' ' || c == 0x7f {
				return colourOnly(row)
			}
			i++
		default:
			r, size := utf8.DecodeRuneInString(row[i:])
			if hidden(r) || r == utf8.RuneError && size == 1 {
				return colourOnly(row)
			}
			i += size
		}
	}
	return row
}

const resetSGR = "\x1b[m"

func dropHidden(r rune) rune {
	if hidden(r) {
		return -1
	}
	return r
}

func needsCleaning(line string) bool {
	for _, r := range line {
		if hidden(r) || r == unicode.ReplacementChar {
			return true
		}
	}
	return false
}

// isColour tells a plain SGR sequence: ESC [ digits ; : m.
func isColour(seq string) bool {
	body, ok := strings.CutPrefix(seq, "\x1b[")
	if !ok || !strings.HasSuffix(body, "m") {
		return false
	}
	return strings.Trim(body[:len(body)-1], "0123456789;:") == ""
}
