package tui

import (
	"regexp"
	"slices"
	"strings"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
	xansi "github.com/charmbracelet/x/ansi"

	"runbook/internal/markdown"
)

// stiffHyphen stands for a hyphen while lines are broken: the breaker takes
// every hyphen for a good place, which would split `kubectl --context`. It is
// of the private use area, one cell wide, and in no document.
const stiffHyphen = "\ue02d"

var codeSpan = regexp.MustCompile("`[^`\n]+`")

// A prose renders Markdown for one width and keeps what it has rendered.
type prose struct {
	free   *glamour.TermRenderer // breaks no lines
	tables *glamour.TermRenderer // makes tables as wide as the pane
	width  int
	done   map[string][]string // by source
}

// newProse returns a renderer of Markdown. Only prose comes here: code is never
// given to a library that breaks its lines.
func newProse(dark bool, width int) *prose {
	width = max(1, width)
	at := func(width int) *glamour.TermRenderer {
		r, err := glamour.NewTermRenderer(glamour.WithStyles(proseStyle(dark)), glamour.WithWordWrap(width))
		if err != nil { // the style is ours and always the same
			return nil
		}
		return r
	}
	return &prose{free: at(0), tables: at(width), width: width, done: map[string][]string{}}
}

func proseStyle(dark bool) ansi.StyleConfig {
	s := styles.LightStyleConfig
	if dark {
		s = styles.DarkStyleConfig
	}
	none := uint(0)
	plain := ansi.StylePrimitive{}
	s.Document = ansi.StyleBlock{Margin: &none}
	s.Text, s.Paragraph.StylePrimitive = plain, plain
	// Without colour a code span must still be told from the words around it.
	s.Code = ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: "`", Suffix: "`", Color: s.Code.Color}}
	s.CodeBlock.Margin = &none
	for _, heading := range []*ansi.StyleBlock{&s.H1, &s.H2, &s.H3, &s.H4, &s.H5, &s.H6} {
		heading.Prefix, heading.Suffix = "", ""
		heading.BackgroundColor, heading.Color = nil, s.Heading.Color
	}
	return s
}

// lines are the rendered lines of a piece of Markdown, none wider than the
// width, each with its own colours.
func (p *prose) lines(source string) []string {
	if lines, ok := p.done[source]; ok {
		return lines
	}
	lines := p.render(source)
	p.done[source] = lines
	return lines
}

func (p *prose) render(source string) []string {
	source = strings.Join(plainLines(markdown.Visible(source)), "\n")
	if strings.TrimSpace(source) == "" {
		return nil
	}
	source = codeSpan.ReplaceAllStringFunc(source, func(span string) string {
		return strings.ReplaceAll(span, "-", stiffHyphen)
	})
	var lines []string
	for i, part := range stretches(source) {
		if i > 0 {
			lines = append(trimEmpty(lines), "")
		}
		lines = append(lines, p.stretch(part)...)
	}
	lines = slices.CompactFunc(trimEmpty(lines), func(a, b string) bool { return strings.TrimSpace(xansi.Strip(a+b)) == "" })
	return lines
}

func (p *prose) stretch(part stretch) []string {
	r, wrap := p.free, hangStyled
	if part.table {
		r, wrap = p.tables, cutCode
	}
	text := part.text
	if r != nil {
		if rendered, err := r.Render(text); err == nil {
			text = rendered
		}
	}
	var lines []string
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		lines = append(lines, wrap(trimBlank(colourOnly(line)), p.width)...)
	}
	for i, line := range carryColours(lines) {
		lines[i] = strings.ReplaceAll(line, stiffHyphen, "-")
	}
	return lines
}

// trimBlank takes the blanks from the end of a line that may end in colours.
func trimBlank(line string) string {
	plain := strings.TrimRight(xansi.Strip(line), " ")
	return xansi.Truncate(line, cells(plain), "")
}

// trimEmpty takes empty lines from both ends.
func trimEmpty(lines []string) []string {
	empty := func(i int) bool { return strings.TrimSpace(xansi.Strip(lines[i])) == "" }
	for len(lines) > 0 && empty(0) {
		lines = lines[1:]
	}
	for len(lines) > 0 && empty(len(lines)-1) {
		lines = lines[:len(lines)-1]
	}
	return lines
}
