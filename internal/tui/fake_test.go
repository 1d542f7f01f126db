package tui

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func atNoon() time.Time { return noon }

// A fakeEngine answers from memory and remembers what it was asked to do.
type fakeEngine struct {
	nexts   int // turns given statement by statement
	mu      sync.Mutex
	events  chan engine.Event
	plan    *steps.Plan
	run     steps.Run
	world   world.World
	where   guard.Where
	checks  map[string][]engine.Check
	live    map[string][]engine.LiveItem
	output  map[string]engine.Output
	gates   map[string]guard.Gate // in force
	edits   map[string]string     // step/block
	did     []done
	asked   []string // other requests, as text
	typed   string
	size    [2]int
	since   map[string][]steps.Shift
	strayed []string
	beside  []engine.Beside
	weigh   func(name, text string) (engine.Meaning, error)
	changed []string
	refuse  error // what every request is answered with
	started func(step string)
}

type done struct {
	step     string
	answer   engine.Answer
	accepted bool
}

func (f *fakeEngine) Events() <-chan engine.Event { return f.events }
func (f *fakeEngine) Plan() *steps.Plan           { return f.plan }

func (f *fakeEngine) locked(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

func (f *fakeEngine) Run() (r steps.Run)     { f.locked(func() { r = f.run }); return r }
func (f *fakeEngine) World() (w world.World) { f.locked(func() { w = f.world }); return w }
func (f *fakeEngine) Shown(s string) string  { return strings.ReplaceAll(s, hiddenWord, "[redacted]") }

// hiddenWord is a secret that the fake knows.
const hiddenWord = "correct-horse"

func (f *fakeEngine) Where() (w guard.Where) { f.locked(func() { w = f.where }); return w }
func (f *fakeEngine) Focus(string)           {}
func (f *fakeEngine) Refresh()               { f.ask("refresh") }
func (f *fakeEngine) Resize(cols, rows int)  { f.locked(func() { f.size = [2]int{cols, rows} }) }
func (f *fakeEngine) ask(what string)        { f.locked(func() { f.asked = append(f.asked, what) }) }
func (f *fakeEngine) Skip(step, why string) error {
	f.ask("skip " + step + ": " + why)
	return f.refuse
}
func (f *fakeEngine) Tick(step, why string) error {
	f.ask("tick " + step + ": " + why)
	return f.refuse
}
func (f *fakeEngine) Note(step, text string) error {
	f.ask("note " + step + ": " + text)
	return f.refuse
}
func (f *fakeEngine) Stop(step string) error { f.ask("stop " + step); return f.refuse }

func (f *fakeEngine) Since(step string) []steps.Shift   { return f.since[step] }
func (f *fakeEngine) Strayed() []string                 { return f.strayed }
func (f *fakeEngine) Beside() []engine.Beside           { return f.beside }
func (f *fakeEngine) BesideOutput(id int) engine.Output { return f.Output(fmt.Sprint("beside ", id)) }
func (f *fakeEngine) StopBeside(_ context.Context, id int) error {
	f.ask(fmt.Sprint("stop beside ", id))
	return f.refuse
}

func (f *fakeEngine) Consider(name, text string) (engine.Meaning, error) {
	if f.weigh != nil {
		return f.weigh(name, text)
	}
	return engine.Meaning{Shifts: []steps.Shift{{Name: name, Old: f.plan.Values[name].Text, New: text, Had: true}}}, nil
}

func (f *fakeEngine) Change(_ context.Context, name, text string, _ engine.Meaning) error {
	f.locked(func() { f.changed = append(f.changed, name+"="+text) })
	return f.refuse
}

func (f *fakeEngine) Edit(step string, block int, code string) error {
	f.locked(func() { f.edits[fmt.Sprint(step, "/", block)] = code })
	return f.refuse
}

func (f *fakeEngine) Type(_ string, keys []byte) error {
	f.locked(func() { f.typed += string(keys) })
	return f.refuse
}

func (f *fakeEngine) Checks(step string) (c []engine.Check) {
	f.locked(func() { c = f.checks[step] })
	return c
}

func (f *fakeEngine) Live(step string) (l []engine.LiveItem) {
	f.locked(func() { l = f.live[step] })
	return l
}

func (f *fakeEngine) Output(step string) (o engine.Output) {
	f.locked(func() { o = f.output[step] })
	return o
}

func (f *fakeEngine) Code(step string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	code := slices.Clone(f.plan.Step(step).Code)
	for i := range code {
		if edited, ok := f.edits[fmt.Sprint(step, "/", i)]; ok {
			code[i] = edited
		}
	}
	return code
}

func (f *fakeEngine) Assess(step string) engine.Assessment {
	var a engine.Assessment
	g := f.gate(step)
	a.Class = g.Class
	for range f.plan.Step(step).Blocks {
		r := risk.Result{Class: g.Class, Reasons: g.Reasons}
		if len(r.Reasons) == 0 {
			r.Reasons = []risk.Reason{{Class: g.Class, Command: "true"}}
		}
		a.Blocks = append(a.Blocks, r)
	}
	return a
}

func (f *fakeEngine) gate(step string) (g guard.Gate) {
	f.locked(func() { g = f.gates[step] })
	if g.Step == "" {
		g = guard.Gate{Step: step, Title: step, Decision: guard.Allow, Fingerprint: "open " + step}
	}
	return g
}

func (f *fakeEngine) Gate(ctx context.Context, step string) (guard.Gate, error) {
	return f.gate(step), ctx.Err()
}

// Do passes an answer only if it is the one to the gate in force.
func (f *fakeEngine) Do(_ context.Context, step string, a engine.Answer) error {
	g := f.gate(step)
	why := ""
	switch {
	case g.Fingerprint != a.Fingerprint:
		why = "the world has changed since"
	case g.Decision == guard.Confirm && a.Words != g.Words:
		why = "the words don't match"
	case g.Decision == guard.Refuse:
		why = "it may not run"
	}
	f.locked(func() { f.did = append(f.did, done{step: step, answer: a, accepted: why == ""}) })
	if why != "" {
		return &engine.GateError{Gate: g, Why: why}
	}
	if f.started != nil {
		f.started(step)
	}
	return f.refuse
}

func (f *fakeEngine) DoNext(ctx context.Context, step string, a engine.Answer) error {
	f.locked(func() { f.nexts++ })
	if a == (engine.Answer{}) {
		return nil // it was waiting for this one
	}
	return f.Do(ctx, step, a)
}

func (f *fakeEngine) doings() (d []done) { f.locked(func() { d = slices.Clone(f.did) }); return d }

// fact makes a fact part of the run and returns the event that reports it.
func (f *fakeEngine) fact(t testing.TB, kind steps.EventKind, step string, exit int, why string, at time.Time) engine.Event {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	e := steps.Event{Kind: kind, Step: step, At: at, Exit: exit, Why: why}
	next, err := f.run.Apply(e)
	if err != nil {
		t.Fatal(err)
	}
	f.run = next
	return engine.RunChanged{Run: next, Fact: e}
}

// A desk is a model with somebody at it: commands run at once, and time passes
// when told to.
type desk struct {
	t      testing.TB
	m      Model
	quit   bool
	copied string
	timers []func() tea.Msg
	// unchecked frames aren't drawn, for tests that make very many
	unchecked bool
}

func newDesk(t testing.TB, cfg Config, width, height int) *desk {
	d := &desk{t: t}
	if cfg.Now == nil {
		cfg.Now = atNoon
	}
	cfg.After = func(_ time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
		d.timers = append(d.timers, func() tea.Msg { return msg(noon) })
		return nil
	}
	d.m = New(t.Context(), cfg)
	d.carryOut(d.m.Init())
	d.tell(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// onRun is a desk with the run of an engine on it.
func onRun(t testing.TB, f *fakeEngine, width, height int) *desk {
	t.Helper()
	d := newDesk(t, Config{Runbook: f.plan.Runbook, Values: f.plan.Values,
		Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) { return f, nil }}, width, height)
	if d.m.phase != running {
		t.Fatalf("phase %d, want the run", d.m.phase)
	}
	d.quiet()
	return d
}

func (d *desk) tell(msg tea.Msg) {
	d.t.Helper()
	next, cmd := d.m.Update(msg)
	d.m = next.(Model)
	if !d.unchecked {
		d.check()
	}
	d.carryOut(cmd)
}

// say is an event of the engine that belongs to the run on the screen.
func (d *desk) say(events ...engine.Event) {
	d.t.Helper()
	for _, e := range events {
		d.tell(engineSaidMsg{from: d.m.run.events, event: e, ok: true})
	}
}

// carryOut runs commands and tells what they report. It doesn't wait for the
// engine, whose part the test plays, nor for a cursor to blink.
func (d *desk) carryOut(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	from := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	if strings.Contains(from, "waitForEvent") || strings.Contains(from, "bubbles/v2/cursor") {
		return
	}
	msg := cmd()
	if v := reflect.ValueOf(msg); v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() { // a batch or a sequence
			d.carryOut(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	switch msg.(type) {
	case nil:
	case tea.QuitMsg:
		d.quit = true
	default:
		if fmt.Sprintf("%T", msg) == "tea.setClipboardMsg" {
			d.copied = fmt.Sprint(msg)
			return
		}
		d.tell(msg)
	}
}

// press types keys by their names.
func (d *desk) press(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.tell(keyNamed(name))
	}
}

// write types a text.
func (d *desk) write(text string) {
	d.t.Helper()
	for _, r := range text {
		d.tell(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func keyNamed(name string) tea.KeyPressMsg {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
		"up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome,
		"end": tea.KeyEnd, "backspace": tea.KeyBackspace}
	if code, ok := special[name]; ok {
		k := tea.KeyPressMsg{Code: code}
		if name == "space" {
			k.Text = " "
		}
		return k
	}
	if c, ok := cutCtrl(name); ok {
		return tea.KeyPressMsg{Code: c, Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func cutCtrl(name string) (rune, bool) {
	if len(name) == 6 && name[:5] == "ctrl+" {
		return rune(name[5]), true
	}
	return 0, false
}

// quiet lets every grace period run out.
func (d *desk) quiet() {
	d.t.Helper()
	due := d.timers
	d.timers = nil
	for _, fire := range due {
		msg, ok := fire().(quietEndedMsg)
		if !ok {
			continue
		}
		next, cmd := d.m.Update(msg)
		d.m = next.(Model)
		d.carryOut(cmd)
	}
	d.check()
}

// check holds for every frame: each row is as wide as the screen, and of all
// escapes there are only colours. The title has none at all.
func (d *desk) check() {
	d.t.Helper()
	if c := obeyed(strings.ReplaceAll(d.m.windowTitle(), "\x1b", "\x00")); c != "" {
		d.t.Fatalf("the title has %q: %q", c, d.m.windowTitle())
	}
	rows := d.m.frame()
	if d.m.size.X > 0 && d.m.size.Y > 0 && len(rows) != d.m.size.Y {
		d.t.Fatalf("%d rows on a screen of %d:\n%s", len(rows), d.m.size.Y, d.text())
	}
	for i, row := range rows {
		if w := ansi.StringWidth(row); w != d.m.size.X {
			d.t.Fatalf("row %d is %d cells wide, want %d: %q", i, w, d.m.size.X, ansi.Strip(row))
		}
		if c := obeyed(row); c != "" {
			d.t.Fatalf("row %d has %q, which a terminal obeys: %q", i, c, row)
		}
	}
}

func (d *desk) text() string {
	rows := d.m.frame()
	for i := range rows {
		rows[i] = strings.TrimRight(ansi.Strip(rows[i]), " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

func (d *desk) sees(wants ...string) {
	d.t.Helper()
	for _, want := range wants {
		if !strings.Contains(d.text(), want) {
			d.t.Fatalf("%q isn't on the screen:\n%s", want, d.text())
		}
	}
}

func (d *desk) lacks(unwanted string) {
	d.t.Helper()
	if strings.Contains(d.text(), unwanted) {
		d.t.Fatalf("%q is on the screen:\n%s", unwanted, d.text())
	}
}
