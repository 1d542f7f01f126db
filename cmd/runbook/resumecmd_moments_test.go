package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"runbook/internal/sandbox"
)

// waitingMain is main with a journal that stops the program before and after
// each of its calls, until whoever started it has looked around.
func waitingMain() {
	for _, fd := range []int{3, 4} {
		unix.CloseOnExec(fd)
	}
	say, hear := os.NewFile(3, "say"), os.NewFile(4, "hear")
	tappedMain(func(c call) error {
		_, err := fmt.Fprintf(say, "%d %t %s %s\n", c.n, c.before, c.what, c.step)
		if err == nil {
			_, err = hear.Read(make([]byte, 1))
		}
		if err != nil {
			die() // nobody listens any more
		}
		return nil
	})
}

// A moment is what a walk leaves when its program is gone from there on: the
// folder of its record, and the world.
type moment struct {
	call
	made   map[string]string // at least this is there
	record string            // its name
	files  map[string][]byte // of the record
	world  sandbox.Snapshot
}

// walkByMoments walks a runbook, and stops at each call of its journal for long
// enough to remember everything.
func (b *ascent) walkByMoments(args ...string) []moment {
	b.t.Helper()
	heard, say := pipe(b.t)
	hear, told := pipe(b.t)
	cmd := exec.Command("runbook-that-waits", args...)
	var out bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = b.env, b.dir, &out, &out, []*os.File{say, hear}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	// What is left of the ends that the program has got.
	if err := errors.Join(say.Close(), hear.Close()); err != nil {
		b.t.Fatal(err)
	}
	var moments []moment
	for lines := bufio.NewScanner(heard); lines.Scan(); {
		var m moment
		if _, err := fmt.Sscanf(lines.Text(), "%d %t %s %s", &m.n, &m.before, &m.what, &m.step); err != nil {
			b.t.Fatalf("%q: %v", lines.Text(), err)
		}
		m.made = b.made() // before the world: what an operator makes in between is in that only
		m.record, m.files, m.world = filepath.Base(b.record().Dir), contents(b.t, b.record().Dir), b.box.Snapshot()
		moments = append(moments, m)
		if _, err := told.Write([]byte{'\n'}); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil {
		b.t.Fatalf("without dying: %v\n%s", err, out.String())
	}
	return moments
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() }) // whichever end is still open
	return r, w
}

// contents are the files of a folder.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		if out[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// distinct leaves out the moments that are the same as the one behind them:
// between two lines there is mostly nothing that the world or the disk shows.
// A line that is being written may be cut anywhere: of each line that a moment
// is before, the record has another part.
func distinct(moments []moment) []moment {
	var out []moment
	for i, m := range moments {
		if i+1 < len(moments) {
			next := moments[i+1]
			if maps.EqualFunc(m.files, next.files, bytes.Equal) && m.world.Same(next.world) {
				continue
			}
			if m.before {
				m.files = maps.Clone(m.files)
				m.files["run.jsonl"] = torn(m.files["run.jsonl"], next.files["run.jsonl"], m.n)
			}
		}
		out = append(out, m)
	}
	return out
}

// torn is a record with a part of its next line: nothing, its first byte, its
// half, or all but the line end.
func torn(before, after []byte, n int) []byte {
	line := after[len(before):]
	if len(line) == 0 {
		return before // this call writes no line
	}
	return after[:len(before)+[]int{0, 1, len(line) / 2, len(line) - 1}[n%4]]
}

// at brings everything back to a moment. The walk that is resumed from there
// has a place of its own for its records.
func (b *ascent) at(t *testing.T, m moment) *ascent {
	t.Helper()
	there := &ascent{t: t, box: b.box, variant: b.variant, dir: b.dir, state: t.TempDir(), temp: b.temp, had: m.made}
	there.env = append(append([]string{}, b.env...), "XDG_STATE_HOME="+there.state)
	dir := filepath.Join(there.state, "runbook", "runs", m.record)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range m.files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.box.Restore(m.world)
	return there
}

func (m moment) String() string {
	when := "after"
	if m.before {
		when = "before"
	}
	return fmt.Sprintf("%s-%d-%s-%s", when, m.n, m.what, m.step)
}

// everyMoment walks a runbook and goes back to each of its moments that differ,
// from the end: so no pod comes back that has gone in between.
//
// Stopping a program at each event and killing it there leave the same, and the
// first can be had for all events of one walk: make kill resumes from each of
// them, every test run from some, the last or the one that is so many before it
// the first of them. What a real kill leaves beside that is seen by the test that
// kills.
func (b *ascent) everyMoment(t *testing.T, before int, resume func(*ascent), args ...string) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the sandbox makes more garbage than it keeps
	all := b.walkByMoments(args...)
	moments := distinct(all)
	stride := size(1+len(moments)/someMoments, 1)
	before = size(before, 0)
	t.Logf("%d events, %d moments that differ", len(all)/2, len(moments))
	walked, failed := 0, 0
	defer func() { t.Logf("resumed from %d of %d moments, %d failed", walked, len(moments), failed) }()
	for i := len(moments) - 1 - before; i >= 0; i -= stride {
		m := moments[i]
		walked++
		if !t.Run(m.String(), func(t *testing.T) { resume(b.at(t, m)) }) {
			failed++
		}
	}
}

// someMoments is about how many of one walk a plain test run resumes from.
const someMoments = 10

func TestFromAnyMomentABringUpIsFinishedByResume(t *testing.T) {
	t.Parallel()
	for variant, before := range map[string]int{"external-secrets": 0, "ordinary-secrets": 3} { // so that they aren't the same moments
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			newAscent(t, variant).everyMoment(t, before, (*ascent).bringsUp, "run", bringUpFile)
		})
	}
}

func TestFromAnyMomentATeardownIsFinishedByResume(t *testing.T) {
	t.Parallel()
	accept := []string{"--accept-risk", "database,namespace"}
	beside(t, "deployed", "external-secrets").everyMoment(t, 0, func(b *ascent) {
		b.resumed(accept...)
		if b.hasNamespace() {
			b.t.Error("the namespace is still there")
		}
	}, append([]string{"run", teardownFile}, accept...)...)
}
