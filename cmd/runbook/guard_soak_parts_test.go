package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

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

func (j *soakJournal) Intent(string, engine.Intent) error            { return nil }
func (j *soakJournal) Ended(string, engine.Ended) error              { return nil }
func (j *soakJournal) Beside(string, engine.Beside, io.Closer) error { return nil }
func (j *soakJournal) Checks(string, []engine.Check) error           { return nil }
func (j *soakJournal) Changes(string, []guard.Change) error          { return nil }
func (j *soakJournal) Values(engine.Amendment) error                 { return nil }
func (j *soakJournal) Edit(string, engine.Code) error                { return nil }
func (j *soakJournal) Note(string, string) error                     { return nil }
func (j *soakJournal) Output(string, int) (io.WriteCloser, error)    { return nowhere{}, nil }

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

func (h soakShell) Strayed() []string { return nil }
func (h soakShell) Renew(string)      {}

type soakProcess struct{ changed chan struct{} }

func (p soakProcess) Changed() <-chan struct{} { return p.changed }
func (p soakProcess) Output() engine.Output    { return engine.Output{Lines: []string{"done"}} }
func (p soakProcess) Type([]byte) error        { return nil }
func (p soakProcess) PID() int                 { return 1 }
func (p soakProcess) Resize(int, int)          {}
func (p soakProcess) Stop(context.Context)     {}
func (p soakProcess) Wait() engine.Result      { return engine.Result{} }

type soakActions struct{ s *soak }

func (soakActions) Do(context.Context, *steps.Action, io.Writer, func(engine.Intent) error) error {
	return nil
}

// soakSurveyor finds another number of things now and then, so that questions
// change while they are open.
type soakSurveyor struct{ s *soak }

func (v soakSurveyor) Survey(context.Context, []risk.Touch) []guard.Loss {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	return []guard.Loss{{What: fmt.Sprintf("%d things", v.s.losses)}}
}
