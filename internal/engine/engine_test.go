package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// scriptedShell ends each command as the script says, and remembers what ran.
type scriptedShell struct {
	mu    sync.Mutex
	ran   []string
	last  *scriptedProcess
	exits map[string]int  // by code, trimmed
	cuts  map[string]bool // a statement that ends its shell
	after []int           // what each statement was told that the one before it ended with
	hang  map[string]bool
	env   map[string]string // of the last command

	strayed, renewed []string
	left             string // what is said of a command that had the real terminal
}

func (s *scriptedShell) Start(ctx context.Context, c engine.Command) (engine.Process, error) {
	code := strings.TrimSpace(c.Code)
	s.mu.Lock()
	s.ran = append(s.ran, code)
	s.env = map[string]string{}
	for _, kv := range c.Env {
		name, value, _ := strings.Cut(kv, "=")
		s.env[name] = value
	}
	s.after = append(s.after, c.Before)
	s.mu.Unlock()
	p := &scriptedProcess{exit: s.exits[code], cut: s.cuts[code], changed: make(chan struct{}), line: "output of " + code}
	s.last = p
	if s.hang[code] {
		go func() { <-ctx.Done(); p.end(-1) }()
	} else {
		close(p.changed)
	}
	return p, nil
}

func (s *scriptedShell) Interactive(c engine.Command) (*exec.Cmd, func(error) engine.Result, error) {
	return exec.Command("true"), func(error) engine.Result {
		return engine.Result{Exit: s.exits[strings.TrimSpace(c.Code)], Note: s.left}
	}, nil
}

func (s *scriptedShell) Strayed() []string { return s.strayed }
func (s *scriptedShell) Renew(name string) { s.renewed = append(s.renewed, name) }

func (s *scriptedShell) history() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.ran, "; ")
}

type scriptedProcess struct {
	once    sync.Once
	changed chan struct{}
	exit    int
	cut     bool
	line    string
	typed   []byte
}

func (p *scriptedProcess) end(exit int) {
	p.once.Do(func() { p.exit = exit; close(p.changed) })
}
func (p *scriptedProcess) Changed() <-chan struct{} { return p.changed }
func (p *scriptedProcess) Output() engine.Output    { return engine.Output{Lines: []string{p.line}} }
func (p *scriptedProcess) Type(keys []byte) error   { p.typed = append(p.typed, keys...); return nil }
func (p *scriptedProcess) PID() int                 { return 4711 }
func (p *scriptedProcess) Resize(int, int)          {}
func (p *scriptedProcess) Wait() engine.Result      { return engine.Result{Exit: p.exit, Cut: p.cut} }

// Stop ends the process as one that cleans up and ends well, and returns when
// everybody has heard of it.
func (p *scriptedProcess) Stop(context.Context) {
	p.end(0)
	synctest.Wait()
}

// memoryJournal keeps the kinds of facts in order; full makes it refuse all.
type memoryJournal struct {
	mu    sync.Mutex
	lines []string
	full  bool
	last  string // the line behind which the disk is full
}

func (j *memoryJournal) add(line string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.full {
		return errors.New("no space left on device")
	}
	j.lines = append(j.lines, line)
	j.full = line == j.last
	return nil
}
func (j *memoryJournal) Event(e steps.Event) error { return j.add(e.Step + " " + string(e.Kind)) }
func (j *memoryJournal) Gate(step string, g guard.Gate, _ engine.Answer, passed bool) error {
	if passed {
		return j.add(step + " gate passed")
	}
	return j.add(step + " gate closed")
}
func (j *memoryJournal) Code(step string, c engine.Code) error {
	if c.Document != "" {
		return j.add(step + " edited " + strings.TrimSpace(c.Text))
	}
	return j.add(step + " code")
}
func (j *memoryJournal) Intent(step string, i engine.Intent) error {
	return j.add(fmt.Sprintf("%s intent %d", step, i.Version))
}
func (j *memoryJournal) Ended(step string, b engine.Ended) error {
	return j.add(fmt.Sprintf("%s ended %d", step, b.Exit))
}
func (j *memoryJournal) Beside(step string, b engine.Beside, _ io.Closer) error {
	return j.add(fmt.Sprintf("%s beside %s by itself %v", step, b.How(), b.ByItself()))
}
func (j *memoryJournal) Checks(step string, _ []engine.Check) error  { return j.add(step + " checks") }
func (j *memoryJournal) Changes(step string, _ []guard.Change) error { return j.add(step + " changes") }
func (j *memoryJournal) Values(a engine.Amendment) error {
	line := "values"
	for _, s := range a.Shifts {
		line += fmt.Sprintf(" %s:%s→%s", s.Name, s.Old, s.New)
	}
	return j.add(line)
}
func (j *memoryJournal) Note(step, text string) error { return j.add(step + " note " + text) }
func (j *memoryJournal) Edit(step string, c engine.Code) error {
	return j.add(step + " edit " + strings.TrimSpace(c.Text))
}
func (j *memoryJournal) Output(string, int) (io.WriteCloser, error) { return discard{}, nil }
func (j *memoryJournal) has(line string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, l := range j.lines {
		if l == line {
			return true
		}
	}
	return false
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// A bench is an engine with scripted parts around it.
type bench struct {
	*engine.Engine
	t       *testing.T
	shell   *scriptedShell
	journal *memoryJournal
	updates chan world.Update
}

func start(t *testing.T, markdown string) *bench {
	t.Helper()
	return resume(t, markdown, nil)
}

// resume starts an engine whose run stands where the given function leaves it.
func resume(t *testing.T, markdown string, stand func(*engine.Config)) *bench {
	t.Helper()
	r := steps.Parse("test.md", []byte(markdown))
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	given := func(name string) (string, bool) { return "first", name == "TOKEN" }
	values, err := r.Resolve(steps.Sources{Env: given})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := r.Bind(values)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, shell: &scriptedShell{exits: map[string]int{}, cuts: map[string]bool{}, hang: map[string]bool{}}, journal: &memoryJournal{}, updates: make(chan world.Update)}
	cfg := engine.Config{
		Plan: plan, Run: steps.NewRun(plan), Shell: b.shell, Journal: b.journal, Updates: b.updates,
		Where: guard.Where{Context: "test", Namespace: "default"}, Now: time.Now,
	}
	if stand != nil {
		stand(&cfg)
	}
	b.Engine = engine.New(t.Context(), cfg)
	return b
}

// status waits until everything has come to rest and returns where a step stands.
func (b *bench) status(step string) steps.StepState {
	synctest.Wait()
	return b.Run().Steps[step]
}

func (b *bench) learn(ref world.Ref, p world.Presence) {
	b.updates <- world.Update{Object: &world.Object{Ref: ref, Fact: world.Fact{Presence: p, Seen: time.Now()}, Body: map[string]any{}}}
	synctest.Wait()
}

const oneStep = `# Try

## Make it

<!-- step
id: make
expect: configmap/thing exists
-->

` + "```sh\nkubectl create configmap thing\n```\n"

var thing = world.NewRef("configmap", "", "default", "thing")

func TestAStepIsDoneWhenTheWorldSaysSoAndNotWhenItsCommandReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, oneStep)
		defer b.Close()
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		if got := b.status("make").Status; got != steps.Waiting {
			t.Fatalf("after exit 0 and nothing known: %s, want waiting", got)
		}
		b.learn(thing, world.Gone)
		if got := b.status("make").Status; got != steps.Waiting {
			t.Fatalf("while the object is absent: %s, want waiting", got)
		}
		b.learn(thing, world.Present)
		if got := b.status("make").Status; got != steps.Done {
			t.Fatalf("with the object there: %s, want done", got)
		}
	})
}

func TestAStepWhoseExpectationNeverHoldsFailsAndSaysWhich(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, oneStep)
		defer b.Close()
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		b.learn(thing, world.Gone)
		<-time.After(steps.DefaultWithin + time.Second) // by the clock of the bubble
		got := b.status("make")
		if got.Status != steps.Failed || !strings.Contains(got.Why, "configmap/thing exists") {
			t.Fatalf("got %s: %q, want failed, naming the expectation", got.Status, got.Why)
		}
	})
}

func TestACommandThatFailsFailsItsStepAndLaterBlocksDoNotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, "# Try\n\n## Two\n\n```sh\nfalse\n```\n\n```sh\nkubectl get pods\n```\n")
		defer b.Close()
		b.shell.exits["false"] = 1
		if err := b.Do(t.Context(), "two", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		got := b.status("two")
		if got.Status != steps.Failed || got.Exit != 1 {
			t.Fatalf("got %s, exit %d, want failed, 1", got.Status, got.Exit)
		}
		if ran := b.shell.history(); ran != "false" {
			t.Fatalf("ran %q, want only the first block", ran)
		}
	})
}

const destroys = "# Try\n\n## Away\n\n```sh\nkubectl delete ns shop\n```\n"

func TestNothingButTheRightWordsForTheRightQuestionPassesAGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, destroys)
		defer b.Close()
		gate, err := b.Gate(t.Context(), "away")
		if err != nil {
			t.Fatal(err)
		}
		if gate.Decision != guard.Confirm || gate.Class != risk.Destroy || gate.Words != "shop" {
			t.Fatalf("got %s %s %q, want confirm destroy shop", gate.Decision, gate.Class, gate.Words)
		}
		for name, answer := range map[string]engine.Answer{
			"no answer":         {},
			"enter alone":       {Fingerprint: gate.Fingerprint},
			"y":                 {Fingerprint: gate.Fingerprint, Words: "y"},
			"another case":      {Fingerprint: gate.Fingerprint, Words: "Shop"},
			"words with a tail": {Fingerprint: gate.Fingerprint, Words: "shop "},
			"another question":  {Fingerprint: "0", Words: "shop"},
		} {
			var closed *engine.GateError
			if err := b.Do(t.Context(), "away", answer); !errors.As(err, &closed) {
				t.Errorf("%s: %v, want a closed gate", name, err)
			}
		}
		if ran := b.shell.history(); ran != "" {
			t.Fatalf("ran %q before the right words", ran)
		}
		if err := b.Do(t.Context(), "away", engine.Answer{Fingerprint: gate.Fingerprint, Words: "shop"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if ran := b.shell.history(); ran != "kubectl delete ns shop" {
			t.Fatalf("ran %q", ran)
		}
		if !b.journal.has("away gate closed") || !b.journal.has("away gate passed") {
			t.Fatalf("the record lacks the answers: %v", b.journal.lines)
		}
	})
}

func TestAnEditedCommandIsJudgedAnewAndRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, "# Try\n\n## Look\n\n```sh\nkubectl get ns\n```\n")
		defer b.Close()
		if a := b.Assess("look"); a.Class != risk.Read {
			t.Fatalf("as written: %s, want read", a.Class)
		}
		if err := b.Edit("look", 0, "kubectl delete ns shop"); err != nil {
			t.Fatal(err)
		}
		var closed *engine.GateError
		if err := b.Do(t.Context(), "look", engine.Answer{}); !errors.As(err, &closed) {
			t.Fatalf("edited into a delete: %v, want a closed gate", err)
		}
		if err := b.Do(t.Context(), "look", engine.Answer{Fingerprint: closed.Gate.Fingerprint, Words: closed.Gate.Words}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !b.journal.has("look edited kubectl delete ns shop") {
			t.Fatalf("the record doesn't say that it was edited: %v", b.journal.lines)
		}
	})
}

func TestAStepThatHeldAlreadyIsSatisfiedAndCanStillBeRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, strings.Replace(oneStep, "expect:", "done: configmap/thing exists\nexpect:", 1))
		defer b.Close()
		b.learn(thing, world.Present)
		if got := b.status("make").Status; got != steps.Satisfied {
			t.Fatalf("got %s, want satisfied", got)
		}
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		if got := b.status("make").Status; got != steps.Done {
			t.Fatalf("run all the same: %s, want done", got)
		}
	})
}

func TestAStepWhosePreconditionDoesNotHoldIsRefusedWithTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, strings.Replace(oneStep, "expect:", "before: secret/db exists\nexpect:", 1))
		defer b.Close()
		b.learn(world.NewRef("secret", "", "default", "db"), world.Gone)
		gate, err := b.Gate(t.Context(), "make")
		if err != nil {
			t.Fatal(err)
		}
		if gate.Decision != guard.Refuse || len(gate.Blockers) != 1 || gate.Blockers[0].String() != "secret/db exists: not found in namespace default" {
			t.Fatalf("got %s %+v, want a refusal that names the Secret", gate.Decision, gate.Blockers)
		}
	})
}

func TestStoppingAStepEndsItsProcessAndSaysWho(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, "# Try\n\n## Wait\n\n```sh\nkubectl get pods\n```\n")
		defer b.Close()
		b.shell.hang["kubectl get pods"] = true
		if err := b.Do(t.Context(), "wait", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		if got := b.status("wait").Status; got != steps.Running {
			t.Fatalf("got %s, want running", got)
		}
		if err := b.Do(t.Context(), "wait", engine.Answer{}); !errors.Is(err, engine.ErrBusy) {
			t.Fatalf("a second start: %v, want busy", err)
		}
		if err := b.Stop("wait"); err != nil {
			t.Fatal(err)
		}
		if got := b.status("wait"); got.Status != steps.Failed || got.Why != "stopped by the operator; what it has begun elsewhere may go on" {
			t.Fatalf("got %s: %q", got.Status, got.Why)
		}
	})
}

func TestNothingRunsThatCannotBeRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, oneStep)
		defer b.Close()
		b.journal.full = true
		if err := b.Do(t.Context(), "make", engine.Answer{}); err == nil {
			t.Fatal("started with a full disk")
		}
		if ran := b.shell.history(); ran != "" {
			t.Fatalf("ran %q", ran)
		}
		if got := b.status("make").Status; got != steps.Pending {
			t.Fatalf("got %s, want pending", got)
		}
	})
}

func TestWhatHappenedAndIsNotInTheRecordIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, oneStep)
		defer b.Close()
		if err := b.Unrecorded(); err != nil {
			t.Fatalf("at first: %v", err)
		}
		b.journal.last = "make code"
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		var lost *engine.UnrecordedError
		if err := b.Unrecorded(); !errors.As(err, &lost) || lost.Step != "make" || lost.Hint() == "" {
			t.Fatalf("got %v, want that the step isn't recorded", err)
		}
		if got := strings.Count(b.notices(), "the record could not be written"); got != 1 {
			t.Errorf("it is said %d times, want once", got)
		}
	})
}

func TestSkippingNeedsAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, oneStep)
		defer b.Close()
		if err := b.Skip("make", " "); !errors.Is(err, engine.ErrReason) {
			t.Fatalf("got %v, want a demand for a reason", err)
		}
		if err := b.Skip("make", "done last week"); err != nil {
			t.Fatal(err)
		}
		if got := b.status("make"); got.Status != steps.Skipped || got.Why != "done last week" {
			t.Fatalf("got %s: %q", got.Status, got.Why)
		}
	})
}

func TestALateReaderStillGetsEveryFactAndTheNewestWorldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, oneStep)
		for range 50 {
			b.learn(thing, world.Gone)
		}
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		b.learn(thing, world.Present)
		go func() { synctest.Wait(); b.Close() }()
		worlds, facts := 0, 0
		for len(b.Run().Next()) > 0 || facts < 3 {
			switch (<-b.Events()).(type) {
			case engine.WorldChanged:
				worlds++
			case engine.RunChanged:
				facts++
			}
		}
		if facts != 3 || worlds > 5 {
			t.Fatalf("got %d facts and %d worlds, want 3 facts and few worlds", facts, worlds)
		}
		for range b.Events() { // closed by Close
		}
	})
}

func TestWhatIsNotOfferedPromisesNothingAndIsNotWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, "# Shop\n\n## Stand in\n\n```sh\nkubectl delete pod <your-pod>\n```\n\n## Named\n\n```sh\nkubectl delete pod web-0\n```\n")
		defer b.Close()
		if live, checks := b.Live("stand-in"), b.Checks("stand-in"); len(live)+len(checks) > 0 {
			t.Errorf("watched: %+v, promised: %+v, want nothing: no pod is named", live, checks)
		}
		if live, checks := b.Live("named"), b.Checks("named"); len(live) != 1 || len(checks) != 1 || !checks[0].Implied {
			t.Errorf("watched: %+v, promised: %+v, want the pod in both", live, checks)
		}
	})
}
