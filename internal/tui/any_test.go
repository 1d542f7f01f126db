package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// FuzzAnyKeys sits somebody at the desk who presses anything, while anything
// happens: a gate that asks for words is only ever answered with those words,
// typed one by one.
func FuzzAnyKeys(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 25 {
		seed := make([]byte, 90)
		for i := range seed {
			seed[i] = byte(random.IntN(256))
		}
		f.Add(seed)
	}
	f.Add([]byte{0, 0, 0, 1, 40, 50, 1})
	f.Fuzz(func(t *testing.T, acts []byte) {
		if len(acts) > 400 {
			return
		}
		a := newAnybody(t)
		for _, act := range acts {
			a.act(act)
			if a.desk.quit {
				break
			}
		}
		a.judge()
	})
}

// anybody acts at random and remembers what was really typed.
type anybody struct {
	t      *testing.T
	desk   *desk
	eng    *fakeEngine
	gates  map[string]guard.Gate // every gate there ever was, by fingerprint
	typed  string
	judged int
	starts []string // that the engine hasn't reported yet
}

func newAnybody(t *testing.T) *anybody {
	eng := bringUp()
	for id, words := range map[string]string{"secrets": "rotate session key", "apply": "yes"} {
		g := deletion()
		g.Step, g.Words, g.Fingerprint = id, words, "gate of "+id
		eng.gates[id] = g
	}
	a := &anybody{t: t, eng: eng, gates: map[string]guard.Gate{}}
	for _, g := range eng.gates {
		a.gates[g.Fingerprint] = g
	}
	eng.started = func(step string) { a.starts = append(a.starts, step) }
	a.desk = onRun(t, eng, 120, 40)
	return a
}

var anyKeys = []string{"enter", "enter", "space", "esc", "tab", "j", "k", "G", "up", "pgdown", "ctrl+c", "s", "t", "n", "N", "e",
	"i", "y", "/", "v", "m", "?", "z", "q", "ctrl+u", "ctrl+s", "g", "x"}

func (a *anybody) act(act byte) {
	switch n := int(act); {
	case n < 2*len(anyKeys):
		a.press(keyNamed(anyKeys[n%len(anyKeys)]))
	case n < 75:
		a.write([]string{"schmetterpause", "rotate session key", "yes"}[n%3])
	case n < 105:
		a.write(a.asked())
	case n < 120: // somebody who has read it
		a.desk.quiet()
		a.write(a.asked())
		a.press(keyNamed("enter"))
	case n < 135:
		a.desk.tell(tea.PasteMsg{Content: []string{"schmetterpause", "yes\r", "rotate session key"}[n%3]})
	case n < 150:
		a.desk.tell(tea.WindowSizeMsg{Width: (n * 37) % 190, Height: (n * 13) % 60})
	case n < 205:
		a.desk.quiet()
	case n < 225:
		a.change(n)
	default:
		a.happen(n)
	}
	for _, step := range a.starts {
		a.fact(steps.Event{Kind: steps.StepStarted, Step: step, At: noon})
	}
	a.starts = nil
	a.judge()
}

// fact reports a fact if it can follow from where the run stands.
func (a *anybody) fact(fact steps.Event) bool {
	next, err := a.eng.run.Apply(fact)
	if err != nil {
		return false
	}
	a.eng.run = next
	a.desk.say(engine.RunChanged{Run: next, Fact: fact})
	return true
}

// asked are the words that the dialog on the screen asks for, if one does.
func (a *anybody) asked() string {
	if last := len(a.desk.m.dialogs) - 1; last >= 0 {
		if c, ok := a.desk.m.dialogs[last].(confirm); ok {
			return c.gate.Words
		}
	}
	return ""
}

func (a *anybody) press(k tea.KeyPressMsg) {
	a.typed += k.Text
	a.desk.tell(k)
}

// write types a text; only the last frame of it is looked at.
func (a *anybody) write(text string) {
	checks := a.desk.unchecked
	a.desk.unchecked = true
	for i, r := range text {
		a.desk.unchecked = checks || i < len(text)-1
		a.press(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// change makes another gate the one in force.
func (a *anybody) change(n int) {
	id := []string{"secrets", "apply", "teardown"}[n%3]
	g := deletion()
	g.Step, g.Fingerprint = id, fmt.Sprint("gate ", len(a.gates))
	g.Decision = []guard.Decision{guard.Confirm, guard.Confirm, guard.Allow, guard.Refuse}[n%4]
	g.Words = []string{"schmetterpause", "yes", "", "rotate session key"}[n/2%4]
	a.gates[g.Fingerprint] = g
	a.eng.gates[id] = g
}

// happen lets the engine say something, or answer something late.
func (a *anybody) happen(n int) {
	ids := []string{"secrets", "apply", "teardown"}
	id := ids[n%3]
	kinds := []steps.EventKind{steps.StepStarted, steps.StepExited, steps.StepHeld, steps.StepUnmet, steps.StepSkipped, steps.StepReopened}
	fact := steps.Event{Kind: kinds[n%len(kinds)], Step: id, At: noon, Exit: n % 2}
	if a.fact(fact) {
		return
	}
	switch n % 4 {
	case 0:
		a.desk.say(engine.WorldChanged{World: world.World{Now: noon}})
	case 1:
		a.desk.say(engine.OutputChanged{Step: id}, engine.Noticed{Text: "noticed", Bad: true})
	case 2:
		a.desk.tell(answeredMsg{to: request{id: n, what: askedGate, step: id}, gate: a.eng.gate(id)})
	case 3:
		a.desk.tell(answeredMsg{to: request{id: n, what: askedDo, step: id}, err: &engine.GateError{Gate: a.eng.gate(id), Why: "late"}})
	}
}

func (a *anybody) judge() {
	a.t.Helper()
	did := a.eng.doings()
	for _, d := range did[a.judged:] {
		g, known := a.gates[d.answer.Fingerprint]
		switch {
		case !known:
			if d.answer.Words != "" || !strings.HasPrefix(d.answer.Fingerprint, "open ") {
				a.t.Fatalf("did %+v, which answers no gate", d)
			}
		case g.Decision == guard.Refuse:
			a.t.Fatalf("did %+v against a refusal", d)
		case g.Decision == guard.Confirm && (g.Words == "" || d.answer.Words != g.Words):
			a.t.Fatalf("did %+v, want the words %q", d, g.Words)
		case g.Decision == guard.Confirm && !strings.HasSuffix(a.typed, g.Words):
			a.t.Fatalf("did %+v, but %q was typed", d, a.typed)
		}
		if d.accepted && a.gates[d.answer.Fingerprint].Step != d.step && known {
			a.t.Fatalf("did %+v with the answer to step %s", d, g.Step)
		}
	}
	a.judged = len(did)
}

func TestAnybodyDoesConfirmSometimes(t *testing.T) {
	a := newAnybody(t)
	a.press(keyNamed("enter"))
	a.desk.quiet()
	a.write("rotate session key")
	a.press(keyNamed("enter"))
	a.judge()
	if a.judged != 1 {
		t.Errorf("%d steps were started, want 1: the fuzzing would prove nothing", a.judged)
	}
}
