package redact

import (
	"bytes"
	"strings"
)

// lineRules returns what must go from a line whatever stands around it.
func lineRules(line []byte) []region {
	out := assignments(line)
	out = append(out, flags(line)...)
	out = append(out, shapes(line)...)
	return append(out, embedded(line)...)
}

// assignments finds the values of secret names in the forms that env, set -x,
// YAML, JSON, HTTP headers and configuration files have.
func assignments(line []byte) []region {
	var out []region
	for i := 0; i < len(line); i++ {
		sep := line[i]
		if sep != ':' && sep != '=' {
			continue
		}
		if n := len(out); n > 0 && i < out[n-1].to {
			continue
		}
		if sep == '=' && i+1 < len(line) && (line[i+1] == '=' || line[i+1] == '~') {
			i++
			continue
		}
		if sep == ':' && i+2 < len(line) && line[i+1] == '/' && line[i+2] == '/' {
			continue
		}
		from, key, quotedKey := keyBefore(line, i)
		if !sensitive(key) && !unsealKey(line[:i]) {
			continue
		}
		if r, ok := valueAfter(line, i, from, quotedKey); ok && !harmlessValue(key, line[r.from:r.to]) {
			out = append(out, r)
		}
	}
	return out
}

// keyBefore returns the name that ends at offset i, where it starts, and
// whether it is in quotes.
func keyBefore(line []byte, i int) (from int, key string, quoted bool) {
	end := i
	for end > 0 && (line[end-1] == ' ' || line[end-1] == '\t') && i-end < 40 {
		end--
	}
	for end > 0 && (line[end-1] == '"' || line[end-1] == '\'' || line[end-1] == '\\' || line[end-1] == ']') {
		end--
		quoted = true
	}
	from = end
	for from > 0 && nameByte(line[from-1]) {
		from--
	}
	return from, string(line[from:end]), quoted
}

// unsealKey recognises what vault operator init prints: "Unseal Key 1:".
func unsealKey(before []byte) bool {
	before = bytes.TrimRight(before, "0123456789")
	return bytes.HasSuffix(before, []byte("Unseal Key ")) || bytes.HasSuffix(before, []byte("Recovery Key "))
}

// valueAfter returns where the value behind the sign at offset i is. A value
// that is not in quotes ends with the line where it can: in YAML, and in what
// env prints.
func valueAfter(line []byte, i, keyFrom int, quotedKey bool) (region, bool) {
	from := i + 1
	if line[i] == ':' && from < len(line) && line[from] == '=' { // :=
		from++
	}
	for from < len(line) && (line[from] == ' ' || line[from] == '\t') {
		from++
	}
	if from == len(line) {
		return region{}, false
	}
	if quote, n := openQuote(line[from:]); n > 0 {
		from += n
		return region{from, from + closeQuote(line[from:], quote)}, true
	}
	end := len(line)
	switch {
	case quotedKey && line[i] == ':':
		end = from + until(line[from:], ",}] \t")
	case line[i] == '=' && !startsLine(line[:keyFrom]):
		stops := " \t\"'`"
		if bytes.IndexByte(line[:keyFrom], '?') >= 0 {
			stops += "&"
		}
		end = from + until(line[from:], stops)
	case line[i] == ':' && insideQuotes(line[:keyFrom]) != 0:
		end = from + until(line[from:], string(insideQuotes(line[:keyFrom])))
	}
	for end > from && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	return region{from, end}, end > from
}

// openQuote recognises a quotation mark, escaped or not, at the start of b.
func openQuote(b []byte) (quote string, n int) {
	for _, q := range []string{`\\\"`, `\"`, `$'`, `"`, `'`} {
		if bytes.HasPrefix(b, []byte(q)) {
			return strings.TrimPrefix(q, "$"), len(q)
		}
	}
	return "", 0
}

// closeQuote returns the offset of the closing mark, or the end: a value that
// is cut off is secret up to there.
func closeQuote(b []byte, quote string) int {
	for i := 0; i < len(b); i++ {
		if bytes.HasPrefix(b[i:], []byte(quote)) {
			if next := b[i+len(quote):]; quote == "'" && bytes.HasPrefix(next, []byte(`\''`)) {
				i += 3 // how a shell writes a single quote
				continue
			}
			return i
		}
		if b[i] == '\\' && quote == `"` {
			i++
		}
	}
	return len(b)
}

func until(b []byte, stops string) int {
	if i := bytes.IndexAny(b, stops); i >= 0 {
		return i
	}
	return len(b)
}

// startsLine reports whether nothing stands before a key but what export -p,
// declare -p and a list marker print.
func startsLine(before []byte) bool {
	f := bytes.Fields(before)
	for _, w := range f {
		switch string(w) {
		case "export", "declare", "typeset", "-x", "-", "-rx", "--", "set":
		default:
			return false
		}
	}
	return true
}

// insideQuotes returns the quotation mark that is open at the end of before,
// as in curl -H "Authorization: …", or 0.
func insideQuotes(before []byte) byte {
	var open byte
	for _, c := range before {
		switch {
		case c != '"' && c != '\'':
		case open == 0:
			open = c
		case open == c:
			open = 0
		}
	}
	return open
}

// harmlessValue reports whether a value says nothing: a reference, a
// placeholder, a word of the language.
func harmlessValue(key string, v []byte) bool {
	s := strings.TrimRight(strings.TrimSpace(string(v)), ",;")
	switch strings.ToLower(s) {
	case "", "true", "false", "null", "none", "nil", "~", "|", "|-", "|+", ">", ">-", "{", "[", "{}", "[]", "yes", "no",
		"<none>", "<nil>", "<unset>", "<set>", "<redacted>", "n/a", strings.ToLower(Placeholder):
		return true
	}
	switch {
	case strings.HasPrefix(s, "<set to the key "): // kubectl describe pod
		return true
	case key == "pass" && strings.Trim(s, "0123456789") == "": // a count of tests
		return true
	case strings.Trim(s, "*") == "", strings.Trim(s, "<>") != s && !strings.ContainsAny(s, " "):
		return true
	case strings.HasSuffix(s, ".key"), strings.HasSuffix(s, ".pem"), strings.HasSuffix(s, ".crt"): // names of files
		return true
	case strings.HasPrefix(s, "${") && strings.HasSuffix(s, "}"), strings.HasPrefix(s, "$(") && strings.HasSuffix(s, ")"):
		return true
	case strings.HasPrefix(s, "{{") && strings.HasSuffix(s, "}}"):
		return true
	case len(s) > 1 && s[0] == '$' && strings.TrimLeft(s[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "":
		return true
	}
	// An ExternalSecret names the key it writes this way.
	return strings.HasSuffix(key, "secretKey") && nameLike(s)
}

// nameLike reports whether s is words in one case, as names of keys are.
func nameLike(s string) bool {
	low, up := false, false
	for i := range len(s) {
		switch c := s[i]; {
		case lower(c):
			low = true
		case upper(c):
			up = true
		case c == '_' || c == '-' || c == '.':
		default:
			return false
		}
	}
	return low != up && len(s) <= 40
}

// flags finds the value of --password VALUE and the like.
func flags(line []byte) []region {
	var out []region
	for pos := 0; ; {
		i := bytes.Index(line[pos:], []byte("--"))
		if i < 0 {
			return out
		}
		from := pos + i + 2
		end := from
		for end < len(line) && nameByte(line[end]) {
			end++
		}
		pos = max(end, from)
		if end == from || end+1 >= len(line) || line[end] != ' ' || !sensitive(string(line[from:end])) {
			continue
		}
		v := end + 1
		r := region{v, v + until(line[v:], " \t")}
		if quote, n := openQuote(line[v:]); n > 0 {
			r = region{v + n, v + n + closeQuote(line[v+n:], quote)}
		}
		if r.to > r.from && line[r.from] != '-' && !harmlessValue("", line[r.from:r.to]) {
			out = append(out, r)
		}
	}
}
