package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// disguises are the forms in which a value could leave.
func disguises(value string) map[string]string {
	quoted, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	once := base64.StdEncoding.EncodeToString([]byte(value))
	forms := map[string]string{
		"plain": value, "JSON": strings.Trim(string(quoted), `"`), "URL query": url.QueryEscape(value), "URL path": url.PathEscape(value),
		"lower-case URL": lowerEscapes(url.QueryEscape(value)), "HTML": html.EscapeString(value),
		"base64": once, "base64 with a line end": strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(value+"\n")), "=")[:len(value)*4/3],
		"base64 for URLs": base64.URLEncoding.EncodeToString([]byte(value)), "base64 twice": base64.StdEncoding.EncodeToString([]byte(once)),
		"base64 without padding": base64.RawStdEncoding.EncodeToString([]byte(value)), "base64 for URLs without padding": base64.RawURLEncoding.EncodeToString([]byte(value)),
		"hex": hex.EncodeToString([]byte(value)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(value))),
		"JSON in ASCII": strings.Trim(strconv.QuoteToASCII(value), `"`),
		"single quotes": strings.ReplaceAll(value, `'`, `'\''`), "double quotes": strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(value),
	}
	if len(value) >= 16 {
		forms["its head"] = value[:10] // a row of a screen may end inside it
	}
	for before := range 3 {
		for name, enc := range map[string]*base64.Encoding{"": base64.RawStdEncoding, " for URLs": base64.RawURLEncoding} {
			shifted := enc.EncodeToString(append(make([]byte, before), value...))
			from, to := (before*8+5)/6, (before+len(value))*8/6
			forms[fmt.Sprintf("base64%s behind %d bytes", name, before)] = shifted[from:to]
		}
	}
	return forms
}

func lowerEscapes(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] == '%' && i+2 < len(b) {
			copy(b[i+1:], bytes.ToLower(b[i+1:i+3]))
		}
	}
	return string(b)
}

// sink is everything that a run may have left somewhere: name → text.
type sink map[string][]byte

// under takes in every file below a folder, and the names of all.
func (s sink) under(t *testing.T, dir string) {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		names = append(names, path)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		s[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s["names below "+dir] = []byte(strings.Join(names, "\n"))
}

// A leak is a secret that was found where it must not be.
type leak struct{ name, form, where, before string }

func (l leak) String() string {
	return fmt.Sprintf("%s as %s in %s, behind %q", l.name, l.form, filepath.Base(l.where), l.before)
}

// has reports every secret that is in the sink in any form, once a place.
func (s sink) has(secrets map[string]string) []leak {
	var leaks []leak
	for name, value := range secrets {
		forms := disguises(value)
		for where, text := range s {
			for form, shown := range forms {
				if i := bytes.Index(text, []byte(shown)); i >= 0 {
					leaks = append(leaks, leak{name, form, where, string(text[max(0, i-80):i])})
				}
			}
		}
	}
	slices.SortFunc(leaks, func(a, b leak) int { return strings.Compare(a.where+a.name+a.form, b.where+b.name+b.form) })
	return leaks
}

// What is searched for is found, in whatever form: a search that can't fail
// would prove nothing.
func TestASecretIsFoundInEveryForm(t *testing.T) {
	for name, value := range marked {
		for form, shown := range disguises(value) {
			s := sink{"somewhere": []byte("before " + shown + " behind")}
			if !slices.ContainsFunc(s.has(map[string]string{name: value}), func(l leak) bool { return l.form == form || shown == disguises(value)[l.form] }) {
				t.Errorf("%s as %s isn't found in %q", name, form, shown)
			}
		}
		if leaks := (sink{"somewhere": []byte("nothing of it [redacted]")}).has(map[string]string{name: value}); len(leaks) > 0 {
			t.Errorf("%s is found where it isn't: %v", name, leaks)
		}
	}
}
