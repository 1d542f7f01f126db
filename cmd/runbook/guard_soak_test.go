package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
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

// A tale is a runbook with the values that it is walked with.
type tale struct {
	name, path string
	values     map[string]string
}

func tales() []tale {
	place := map[string]string{"CLUSTER": "cicd-test2", "DOMAIN": "example.org", "NAMESPACE": "schmetterpause"}
	var out []tale
	for _, name := range []string{"bring-up", "teardown"} {
		path := "schmetterpause/" + name + ".md"
		if name == "teardown" {
			out = append(out, tale{name, path, map[string]string{"CLUSTER": place["CLUSTER"], "NAMESPACE": place["NAMESPACE"]}})
			continue
		}
		for _, variant := range []string{"external-secrets", "ordinary-secrets"} {
			v := map[string]string{"VARIANT": variant}
			for k, x := range place {
				v[k] = x
			}
			out = append(out, tale{name + " " + variant, path, v})
		}
	}
	return out
}

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

// A tally is what became of one tale.
type tally struct {
	tale                                              string
	events, runs, asked, started, gated, turned, bare int
}

func table(counts []*tally) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "runbook\tevents\truns\tgates asked\tturned away\tcommands run\tof these dangerous\twithout words\t")
	var sum tally
	for _, c := range counts {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", c.tale, c.events, c.runs, c.asked, c.turned, c.started, c.gated, c.bare)
		sum.events, sum.runs, sum.asked, sum.turned = sum.events+c.events, sum.runs+c.runs, sum.asked+c.asked, sum.turned+c.turned
		sum.started, sum.gated, sum.bare = sum.started+c.started, sum.gated+c.gated, sum.bare+c.bare
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", sum.events, sum.runs, sum.asked, sum.turned, sum.started, sum.gated, sum.bare)
	_ = w.Flush() // to memory
	return b.String()
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

var soakKeys = []string{"enter", "enter", "enter", "space", "space", "esc", "tab", "j", "k", "G", "up", "down", "pgdown", "ctrl+c", "s", "t", "n", "N", "e",
	"i", "y", "/", "v", "m", "?", "z", "q", "r", "x", "X", "ctrl+u", "ctrl+s", "ctrl+d", "ctrl+]", "g", "backspace"}

var soakTexts = []string{"schmetterpause", "schmetterpause-db", "rotate session key", "yes", "y", "database", "namespace",
	"kubectl delete ns schmetterpause", "vault kv put cicd-test2/schmetterpause password=x", "because"}

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

func (s *soak) press(name string) {
	s.remember(name, "")
	s.tell(soakKey(name))
}

func (s *soak) write(text string) {
	for _, r := range text {
		s.remember("", string(r))
		s.tell(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// remember keeps what was really typed.
func (s *soak) remember(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case text != "":
		s.typed = append(s.typed, text...)
	case name == "enter":
		s.typed = append(s.typed, '\n')
	case name == "space":
		s.typed = append(s.typed, ' ')
	case name == "backspace":
		if n := len(s.typed); n > 0 && s.typed[n-1] != '\n' && s.typed[n-1] != 0 {
			s.typed = s.typed[:n-1]
		}
	case len(name) == 1:
		s.typed = append(s.typed, name...)
	case name == "ctrl+u":
		s.typed = append(s.typed, 0)
	}
}

func soakKey(name string) tea.KeyPressMsg {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
		"up": tea.KeyUp, "down": tea.KeyDown, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace}
	switch code, ok := special[name]; {
	case name == "space":
		return tea.KeyPressMsg{Code: code, Text: " "}
	case ok:
		return tea.KeyPressMsg{Code: code}
	case strings.HasPrefix(name, "ctrl+"):
		return tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
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

// learn lets something be known, true or not.
func (s *soak) learn() {
	s.hears(s.fact(s.rand.IntN(knowable), []world.Presence{world.Present, world.Present, world.Gone, world.Hidden}[s.rand.IntN(4)]))
}

func (s *soak) hears(u world.Update) {
	select {
	case s.updates <- u:
	case <-s.t.Context().Done():
	}
}

// knowable is how many things there are to be known.
const knowable = 8

func (s *soak) fact(which int, presence world.Presence) world.Update {
	now := time.Now()
	known := world.Fact{Presence: presence, Seen: now, Why: "you may not read it"}
	meta := func(name string) map[string]any {
		return map[string]any{"name": name, "namespace": "schmetterpause", "creationTimestamp": now.Add(-time.Hour).Format(time.RFC3339)}
	}
	object := func(kind, name string, body map[string]any, keys ...string) world.Update {
		return world.Update{Object: &world.Object{Fact: known, Ref: world.NewRef(kind, "", "schmetterpause", name), Body: body, Keys: keys}}
	}
	switch which {
	case 0:
		e := world.Entry{Fact: known, Path: "cicd-test2/schmetterpause", KV: 2, Version: 1 + s.rand.IntN(3), Keys: []string{"password", "session-key", "username"}}
		return world.Update{Entry: &e}
	case 1:
		return object("secret", "schmetterpause-app", map[string]any{"metadata": meta("schmetterpause-app")}, "SP_SESSION_KEY")
	case 2:
		return object("secret", "schmetterpause-db", map[string]any{"metadata": meta("schmetterpause-db")}, "username", "password", "SP_DATABASE_URL")
	case 3:
		return world.Update{Object: &world.Object{Fact: known, Ref: world.NewRef("namespace", "", "", "schmetterpause"), Body: map[string]any{"status": map[string]any{"phase": "Active"}}}}
	case 4:
		return object("cluster", "schmetterpause-db", map[string]any{"metadata": meta("schmetterpause-db")})
	case 5:
		return object("persistentvolumeclaim", "schmetterpause-db-1", map[string]any{"metadata": meta("schmetterpause-db-1")})
	case 6:
		return world.Update{Health: &world.Health{Fact: known, Initialized: true}}
	}
	return object("externalsecret", "schmetterpause-app", map[string]any{"metadata": meta("schmetterpause-app")})
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

// soakJournal hears of everything first.
type soakJournal struct{ soak *soak }

func (j *soakJournal) Event(e steps.Event) error {
	s := j.soak
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Kind {
	case steps.StepFailed, steps.StepCancelled, steps.StepExited:
		if p := s.passed[e.Step]; p != nil {
			p.used = true
		}
	}
	return nil
}

func (j *soakJournal) Gate(step string, g guard.Gate, a engine.Answer, passed bool) error {
	s := j.soak
	s.mu.Lock()
	defer s.mu.Unlock()
	if passed {
		s.passed[step] = &pass{gate: g, answer: a}
	} else {
		s.count.turned++
		s.since[step] = len(s.typed) // it is shown again, and has to be answered again
	}
	return nil
}

func (j *soakJournal) Code(step string, c engine.Code) error {
	plan := j.soak.engine.Plan()
	values := map[string]string{}
	for name, v := range plan.Values {
		values[name] = v.Text
	}
	class := risk.Classify(c.Text, risk.Context{Env: values}).Class
	if b := plan.Step(step).Blocks[c.Block]; b.Action != nil {
		class = risk.Read
		if b.Action.Verb == steps.VaultRotate {
			class = risk.Rotate
		}
	}
	if raised, err := risk.ParseClass(plan.Step(step).Risk); err == nil {
		class = max(class, raised)
	}
	j.soak.runs(step, class, strings.TrimSpace(c.Text))
	return nil
}

func (j *soakJournal) Ended(string, engine.Ended) error           { return nil }
func (j *soakJournal) Checks(string, []engine.Check) error        { return nil }
func (j *soakJournal) Changes(string, []guard.Change) error       { return nil }
func (j *soakJournal) Note(string, string) error                  { return nil }
func (j *soakJournal) Output(string, int) (io.WriteCloser, error) { return nowhere{}, nil }

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }

// soakShell ends every command at once, sometimes badly.
type soakShell struct{ s *soak }

func (h soakShell) Start(context.Context, engine.Command) (engine.Process, error) {
	p := soakProcess{changed: make(chan struct{})}
	close(p.changed)
	return p, nil
}

func (h soakShell) Interactive(engine.Command) (*exec.Cmd, func(error) engine.Result, error) {
	return exec.Command("true"), func(error) engine.Result { return engine.Result{} }, nil
}

func (h soakShell) Running() []string { return nil }

type soakProcess struct{ changed chan struct{} }

func (p soakProcess) Changed() <-chan struct{} { return p.changed }
func (p soakProcess) Output() engine.Output    { return engine.Output{Lines: []string{"done"}} }
func (p soakProcess) Type([]byte) error        { return nil }
func (p soakProcess) Resize(int, int)          {}
func (p soakProcess) Stop(context.Context)     {}
func (p soakProcess) Wait() engine.Result      { return engine.Result{} }

type soakActions struct{ s *soak }

func (soakActions) Do(context.Context, *steps.Action, io.Writer) error { return nil }

// soakSurveyor finds another number of things now and then, so that questions
// change while they are open.
type soakSurveyor struct{ s *soak }

func (v soakSurveyor) Survey(context.Context, []risk.Touch) []guard.Loss {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	return []guard.Loss{{What: fmt.Sprintf("%d things", v.s.losses)}}
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
