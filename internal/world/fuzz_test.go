package world

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

// Whatever a server sends for any kind, there is a verdict, and one that isn't
// good has a reason.
func FuzzAnyBodyGetsAVerdict(f *testing.F) {
	for kind := range rules {
		k, group, _ := strings.Cut(kind, ".")
		f.Add(k, group, `{"metadata":{"name":"x"},"spec":{},"status":{"conditions":[{"type":"Ready","status":"True"}]}}`)
		f.Add(k, group, `{"metadata":[],"spec":{"listeners":[1,{}],"parentRefs":[null],"tls":[{}]},"status":{"conditions":{},"phase":7,"listeners":[{}],"parents":[[]]}}`)
	}
	f.Fuzz(func(t *testing.T, kind, group, body string) {
		var m map[string]any
		if json.Unmarshal([]byte(body), &m) != nil {
			t.Skip()
		}
		o := Object{Fact: Fact{Presence: Present, Seen: noon}, Ref: NewRef(kind, group, "n", "x"), Kind: kind, Group: group, Body: m}
		v := Judge(o, noon)
		if v.Answer != Holds && v.Why == "" {
			t.Errorf("%s without a reason", v.Answer)
		}
		if v.Final && v.Answer != DoesNot {
			t.Errorf("final, but %s", v.Answer)
		}
		for _, l := range Summary(o, noon) {
			if strings.ContainsFunc(l.Text, unicode.IsControl) {
				t.Errorf("a control character in %q", l.Text)
			}
		}
	})
}

func FuzzCleanTextHasNoControlCharacters(f *testing.F) {
	for _, s := range []string{"plain", "a\x1b[31mb\x1b[0m", "\x1b]0;t\x07x", "\x1b\x1b[", "a\u202eb", "postgres://u:p@h/d", "\xff\x1b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
			t.Errorf("%q becomes %q", s, got)
		}
		if n := len([]rune(got)); n > longest {
			t.Errorf("%d runes", n)
		}
		if again := Clean(got); again != got {
			t.Errorf("cleaning twice differs: %q %q", got, again)
		}
	})
}
