package tui

import (
	"regexp"
	"strings"

	xansi "github.com/charmbracelet/x/ansi"
)

// leadIn is what a rendered line begins with: the bars of quotes, the blanks of
// nested lists, and the mark of a list's item.
var leadIn = regexp.MustCompile(`^((?:│ | )*)(• |\d+\. |\[[ ✓x]\] )?`)

// hangStyled breaks a rendered line, which may hold colours, between words.
// The lines below stand under its text, behind the same bars. A line that
// leaves no room for text is cut.
func hangStyled(line string, width int) []string {
	if cells(line) <= width {
		return []string{line}
	}
	at := leadIn.FindStringSubmatch(xansi.Strip(line))
	first, mark := cells(at[0]), cells(at[2])
	if width-first < 8 {
		return cutCode(line, width)
	}
	head := xansi.Cut(line, 0, first)
	below := xansi.Cut(line, 0, first-mark) + strings.Repeat(" ", mark)
	var out []string
	for i, part := range strings.Split(xansi.Wrap(xansi.TruncateLeft(line, first, ""), width-first, ""), "\n") {
		if i == 0 {
			out = append(out, head+part)
		} else {
			out = append(out, below+strings.TrimLeft(part, " "))
		}
	}
	return out
}

// tableRule is the line below the head of a table.
var tableRule = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)

// A stretch is a part of Markdown: a table, or what stands between tables.
type stretch struct {
	text  string
	table bool
}

// stretches take tables apart from the rest, whose lines are broken here.
func stretches(source string) []stretch {
	lines := strings.Split(source, "\n")
	var out []stretch
	var rest []string
	flush := func() {
		if len(rest) > 0 {
			out = append(out, stretch{text: strings.Join(rest, "\n")})
			rest = nil
		}
	}
	for i := 0; i < len(lines); i++ {
		if !strings.Contains(lines[i], "|") || i+1 == len(lines) || !strings.Contains(lines[i+1], "|") || !tableRule.MatchString(lines[i+1]) || strings.HasPrefix(lines[i], " ") {
			rest = append(rest, lines[i])
			continue
		}
		flush()
		from := i
		for i < len(lines) && strings.TrimSpace(lines[i]) != "" && strings.Contains(lines[i], "|") {
			i++
		}
		out = append(out, stretch{text: strings.Join(lines[from:i], "\n"), table: true})
		i--
	}
	flush()
	return out
}
