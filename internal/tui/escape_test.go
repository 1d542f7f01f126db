package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// obeyed returns the first thing in a row that a terminal doesn't just draw:
// any escape but SGR, a control character of either set, or one that turns the
// direction of reading.
func obeyed(row string) string {
	for i := 0; i < len(row); {
		if row[i] == 0x1b {
			end := i + 2
			for end < len(row) && strings.IndexByte("0123456789;:", row[end]) >= 0 {
				end++
			}
			if i+1 >= len(row) || row[i+1] != '[' || end >= len(row) || row[end] != 'm' {
				return row[i:min(end+1, len(row))]
			}
			i = end + 1
			continue
		}
		size := 1
		if row[i] >= 0x80 {
			r := []rune(row[i:min(i+4, len(row))])[0]
			size = len(string(r))
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || row[i] < 0xc0 {
				return row[i : i+size]
			}
		} else if row[i] < 0x20 || row[i] == 0x7f {
			return row[i : i+1]
		}
		i += size
	}
	return ""
}

func TestWhatATerminalObeysIsToldFromWhatItDraws(t *testing.T) {
	for row, want := range map[string]string{
		"plain é漢 \x1b[31mred\x1b[m": "", "\x1b[2J": "\x1b[2J", "a\x1b]0;x": "\x1b]0;x", "\u009b2J": "\u009b", "a\u202eb": "\u202e", "a\rb": "\r", "\x1b": "\x1b",
	} {
		if got := obeyed(row); got != want {
			t.Errorf("%q: got %q, want %q", row, got, want)
		}
	}
}

// hostile is a run in which everything that comes from outside is s.
func hostile(s string) *fakeEngine {
	rb := &steps.Runbook{Title: s, Intro: s, Purpose: steps.BringUp, Params: []steps.Param{{Name: "P", Help: s, Example: s}, {Name: "Q", Choices: []string{s, "b"}}}}
	odd := shellStep("odd", s, s, s)
	odd.Cost, odd.Undo = s, s
	odd.Blocks = append(odd.Blocks, steps.Block{Kind: steps.ShellBlock, Code: s, Why: s, Detail: s, Placeholders: []string{s}})
	odd.Code = append(odd.Code, s)
	odd.Parts = append(odd.Parts, steps.Part{Block: 1}, steps.Part{Block: -1, Fence: &steps.Fence{Code: s, Why: s}})
	failed := shellStep("failed", s, "", "true")
	f := fakeOf(rb, odd, failed, shellStep("not", s, s, s))
	f.plan.Steps[2].Taken, f.plan.Steps[2].WhyNot = false, s
	f.run = steps.NewRun(f.plan)
	f.run, _ = f.run.Apply(steps.Event{Kind: steps.StepStarted, Step: "failed", At: noon})
	f.run, _ = f.run.Apply(steps.Event{Kind: steps.StepFailed, Step: "failed", At: noon, Why: s})
	f.plan.Values = steps.Values{"P": {Text: s, Source: steps.FromSet}, "Q": {Text: s, Source: steps.FromSet}}
	f.where = guard.Where{Context: s, Server: s, Namespace: s, Vault: s, Note: s}
	f.gates["odd"] = guard.Gate{Step: "odd", Title: s, Decision: guard.Confirm, Class: risk.Destroy, Words: "odd", Cost: s, Where: f.where,
		Reasons: []risk.Reason{{Class: risk.Destroy, Command: s, Why: s}}, Blockers: []guard.Blocker{{What: s, Why: s, Next: s}},
		Losses: []guard.Loss{{What: s, Why: s}}, Warnings: []guard.Warning{{Protects: s, Text: s, Undo: s}}, Fingerprint: "1"}
	f.checks["odd"] = []engine.Check{{Role: engine.ExpectRole, Expect: steps.Expectation{Text: s}, Verdict: world.Verdict{Answer: world.DoesNot, Why: s}}}
	f.output["odd"] = engine.Output{Lines: []string{s, s}, Note: s, Exit: 1}
	ref := world.NewRef("externalsecret", "external-secrets.io", s, s)
	condition := map[string]any{"type": "Ready", "status": "False", "reason": s, "message": s}
	f.world = world.World{Now: noon, Objects: map[world.Ref]world.Object{ref: {Fact: world.Fact{Presence: world.Present, Seen: noon, Why: s}, Ref: ref, Kind: "ExternalSecret",
		Body:   map[string]any{"metadata": map[string]any{"annotations": map[string]any{"a": s}}, "status": map[string]any{"phase": s, "conditions": []any{condition}}},
		Events: []world.Event{{Type: "Warning", Reason: s, Message: s, Last: noon}}, Note: s}},
		Entries: map[string]world.Entry{s: {Fact: world.Fact{Presence: world.Present, Seen: noon}, Path: s, Mount: s, KV: 2, Keys: []string{s}, KeysWhy: s}},
		Health:  world.Health{Fact: world.Fact{Presence: world.Present, Seen: noon, Why: s}, Address: s, Version: s, Cluster: s},
		Token:   world.Token{Fact: world.Fact{Presence: world.Present, Seen: noon, Why: s}, Policies: []string{s}},
		Probes:  map[string]world.Probe{s: {Fact: world.Fact{Presence: world.Present, Seen: noon, Why: s}, URL: s, Location: s, TrustWhy: s}}}
	f.live["odd"] = []engine.LiveItem{
		{Subject: steps.Subject{Source: steps.Kube, Kind: "externalsecret", Group: "external-secrets.io", Namespace: s, Name: s}}, {Subject: steps.Subject{Source: steps.Vault, Entry: s}},
		{Subject: steps.Subject{Source: steps.Vault}}, {Subject: steps.Subject{Source: steps.Vault, Entry: "token"}}, {Subject: steps.Subject{Source: steps.HTTP, URL: s}}}
	return f
}

// FuzzOnlyColourIsDrawn: whatever comes in, from a file, a command, a cluster
// or Vault, only colours come out; every frame is looked at.
func FuzzOnlyColourIsDrawn(f *testing.F) {
	for _, s := range []string{
		"plain", "\x1b[31mred\x1b[0m", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x1b\\", "\x1bP1$q\x1b\\", "\u009b2J", "\x9b2J", "a\nb", "a\r\nb\rc", "\ta",
		"\u202eabc\u2066", "\x07\x08\x7f\x00", "\x1b", "\x1b[", "\x1b[31", "é漢🙂", "\xff\xfe", "\U000e0041", "\u2028\u2029", "\x1b[?1049l", "\x1b#8", "**a** `b` <c>\x1b[2J</c>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 {
			return
		}
		walkHostile(t, s, 120, 50)
		walkHostile(t, s, 60, 20)
	})
}

func walkHostile(t *testing.T, s string, width, height int) {
	e := hostile(s)
	d := onRun(t, e, width, height)
	d.say(engine.WorldChanged{World: e.world}, engine.OutputChanged{Step: "odd"}, engine.Noticed{Text: s, Bad: true}, engine.Noticed{Text: s})
	for _, keys := range [][]string{{"tab", "tab", "tab", "tab"}, {"v", "esc"}, {"m", "esc"}, {"?", "esc"}, {"e", "esc"}, {"y"}, {"enter", "esc"}, {"/"}} {
		d.press(keys...)
	}
	d.write("a")
	d.press("enter", "esc", "j", "G")
	d.tell(tea.PasteMsg{Content: s})

	refused := hostile(s)
	refused.refuse = errors.New(s)
	d = onRun(t, refused, width, height)
	d.press("n")
	d.write("x")
	d.press("enter")
	d.tell(answeredMsg{to: request{id: 1, what: askedDo, step: "odd"}, err: &engine.GateError{Gate: refused.gates["odd"], Why: s}})

	d = newDesk(t, Config{Runbook: e.plan.Runbook, Values: steps.Values{}, Target: s}, width, height) // the form
	d.press("tab")
	d.tell(tea.PasteMsg{Content: s})
	newDesk(t, Config{Runbook: &steps.Runbook{Title: s}, Values: steps.Values{}, Target: s,
		Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) { return nil, errors.New(s) }}, width, height)
	d = newDesk(t, Config{Choices: []Choice{{Name: s, Purpose: s, Title: s, Path: s}, {Name: "b"}},
		Open: func(string) (*steps.Runbook, steps.Values, error) { return nil, nil, errors.New(s) }}, width, height)
	d.press("j", "k", "enter")
}

func TestLiveStateIsShownWithoutWhatMustNotBeSeen(t *testing.T) {
	d := onRun(t, hostile("it says "+hiddenWord), 200, 60)
	d.sees("it says [redacted]")
}
