package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestASentenceKeepsWhatItSaysAndLosesWhatItMustNot(t *testing.T) {
	r := known("Mk7-known-value", "tail-of-a-dsn-9")
	for _, c := range []struct{ in, want string }{
		{"error retrieving secret: permission denied", ""},
		{"step session-key: exit status 3", ""},
		{"step token: refused: destroy: deletes namespace x", ""},
		{"secret/db-password: not found", ""},
		{"keys: password, session-key, username", ""},
		{"secret: SecretSyncedError", "secret: [redacted]"}, // looks made; the safe side
		{"token: 58m", ""},
		{"the token expires in 58m", ""},
		{`secrets "schmetterpause-db" not found`, ""},
		{"login failed: password: hunter2", "login failed: password: [redacted]"},
		{"login failed: password: hunter2, try again", "login failed: password: [redacted], try again"},
		{`spec.password: "correct horse" is too short`, `spec.password: "[redacted]" is too short`},
		{"overwrites password=v of kv/x", "overwrites password=[redacted] of kv/x"},
		{"runs helm --password correct --wait", "runs helm --password [redacted] --wait"},
		{"curl says Authorization: Bearer abc def", "curl says Authorization: [redacted]"},
		{"curl says X-Vault-Token: abcdefgh", "curl says X-Vault-Token: [redacted]"},
		{"dial postgres://app:pw@db/x: refused", "dial postgres://app:[redacted]@db/x: refused"},
		{"the secret: see the wiki; password: Hunter2xx, token: s3cr3t-x", "the secret: see the wiki; password: [redacted], token: [redacted]"},
		{"read secret: denied: key: x: password: Hunter2xx", "read secret: denied: key: x: password: [redacted]"},
		{`Get "https://10.0.0.1:6443/api?access_token=abcDEF123456": dial tcp: timeout`, `Get "https://10.0.0.1:6443/api?access_token=[redacted]": dial tcp: timeout`},
		{`Get "https://u:hunter2pass@10.0.0.1/api": x509: unknown authority`, `Get "https://u:[redacted]@10.0.0.1/api": x509: unknown authority`},
		{`write kv/data/shop: Code: 400. Errors: * no cas for {"password":"Ab12cd34ef"}`, `write kv/data/shop: Code: 400. Errors: * no cas for {"password":"[redacted]"}`},
		{"it said Mk7-known-value", "it said [redacted]"},
		{"it said TWs3LWtub3duLXZhbHVl", "it said [redacted]"},
		{"it was cut: Mk7-kno…", "it was cut: [redacted]…"},
		{"it was cut: Mk…", ""},
		{"red \x1b[31mword\x1b[0m\x1b]0;title\x07 and \u009b2J\u202e", "red word and 2J"},
		{"several\nlines, secret: all of it", "several\nlines, secret: [redacted]"},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got := r.Sentence(c.in); got != want {
			t.Errorf("%q: got %q, want %q", c.in, got, want)
		}
	}
}

func TestSecretVariablesOfAnEnvironmentAreKnown(t *testing.T) {
	r := New()
	r.AddEnv([]string{"AWS_SECRET_ACCESS_KEY=Mk7-in-the-environment", "DATABASE_URL=postgres://app:Mk7/dsn-pw@db-host/shopping", "PGPASSFILE=/not/a/secret", "EDITOR=vim-editor", "CACHE_DATABASE_URL=postgres://db-host/shopping", "malformed"})
	got := r.Text("Mk7-in-the-environment Mk7/dsn-pw dsn-pw db-host shopping vim-editor /not/a/secret\n")
	if want := "[redacted] [redacted] [redacted] db-host shopping vim-editor /not/a/secret\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestKnownValuesAreAllThatAKnownWriterRemoves(t *testing.T) {
	for size := range 30 {
		var b strings.Builder
		w := known("Mk7-known-value").Known(&b)
		for rest := "password: shown Mk7-known-value\x1b[2J\x1b[31mred\x1b[0m"; rest != ""; {
			n := min(size+1, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got, want := b.String(), "password: shown [redacted]\x1b[31mred\x1b[0m"; got != want {
			t.Fatalf("pieces of %d: got %q, want %q", size+1, got, want)
		}
	}
}

func TestAnEscapeThatNothingEndsTakesNoMessageAway(t *testing.T) {
	r := known("Mk7-known-value")
	for s, want := range map[string]string{
		"read \x1b]0;pod: denied; ask again":  "read 0;pod: denied; ask again",
		"read \x1bXpod: denied":               "read pod: denied",
		"Mk7-known-val\x1b]ue was refused":    "[redacted] was refused",
		"read \x1b]0;title\x07pod: denied":    "read pod: denied",
		"read \x1bPa\x1b\\pod: denied \x1b_b": "read pod: denied b",
	} {
		if got := r.Sentence(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func FuzzJSONMeansTheSameAndHoldsNothingThatATerminalObeys(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[2J \u009b2J \u202e \U000e0041 \x7f é 漢 \xff")
	f.Fuzz(func(t *testing.T, s string) {
		text, err := json.Marshal(map[string]string{"s": s})
		if err != nil {
			t.Fatal(err)
		}
		shown := JSON(text)
		var want, got map[string]string
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(shown, &got); err != nil || got["s"] != want["s"] {
			t.Fatalf("got %q (%v), want %q", got, err, want)
		}
		for _, r := range string(shown) {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("%q holds %U", shown, r)
			}
		}
	})
}

func FuzzASentenceIsOneLineOfPlainTextWithoutAKnownValue(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb", "\x1b]52;c;aGk=\x07x", "\u009b31mx", "password: Mk7-known-value", "Mk7-known-val\x1b[0mue", "Mk7-known-…"} {
		f.Add(s)
	}
	r := known("Mk7-known-value")
	f.Fuzz(func(t *testing.T, s string) {
		got := r.Sentence(s)
		if strings.Contains(got, "Mk7-known-value") {
			t.Fatalf("%q shows the value: %q", s, got)
		}
		if !strings.ContainsAny(s, "\r\n") && strings.ContainsFunc(got, func(c rune) bool { return hidden(c) && c != '\t' }) {
			t.Fatalf("%q leaves a control: %q", s, got)
		}
	})
}
