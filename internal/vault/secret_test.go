package vault_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"runbook/internal/vault"
)

// holder has secrets in every place in which printing could look.
type holder struct {
	Open   vault.Secret
	closed vault.Secret
	ptr    *vault.Secret
	List   []vault.Secret
	Map    map[string]vault.Secret
	nested struct{ any any }
	finger vault.Fingerprint
}

func TestASecretNeverPrints(t *testing.T) {
	s := vault.NewSecret(marked)
	f := s.Fingerprint([]byte("salt"))
	h := holder{Open: s, closed: s, ptr: &s, List: []vault.Secret{s}, Map: map[string]vault.Secret{"k": s}, finger: f}
	h.nested.any = s
	jsonOf := func(v any) string { b, err := json.Marshal(v); return fmt.Sprint(string(b), err) }
	yamlOf := func(v any) string { b, err := yaml.Marshal(v); return fmt.Sprint(string(b), err) }
	slogOf := func(v any, handler func(*bytes.Buffer) slog.Handler) string {
		var b bytes.Buffer
		slog.New(handler(&b)).Info("x", "v", v)
		return b.String()
	}
	text := func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) }
	js := func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) }
	for _, v := range []any{s, &s, h, &h, []any{s}, map[string]any{"k": s}, error(fmt.Errorf("x: %v", s)), f, &f} {
		for name, out := range map[string]string{
			"%v": fmt.Sprintf("%v", v), "%+v": fmt.Sprintf("%+v", v), "%#v": fmt.Sprintf("%#v", v),
			"%s": fmt.Sprintf("%s", v), "%q": fmt.Sprintf("%q", v), "%x": fmt.Sprintf("%x", v), "%d": fmt.Sprintf("%d", v),
			"Sprint": fmt.Sprint(v), "json": jsonOf(v), "yaml": yamlOf(v), "slog": slogOf(v, text), "slog json": slogOf(v, js),
		} {
			for form, value := range map[string]string{"plain": marked, "hex": fmt.Sprintf("%x", marked), "digest": f.Encode()[:16]} {
				if strings.Contains(out, value) {
					t.Errorf("%s of %T shows the value (%s): %s", name, v, form, out)
				}
			}
		}
	}
}

func TestRevealGivesTheValueBack(t *testing.T) {
	if got := vault.NewSecret(marked).Reveal(); got != marked {
		t.Errorf("got %q", got)
	}
	if got := (vault.Secret{}).Reveal(); got != "" {
		t.Errorf("got %q from the zero Secret, want nothing", got)
	}
	if s := vault.NewSecret(" 12345678 \n"); !s.AtLeast(8) || s.AtLeast(9) {
		t.Error("AtLeast must count without the white space around")
	}
}

func TestFingerprintsCompareValues(t *testing.T) {
	salt := []byte("salt of this machine")
	of := func(v string) vault.Fingerprint { return vault.NewSecret(v).Fingerprint(salt) }
	for _, tc := range []struct {
		name        string
		now, before vault.Fingerprint
		want        vault.Difference
	}{
		{"the same value", of("a"), of("a"), vault.Same},
		{"another value", of("a"), of("b"), vault.Changed},
		{"a new line at the end", of("a\n"), of("a"), vault.OnlyWhitespace},
		{"white space inside", of("a b"), of("ab"), vault.Changed},
		{"another salt", vault.NewSecret("a").Fingerprint([]byte("other")), of("a"), vault.Changed},
		{"nothing to compare with", of("a"), vault.Fingerprint{}, vault.Unknown},
	} {
		if got := tc.now.Compare(tc.before); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
		back, err := vault.DecodeFingerprint(tc.before.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if got := tc.now.Compare(back); got != tc.want {
			t.Errorf("%s, after keeping it in a file: got %s, want %s", tc.name, got, tc.want)
		}
	}
	if _, err := vault.DecodeFingerprint("no"); err == nil {
		t.Error("nonsense was taken for a fingerprint")
	}
}
