package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/shell"
	"runbook/internal/steps"
	"runbook/internal/tui"
	"runbook/internal/world"
	"runbook/runbooks"
)

// someEvents is how many things happen to each runbook in an ordinary test;
// RUNBOOK_SOAK says how many in all when more is wanted.
const someEvents = 1500

// TestNothingDangerousRunsWithoutItsWords lets somebody press anything, paste
// anything and resize at will, while the world changes and answers come late and
// out of order: whatever destroys, rotates, interrupts or can't be judged runs
// only after its words were typed, key by key, after they were asked for.
func TestNothingDangerousRunsWithoutItsWords(t *testing.T) {
	all := tales()
	n := someEvents
	if text := os.Getenv("RUNBOOK_SOAK"); text != "" {
		total, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		n = (total + len(all) - 1) / len(all)
	}
	seed := uint64(time.Now().UnixNano())
	var counts []*tally
	for i, one := range all {
		c := &tally{tale: one.name}
		counts = append(counts, c)
		t.Run(one.name, func(t *testing.T) {
			s := &soak{t: t, tale: one, count: c, rand: rand.New(rand.NewPCG(seed, uint64(i)))}
			s.run(n)
			if c.gated == 0 && one.name == "teardown" {
				t.Errorf("seed %d: nothing dangerous was ever run, so that nothing was proven", seed)
			}
		})
	}
	t.Logf("seed %d\n%s", seed, table(counts))
}

// A soak is somebody at the interface, and what is known of them.
type soak struct {
	t     *testing.T
	tale  tale
	count *tally
	rand  *rand.Rand

	model   tea.Model
	engine  *engine.Engine
	updates chan world.Update
	inbox   chan reply
	over    chan struct{} // closed when the run is
	asking  int           // commands that haven't been answered
	late    []tea.Msg
	timers  []func() tea.Msg
	quit    bool

	mu     sync.Mutex
	typed  []byte         // what was typed: letters, enter as a line feed, what clears as a zero
	since  map[string]int // where in typed the gate of a step was asked last
	passed map[string]*pass
	words  string // of the gate that was shown last
	losses int
}

// A pass is a gate with the answer that passed it.
type pass struct {
	gate   guard.Gate
	answer engine.Answer
	used   bool
}

func (s *soak) run(n int) {
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	for s.count.events < n && !s.t.Failed() {
		s.begin(ctx)
		for s.count.events < n && !s.quit && !s.t.Failed() {
			s.count.events++
			s.act()
			s.hear()
		}
		close(s.over)
		s.engine.Close()
	}
}

// begin opens the runbook anew.
func (s *soak) begin(ctx context.Context) {
	text, err := runbooks.FS.ReadFile(s.tale.path)
	if err != nil {
		s.t.Fatal(err)
	}
	r := steps.Parse(s.tale.path, text)
	values, err := r.Resolve(steps.Sources{Set: s.tale.values, Env: func(string) (string, bool) { return "", false }})
	if err != nil {
		s.t.Fatal(err)
	}
	plan, err := r.Bind(values)
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	s.typed, s.since, s.passed, s.words = nil, map[string]int{}, map[string]*pass{}, ""
	s.mu.Unlock()
	s.count.runs++
	s.quit, s.late, s.timers = false, nil, nil
	s.inbox, s.over, s.asking, s.updates = make(chan reply, 64), make(chan struct{}), 0, make(chan world.Update)
	s.engine = engine.New(ctx, engine.Config{
		Plan: plan, Run: steps.NewRun(plan), Shell: soakShell{s}, Actions: soakActions{s}, Surveyor: soakSurveyor{s}, Journal: &soakJournal{soak: s},
		Updates: s.updates, Where: guard.Where{Context: "sandbox", Namespace: "schmetterpause"}, Now: time.Now, Split: shell.Statements,
	})
	seen := watched{Engine: s.engine, soak: s}
	cfg := tui.Config{Runbook: r, Values: values, Now: time.Now,
		Start: func(context.Context, *steps.Runbook, steps.Values) (tui.Engine, error) { return seen, nil },
		After: func(_ time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
			s.timers = append(s.timers, func() tea.Msg { return msg(time.Now()) })
			return nil
		}}
	s.model = tui.New(ctx, cfg)
	s.carryOut(s.model.Init())
	s.tell(tea.WindowSizeMsg{Width: 120, Height: 40})
	for range 50 {
		s.settle()
	}
}

// watched is the engine; it remembers which words were shown.
type watched struct {
	*engine.Engine
	soak *soak
}

func (w watched) Gate(ctx context.Context, step string) (guard.Gate, error) {
	g, err := w.Engine.Gate(ctx, step)
	w.soak.mu.Lock()
	defer w.soak.mu.Unlock()
	w.soak.words = g.Words
	w.soak.since[step] = len(w.soak.typed)
	w.soak.count.asked++
	return g, err
}

// act is one thing that happens.
func (s *soak) act() {
	switch n := s.rand.IntN(100); {
	case n < 40:
		s.press(soakKeys[s.rand.IntN(len(soakKeys))])
	case n < 46:
		s.write(soakTexts[s.rand.IntN(len(soakTexts))])
	case n < 52:
		s.write(s.asked())
	case n < 60:
		s.sober()
	case n < 65:
		s.tell(tea.PasteMsg{Content: []string{s.asked(), s.asked() + "\r", "yes\n", soakTexts[s.rand.IntN(len(soakTexts))]}[s.rand.IntN(4)]})
	case n < 69:
		s.tell(tea.WindowSizeMsg{Width: s.rand.IntN(190), Height: s.rand.IntN(60)})
	case n < 78:
		s.learn()
	case n < 80:
		s.mu.Lock()
		s.losses = s.rand.IntN(3)
		s.mu.Unlock()
	case n < 86:
		s.settle()
	default:
		s.fire()
	}
	if s.count.events%64 == 0 {
		_ = s.model.View()
	}
}

// sober is somebody who looks, chooses a step, reads the question and answers
// it; most of the time.
func (s *soak) sober() {
	s.tell(tea.WindowSizeMsg{Width: 160, Height: 40})
	s.press("ctrl+]") // out of whatever is being typed to
	s.press("esc")
	s.press("ctrl+c") // what still waits is stopped
	s.settle()
	for range 3 {
		s.press("esc")
	}
	if s.rand.IntN(3) > 0 {
		for which := range knowable {
			s.hears(s.fact(which, world.Present))
		}
	}
	for range s.rand.IntN(4) {
		s.press([]string{"space", "j", "k", "g", "tab"}[s.rand.IntN(5)])
	}
	s.settle()
	s.mu.Lock()
	s.words = ""
	s.mu.Unlock()
	s.press([]string{"enter", "enter", "enter", "x"}[s.rand.IntN(4)])
	s.settle()
	if s.rand.IntN(4) == 0 {
		s.press("r") // it has run before: run it again
		s.settle()
	}
	switch s.rand.IntN(10) {
	case 0:
		s.tell(tea.PasteMsg{Content: s.asked()})
	case 1:
		s.write(strings.ToUpper(s.asked()))
	case 2:
		s.write(s.asked() + "x")
		s.press("backspace")
	case 3: // the world changes while it is being read
		s.mu.Lock()
		s.losses++
		s.mu.Unlock()
		s.write(s.asked())
	default:
		s.write(s.asked())
	}
	s.press("enter")
	s.settle()
}

func (s *soak) asked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.words
}

// settle lets the graces run out and waits for the answers.
func (s *soak) settle() {
	for range 4 {
		for len(s.timers) > 0 {
			s.fire()
		}
		s.hear()
		for s.asking > 0 {
			s.take(<-s.inbox)
		}
		for len(s.late) > 0 {
			s.deliver(0)
		}
	}
}

// fire lets the oldest timer run out.
func (s *soak) fire() {
	if len(s.timers) == 0 {
		return
	}
	next := s.timers[0]
	s.timers = s.timers[1:]
	if msg := next(); msg != nil {
		if fmt.Sprintf("%T", msg) == "tui.tickedMsg" {
			return // the seconds pass without us
		}
		s.tell(msg)
	}
}

// hear takes in what has been answered, some of it late and in another order.
func (s *soak) hear() {
	for len(s.inbox) > 0 {
		s.take(<-s.inbox)
	}
	for len(s.late) > 0 && s.rand.IntN(3) > 0 {
		s.deliver(s.rand.IntN(len(s.late)))
	}
}

func (s *soak) take(r reply) {
	if r.asked {
		s.asking--
	}
	if r.msg != nil {
		s.late = append(s.late, r.msg)
	}
}

// A reply is what a command came to. One that waits for events of the engine
// isn't waited for.
type reply struct {
	msg   tea.Msg
	asked bool
}

func (s *soak) deliver(i int) {
	msg := s.late[i]
	s.late = slices.Delete(s.late, i, i+1)
	s.tell(msg)
}

func (s *soak) tell(msg tea.Msg) {
	if v := reflect.ValueOf(msg); v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() { // a batch or a sequence
			s.carryOut(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	if _, quit := msg.(tea.QuitMsg); quit {
		s.quit = true
		return
	}
	next, cmd := s.model.Update(msg)
	s.model = next
	s.carryOut(cmd)
}

// carryOut runs a command beside everything else, as the program does.
func (s *soak) carryOut(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	if strings.Contains(name, "bubbles/v2/cursor") {
		return
	}
	asked := !strings.Contains(name, "waitForEvent")
	if asked {
		s.asking++
	}
	inbox, over := s.inbox, s.over
	go func() { // it ends with the run, at the latest
		r := reply{cmd(), asked}
		select {
		case inbox <- r:
		case <-over:
		}
	}()
}

// runs judges what is about to run: whether it is dangerous, and whether its
// words were typed.
func (s *soak) runs(step string, class risk.Class, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count.started++
	p := s.passed[step]
	if p == nil || p.used {
		s.count.bare++
		s.t.Errorf("step %s ran %q without having passed a gate", step, what)
		return
	}
	g, a := p.gate, p.answer
	if class >= risk.Unknown && g.Decision != guard.Confirm {
		s.count.bare++
		s.t.Errorf("step %s ran %q (%s) through a gate that says %s", step, what, class, g.Decision)
	}
	if g.Decision != guard.Confirm {
		return
	}
	s.count.gated++
	since := string(s.typed[min(s.since[step], len(s.typed)):])
	if g.Words == "" || a.Words != g.Words || a.Accepted || a.Fingerprint != g.Fingerprint || !strings.Contains(since, g.Words+"\n") {
		s.count.bare++
		s.t.Errorf("step %s ran %q (%s); its words are %q, the answer %+v, and what was typed ends in %q", step, what, class, g.Words, a, since[max(0, len(since)-200):])
	}
}

// TestTheSoakKnowsEveryShippedRunbook fails when one is added that it doesn't
// walk.
func TestTheSoakKnowsEveryShippedRunbook(t *testing.T) {
	files, err := filepath.Glob("../../runbooks/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		rel, _ := filepath.Rel("../../runbooks", f)
		if !slices.ContainsFunc(tales(), func(x tale) bool { return x.path == filepath.ToSlash(rel) }) {
			t.Errorf("%s isn't walked", rel)
		}
	}
}
