package vault_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"runbook/internal/vault"
)

func literal(s string) vault.Spec { return vault.Spec{Literal: &s} }

func TestFillGenerates(t *testing.T) {
	for _, tc := range []struct {
		name string
		spec vault.Spec
		want string
	}{
		{"base64", vault.Spec{Generate: "base64", Bytes: 32}, `^[A-Za-z0-9+/]{43}=$`},
		{"base64 by default", vault.Spec{Generate: "base64"}, `^[A-Za-z0-9+/]{43}=$`},
		{"hex", vault.Spec{Generate: "hex", Bytes: 24}, `^[0-9a-f]{48}$`},
		{"alphanumeric", vault.Spec{Generate: "alphanumeric", Bytes: 20}, `^[A-Za-z0-9]{20}$`},
		{"uuid", vault.Spec{Generate: "uuid"}, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
		{"literal", literal("schmetterpause"), `^schmetterpause$`},
		{"an empty literal", literal(""), `^$`},
	} {
		got, err := vault.Fill(map[string]vault.Spec{"k": tc.spec}, rand.Reader)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if v := got["k"].Reveal(); !regexp.MustCompile(tc.want).MatchString(v) {
			t.Errorf("%s: got %q, want %s", tc.name, v, tc.want)
		}
	}
}

func TestFillIsRepeatableOnTheSameRandomness(t *testing.T) {
	specs := map[string]vault.Spec{"b": {Generate: "hex", Bytes: 2}, "a": {Generate: "hex", Bytes: 2}}
	for range 5 {
		got, err := vault.Fill(specs, bytes.NewReader([]byte{1, 2, 3, 4}))
		must(t, err)
		if got["a"].Reveal() != "0102" || got["b"].Reveal() != "0304" {
			t.Fatalf("got a=%s b=%s, want them in the order of their names", got["a"].Reveal(), got["b"].Reveal())
		}
	}
}

func TestAlphanumericSkipsTheBytesThatWouldBeUnfair(t *testing.T) {
	got, err := vault.Fill(map[string]vault.Spec{"k": {Generate: "alphanumeric", Bytes: 2}}, bytes.NewReader([]byte{255, 0, 248, 61}))
	must(t, err)
	if v := got["k"].Reveal(); v != "A9" {
		t.Errorf("got %q, want A9", v)
	}
}

func TestTemplatesAreFilledAfterWhatTheyName(t *testing.T) {
	got, err := vault.Fill(map[string]vault.Spec{
		"username": literal("app"),
		"pass":     literal("p@ss/word"),
		"url":      {Template: `postgres://{{.username}}:{{.pass | urlquery}}@{{index . "the-host"}}/db`},
		"the-host": {Template: `{{$.username}}-rw`},
		"basic":    {Template: `{{printf "%s:%s" .username .pass | b64enc}}`},
		"again":    {Template: `{{if .basic}}{{.url}}{{else}}none{{end}}`},
		"quoted":   literal("{{.username}}"),
	}, rand.Reader)
	must(t, err)
	for k, want := range map[string]string{
		"url":    "postgres://app:p%40ss%2Fword@app-rw/db",
		"basic":  "YXBwOnBAc3Mvd29yZA==",
		"again":  "postgres://app:p%40ss%2Fword@app-rw/db",
		"quoted": "{{.username}}",
	} {
		if v := got[k].Reveal(); v != want {
			t.Errorf("%s: got %q, want %q", k, v, want)
		}
	}
}

func TestFillSaysWhatIsWrong(t *testing.T) {
	value := literal(marked)
	for _, tc := range []struct {
		name  string
		specs map[string]vault.Spec
		want  string
	}{
		{"nothing", map[string]vault.Spec{"k": {}}, `fill "k": it needs a value, generate or template`},
		{"two ways", map[string]vault.Spec{"k": {Generate: "hex", Template: "x"}}, `fill "k": it can have only one of`},
		{"an unknown generator", map[string]vault.Spec{"k": {Generate: "base46"}}, `fill "k": nothing generates "base46"`},
		{"bytes of a uuid", map[string]vault.Spec{"k": {Generate: "uuid", Bytes: 3}}, `fill "k": bytes means something only with`},
		{"too many bytes", map[string]vault.Spec{"k": {Generate: "hex", Bytes: 4096}}, `fill "k": bytes must be between 1 and 1024`},
		{"a missing key", map[string]vault.Spec{"v": value, "k": {Template: "{{.usernme}}"}}, `fill "k": its template names "usernme", and there is no such key`},
		{"a missing key with a dash", map[string]vault.Spec{"k": {Template: `{{index . "a-b"}}`}}, `fill "k": its template names "a-b"`},
		{"a computed key", map[string]vault.Spec{"v": value, "k": {Template: `{{index . (print "v")}}`}}, `fill "k": its template can use index only as`},
		{"a circle", map[string]vault.Spec{"a": {Template: "{{.b}}"}, "b": {Template: "{{.c}}"}, "c": {Template: "{{.a}}"}}, `fill "a": its template needs itself: a → b → c → a`},
		{"itself", map[string]vault.Spec{"a": {Template: "{{.a}}"}}, `fill "a": its template needs itself: a → a`},
		{"a loop", map[string]vault.Spec{"v": value, "k": {Template: "{{range .}}{{.}}{{end}}"}}, `fill "k": its template can have values, pipes and if`},
		{"a broken template", map[string]vault.Spec{"k": {Template: "{{.a"}}, `fill "k": `},
		{"an unknown function", map[string]vault.Spec{"v": value, "k": {Template: "{{.v | sha}}"}}, `function "sha" not defined`},
		{"an error on the values", map[string]vault.Spec{"v": value, "k": {Template: "{{slice .v 100}}"}}, `fill "k": its template can't be carried out`},
		{"a field of a text", map[string]vault.Spec{"v": value, "k": {Template: "{{.v.w}}"}}, `fill "k": its template names "v.w"`},
	} {
		_, err := vault.Fill(tc.specs, rand.Reader)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.want)
		}
		if err != nil && strings.Contains(err.Error(), marked) {
			t.Errorf("%s: the error shows a value: %v", tc.name, err)
		}
	}
}

func TestFillFailsWithoutRandomness(t *testing.T) {
	for _, kind := range []string{"base64", "hex", "alphanumeric", "uuid"} {
		_, err := vault.Fill(map[string]vault.Spec{"k": {Generate: kind}}, bytes.NewReader(nil))
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: got %v, want the reader's error", kind, err)
		}
	}
}

func FuzzFillNeverPanics(f *testing.F) {
	for _, s := range []string{"{{.v}}", "{{index . `v`}}", "{{if .v}}a{{else}}{{.v}}{{end}}", "{{define `x`}}{{end}}", "{{$x := .v}}{{$x}}", "{{.v | urlquery | b64enc}}", "{{break}}", "{{call .v}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := vault.Fill(map[string]vault.Spec{"v": literal(marked), "k": {Template: text}}, rand.Reader)
		if err != nil && strings.Contains(err.Error(), marked) && !strings.Contains(text, marked) {
			t.Errorf("the error shows a value: %v", err)
		}
	})
}
