package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// continued marks a line that goes on from the one above it: a command is
// never broken without saying so.
const continued = "↳ "

// cells is how many cells s takes, as [ansi.StringWidth] says. It is asked for
// every row of every frame, so what most rows consist of (ASCII, colours, the
// lines of boxes) is counted without looking for clusters.
func cells(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= ' ' && c < 0x7f:
			n++
		case c == 0x1b && i+1 < len(s) && s[i+1] == '[':
			end := strings.IndexByte(s[i:], 'm')
			if end < 0 || !isColour(s[i:i+end+1]) {
				return ansi.StringWidth(s)
			}
			i += end
		case c == 0xe2 && i+2 < len(s) && narrow(s[i:i+3]):
			n, i = n+1, i+2
		default:
			return ansi.StringWidth(s)
		}
	}
	return n
}

// narrow tells the characters of three bytes that frames are full of: the lines
// of boxes (U+2500 to U+257F) and our own signs.
func narrow(c string) bool {
	switch c {
	case "…", "›", "–", "✓", "✗", "▸", "↳", "•", "█":
		return true
	}
	return (c[1] == 0x94 || c[1] == 0x95) && c[2]&0xc0 == 0x80
}

// fit makes s exactly width cells wide.
func fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	w := cells(s)
	if w > width {
		s = ansi.Truncate(s, width, "…")
		w = cells(s) // a wide character may leave a cell
	}
	return s + strings.Repeat(" ", max(0, width-w))
}

// sides puts one text at each end of a line; when they don't fit, the left one
// is cut.
func sides(left, right string, width int) string {
	right = ansi.Truncate(right, max(0, width), "…")
	room := width - cells(right)
	if right != "" {
		room--
	}
	if room <= 0 {
		return fit(right, width)
	}
	if right == "" {
		return fit(left, width)
	}
	return fit(left, room) + " " + right
}

// cutCode breaks a line of code or output, which may hold colours, at exactly
// the width, and marks what continues. Every line stands for itself: it brings
// its colours along and switches them off.
func cutCode(line string, width int) []string {
	if cells(line) <= width {
		return []string{line}
	}
	mark := continued
	if width < 2*cells(continued) {
		mark = ""
	}
	var lines []string
	var b strings.Builder
	on, used, room := "", 0, max(1, width)
	flush := func() {
		if on != "" {
			b.WriteString(resetSGR)
		}
		lines = append(lines, b.String())
		b.Reset()
		b.WriteString(mark + on)
		used, room = 0, max(1, width-cells(mark))
	}
	var state byte
	for rest := line; rest != ""; {
		seq, w, n, next := ansi.DecodeSequence(rest, state, nil)
		rest, state = rest[n:], next
		if used > 0 && used+w > room {
			flush()
		}
		on = colourAfter(on, seq)
		b.WriteString(seq)
		used += w
	}
	flush()
	return lines
}

// carryColours makes each line stand for itself: it starts with the colours
// that were on at the end of the line before, and switches them off at its end.
func carryColours(lines []string) []string {
	on := ""
	for i, line := range lines {
		before := on
		on = coloursAfter(on, line)
		if before != "" || on != "" {
			lines[i] = before + line + resetSGR
		}
	}
	return lines
}

func coloursAfter(on, line string) string {
	var state byte
	for rest := line; rest != ""; {
		seq, _, n, next := ansi.DecodeSequence(rest, state, nil)
		rest, state = rest[n:], next
		on = colourAfter(on, seq)
	}
	return on
}

// colourAfter is the colours that are on once seq has been drawn.
func colourAfter(on, seq string) string {
	switch {
	case seq == resetSGR || seq == "\x1b[0m":
		return ""
	case isColour(seq):
		return on + seq
	}
	return on
}

// wrapWords breaks a plain sentence at blanks, and inside a word only when it
// is wider than the line.
func wrapWords(s string, width int) []string {
	width = max(1, width)
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		for cells(word) > width {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			head := ansi.Truncate(word, width, "")
			if head == "" { // a wide character in one cell
				return append(lines, fit(word, width))
			}
			lines, word = append(lines, head), word[len(head):]
		}
		switch {
		case line == "":
			line = word
		case cells(line)+1+cells(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// hang wraps a sentence behind a prefix; the lines below stand under its text.
func hang(prefix, s string, width int) []string {
	indent := cells(prefix)
	lines := wrapWords(s, width-indent)
	for i := range lines {
		if i == 0 {
			lines[i] = prefix + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", indent) + lines[i]
		}
	}
	return lines
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(n) + " " + many
}
