package steps

import (
	"slices"
	"strings"
)

// A hole is a place in code where the author expects the reader to put
// something of their own.
type hole struct {
	start, end int // offsets in the code
	name       string
	angled     bool // written as <name>: only these can be filled in
	bracket    bool // written as [name], {name} or ...: a hole only outside of quotes
}

// findHoles returns the holes of code in order. A shell would accept most of
// them: <name> is a redirection to bash.
func findHoles(code string) []hole {
	var holes []hole
	if strings.IndexByte(code, '<') >= 0 {
		holes = angled(code)
	}
	if strings.Contains(code, "{{") || strings.Contains(code, "{%") {
		holes = append(holes, templates(code)...)
	}
	holes = append(words(holes, code), samplePaths(code)...)
	holes = yours(yours(holes, code, "your"), code, "YOUR")
	if len(holes) > 1 {
		slices.SortStableFunc(holes, func(a, b hole) int { return a.start - b.start })
	}
	return holes
}

// angled finds <name>: no blank next to the brackets, not behind another `<`,
// and not a tag of some markup.
func angled(code string) []hole {
	var holes []hole
	for i := 0; i < len(code); i++ {
		if code[i] != '<' {
			continue
		}
		n := angledLen(code[i:])
		if n == 0 || i > 0 && code[i-1] == '<' {
			for i+1 < len(code) && code[i+1] == '<' {
				i++
			}
			continue
		}
		name := code[i+1 : i+n-1]
		if strings.Contains(code, "</"+name+">") {
			i += n - 1
			continue
		}
		holes = append(holes, hole{start: i, end: i + n, name: name, angled: true})
		i += n - 1
	}
	return holes
}

func angledLen(s string) int {
	const longest = 80
	for n := 1; n < len(s) && n < longest; n++ {
		switch c := s[n]; {
		case c == '>':
			if n == 1 || s[n-1] == ' ' {
				return 0
			}
			return n + 1
		case n == 1 && !(isWord(c) || c == '.' || c >= 0x80):
			return 0
		case strings.IndexByte("\n<;&$`\"", c) >= 0 || c == '|' && s[n-1] == ' ':
			return 0
		}
	}
	return 0
}

// templates finds what a template engine was to replace: {{ x }} of Jinja and
// Helm, {{< x >}} of Hugo, {% x %}. Go templates of a --format or -o flag are
// part of the command.
func templates(code string) []hole {
	var holes []hole
	for i := 0; i+1 < len(code); i++ {
		if code[i] != '{' || code[i+1] != '{' && code[i+1] != '%' {
			continue
		}
		closer := "}}"
		if code[i+1] == '%' {
			closer = "%}"
		}
		n := 2 + strings.Index(code[i+2:], closer) // {%} is not its own closer
		if n < 2 {
			if code[i+1] == '%' || strings.HasPrefix(code[i:], "{{<") || strings.HasPrefix(code[i:], "{{%") {
				holes = append(holes, hole{start: i, end: i + 2, name: code[i : i+2]})
			}
			i++
			continue
		}
		body := strings.TrimSpace(strings.Trim(code[i+2:i+n], "-"))
		if code[i+1] == '%' || !goTemplate(body) {
			holes = append(holes, hole{start: i, end: i + n + 2, name: strings.Trim(body, "<>% ")})
		}
		i += n + 1
	}
	return holes
}

// goTemplate tells a Go template that kubectl or docker evaluates from one that
// was to be rendered before.
func goTemplate(body string) bool {
	word, _ := cutWord(body)
	switch word {
	case "range", "end", "if", "else", "with", "printf", "print", "println", "len", "index", "json", "join", "and", "or", "not", "eq", "ne",
		"template", "define", "block", "base64decode", "upper", "lower", "split", "table", "truncate", "pad", "toJson", "slice", "break", "continue":
		return true
	}
	for _, chart := range []string{".Values", ".Release", ".Chart", ".Site", ".Page", ".Params", ".outputs.", ".inputs."} {
		if strings.HasPrefix(word, chart) {
			return false
		}
	}
	return strings.HasPrefix(word, ".") || strings.HasPrefix(word, "$") || strings.HasPrefix(word, "(") || strings.HasPrefix(word, `"`) || strings.HasPrefix(word, "/*")
}

// words finds whole words that stand for something: REPLACE_ME, xxx, ..., [flags].
func words(holes []hole, code string) []hole {
	for i := 0; i < len(code); {
		if gaps[code[i]] {
			i++
			continue
		}
		n, seen := i, byte(0)
		for n < len(code) && telling[code[n]] != gap {
			seen |= telling[code[n]]
			n++
		}
		odd := seen != 0
		if odd && n-i > 2 && code[i:i+2] == "[[" && isLetter(code[i+2]) {
			if rest, _, ok := strings.Cut(code[n:], "]]"); ok && !strings.Contains(rest, "\n") {
				n += len(rest) + len("]]") // [[VAR::version]] is one word
			}
		}
		if word := code[i:n]; standsForSomething(word, odd) && !(word == "..." && goPackages(code[:i])) || i > 0 && code[i-1] == '/' && standInSegment(code, i, word) {
			holes = append(holes, hole{start: i, end: n, name: strings.Trim(word, "[]{}"), bracket: (!isLetter(word[0]) && !strings.HasPrefix(word, "[[") || strings.IndexByte(word, '[') > 0) && !leftOut(code, i, n)})
		}
		i = n
	}
	return holes
}

// samplePaths finds /path/to/…, which exists nowhere.
func samplePaths(code string) []hole {
	const sample = "path/to/"
	var holes []hole
	for at := 0; ; {
		i := strings.Index(code[at:], sample)
		if i < 0 {
			return holes
		}
		start := at + i
		if start > 0 && code[start-1] == '/' {
			start--
		}
		at += i + len(sample)
		if start > 0 && !gaps[code[start-1]] {
			continue
		}
		for at < len(code) && (code[at] == '/' || !gaps[code[at]]) {
			at++
		}
		holes = append(holes, hole{start: start, end: at, name: code[start:at]})
	}
}

// goPackages tells whether the path that code ends in is one of Go's: ./...
func goPackages(code string) bool {
	path := code[strings.LastIndexAny(code, " \t\n='\"")+1:]
	return strings.HasPrefix(path, "./") && strings.HasSuffix(path, "/")
}

// gaps are the bytes that words end at.
var gaps = [256]bool{' ': true, '\t': true, '\n': true, '"': true, '\'': true, '=': true, ',': true, ';': true, ':': true,
	'/': true, '@': true, '(': true, ')': true, '|': true, '&': true, '>': true, '<': true, '\\': true}

// gap marks the bytes that words end at.
const gap = 1 << 7

// telling has the gaps, and the bytes without which a word has no [name] in it,
// and nothing in it is crossed out.
var telling = func() (t [256]byte) {
	for c := range t {
		if gaps[c] {
			t[c] = gap
		}
	}
	t['['], t['X'], t['Y'] = 1, 1, 1
	return t
}()

// standsForSomething tells whether a word stands for something else. Odd tells
// whether one of the telling bytes is in it.
func standsForSomething(w string, odd bool) bool {
	switch w[0] {
	case '.':
		return w == "..." || w == "...."
	case 0xe2: // …
		return w == "…"
	case '[':
		if strings.HasPrefix(w, "[[") {
			// [[VAR::version]]; what a shell tests stands behind a blank, and a range has a dash
			return len(w) > 2 && isLetter(w[2]) && !strings.ContainsAny(w, "-$*?")
		}
		if len(w) > 2 && w[1] >= 'A' && w[1] <= 'Z' && strings.IndexByte(w, ']') < 0 {
			return true // [According to …]
		}
		return len(w) > 3 && w[len(w)-1] == ']' && (isLetter(w[1]) || w[1] == '-') && isName(w[1:len(w)-1]) && strings.IndexByte(w, '-') != 2 || w == "[...]"
	case '{':
		return len(w) > 3 && w[len(w)-1] == '}' && isLetter(w[1]) && isName(w[1:len(w)-1])
	}
	if len(w) < 3 {
		return false
	}
	if strings.HasSuffix(w, "...") && isElided(w[:len(w)-3]) {
		return true
	}
	if odd {
		if i := strings.IndexByte(w, '['); i > 0 && bracketInside(w, i) || crossedOut(w) {
			return true
		}
	}
	switch w[0] | 0x20 {
	case 'x':
		return strings.Trim(w, "xX") == "" || strings.Trim(w, "xX-") == "" || strings.Trim(w, "xX.") == ""
	case 'r':
		return equalsAny(w, "replaceme", "replace-me", "replace_me") || strings.HasPrefix(w, "REPLACE_") || strings.HasPrefix(w, "REPLACE-")
	case 'c':
		return equalsAny(w, "changeme", "change-me", "change_me") || strings.HasPrefix(w, "CHANGE_ME") || strings.HasPrefix(w, "CHANGEME")
	case 'i':
		return equalsAny(w, "insert-here")
	case 't', 'p':
		return equalsAny(w, "todo", "tbd", "placeholder") && w != strings.ToLower(w) // a file may be called that
	}
	return false
}

// equalsAny compares in any case.
func equalsAny(w string, texts ...string) bool {
	for _, t := range texts {
		if len(w) == len(t) && strings.EqualFold(w, t) {
			return true
		}
	}
	return false
}

// leftOut tells whether the dots from i to n stand for a whole value in quotes:
// "X-Vault-Token: ...".
func leftOut(code string, i, n int) bool {
	if code[i] != '.' || n == len(code) || code[n] != '"' && code[n] != '\'' {
		return false
	}
	before := code[:i]
	return strings.HasSuffix(before, ": ") || strings.HasSuffix(before, "=") || strings.HasSuffix(before, "="+code[n:n+1])
}

// crossedOut finds file-XX-stor, sdX and backup-YYYYMMDD.
func crossedOut(w string) bool {
	switch w {
	case "sdX", "vdX", "nvmeXn1", "nvmeXnY", "vX.Y", "vX.Y.Z", "X.Y", "X.Y.Z":
		return true
	}
	if i := strings.Index(w, "-X"); i > 0 && isWord(w[i-1]) && (i+2 == len(w) || w[i+2] == '.' || w[i+2] == '-') {
		return true // runner-X.example.com
	}
	const most = 4 // six are a template of mktemp
	if i := strings.Index(w, "XX"); i >= 0 {
		n := runLen(w[i:], 'X')
		before, after := i == 0 || !isCapitalOrDigit(w[i-1]), i+n == len(w) || !isCapitalOrDigit(w[i+n])
		if n <= most && before && after {
			return true
		}
	}
	return strings.Contains(w, "-YYYYMMDD") || strings.HasPrefix(w, "YYYYMMDD")
}

func isCapitalOrDigit(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }

// isElided tells whether a word is the start of a token or key: letters of both
// cases and figures.
func isElided(w string) bool {
	const shortest = 5
	if strings.HasPrefix(w, "AAA") || strings.HasPrefix(w, "eyJ") {
		return true // the start of an SSH key, or of a JSON Web Token
	}
	low, up, digit := false, false, false
	for i := range len(w) {
		c := w[i]
		low, up, digit = low || c >= 'a' && c <= 'z', up || c >= 'A' && c <= 'Z', digit || c >= '0' && c <= '9'
	}
	return len(w) >= shortest && low && up && digit
}

// bracketInside tells [name] inside a word, govuk-[environment]-admin, from a
// set of characters or an index.
func bracketInside(w string, i int) bool {
	const shortest = 4
	name, _, ok := strings.Cut(w[i+1:], "]")
	return ok && len(name) >= shortest && strings.IndexByte("-_.", w[i-1]) >= 0 && !strings.ContainsAny(w, "$*?{") &&
		isLetter(name[0]) && isName(name) && strings.IndexByte(name, '-') != 1
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// mask replaces holes by words of the same length, so that the rest can be
// parsed and offsets stay what they are.
func mask(code string, holes []hole) string {
	if len(holes) == 0 {
		return code
	}
	var b strings.Builder
	b.Grow(len(code))
	at := 0
	for _, h := range holes {
		b.WriteString(code[at:max(at, h.start)])
		for at = max(at, h.start); at < h.end; at++ {
			if code[at] == '\n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte('X')
			}
		}
	}
	b.WriteString(code[at:])
	return b.String()
}

// plainName compares names of placeholders and parameters: case, dashes,
// underscores and blanks apart.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r == ' ':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// paramFor returns the parameter that a placeholder stands for, or nil.
func (r *Runbook) paramFor(placeholder string) *Param {
	want := plainName(placeholder)
	for i := range r.Params {
		if plainName(r.Params[i].Name) == want {
			return &r.Params[i]
		}
	}
	return nil
}
