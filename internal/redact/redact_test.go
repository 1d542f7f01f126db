package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

const value = `S3cr?t/w0rd#&'"x $y`

func known(values ...string) *Redactor {
	r := New()
	r.Add(values...)
	return r
}

// encoders are the ways a value gets onto a screen.
var encoders = map[string]func(string) string{
	"raw":        func(s string) string { return s },
	"base64":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 raw": func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) },
	"base64 url": func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"base64 twice": func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(s))))
	},
	"hex":         func(s string) string { return hex.EncodeToString([]byte(s)) },
	"hex upper":   func(s string) string { return fmt.Sprintf("%X", s) },
	"query":       url.QueryEscape,
	"path":        url.PathEscape,
	"query lower": func(s string) string { return lowerPercent(url.QueryEscape(s)) },
	"json":        func(s string) string { b, _ := json.Marshal(s); return string(b) },
	"json twice": func(s string) string {
		b, _ := json.Marshal(s)
		b, _ = json.Marshal(string(b[1 : len(b)-1]))
		return string(b)
	},
	"go":           strconv.Quote,
	"shell single": func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
	"shell double": func(s string) string { return `"` + escapeEach(s, "\\\"$`") + `"` },
	"newline":      func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s + "\n")) },
}

func TestNoFormOfAKnownValueLeavesInAnyChunking(t *testing.T) {
	for _, v := range []string{value, "correcthorsebattery", "pass word with ünïcode", strings.Repeat("Long-value/+", 40)} {
		r := known(v)
		for name, enc := range encoders {
			secret := enc(v)
			in := "before " + secret + " after\n"
			for _, size := range []int{0, 1, 2, 3, 5, 7, 64} {
				got := pieces(r, in, size)
				if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after\n") {
					t.Fatalf("%s of %q in chunks of %d: surroundings lost: %q", name, v, size, got)
				}
				leak := strings.Trim(strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(got, "before "), " after\n"), Placeholder, ""), `'"\=`)
				if len(leak) > 3 { // the last characters of base64 mix in what follows
					t.Fatalf("%s of %q in chunks of %d leaks %q", name, v, size, leak)
				}
			}
		}
	}
}

func TestAValueInsideOtherBase64IsFoundAtAnyOffset(t *testing.T) {
	r := known("correcthorsebattery")
	for before := range 7 {
		doc := strings.Repeat("x", before) + "correcthorsebattery" + "-tail-of-it"
		got := r.Text(base64.StdEncoding.EncodeToString([]byte(doc)))
		left := strings.Split(got, Placeholder)
		if len(left) != 2 {
			t.Fatalf("offset %d: %q", before, got)
		}
		for _, part := range left {
			if strings.Contains(string(decodeAny(part)), "horse") {
				t.Fatalf("offset %d: %q", before, got)
			}
		}
	}
}

func decodeAny(s string) []byte {
	var all []byte
	for skip := range 4 {
		if skip > len(s) {
			break
		}
		b, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(s[skip:], "="))
		all = append(all, b...)
	}
	return all
}

func TestColourOrEscapesInsideAValueDoNotHideIt(t *testing.T) {
	r := known("correcthorsebattery")
	for _, in := range []string{
		"a correct\x1b[01;31mhorse\x1b[mbattery b", "a correct\x1b[Khorsebattery b", "a correct\x1b]0;t\x07horsebattery b",
		"a correct\u200bhorsebattery b", "a correct\u202ehorsebattery b", "a correct\x00horsebattery b",
	} {
		got := Terminal([]byte(r.Text(in)))
		plain := strings.NewReplacer("\x1b[01;31m", "", "\x1b[m", "").Replace(got)
		if plain != "a [redacted] b" {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestALineEndInsideAValueDoesNotHideIt(t *testing.T) {
	r := known("correcthorsebattery", "two words here")
	for in, want := range map[string]string{
		"a correcthorse\nbattery b\n":                            "a [redacted] b\n",
		"a correcth\rorsebattery b\n":                            "a [redacted] b\n",
		"correct\r\n   horse\r\n   battery\r\n":                  "[redacted]\r\n",
		"two wor\nds here, two words\n  here\n":                  "[redacted], [redacted]\n",
		"correct\nanswer\n":                                      "correct\nanswer\n",
		"correcthorse\n":                                         "correcthorse\n",
		"correct\n" + strings.Repeat(" ", 90) + "horsebattery\n": "correct\n" + strings.Repeat(" ", 90) + "horsebattery\n",
		"correct\n\n\nhorse\n":                                   "correct\n\n\nhorse\n",
		"\x1b[32mcorrecthorse\x1b[m\r\n\x1b[32mbattery\x1b[m":    "\x1b[32m[redacted]\x1b[m\x1b[32m\x1b[m",
	} {
		for size := 1; size <= len(in); size++ {
			var out strings.Builder
			w := r.Writer(&out)
			for at := 0; at < len(in); at += size {
				if _, err := w.Write([]byte(in[at:min(at+size, len(in))])); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil || out.String() != want {
				t.Fatalf("%q in pieces of %d: %q, want %q (%v)", in, size, out.String(), want, err)
			}
		}
	}
}

func TestOverlappingValuesLeaveNoRest(t *testing.T) {
	got := known("abcdef123456", "123456uvwxyz").Text("<abcdef123456uvwxyz>")
	if got != "<[redacted]>" {
		t.Errorf("got %q", got)
	}
}

func TestTheLongerOfTwoValuesIsAwaited(t *testing.T) {
	r := known("abcdef123", "abcdef123-and-more")
	if got := pieces(r, "<abcdef123-and-more>", 3); got != "<[redacted]>" {
		t.Errorf("got %q", got)
	}
	if got := pieces(r, "<abcdef123-and-less>", 3); got != "<[redacted]-and-less>" {
		t.Errorf("got %q", got)
	}
}

func TestTailsThatAParserPrintsAreFound(t *testing.T) {
	r := known("postgres://app:first/second#third99@db.example:5432/app")
	got := r.Text(`parse "postgres://app:first/second#third99@db.example:5432/app": invalid port ":first"; second then third99 at db.example`)
	for _, leak := range []string{"second", "third99"} {
		if strings.Contains(got, leak) {
			t.Errorf("%q left in %q", leak, got)
		}
	}
	if !strings.Contains(got, "at db.example") {
		t.Errorf("the host is no secret: %q", got)
	}
}

func TestLinesOfALongValueAreFound(t *testing.T) {
	r := known("line one of it\nline two of it\n")
	if got := r.Text("  line two of it\r\nx line one of it y"); got != "  [redacted]\r\nx [redacted] y" {
		t.Errorf("got %q", got)
	}
	wrapped := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("0123456789abcdef-", 20)))
	long := known(strings.Repeat("0123456789abcdef-", 20))
	for rest := wrapped; len(rest) > 0; {
		n := min(76, len(rest))
		if got := long.Text(rest[:n]); len(rest) > 76 && got != Placeholder {
			t.Errorf("got %q", got)
		}
		rest = rest[n:]
	}
}

func TestShortAndTrivialValuesAreIgnored(t *testing.T) {
	r := known("", "abc", "12345", "password", "postgres", "aaaaaaaa", "  \n")
	in := "abc 12345 password postgres aaaaaaaa"
	if got := r.Text(in); got != in {
		t.Errorf("got %q", got)
	}
}

func TestTheHeadOfAValueIsTheOnlyThingHeldBack(t *testing.T) {
	var b strings.Builder
	w := known("correcthorsebattery").Writer(&b)
	_, _ = w.Write([]byte("hello corr"))
	if b.String() != "hello " {
		t.Errorf("got %q", b.String())
	}
	_, _ = w.Write([]byte("al"))
	if b.String() != "hello corral" {
		t.Errorf("got %q", b.String())
	}
}

func TestAQuestionToTheTerminalIsNeverHeld(t *testing.T) {
	var screen strings.Builder
	w := known("correcthorsebattery").Tee(nil, &screen)
	_, _ = w.Write([]byte("corr\x1b[6n"))
	if screen.String() != "\x1b[6n" {
		t.Errorf("got %q", screen.String())
	}
}

func TestTheScreenGetsMovesAndTheTextDoesNot(t *testing.T) {
	var text, screen strings.Builder
	w := New().Tee(&text, &screen)
	_, _ = w.Write([]byte("a\x1b[2Jb\x1b[1mc\x1b]0;title\x07d\x1b(0e\x1b[?1049hf\bg\x07"))
	_ = w.Flush()
	if got, want := text.String(), "ab\x1b[1mcdefg"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got, want := screen.String(), "a\x1b[2Jb\x1b[1mcd\x1b(0e\x1b[?1049hf\bg"; got != want {
		t.Errorf("screen %q, want %q", got, want)
	}
}

func TestAForgottenTerminatorDoesNotSwallowTheOutput(t *testing.T) {
	if got := Terminal([]byte("a\x1b]0;never closed\nb\x1bPsixel\nc")); got != "a\nb\nc" {
		t.Errorf("got %q", got)
	}
}

func TestTerminalLeavesTextTabsAndColour(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb\r\n":                               "a\tb\r\n",
		"\x1b[1;38:5:9mx\x1b[0m":                 "\x1b[1;38:5:9mx\x1b[0m",
		"\x1b[>4;2mx":                            "x",
		"\x1b[?25lx\x1b[6n":                      "x",
		"\x9b31mx":                               "\ufffd31mx",
		"\u009b31mx":                             "31mx",
		"\xe2\x82":                               "\ufffd\ufffd",
		"a\xffb":                                 "a\ufffdb",
		"bi\u202edi\u2066x\u200by\ufeffz":        "bidixyz",
		"\x1b]8;;https://x\x1b\\l\x1b]8;;\x1b\\": "l",
		"a\x07\x08\x0b\x0c\x00\x7fb":             "ab",
		"\x1b[31":                                "",
		"\x1b[3\n1mx":                            "\n1mx",
	} {
		if got := Terminal([]byte(in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// onlySGR reports the first thing in s that is neither text nor colour.
func onlySGR(s string) string {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == 0x1b:
			end := i + 1
			if end < len(s) && s[end] == '[' {
				for end++; end < len(s) && strings.IndexByte("0123456789;:", s[end]) >= 0; end++ {
				}
			}
			if end >= len(s) || s[end] != 'm' {
				return fmt.Sprintf("escape at %d: %q", i, s[i:min(i+12, len(s))])
			}
			i = end
		case c < 0x20 && c != '\n' && c != '\t' && c != '\r', c == 0x7f:
			return fmt.Sprintf("control %#x at %d", c, i)
		}
	}
	return ""
}

func FuzzOnlyColourLeavesAndChunksDoNotMatter(f *testing.F) {
	f.Add([]byte("a\x1b[31mb\x1b]0;x\x07\xe2\x82\x1b[2J"), uint8(3))
	f.Add([]byte("password: x\r\n{\"data\":{\"a\":\"b\"},\"kind\":\"Secret\"}"), uint8(1))
	f.Add([]byte("apiVersion: v1\ndata:\n  a: b\nkind: Secret\n-----BEGIN PRIVATE KEY-----\nAAAA"), uint8(2))
	f.Add([]byte("\x1b[1;1Hx: 1 bytes\x1b(0\x9b"), uint8(5))
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		if bad := onlySGR(Terminal(in)); bad != "" {
			t.Fatalf("Terminal: %s", bad)
		}
		got := pieces(New(), string(in), int(size))
		if bad := onlySGR(got); bad != "" {
			t.Fatalf("Writer: %s", bad)
		}
	})
}

func FuzzAKnownValueNeverLeaves(f *testing.F) {
	f.Add("noise before ", value, "\x1b[31m behind", uint8(3), uint8(0))
	f.Add("x", "correcthorse", "y", uint8(1), uint8(4))
	f.Add("corr", "correctcorrect", "ect", uint8(2), uint8(1))
	names := []string{"raw", "base64", "base64 url", "hex", "query", "path", "json", "go"}
	f.Fuzz(func(t *testing.T, before, secret, after string, size, form uint8) {
		secret = strings.TrimSpace(Terminal([]byte(secret)))
		if !worth(secret) || strings.Contains(secret, "\x1b") || strings.ContainsAny(secret, "\r\n") || strings.Contains(Placeholder, secret) {
			t.Skip()
		}
		shown := encoders[names[int(form)%len(names)]](secret)
		got := pieces(known(secret), before+shown+after, int(size))
		if strings.Contains(got, secret) || strings.Contains(got, shown) {
			t.Fatalf("%q leaves in %q", shown, got)
		}
	})
}

// Random documents of all the pieces that matter, cut anywhere: the value in
// any of its forms never comes out.
func TestRandomStreamsNeverShowAKnownValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	r := known(value, "correcthorsebattery")
	filler := []string{"a", "\n", "\x1b[1m", "\x1b[2J", "{\"", "data:\n", "kind: Secret\n", "\r", "corr", "S3cr?t", "===== Data =====\n", "x: y\n", "-----BEGIN PRIVATE KEY-----\n", "🙂"}
	names := make([]string, 0, len(encoders))
	for n := range encoders {
		names = append(names, n)
	}
	for range 3000 {
		var in bytes.Buffer
		var shown []string
		for range rng.IntN(12) {
			if rng.IntN(3) > 0 {
				in.WriteString(filler[rng.IntN(len(filler))])
				continue
			}
			s := encoders[names[rng.IntN(len(names))]](value)
			shown = append(shown, s)
			in.WriteString(s)
		}
		got := pieces(r, in.String(), 1+rng.IntN(20))
		for _, s := range append(shown, value) {
			if strings.Contains(got, s) {
				t.Fatalf("%q leaves:\nin  %q\nout %q", s, in.String(), got)
			}
		}
	}
}

func TestAWriterReportsTheErrorBehindIt(t *testing.T) {
	w := New().Writer(failing{})
	if _, err := w.Write([]byte("x\n")); err == nil {
		t.Error("want the error of the writer behind")
	}
	if err := w.Flush(); err == nil {
		t.Error("want the error to stay")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("write record: disk full") }

// What is held back is bounded: a line of any length, a document that never
// says what it is.
func TestMemoryStaysBoundedOnEndlessInput(t *testing.T) {
	for name, chunk := range map[string]string{
		"one line":         strings.Repeat("x", 32<<10),
		"one line, hot":    strings.Repeat("token key data ", 2<<10),
		"one value":        "",
		"undecided data":   "",
		"base64":           base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7, 99, 3, 200, 65}, 6<<10)),
		"colour":           strings.Repeat("\x1b[31m", 6<<10),
		"unfinished title": "\x1b]0;" + strings.Repeat("t", 32<<10),
	} {
		w := New().Writer(discard{})
		switch name {
		case "one value":
			_, _ = w.Write([]byte("password: "))
			chunk = strings.Repeat("v", 32<<10)
		case "undecided data":
			_, _ = w.Write([]byte("apiVersion: v1\ndata:\n"))
			chunk = strings.Repeat("  a: b\n", 4<<10)
		}
		for range 60 {
			_, _ = w.Write([]byte(chunk))
		}
		if held := cap(w.held.text) + cap(w.lines.buf.text) + 32*cap(w.lines.buf.marks) + cap(w.clean.seq); held > 8<<20 {
			t.Errorf("%s: %d bytes held", name, held)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func BenchmarkWriter(b *testing.B) {
	for name, line := range map[string]string{
		"log":  "2026-11-30T20:00:00Z INFO reconciler: object synced namespace=prod name=web-7c9d generation=12\n",
		"yes":  "y\r\n",
		"hot":  "  tls.key: LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0t\n",
		"utf8": "Überprüfung läuft → größer als zuvor, ✓ fertig\n",
	} {
		b.Run(name, func(b *testing.B) {
			chunk := []byte(strings.Repeat(line, 32<<10/len(line)))
			w := known(value, "correcthorsebattery", strings.Repeat("k", 20)+"ey").Writer(discard{})
			b.SetBytes(int64(len(chunk)))
			for b.Loop() {
				_, _ = w.Write(chunk)
			}
		})
	}
}

func TestManyValuesAreAddedOneByOne(t *testing.T) {
	r := New()
	for i := range 2000 {
		r.Add(fmt.Sprintf("value-number-%d-of-many", i))
	}
	if got := r.Text("a value-number-1999-of-many b"); got != "a [redacted] b" {
		t.Errorf("got %q", got)
	}
	r.Add("added-afterwards")
	if got := r.Text("added-afterwards value-number-7-of-many"); got != "[redacted] [redacted]" {
		t.Errorf("got %q", got)
	}
}
