package plain

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// hostile is a walk in which everything that comes from outside is s.
func hostile(t testing.TB, s string) *fake {
	f := newFake(t, three)
	f.plan.Runbook.Title = s
	f.plan.Steps[0].Title, f.plan.Steps[2].Title = s, s
	f.plan.Steps[1].Title, f.plan.Steps[1].Taken, f.plan.Steps[1].WhyNot = s, false, s
	f.run = steps.NewRun(f.plan)
	f.plan.Steps[0].Expect[0].Text = s
	f.settles["check"] = s
	f.gates["namespace"] = guard.Gate{Decision: guard.Confirm, Class: risk.Destroy, Cost: s,
		Reasons: []risk.Reason{{Class: risk.Destroy, Command: s, Why: s}}, Blockers: []guard.Blocker{{What: s, Why: s, Next: s}},
		Losses: []guard.Loss{{What: s, Why: s}}, Warnings: []guard.Warning{{Protects: s, Text: s, Undo: s}}}
	f.course["namespace"] = []act{
		prints("namespace", s, "end"), notices(engine.Noticed{Text: s}), fact(steps.StepExited, "namespace", 0, ""),
		finds("namespace", world.DoesNot, s), fact(steps.StepHeld, "namespace", 0, ""),
	}
	return f
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// FuzzOnlyColourComesOut: whatever comes in, no byte comes out that moves a
// cursor, writes a title or a clipboard, or turns the direction of reading, and
// nothing looks like a line that the program didn't say.
func FuzzOnlyColourComesOut(f *testing.F) {
	for _, s := range []string{
		"plain", "\x1b[31mred\x1b[0m", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x1b\\", "\x1bP1$q\x1b\\", "\u009b2J", "\xc2\x9b2J", "\x9b2J",
		"a\nb", "a\rb", "\u202eabc", "\x07\x08\x7f\x00", "\x1b", "\x1b[", "\x1b[31", "é漢🙂", "\xff\xfe", "\U000e0041", "\u2028\u2029",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return // what isn't there isn't told
		}
		for _, color := range []bool{false, true} {
			var out bytes.Buffer
			if err := Walk(t.Context(), hostile(t, s), Options{Accept: []string{"namespace"}}, NewText(&out, color)); err != nil {
				t.Fatal(err)
			}
			text := out.String()
			if color {
				text = sgr.ReplaceAllString(text, "")
			}
			if r := control(text); r != 0 {
				t.Fatalf("%q lets %U out: %q", s, r, out.String())
			}
			if got := strings.Count(text, "\n"); got != 19 {
				t.Fatalf("%q makes %d lines, want 19: %q", s, got, text)
			}
		}
		var out bytes.Buffer
		if err := Walk(t.Context(), hostile(t, s), Options{Accept: []string{"namespace"}}, NewJSON(&out)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%q makes what is no JSON: %q", s, line)
			}
		}
		if r := control(out.String()); r != 0 {
			t.Fatalf("%q lets %U out as JSON: %q", s, r, out.String())
		}
	})
}

// control is the first character that a terminal obeys or that turns what is
// read, but for line ends and tabs.
func control(s string) rune {
	for _, r := range s {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029') {
			return r
		}
	}
	return 0
}
