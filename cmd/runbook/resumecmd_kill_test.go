package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/term"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/journal"
	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
	sandboxvault "runbook/internal/sandbox/vault"
	"runbook/internal/steps"
)

// dyingMain is main with a journal that kills its own process, as a power loss
// would: at the call that DIE_AT names, by its number or as "ended database",
// before or after its line is written.
func dyingMain() {
	at, before := os.Getenv("DIE_AT"), os.Getenv("DIE") == "before"
	tappedMain(func(c call) error {
		if c.before == before && (at == strconv.Itoa(c.n) || at == c.what+" "+c.step) {
			die()
		}
		return nil
	})
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // it doesn't return
	select {}
}

// fullMain is main with a disk that is full from the call on that FULL_AT names.
func fullMain() {
	at, _ := strconv.Atoi(os.Getenv("FULL_AT"))
	tappedMain(func(c call) error {
		if c.before && c.n >= at {
			return syscall.ENOSPC
		}
		return nil
	})
}

// tappedMain is main with somebody who is told of every call of the journal, and
// can have it fail.
func tappedMain(tell func(call) error) {
	in, out := os.Stdin, os.Stdout
	a := &app{
		in: in, out: out, errOut: os.Stderr, environ: os.Environ(), getwd: os.Getwd, now: time.Now,
		terminal: term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())),
	}
	a.tap = func(j engine.Journal) engine.Journal { return &tapped{Journal: j, tell: tell} }
	os.Exit(int(a.run(os.Args)))
}

// A call is one call of a journal, before or after it has written.
type call struct {
	n          int // from 1
	what, step string
	before     bool
}

// A tapped journal tells of each of its calls.
type tapped struct {
	engine.Journal
	tell func(call) error

	mu    sync.Mutex
	calls int
}

func (d *tapped) around(what, step string, write func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	c := call{n: d.calls, what: what, step: step, before: true}
	if err := d.tell(c); err != nil {
		return err
	}
	err := write()
	c.before = false
	return errors.Join(err, d.tell(c))
}

func (d *tapped) Event(e steps.Event) error {
	return d.around(string(e.Kind), e.Step, func() error { return d.Journal.Event(e) })
}
func (d *tapped) Gate(step string, g guard.Gate, a engine.Answer, passed bool) error {
	return d.around("gate", step, func() error { return d.Journal.Gate(step, g, a, passed) })
}
func (d *tapped) Code(step string, c engine.Code) error {
	return d.around("code", step, func() error { return d.Journal.Code(step, c) })
}
func (d *tapped) Intent(step string, i engine.Intent) error {
	return d.around("intent", step, func() error { return d.Journal.Intent(step, i) })
}
func (d *tapped) Ended(step string, b engine.Ended) error {
	return d.around("ended", step, func() error { return d.Journal.Ended(step, b) })
}
func (d *tapped) Beside(step string, b engine.Beside, out io.Closer) error {
	return d.around("beside", step, func() error { return d.Journal.Beside(step, b, out) })
}
func (d *tapped) Checks(step string, c []engine.Check) error {
	return d.around("checks", step, func() error { return d.Journal.Checks(step, c) })
}
func (d *tapped) Changes(step string, c []guard.Change) error {
	return d.around("changes", step, func() error { return d.Journal.Changes(step, c) })
}
func (d *tapped) Note(step, text string) error {
	return d.around("note", step, func() error { return d.Journal.Note(step, text) })
}
func (d *tapped) Values(a engine.Amendment) error {
	return d.around("values", "", func() error { return d.Journal.Values(a) })
}
func (d *tapped) Edit(step string, c engine.Code) error {
	return d.around("edit", step, func() error { return d.Journal.Edit(step, c) })
}
func (d *tapped) Output(step string, block int) (out io.WriteCloser, err error) {
	err = d.around("output", step, func() error { out, err = d.Journal.Output(step, block); return err })
	return out, err
}

// An ascent is one walk of the shipped bring-up beside a sandbox of its own.
type ascent struct {
	t       *testing.T
	box     *sandbox.Sandbox
	env     []string
	variant string
	dir     string // where it is walked from
	state   string
	temp    string // what it has as TMPDIR: a walk that is killed leaves something there
	// had is what was there when the walk was cut off, if that is known: an operator
	// may be about to make what was there later in another walk of the same sandbox.
	had map[string]string
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
	box, err := sandbox.Start(context.WithoutCancel(t.Context()), sandbox.Options{Dir: t.TempDir(), Scenario: scenario, Speed: 15})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &ascent{t: t, box: box, variant: variant, dir: "../..", state: t.TempDir(), temp: t.TempDir()}
	b.env = append(append(os.Environ(), box.Env()...), "XDG_STATE_HOME="+b.state, "TMPDIR="+b.temp, "VARIANT="+variant,
		"GOGC=400") // the programs are many and short
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
	out := map[string]string{"namespace": "", "session key": "", "database password": "", "vault entry": ""}
	client, err := dynamic.NewForConfig(b.box.Rest())
	if err != nil {
		b.t.Fatal(err)
	}
	mark := func(what string, o *unstructured.Unstructured, err error, key string) {
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			b.t.Fatal(err)
		default:
			value, _, _ := unstructured.NestedString(o.Object, "data", key) // none of a namespace
			out[what] = string(o.GetUID()) + " " + value
		}
	}
	const ns = "schmetterpause"
	o, err := client.Resource(operators.Namespaces).Get(b.t.Context(), ns, metav1.GetOptions{})
	mark("namespace", o, err, "")
	for what, at := range map[string][2]string{
		"session key": {ns + "-app", "SP_SESSION_KEY"}, "database password": {ns + "-db", "password"},
	} {
		o, err := client.Resource(operators.Secrets).Namespace(ns).Get(b.t.Context(), at[0], metav1.GetOptions{})
		mark(what, o, err, at[1])
	}
	entry, err := b.box.Vault().Do(http.MethodGet, "", b.box.Place().Cluster+"/metadata/"+ns, nil)
	if err == nil {
		out["vault entry"] = fmt.Sprint(entry["current_version"], entry["created_time"])
	} else if !errors.Is(err, sandboxvault.ErrNotFound) {
		b.t.Fatal(err)
	}
	return out
}

const bringUpFile = "runbooks/schmetterpause/bring-up.md"

// Walking to each event and being killed there takes minutes, so a plain test run
// takes a few of them; RUNBOOK_SOAK=1, or make kill, takes all.
const killStride = 80

func TestKilledAtAnyEventABringUpIsFinishedByResume(t *testing.T) {
	t.Parallel()
	stride := size(killStride, 1)
	for _, variant := range []string{"external-secrets", "ordinary-secrets"} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			calls := countCalls(t, variant)
			t.Logf("%d events", calls)
			kills := &killedWalks{}
			t.Cleanup(func() { t.Log(variant + ": " + kills.String()) })
			for n := 1; n <= calls; n += stride {
				for i, when := range []string{"before", "after"} {
					n := min(n+i*(stride/2), calls) // so that a few are not all of one kind
					t.Run(fmt.Sprintf("%s-%d", when, n), func(t *testing.T) {
						t.Parallel()
						defer kills.count(t)
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
	if when == "before" { // and once more, while it is resumed
		again, _ := b.run([]string{"DIE=after", "DIE_AT=3"}, "runbook-that-dies", "resume")
		died += again
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("it died after:\n%s", died)
		}
	})
	b.bringsUp()
}

// resumed goes on with the one run that there is, which must not leave anything
// to be done.
func (b *ascent) resumed(args ...string) {
	b.t.Helper()
	rec := b.record() // can be read
	if rec.Run().Next() == "" {
		if err := finished(rec); err != nil { // it died behind the last event
			b.t.Error(err)
		}
		return
	}
	out, err := b.run(nil, "runbook", append([]string{"resume"}, args...)...)
	if err != nil {
		b.t.Fatalf("resume: %v\n%s", err, out)
	}
	if err := finished(b.record()); err != nil {
		b.t.Errorf("%v\n%s", err, out)
	}
	if !strings.Contains(out, "going on with "+rec.Header.Run) {
		b.t.Errorf("resume doesn't say what it goes on with:\n%s", out)
	}
}

// bringsUp is resumed for a bring-up: what is there must not be made again.
func (b *ascent) bringsUp() {
	b.t.Helper()
	before := b.had
	if before == nil {
		before = b.made()
	}
	b.resumed()
	for what, is := range b.made() {
		if was := before[what]; is == "" && !(what == "vault entry" && b.variant == "ordinary-secrets") {
			b.t.Errorf("there is no %s", what)
		} else if was != "" && is != was {
			b.t.Errorf("the %s was made or written again: %q, then %q", what, was, is)
		}
	}
}
