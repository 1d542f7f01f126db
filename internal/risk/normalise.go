package risk

import "strings"

// Placeholders such as <name> are no shell: bash would read them as redirections. They are
// made part of the word they stand in, by bytes that no typed text holds, so that offsets
// stay those of the text.
const (
	markOpen  = '\x01'
	markClose = '\x02'
	markSpace = '\x03'
)

var lookalikes = strings.NewReplacer(
	"\u00a0", " ", "\u2007", " ", "\u202f", " ", "\u2009", " ", "\u3000", " ",
	"\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "", "\u00ad", "",
	"\u201c", `"`, "\u201d", `"`, "\u2018", "'", "\u2019", "'",
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "--", "\u2212", "-",
)

// normalise makes of a text what its author meant it to be. It is for judging only: what is
// run is always the text itself.
func normalise(text string) (string, []string) {
	var notes []string
	if !ascii(text) {
		if t := lookalikes.Replace(text); t != text {
			text = t
			notes = append(notes, "has characters that only look like ASCII")
		}
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	if strings.ContainsAny(text, "\x00\x01\x02\x03") {
		text = strings.Map(func(r rune) rune {
			if r <= 3 {
				return ' '
			}
			return r
		}, text)
		notes = append(notes, "has control characters")
	}
	if t, cut := cutPrompts(text); cut {
		text = t
		notes = append(notes, "has prompts")
	}
	return markPlaceholders(text), notes
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// cutPrompts removes copied "$ " prompts. A "# " is one only where every line that isn't
// blank begins so and the text behind the first looks like a command.
func cutPrompts(text string) (string, bool) {
	t := strings.TrimLeft(text, " \t\n")
	if !strings.HasPrefix(t, "$ ") && !strings.HasPrefix(t, "# ") && !strings.Contains(text, "\n$ ") {
		return text, false
	}
	lines := strings.Split(text, "\n")
	root := rootSession(lines)
	cut := false
	for i, l := range lines {
		s := strings.TrimLeft(l, " \t")
		if strings.HasPrefix(s, "$ ") || root && strings.HasPrefix(s, "# ") {
			lines[i] = s[2:]
			cut = true
		}
	}
	return strings.Join(lines, "\n"), cut
}

func rootSession(lines []string) bool {
	found := false
	for _, l := range lines {
		s := strings.TrimSpace(l)
		if s == "" {
			continue
		}
		rest, ok := strings.CutPrefix(s, "# ")
		if !ok {
			return false
		}
		name, args, _ := strings.Cut(rest, " ")
		// A comment is prose: it doesn't begin with a program that takes the next word
		// as one of its verbs.
		if args == "" || tables().verb(name, args) == nil {
			return false
		}
		found = true
	}
	return found
}

func markPlaceholders(text string) string {
	if strings.Contains(text, "{{ ") {
		text = markTemplates(text)
	}
	i := strings.IndexByte(text, '<')
	if i < 0 {
		return text
	}
	b := []byte(text)
	for ; i < len(b); i++ {
		if b[i] != '<' {
			continue
		}
		end := placeholderEnd(b, i)
		if end < 0 {
			continue
		}
		b[i], b[end] = markOpen, markClose
		for j := i + 1; j < end; j++ {
			if b[j] == ' ' || b[j] == '\'' || b[j] == '(' || b[j] == ')' {
				b[j] = markSpace
			}
		}
		i = end
	}
	return string(b)
}

// markTemplates makes one word of {{ a template }}, which is filled in before a shell sees it.
func markTemplates(text string) string {
	b := []byte(text)
	for i := 0; i+1 < len(b); i++ {
		if b[i] != '{' || b[i+1] != '{' {
			continue
		}
		for j := i + 2; j+1 < len(b) && j-i < 120 && b[j] != '\n'; j++ {
			if b[j] != '}' || b[j+1] != '}' {
				continue
			}
			for k := i + 2; k < j; k++ {
				if strings.IndexByte(" |&;()<>'\"`$", b[k]) >= 0 {
					b[k] = markSpace
				}
			}
			i = j
			break
		}
	}
	return string(b)
}

// placeholderEnd is the index of the ">" that closes the placeholder opened at i, or -1.
func placeholderEnd(b []byte, i int) int {
	if i+1 >= len(b) || !letter(b[i+1]) || i > 0 && (b[i-1] == '<' || b[i-1] >= '0' && b[i-1] <= '9' && (i == 1 || strings.IndexByte(" \t\n;&|(){}`", b[i-2]) >= 0)) {
		return -1
	}
	for j := i + 1; j < len(b) && j-i < 80; j++ {
		switch c := b[j]; {
		case c == '>':
			// cat <in >out, cat <in>/dev/sda: redirections all the same.
			if b[j-1] == ' ' || j+1 < len(b) && (b[j+1] == '>' || b[j+1] == '&') || hasPrefix(b[j+1:], "/dev/") {
				return -1
			}
			return j
		case c == '\n' || c == '<' || c == '"' || c == '|' && j+1 < len(b) && b[j+1] == '|' || c == ';' || c == '&' || c == '$' || c == '`' || c == '\\':
			return -1
		}
	}
	return -1
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func hasPrefix(b []byte, p string) bool { return len(b) >= len(p) && string(b[:len(p)]) == p }

var unmark = strings.NewReplacer("\x01", "<", "\x02", ">", "\x03", " ")

// shown is a piece of the judged text as its author wrote it, shortened to fit a reason.
func shown(s string) string {
	if strings.IndexByte(s, markOpen) >= 0 || strings.IndexByte(s, markClose) >= 0 || strings.IndexByte(s, markSpace) >= 0 {
		s = unmark.Replace(s)
	}
	return cutText(s, 400)
}

// cutText shortens a text to n bytes, and never within a character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
