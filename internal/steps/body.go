package steps

import "strings"

// body returns the lines of a fence without its margin, in a slice that the
// next call uses again.
func (p *fileParser) body(f *fence) []string {
	lines := p.lines[:0]
	for j := f.open + 1; j < f.end; j++ {
		line := p.doc.line(j)
		if f.quotes > 0 {
			line = unquote(line, f.quotes)
		}
		if f.indent > 0 {
			line = dedent(line, f.indent)
		}
		lines = append(lines, line)
	}
	p.lines = lines
	return lines
}

// unquote removes quote marks and keeps the blanks behind them.
func unquote(line string, quotes int) string {
	i := 0
	for ; quotes > 0; quotes-- {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		if i == len(line) || line[i] != '>' {
			return line[i:]
		}
		i++
		if i < len(line) && line[i] == ' ' {
			i++
		}
	}
	return line[i:]
}

// skipOptions drops the option lines that a directive starts its body with.
func skipOptions(lines []string, first int) ([]string, int) {
	n := 0
	for n < len(lines) && strings.HasPrefix(lines[n], ":") && strings.IndexByte(lines[n][1:], ':') > 0 {
		n++
	}
	if n > 0 && n < len(lines) && blank(lines[n]) {
		n++
	}
	return lines[n:], first + n
}

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
