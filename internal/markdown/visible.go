package markdown

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// angled is what Markdown may take for a comment or a tag, with the backslashes
// before it: one takes its meaning away, two stand for themselves. A comment
// that nothing ends would take all that follows.
var angled = regexp.MustCompile(`(?s)<!--.*?-->|\\*<!--|\\*</?[A-Za-z][^<>\n]*>`)

var (
	codeSpan = regexp.MustCompile("(?s)``.+?``|`[^`]+`")
	name     = regexp.MustCompile(`^</?([A-Za-z][\w.-]*)`)
)

// Visible returns the Markdown without its comments and with every `<word>`
// escaped that isn't markup: CommonMark passes it on as HTML, and a renderer
// for terminals or a browser shows nothing at all ("Run against <namespace>").
func Visible(markdown string) string {
	if !strings.Contains(markdown, "<") {
		return markdown
	}
	markdown = ended(markdown)
	var b strings.Builder
	for markdown != "" {
		span := codeSpan.FindStringIndex(markdown)
		if comment := strings.Index(markdown, "<!--"); span == nil || comment >= 0 && comment < span[0] {
			span = after(markdown, comment, span)
		}
		b.WriteString(escape(markdown[:span[0]]))
		b.WriteString(markdown[span[0]:span[1]])
		markdown = markdown[span[1]:]
	}
	return b.String()
}

// Text returns the Markdown of a sentence in which `<` always is a character.
func Text(s string) string { return strings.ReplaceAll(s, "<", `\<`) }

// unended starts a comment that hides lines.
var unended = regexp.MustCompile(`(?m)^[ \t]*(?:(?:>|[-*+]|\d+[.)])[ \t]*)*<!--`)

// ended leaves out a comment that begins a line and that nothing ends: as in the
// document, it hides what follows, of a quote its other lines. In the middle of
// a line it is text.
func ended(markdown string) string {
	from := 0
	for {
		at := unended.FindStringIndex(markdown[from:])
		if at == nil {
			return markdown
		}
		line, start := from+at[0], from+at[1]-len("<!--")
		if n := strings.Index(markdown[start:], "-->"); n >= 0 {
			from = start + n + len("-->")
			continue
		}
		if !strings.Contains(markdown[line:start], ">") {
			return markdown[:start]
		}
		rest := markdown[start:]
		for {
			_, below, more := strings.Cut(rest, "\n")
			if !more {
				return markdown[:start]
			}
			if rest = below; !strings.HasPrefix(strings.TrimLeft(rest, " \t"), ">") {
				break
			}
		}
		markdown, from = markdown[:start]+"\n"+rest, start
	}
}

// after is the place behind the comment that starts first, as an empty span:
// back-ticks in a comment are no code.
func after(markdown string, comment int, span []int) []int {
	if comment < 0 {
		return []int{len(markdown), len(markdown)}
	}
	if n := strings.Index(markdown[comment:], "-->"); n >= 0 {
		end := comment + n + len("-->")
		return []int{end, end}
	}
	if span != nil { // a comment without an end is text
		return span
	}
	return []int{len(markdown), len(markdown)}
}

func escape(text string) string {
	var out []byte
	end := 0
	for _, at := range angled.FindAllStringIndex(text, -1) {
		out = append(out, text[end:at[0]]...)
		end = at[1]
		s := text[at[0]:end]
		tag := strings.TrimLeft(s, `\`)
		slashes := len(s) - len(tag)
		switch {
		case strings.HasPrefix(s, "<!--") && strings.HasSuffix(s, "-->"):
			out = apart(out)
		case slashes%2 == 1, isMarkup(tag, text):
			out = append(out, s...)
		default:
			out = append(append(append(out, s[:slashes]...), '\\'), tag...)
		}
	}
	return string(append(out, text[end:]...))
}

// apart keeps what stands before a comment from becoming a tag with what stands
// behind it.
func apart(text []byte) []byte {
	i := bytes.LastIndexAny(text, "<>\n")
	if i < 0 || text[i] != '<' {
		return text
	}
	if slashes := i - len(bytes.TrimRight(text[:i], `\`)); slashes%2 == 1 {
		return text
	}
	return slices.Insert(text, i, '\\')
}

// isMarkup tells a tag or an autolink from a word in angle brackets that a
// reader is meant to replace.
func isMarkup(s, text string) bool {
	if strings.HasPrefix(s, "<!--") {
		return false
	}
	if strings.ContainsAny(s, "=:@") { // <a href="…">, <https://…>, <ops@example.org>
		return true
	}
	tag := name.FindStringSubmatch(s)[1]
	if slices.Contains(tags, strings.ToLower(tag)) {
		return true
	}
	return strings.HasPrefix(s, "</") || strings.HasSuffix(s, "/>") || strings.Contains(text, "</"+tag+">")
}

// tags are the elements that people write in Markdown. Others that HTML knows,
// such as <object>, <data> or <address>, are much likelier meant as words.
var tags = strings.Fields(`
	a abbr b blockquote br center code dd del details div dl dt em font h1 h2 h3
	h4 h5 h6 hr i img ins kbd li mark ol p picture pre q s samp small span strike
	strong style sub summary sup table tbody td th thead tr tt u ul`)
