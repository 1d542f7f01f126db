package main

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
)

// meddler edits the command of a step while it is being looked at what hangs
// off it.
type meddler struct {
	engine *engine.Engine
	once   sync.Once
	code   string
}

func (m *meddler) Survey(context.Context, []risk.Touch) []guard.Loss {
	if m.code != "" {
		m.once.Do(func() { _ = m.engine.Edit("away", 0, m.code) })
	}
	return nil
}

type ran struct {
	mu    sync.Mutex
	codes []string
}

func (r *ran) Start(_ context.Context, c engine.Command) (engine.Process, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.codes = append(r.codes, strings.TrimSpace(c.Code))
	p := soakProcess{changed: make(chan struct{})}
	close(p.changed)
	return p, nil
}

func (r *ran) Interactive(engine.Command) (*exec.Cmd, func(error) engine.Result, error) {
	return nil, nil, io.EOF
}
func (r *ran) Strayed() []string { return nil }
func (r *ran) Renew(string)      {}

func TestACommandThatIsEditedWhileItsGateIsPassedIsJudgedAnew(t *testing.T) {
	r := steps.Parse("away.md", []byte("# Try\n\n## Away\n\n```sh\nkubectl delete ns one\n```\n"))
	plan, err := r.Bind(steps.Values{})
	if err != nil {
		t.Fatal(err)
	}
	m, sh := &meddler{}, &ran{}
	e := engine.New(t.Context(), engine.Config{Plan: plan, Run: steps.NewRun(plan), Shell: sh, Surveyor: m,
		Journal: &soakJournal{soak: &soak{t: t, count: &tally{}, since: map[string]int{}, passed: map[string]*pass{}}}, Now: time.Now})
	defer e.Close()
	m.engine = e
	g, err := e.Gate(t.Context(), "away")
	if err != nil || g.Words != "one" {
		t.Fatalf("asks for %q, %v", g.Words, err)
	}
	m.code = "kubectl delete ns two"
	var closed *engine.GateError
	if err := e.Do(t.Context(), "away", engine.Answer{Fingerprint: g.Fingerprint, Words: "one"}); !errors.As(err, &closed) {
		t.Fatalf("the answer to another command passed: %v, and it ran %v", err, sh.codes)
	}
	if closed.Gate.Words != "two" || len(sh.codes) > 0 {
		t.Errorf("asks for %q, ran %v", closed.Gate.Words, sh.codes)
	}
}
