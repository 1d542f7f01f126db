package plain

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

var update = flag.Bool("update", false, "write the golden files")

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// three is a runbook with three steps.
const three = `# Bring up

## Namespace

<!-- step
id: namespace
expect: namespace/shop is active
-->

` + "```sh\nkubectl create ns shop\n```" + `

## Database

<!-- step
id: database
expect: cluster/db is ready
-->

` + "```sh\nkubectl apply -f db.yaml\n```" + `

## Check

<!-- step
id: check
-->

` + "```sh\ncurl -f https://shop\n```\n"

// An act is what the engine does next when it is asked for events; a nil event
// says nothing.
type act func(f *fake) engine.Event

// A fake is an engine whose steps end as the story says. It acts only when it
// is asked for events, so a story has one course.
type fake struct {
	t          testing.TB
	plan       *steps.Plan
	run        steps.Run
	clock      time.Time
	events     chan engine.Event
	acts       []act
	course     map[string][]act // by step, once it is started
	gates      map[string]guard.Gate
	settles    map[string]string // steps that need nothing, and why
	unrecorded error
	unclear    map[string]string
	endless    map[string]bool
	checks     map[string][]engine.Check
	output     map[string]engine.Output
	did        []string
}

func newFake(t testing.TB, markdown string) *fake {
	t.Helper()
	book := steps.Parse("bring-up.md", []byte(markdown))
	plan, err := book.Bind(steps.Values{})
	if err != nil || book.Err() != nil {
		t.Fatal(err, book.Err())
	}
	return &fake{t: t, plan: plan, run: steps.NewRun(plan), clock: noon, events: make(chan engine.Event, 1),
		course: map[string][]act{}, gates: map[string]guard.Gate{}, settles: map[string]string{}, unclear: map[string]string{},
		endless: map[string]bool{}, checks: map[string][]engine.Check{}, output: map[string]engine.Output{}}
}

func (f *fake) Events() <-chan engine.Event {
	for len(f.events) == 0 && len(f.acts) > 0 {
		next := f.acts[0]
		f.acts = f.acts[1:]
		if e := next(f); e != nil {
			f.events <- e
		}
	}
	return f.events
}

func (f *fake) Plan() *steps.Plan                 { return f.plan }
func (f *fake) Run() steps.Run                    { return f.run }
func (f *fake) World() world.World                { return world.World{Now: f.clock} }
func (f *fake) Checks(step string) []engine.Check { return f.checks[step] }
func (f *fake) Output(step string) engine.Output  { return f.output[step] }
func (f *fake) Unrecorded() error                 { return f.unrecorded }
func (f *fake) Unclear(step string) string        { return f.unclear[step] }

func (f *fake) Where() guard.Where {
	return guard.Where{Context: "cicd", Server: "https://10.0.0.1:6443", Namespace: "shop", Vault: "https://vault", Note: "never seen before"}
}

func (f *fake) Assess(step string) engine.Assessment {
	return engine.Assessment{Class: f.gates[step].Class, Endless: f.endless[step]}
}

func (f *fake) Settle(_ context.Context, step string) bool {
	why, ok := f.settles[step]
	if ok {
		f.fact(steps.Event{Kind: steps.StepSatisfied, Step: step, Why: why})
	}
	return ok
}

func (f *fake) Gate(ctx context.Context, step string) (guard.Gate, error) {
	g := f.gates[step]
	g.Step = step
	return g, ctx.Err()
}

func (f *fake) Do(ctx context.Context, step string, a engine.Answer) error {
	g, err := f.Gate(ctx, step)
	if err != nil {
		return err
	}
	if g.Decision == guard.Refuse || g.Decision == guard.Confirm && !a.Accepted {
		return &engine.GateError{Gate: g, Why: "it isn't passed"}
	}
	f.did = append(f.did, step)
	f.fact(steps.Event{Kind: steps.StepStarted, Step: step})
	f.acts = append(f.acts, f.course[step]...)
	return nil
}

func (f *fake) Stop(step string) error {
	f.did = append(f.did, "stop "+step)
	if s := f.run.Steps[step].Status; s == steps.Running || s == steps.Waiting {
		f.fact(steps.Event{Kind: steps.StepCancelled, Step: step, Why: "stopped by the operator"})
	}
	return nil
}

func (f *fake) fact(e steps.Event) engine.Event {
	f.t.Helper()
	f.clock = f.clock.Add(time.Second)
	e.At = f.clock
	next, err := f.run.Apply(e)
	if err != nil {
		f.t.Fatal(err)
	}
	f.run = next
	return engine.RunChanged{Run: next, Fact: e}
}

func fact(kind steps.EventKind, step string, exit int, why string) act {
	return func(f *fake) engine.Event { return f.fact(steps.Event{Kind: kind, Step: step, Exit: exit, Why: why}) }
}

func prints(step string, lines ...string) act {
	return func(f *fake) engine.Event {
		o := f.output[step]
		o.Lines = append(slices.Clone(o.Lines), lines...)
		f.output[step] = o
		return engine.OutputChanged{Step: step}
	}
}

// finds makes the expectation of a step say something else.
func finds(step string, answer world.Answer, why string) act {
	return func(f *fake) engine.Event {
		f.checks[step] = []engine.Check{{Role: engine.ExpectRole, Expect: f.plan.Step(step).Expect[0], Verdict: world.Verdict{Answer: answer, Why: why}}}
		return engine.WorldChanged{}
	}
}

func notices(n engine.Noticed) act { return func(*fake) engine.Event { return n } }

// comesTrue is the course of a step that does what it should.
func comesTrue(step string, lines ...string) []act {
	return []act{prints(step, lines...), fact(steps.StepExited, step, 0, ""), fact(steps.StepHeld, step, 0, "")}
}

// destroying is a gate with one of everything.
func destroying() guard.Gate {
	return guard.Gate{Decision: guard.Confirm, Class: risk.Destroy, Words: "db", Cost: "a minute without the shop",
		Reasons:  []risk.Reason{{Class: risk.Write, Command: "kubectl apply", Why: "applies it"}, {Class: risk.Destroy, Command: "kubectl delete", Why: "deletes cluster/db"}},
		Losses:   []guard.Loss{{What: "pvc/db-1 (8Gi)", Why: "owned by cluster/db", Irrecoverable: true}, {What: "backups", Why: "forbidden", Unknown: true}, {What: "pod/db-1"}},
		Warnings: []guard.Warning{{Protects: "session key", Text: "takes the session key away", Undo: "nothing"}}}
}

// golden holds what was printed against a file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}
