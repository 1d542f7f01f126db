package markdown

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Visible returns the Markdown without its comments and with every `<word>`
// escaped that isn't markup: CommonMark passes it on as HTML, and a renderer
// for terminals or a browser shows nothing at all ("Run against <namespace>").
func Visible(markdown string) string {
	if !strings.Contains(markdown, "<") {
		return markdown
	}
	v := visible{in: markdown}
	for v.at < len(v.in) {
		n := strings.IndexAny(v.in[v.at:], "`<")
		if n < 0 {
			break
		}
		v.pass(n)
		if v.in[v.at] == '`' {
			v.ticks()
		} else {
			v.angle()
		}
	}
	v.pass(len(v.in) - v.at)
	return string(v.out)
}

// Text returns the Markdown of a sentence in which `<` always is a character.
func Text(s string) string { return strings.ReplaceAll(s, "<", `\<`) }

// visible is how far a Markdown has been read.
type visible struct {
	in  string
	at  int
	out []byte
}

// pass takes over what stands next as it is.
func (v *visible) pass(n int) {
	v.out = append(v.out, v.in[v.at:v.at+n]...)
	v.at += n
}

// escaped tells whether a backslash takes the meaning of what stands next away:
// two stand for themselves.
func (v *visible) escaped() bool {
	return (len(v.out)-len(bytes.TrimRight(v.out, `\`)))%2 == 1
}

// ticks takes over a span of code as it is, or the back-ticks that begin none.
func (v *visible) ticks() {
	if v.escaped() {
		v.pass(1)
		return
	}
	n := ticks(v.in[v.at:])
	v.pass(n + closing(v.in[v.at+n:], n))
}

// ticks counts the back-ticks that a text begins with.
func ticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// closing is where the span of code ends that n back-ticks began, or 0: it ends
// at the next run as long and doesn't leave its paragraph (CommonMark 6.1).
func closing(s string, n int) int {
	for i := 0; i < len(s); {
		switch s[i] {
		case '`':
			run := ticks(s[i:])
			if i += run; run == n {
				return i
			}
		case '\n':
			i++
			if line, _, _ := strings.Cut(s[i:], "\n"); block.MatchString(line) {
				return 0
			}
		default:
			i++
		}
	}
	return 0
}

// containers are the marks of quotes and lists that a line may begin with.
const containers = `^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*)*`

var (
	// block is a line that ends the paragraph before it.
	block = regexp.MustCompile(containers + "(?:\r?$|<!--|#{1,6}[ \t]|```|~~~)|^[ \t>]*(?:[-*+]|\\d{1,9}[.)])[ \t]")
	// start is what stands before a comment that begins a line.
	start = regexp.MustCompile(containers + `$`)
	// tag is what Markdown may take for one.
	tag = regexp.MustCompile(`^</?([A-Za-z][\w.-]*)?[^<>\n]*>`)
)

// angle leaves a comment out and escapes a word that isn't markup.
func (v *visible) angle() {
	rest := v.in[v.at:]
	switch {
	case v.escaped():
		v.pass(1)
	case strings.HasPrefix(rest, "<!--"):
		v.comment()
	default:
		s := tag.FindStringSubmatch(rest)
		if s == nil || s[1] == "" {
			v.pass(1)
			return
		}
		if isMarkup(s[0], s[1], v.in) {
			v.pass(len(s[0]))
			return
		}
		v.out = append(v.out, '\\')
		v.pass(1)
	}
}

// comment leaves one out. One that begins a line and that nothing ends hides all
// that follows, of a quote its other lines, as in the document; in the middle of
// a line it ends with its paragraph at the latest, or is text.
func (v *visible) comment() {
	line := v.in[strings.LastIndexByte(v.in[:v.at], '\n')+1 : v.at]
	begins, rest := start.MatchString(line), v.in[v.at:]
	end := strings.Index(rest, "-->")
	switch {
	case end >= 0 && (begins || !leaves(rest[:end])):
		v.at += end + len("-->")
		if begins {
			v.below(line)
		}
		v.apart()
	case !begins:
		v.out = append(v.out, '\\')
		v.pass(1)
	case strings.Contains(line, ">"):
		v.at += quoted(rest)
	default:
		v.at = len(v.in)
	}
}

// below keeps what stands behind a comment that begins a line from going on with
// the paragraph above: a comment ends one, as does an item of a list.
func (v *visible) below(line string) {
	behind, _, _ := strings.Cut(v.in[v.at:], "\n")
	if strings.Trim(line, "> \t") == "" && strings.TrimSpace(behind) != "" && len(v.out) > len(line) {
		v.out = append(append(v.out, '\n'), line...)
	}
}

// leaves tells whether a text goes on behind the paragraph that it begins in.
func leaves(s string) bool {
	_, s, more := strings.Cut(s, "\n")
	for more {
		var line string
		if line, s, more = strings.Cut(s, "\n"); block.MatchString(line) {
			return true
		}
	}
	return false
}

// quoted is the length of what stands in the same quote.
func quoted(s string) int {
	n := 0
	for line := range strings.Lines(s) {
		if n > 0 && !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			return n - len("\n")
		}
		n += len(line)
	}
	return n
}

// apart keeps what stands before a comment from becoming a tag or code with what
// stands behind it.
func (v *visible) apart() {
	if bytes.HasSuffix(v.out, []byte("`")) && strings.HasPrefix(v.in[v.at:], "`") {
		v.out = append(v.out, ' ')
	}
	i := bytes.LastIndexAny(v.out, "<>\n")
	if i < 0 || v.out[i] != '<' {
		return
	}
	if slashes := i - len(bytes.TrimRight(v.out[:i], `\`)); slashes%2 == 0 {
		v.out = slices.Insert(v.out, i, '\\')
	}
}

// isMarkup tells a tag or an autolink from a word in angle brackets that a
// reader is meant to replace.
func isMarkup(s, name, text string) bool {
	if strings.ContainsAny(s, "=:@") { // <a href="…">, <https://…>, <ops@example.org>
		return true
	}
	if slices.Contains(tags, strings.ToLower(name)) {
		return true
	}
	return strings.HasPrefix(s, "</") || strings.HasSuffix(s, "/>") || strings.Contains(text, "</"+name+">")
}

// tags are the elements that people write in Markdown. Others that HTML knows,
// such as <object>, <data> or <address>, are much likelier meant as words.
var tags = strings.Fields(`
	a abbr b blockquote br center code dd del details div dl dt em font h1 h2 h3
	h4 h5 h6 hr i img ins kbd li mark ol p picture pre q s samp small span strike
	strong style sub summary sup table tbody td th thead tr tt u ul`)
