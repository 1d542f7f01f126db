package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/journal"
	"runbook/internal/sandbox"
	"runbook/internal/steps"
)

// dyingMain is main with a journal that kills its own process, as a power loss
// would: at the call that DIE_AT names, by its number or as "ended database",
// before or after its line is written.
func dyingMain() {
	at := os.Getenv("DIE_AT")
	a := &app{in: os.Stdin, out: os.Stdout, errOut: os.Stderr, environ: os.Environ(), getwd: os.Getwd, now: time.Now}
	a.tap = func(j engine.Journal) engine.Journal {
		return &dying{Journal: j, at: at, before: os.Getenv("DIE") == "before"}
	}
	os.Exit(int(a.run(os.Args)))
}

// A dying journal kills its process at one of its calls.
type dying struct {
	engine.Journal
	at     string
	before bool

	mu    sync.Mutex
	calls int
}

func (d *dying) around(what, step string, write func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	now := d.at == strconv.Itoa(d.calls) || d.at == what+" "+step
	if d.before && now {
		die()
	}
	err := write()
	if !d.before && now {
		die()
	}
	return err
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // it doesn't return
	select {}
}

func (d *dying) Event(e steps.Event) error {
	return d.around(string(e.Kind), e.Step, func() error { return d.Journal.Event(e) })
}
func (d *dying) Gate(step string, g guard.Gate, a engine.Answer, passed bool) error {
	return d.around("gate", step, func() error { return d.Journal.Gate(step, g, a, passed) })
}
func (d *dying) Code(step string, c engine.Code) error {
	return d.around("code", step, func() error { return d.Journal.Code(step, c) })
}
func (d *dying) Ended(step string, b engine.Ended) error {
	return d.around("ended", step, func() error { return d.Journal.Ended(step, b) })
}
func (d *dying) Checks(step string, c []engine.Check) error {
	return d.around("checks", step, func() error { return d.Journal.Checks(step, c) })
}
func (d *dying) Changes(step string, c []guard.Change) error {
	return d.around("changes", step, func() error { return d.Journal.Changes(step, c) })
}
func (d *dying) Output(step string, block int) (out io.WriteCloser, err error) {
	err = d.around("output", step, func() error { out, err = d.Journal.Output(step, block); return err })
	return out, err
}

// An ascent is one walk of the shipped bring-up beside a sandbox of its own.
type ascent struct {
	t     *testing.T
	env   []string
	dir   string // where it is walked from
	state string
	temp  string // what it has as TMPDIR: a walk that is killed leaves something there
}

func newAscent(t *testing.T, variant string) *ascent {
	t.Helper()
	return beside(t, "", variant)
}

// beside is a walk beside a sandbox in a scenario.
func beside(t *testing.T, scenario, variant string) *ascent {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not on the path: make kubectl builds it")
	}
	box, err := sandbox.Start(context.WithoutCancel(t.Context()), sandbox.Options{Dir: t.TempDir(), Scenario: scenario, Speed: 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &ascent{t: t, dir: "../..", state: t.TempDir(), temp: t.TempDir()}
	b.env = append(append(os.Environ(), box.Env()...), "XDG_STATE_HOME="+b.state, "TMPDIR="+b.temp, "VARIANT="+variant)
	return b
}

// run runs a program of this test binary and returns what it printed.
func (b *ascent) run(extra []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(append([]string{}, b.env...), extra...)
	cmd.Dir = b.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (b *ascent) record() *journal.Record {
	b.t.Helper()
	root := filepath.Join(b.state, "runbook", "runs")
	names, err := journal.List(root)
	if err != nil || len(names) != 1 {
		b.t.Fatalf("records: %v, %v, want one", names, err)
	}
	rec, err := journal.Read(filepath.Join(root, names[0]))
	if err != nil {
		b.t.Fatalf("the record can't be read: %v", err)
	}
	return rec
}

// finished checks that every step of a record is settled, that none was begun
// again once it was, and that no block was begun again once it had ended.
func finished(rec *journal.Record) error {
	if next := rec.Run().Next(); next != "" {
		return fmt.Errorf("step %s is open: %+v", next, rec.Run().Steps[next])
	}
	settled, ended := map[string]bool{}, map[string]bool{}
	for _, l := range rec.Lines {
		var e steps.Event
		var c journal.CodeData
		var x journal.EndData
		switch {
		case l.Kind == journal.Fact && json.Unmarshal(l.Data, &e) == nil:
			if settled[e.Step] {
				return fmt.Errorf("line %d: %s of step %s, which was settled: %s", l.N, e.Kind, e.Step, e.Why)
			}
			settled[e.Step] = e.Kind == steps.StepHeld || e.Kind == steps.StepSatisfied
		case l.Kind == journal.Code && json.Unmarshal(l.Data, &c) == nil:
			if key := fmt.Sprint(l.Step, c.Block); ended[key] {
				return fmt.Errorf("line %d: block %d of step %s runs again", l.N, c.Block+1, l.Step)
			}
		case l.Kind == journal.Ended && json.Unmarshal(l.Data, &x) == nil:
			ended[fmt.Sprint(l.Step, x.Block)] = x.Exit == 0
		}
	}
	return rec.VerifyOutputs()
}

// made are the marks of what there is that change when it is made or written a
// second time; "" for what isn't there.
func (b *ascent) made() map[string]string {
	b.t.Helper()
	out := map[string]string{}
	for what, args := range map[string][]string{
		"namespace": {"kubectl", "get", "namespace", "schmetterpause", "--ignore-not-found", "-o", "jsonpath={.metadata.uid}"},
		"session key": {"kubectl", "-n", "schmetterpause", "get", "secret", "schmetterpause-app", "--ignore-not-found",
			"-o", "jsonpath={.metadata.uid} {.data.SP_SESSION_KEY}"},
		"database password": {"kubectl", "-n", "schmetterpause", "get", "secret", "schmetterpause-db", "--ignore-not-found",
			"-o", "jsonpath={.metadata.uid} {.data.password}"},
		"vault entry": {"sh", "-c", `curl -s -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/$CLUSTER/metadata/schmetterpause" |
			sed -n 's/.*"current_version":\([0-9]*\).*/\1/p'`},
	} {
		text, err := b.run(nil, args[0], args[1:]...)
		if err != nil {
			b.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, text)
		}
		out[what] = strings.TrimSpace(text)
	}
	return out
}

const bringUpFile = "runbooks/schmetterpause/bring-up.md"

// Walking to each event takes minutes, so a plain test run takes a few of them;
// RUNBOOK_SOAK=1 takes all.
const killStride = 45

func TestKilledAtAnyEventABringUpIsFinishedByResume(t *testing.T) {
	stride := killStride
	if os.Getenv("RUNBOOK_SOAK") != "" {
		stride = 1
	}
	for _, variant := range []string{"external-secrets", "ordinary-secrets"} {
		t.Run(variant, func(t *testing.T) {
			calls := countCalls(t, variant)
			t.Logf("%d events", calls)
			free := make(chan struct{}, runtime.GOMAXPROCS(0))
			for n := 1; n <= calls; n += stride {
				for i, when := range []string{"before", "after"} {
					n := min(n+i*(stride/2), calls) // so that a few are not all of one kind
					t.Run(fmt.Sprintf("%s-%d", when, n), func(t *testing.T) {
						t.Parallel()
						free <- struct{}{}
						defer func() { <-free }()
						diesAndIsResumed(t, variant, when, n)
					})
				}
			}
		})
	}
}

// countCalls walks the bring-up once without dying, and tells how many events
// there are to die at: more than any other walk has.
func countCalls(t *testing.T, variant string) int {
	b := newAscent(t, variant)
	out, err := b.run(nil, "runbook", "run", bringUpFile)
	if err != nil {
		t.Fatalf("without dying: %v\n%s", err, out)
	}
	rec := b.record()
	if err := finished(rec); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, l := range rec.Lines {
		switch l.Kind {
		case journal.Opened, journal.Closed:
		case journal.Code:
			calls += 2 // and its output is opened
		default:
			calls++
		}
	}
	return calls
}

func diesAndIsResumed(t *testing.T, variant, when string, n int) {
	b := newAscent(t, variant)
	died, err := b.run([]string{"DIE=" + when, "DIE_AT=" + strconv.Itoa(n)}, "runbook-that-dies", "run", bringUpFile)
	if err == nil {
		t.Skipf("the walk had fewer than %d events", n)
	}
	b.record() // can be read
	before := b.made()
	if when == "before" { // and once more, while it is resumed
		again, _ := b.run([]string{"DIE=after", "DIE_AT=3"}, "runbook-that-dies", "resume")
		died += again
	}
	if rec := b.record(); rec.Run().Next() == "" { // it died behind the last event
		if err := finished(rec); err != nil {
			t.Error(err)
		}
		return
	}
	out, err := b.run(nil, "runbook", "resume")
	if err != nil {
		t.Fatalf("resume: %v\n%s\nit had died after:\n%s", err, out, died)
	}
	rec := b.record()
	if err := finished(rec); err != nil {
		t.Errorf("%v\n%s\nit had died after:\n%s", err, out, died)
	}
	for what, is := range b.made() {
		if was := before[what]; was != "" && is != was {
			t.Errorf("the %s was made or written again: %q, then %q", what, was, is)
		}
	}
	if !strings.Contains(out, "going on with "+rec.Header.Run) {
		t.Errorf("resume doesn't say what it goes on with:\n%s", out)
	}
}
