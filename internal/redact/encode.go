package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// trivial are values that protect nothing and would blank out ordinary text.
var trivial = strings.Fields(`
	admin administrator cluster config cookie default disabled docker enabled example
	false github gitlab https ingress kubernetes localhost mariadb master metadata mongodb
	namespace password pipeline postgres postgresql private production public rabbitmq
	readonly release replica require required sandbox schema secret secrets server service
	session sslmode staging standard string system testing username verify-full volume`)

// worth reports whether a value can be looked for: long enough, and no word
// that would take half the output with it.
func worth(v string) bool {
	return len(v) >= minLen && !slices.Contains(trivial, strings.ToLower(v)) && strings.Trim(v, v[:1]) != ""
}

// forms returns every text that shows the value.
func forms(value string) []string {
	var out []string
	for _, part := range parts(value) {
		out = append(out, encodings(part)...)
	}
	return out
}

// parts returns the value itself, what trimming leaves, its lines, and the
// pieces a parser of connection strings prints when it stumbles.
func parts(value string) []string {
	trimmed := strings.TrimSpace(value)
	if !worth(trimmed) {
		return nil
	}
	out := []string{value, trimmed}
	if told := interpreted(trimmed); told != trimmed {
		out = append(out, parts(told)...)
	}
	if strings.Contains(trimmed, "\n") {
		out = append(out, strings.ReplaceAll(trimmed, "\n", "\r\n"))
		for line := range strings.Lines(trimmed) {
			if line = strings.TrimSpace(line); len(line) >= 8 && worth(line) {
				out = append(out, line)
			}
		}
		return slices.Compact(out)
	}
	inner := trimmed
	if _, after, ok := strings.Cut(trimmed, "://"); ok {
		inner = userPassword(after)
		out = append(out, inner)
	}
	out = append(out, strings.FieldsFunc(inner, func(r rune) bool { return strings.ContainsRune("/?#@:", r) })...)
	return slices.DeleteFunc(out, func(s string) bool { return !worth(s) })
}

// interpreted returns v as an echo prints it that knows escapes, as that of a
// POSIX shell does.
func interpreted(v string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\a`, "", `\b`, "", `\f`, "", `\v`, "", `\0`, "").Replace(v)
}

// userPassword returns the password in what follows :// in a connection
// string, up to the last @ because passwords hold that sign too. Without one
// the whole rest counts.
func userPassword(rest string) string {
	at := strings.LastIndex(rest, "@")
	if at < 0 {
		return rest
	}
	if _, pw, ok := strings.Cut(rest[:at], ":"); ok {
		return pw
	}
	return rest[:at]
}

func encodings(v string) []string {
	out := []string{v}
	out = append(out, quoted(v)...)
	out = append(out, url.QueryEscape(v), url.PathEscape(v), lowerPercent(url.QueryEscape(v)), lowerPercent(url.PathEscape(v)))
	out = append(out, hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v))))
	once := base64Cores(v)
	out = append(out, once...)
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		whole := enc.EncodeToString([]byte(v))
		out = append(out, whole)
		out = append(out, wrapped(whole)...)
		twice := enc.EncodeToString([]byte(whole))
		out = append(out, twice, url.QueryEscape(whole))
		out = append(out, wrapped(twice)...)
	}
	for _, core := range once {
		out = append(out, base64Cores(core)...)
	}
	return out
}

// quoted returns the forms in which shells, Go, JSON, YAML and HTML print it.
func quoted(v string) []string {
	safe, loose := jsonText(v, true), jsonText(v, false)
	return []string{
		safe, loose, jsonText(safe, true), jsonText(loose, true), jsonText(loose, false),
		strings.TrimSuffix(strings.TrimPrefix(strconv.Quote(v), `"`), `"`),
		strings.ReplaceAll(v, `'`, `'\''`),
		strings.ReplaceAll(v, `'`, `'"'"'`),
		strings.ReplaceAll(v, `'`, `''`),
		strings.ReplaceAll(v, `'`, `\'`),
		escapeEach(v, "\\\"$`"),
		escapeEach(v, "\\\"$`!"),
		escapeEach(v, " \t\\\"'$`!&*()[]{}|;<>?~#^,="),
		escapeEach(v, " \t\\\"'$`!&*()[]{}|;<>?~#^"),
		html.EscapeString(v),
		asciiJSON(safe), asciiJSON(loose),
		ansiC(v),
	}
}

// asciiJSON writes what is not ASCII in the text of a JSON string as escapes,
// as Python and jq -a do.
func asciiJSON(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// ansiC returns v as it stands in $'…', in which shells print what they can't
// show in a locale without it.
func ansiC(v string) string {
	var b strings.Builder
	for i := range len(v) {
		switch c := v[i]; {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// jsonText returns v as it stands between the quotes of a JSON string; html
// escapes <, > and & as encoders for web pages do.
func jsonText(v string, html bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	_ = enc.Encode(v) // a string always encodes
	s := strings.TrimSuffix(b.String(), "\n")
	return s[1 : len(s)-1]
}

func escapeEach(v, special string) string {
	var b strings.Builder
	for i := range len(v) {
		if strings.IndexByte(special, v[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(v[i])
	}
	return b.String()
}

// lowerPercent turns %2F into %2f, as some encoders write it.
func lowerPercent(v string) string {
	b := []byte(v)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// base64Cores returns what of the value's base64 is the same whatever stands
// before and after it, for each of the three alignments in both alphabets.
func base64Cores(v string) []string {
	var out []string
	for before := range 3 {
		padded := make([]byte, before, before+len(v)+2)
		padded = append(padded, v...)
		from := (before*8 + 5) / 6
		to := len(padded) * 8 / 6
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			out = append(out, enc.EncodeToString(padded)[from:to])
		}
	}
	return out
}

// wrapped returns the lines of base64 text as base64(1) and openssl break it.
func wrapped(v string) []string {
	var out []string
	for _, width := range []int{76, 64} {
		for rest := v; len(v) > width && rest != ""; {
			n := min(width, len(rest))
			out = append(out, rest[:n])
			rest = rest[n:]
		}
	}
	return out
}
