package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"runbook/internal/redact"
	"runbook/internal/steps"
)

const marked = "Zq7-marked-value-9x"

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func header() Header {
	return Header{
		Run: "r1", Title: "Try", Path: "try.md", Order: []string{"a", "b"},
		Params: map[string]Param{"NAME": {Value: "shop", Source: steps.FromSet}}, Steps: map[string]string{"a": "1", "b": "2"},
	}
}

func hiding() *redact.Redactor {
	r := redact.New()
	r.Add(marked)
	return r
}

func create(t *testing.T) *Writer {
	t.Helper()
	w, err := Create(filepath.Join(t.TempDir(), "runs"), header(), hiding(), func() time.Time { return noon })
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func fact(kind steps.EventKind, step string) steps.Event {
	return steps.Event{Kind: kind, Step: step, At: noon}
}

func TestWhatIsWrittenIsReadBackAsARun(t *testing.T) {
	w := create(t)
	must(t, w.Event(fact(steps.StepStarted, "a")), w.Event(fact(steps.StepExited, "a")), w.Event(fact(steps.StepHeld, "a")), w.Close())
	r, err := Read(w.Dir())
	must(t, err)
	if r.Header.Title != "Try" || r.Header.Params["NAME"].Value != "shop" {
		t.Errorf("header: got %+v", r.Header)
	}
	run := r.Run()
	if got := run.Steps["a"].Status; got != steps.Done {
		t.Errorf("step a: got %s, want done", got)
	}
	if got := run.Next(); got != "b" {
		t.Errorf("next: got %q, want b", got)
	}
	h, err := ReadHeader(filepath.Dir(w.Dir()), "r1")
	must(t, err)
	if h.Run != "r1" || len(h.Order) != 2 {
		t.Errorf("header alone: got %+v", h)
	}
}

func TestAStepThatWasOnItsWayIsUnsureAlsoAfterTheRunWentOn(t *testing.T) {
	w := create(t)
	must(t, w.Event(fact(steps.StepStarted, "a")), w.f.Close())
	w, err := Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), func() time.Time { return noon })
	must(t, err)
	r, err := Read(w.Dir())
	must(t, err)
	if got := r.Run().Steps["a"].Status; got != steps.Unsure {
		t.Errorf("after the resume: got %s, want unsure", got)
	}
	must(t, w.Event(fact(steps.StepStarted, "a")), w.Event(fact(steps.StepExited, "a")), w.Event(fact(steps.StepHeld, "a")), w.Close())
	r, err = Read(w.Dir())
	must(t, err)
	if got := r.Run().Steps["a"].Status; got != steps.Done {
		t.Errorf("after its second try: got %s, want done", got)
	}
}

func TestAChangedLineIsNamed(t *testing.T) {
	for line, name := range []string{"header", "fact", "note"} {
		t.Run(name, func(t *testing.T) {
			w := create(t)
			must(t, w.Event(fact(steps.StepSkipped, "a")), w.Note("a", "hello"), w.Close())
			path := filepath.Join(w.Dir(), file)
			lines := bytes.SplitAfter(read(t, path), []byte("\n"))
			lines[line] = bytes.Replace(lines[line], []byte(`"at":"2026-05-04`), []byte(`"at":"2026-05-05`), 1)
			must(t, os.WriteFile(path, bytes.Join(lines, nil), 0o600))
			_, err := Read(w.Dir())
			var broken *BrokenError
			if !errors.As(err, &broken) || broken.Line != line+1 || !strings.Contains(broken.Why, "was changed after it was written") {
				t.Fatalf("got %v, want line %d named", err, line+1)
			}
		})
	}
}

func TestALineThatIsMissingOrInsertedIsNamed(t *testing.T) {
	for name, change := range map[string]func([][]byte) [][]byte{
		"missing":  func(l [][]byte) [][]byte { return append(l[:1:1], l[2:]...) },
		"inserted": func(l [][]byte) [][]byte { return append(l[:2:2], append([][]byte{l[1]}, l[2:]...)...) },
		"garbage":  func(l [][]byte) [][]byte { return append(l[:2:2], []byte("\x00\xff\n"), l[2]) },
	} {
		t.Run(name, func(t *testing.T) {
			w := create(t)
			must(t, w.Event(fact(steps.StepSkipped, "a")), w.Note("a", "hello"), w.Close())
			path := filepath.Join(w.Dir(), file)
			must(t, os.WriteFile(path, bytes.Join(change(bytes.SplitAfter(read(t, path), []byte("\n"))), nil), 0o600))
			var broken *BrokenError
			if _, err := Read(w.Dir()); !errors.As(err, &broken) {
				t.Fatalf("got %v, want a broken record", err)
			}
			if _, err := Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), time.Now); !errors.As(err, &broken) {
				t.Fatalf("continue: got %v, want a broken record", err)
			}
		})
	}
}

func TestALineThatWasCutOffIsLeftOutAndTakenAwayBeforeMoreIsWritten(t *testing.T) {
	w := create(t)
	must(t, w.Event(fact(steps.StepSkipped, "a")), w.Note("a", "hello"), w.f.Close())
	path := filepath.Join(w.Dir(), file)
	whole := read(t, path)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	first := len(lines[0])
	for cut := first; cut < len(whole); cut++ {
		must(t, os.WriteFile(path, whole[:cut], 0o600))
		r, err := Read(w.Dir())
		must(t, err)
		if want := whole[cut-1] != '\n'; r.Cut != want {
			t.Fatalf("cut at %d: Cut is %v", cut, r.Cut)
		}
		again, err := Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), func() time.Time { return noon })
		must(t, err)
		must(t, again.Note("b", "on"), again.Close())
		if r, err = Read(w.Dir()); err != nil || r.Cut {
			t.Fatalf("cut at %d, continued: %v, cut %v", cut, err, r.Cut)
		}
	}
}

func TestARecordWithoutAWholeHeaderSaysSo(t *testing.T) {
	w := create(t)
	must(t, w.f.Close())
	path := filepath.Join(w.Dir(), file)
	must(t, os.WriteFile(path, read(t, path)[:10], 0o600))
	var broken *BrokenError
	if _, err := Read(w.Dir()); !errors.As(err, &broken) || broken.Line != 1 {
		t.Errorf("got %v, want line 1 named", err)
	}
	if _, err := ReadHeader(filepath.Dir(w.Dir()), "r1"); err == nil {
		t.Error("a header was read from half a line")
	}
}

// tired is a disk that takes room bytes and no more, and syncs only while it is well.
type tired struct {
	*os.File
	room int
	sick bool
	held bool // Truncate doesn't work either
}

func (d *tired) Write(p []byte) (int, error) {
	if len(p) <= d.room {
		d.room -= len(p)
		return d.File.Write(p)
	}
	n, _ := d.File.Write(p[:d.room])
	d.room = 0
	return n, syscall.ENOSPC
}

func (d *tired) Sync() error {
	if d.sick {
		return syscall.EIO
	}
	return d.File.Sync()
}

func (d *tired) Truncate(size int64) error {
	if d.held {
		return syscall.EIO
	}
	return d.File.Truncate(size)
}

func TestOnAFullDiskNothingHalfWrittenStaysAndTheRecordGoesOnLater(t *testing.T) {
	for name, d := range map[string]*tired{
		"no room":                      {room: 40},
		"a sync that fails":            {room: 1 << 20, sick: true},
		"and it can't be taken back":   {room: 40, held: true},
		"synced badly, not taken back": {room: 1 << 20, sick: true, held: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := create(t)
			d.File = w.f.(*os.File)
			before := read(t, filepath.Join(w.Dir(), file))
			w.f = d
			if err := w.Note("a", "lost"); err == nil {
				t.Fatal("a line that isn't on disk was taken for written")
			}
			if got := read(t, filepath.Join(w.Dir(), file)); !d.held && !bytes.Equal(got, before) {
				t.Errorf("half a line stays: %q", got[len(before):])
			}
			if err := w.Note("a", "still"); err == nil {
				t.Fatal("the disk is no better, and the second line was taken for written")
			}
			d.room, d.sick, d.held = 1<<20, false, false
			must(t, w.Note("a", "kept"), w.Close())
			r, err := Read(w.Dir())
			must(t, err)
			if len(r.Lines) != 3 || !bytes.Contains(r.Lines[1].Data, []byte("kept")) {
				t.Errorf("got %d lines, want header, note and end", len(r.Lines))
			}
		})
	}
}

func TestASecondProcessIsRefused(t *testing.T) {
	w := create(t)
	if _, err := Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), time.Now); !errors.Is(err, ErrInUse) {
		t.Fatalf("got %v, want %v", err, ErrInUse)
	}
	if !InUse(w.Dir()) {
		t.Error("the run isn't said to be in use")
	}
	must(t, w.Close())
	if InUse(w.Dir()) {
		t.Error("the run is said to be in use after its end")
	}
	w, err := Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), time.Now)
	must(t, err)
	must(t, w.Close())
}

func TestNobodyElseCanReadARecord(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	w := create(t)
	must(t, w.Code("a", CodeData{Code: "date"}))
	out, err := w.Output("a", 0)
	must(t, err, out.Close(), w.Close())
	root := filepath.Dir(w.Dir())
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		if got := info.Mode().Perm() & 0o077; got != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	}))
}

func TestAFolderThatCannotBeWrittenIsNamed(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a-file")
	must(t, os.WriteFile(root, nil, 0o600))
	_, err := Create(filepath.Join(root, "runs"), header(), hiding(), time.Now)
	if err == nil || !strings.Contains(err.Error(), root) {
		t.Fatalf("got %v, want the folder named", err)
	}
}

func TestARunOfTheSameNameIsNotWrittenOver(t *testing.T) {
	w := create(t)
	must(t, w.Close())
	before := read(t, filepath.Join(w.Dir(), file))
	if _, err := Create(filepath.Dir(w.Dir()), header(), hiding(), time.Now); err == nil {
		t.Fatal("a second run took the name of the first")
	}
	if got := read(t, filepath.Join(w.Dir(), file)); !bytes.Equal(got, before) {
		t.Error("the first record was changed")
	}
	names, err := List(filepath.Dir(w.Dir()))
	must(t, err)
	if len(names) != 1 {
		t.Errorf("records: got %v, want one", names)
	}
}

func TestEveryTryOfEveryBlockHasItsOwnOutput(t *testing.T) {
	w := create(t)
	text := func(block int, s string) {
		must(t, w.Code("a", CodeData{Block: block, Code: "x"}))
		out, err := w.Output("a", block)
		must(t, err)
		_, err = out.Write([]byte(s))
		must(t, err, out.Close(), w.Ended("a", EndData{Block: block}))
	}
	text(0, "one")
	text(1, "two")
	must(t, w.Close())
	w, err := Continue(w.Dir(), ResumeData{Operator: "me"}, hiding(), time.Now)
	must(t, err)
	text(0, "three")
	must(t, w.Close())
	for name, want := range map[string]string{"a.1.1.out": "one", "a.2.1.out": "two", "a.1.2.out": "three"} {
		if got := string(read(t, filepath.Join(w.Dir(), name))); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	r, err := Read(w.Dir())
	must(t, err)
	must(t, r.VerifyOutputs())
	must(t, os.WriteFile(filepath.Join(w.Dir(), "a.2.1.out"), []byte("tow"), 0o600))
	if err := r.VerifyOutputs(); err == nil || !strings.Contains(err.Error(), "a.2.1.out") {
		t.Errorf("a changed output: got %v, want it named", err)
	}
	must(t, os.Remove(filepath.Join(w.Dir(), "a.2.1.out")))
	if err := r.VerifyOutputs(); err == nil {
		t.Error("an output that is gone wasn't noticed")
	}
}

func TestNoStepIDLeavesTheFolderOfItsRecord(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"a", "../../etc/passwd", "..", ".", "", "a/b", "a_b", "A", "über", "a\x00b", "-rf", strings.Repeat("x", 400), strings.Repeat("x", 401)} {
		name := outputName(id, 0, 1)
		if filepath.Base(name) != name || len(name) > 200 || strings.ContainsAny(name, "/\x00") || strings.HasPrefix(name, ".") {
			t.Errorf("id %.20q: file %q", id, name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("ids %.20q and %.20q share %s", id, other, name)
		}
		seen[name] = id
	}
}

func TestNoSecretGetsIntoARecordThroughAnyOfItsMethods(t *testing.T) {
	h := header()
	h.Params["DSN"] = Param{Value: "postgres://shop:" + marked + "@db/shop", Source: steps.FromDefault}
	h.Server, h.Vault = "https://x:"+marked+"@server", "https://"+marked
	h.Title, h.Titles, h.NotTaken = "about "+marked, map[string]string{"a": "do " + marked}, map[string]string{"b": "X is " + marked}
	w, err := Create(t.TempDir(), h, hiding(), time.Now)
	must(t, err)
	checks := []CheckData{{Role: "expect", Text: "has " + marked, Answer: "does not", Why: "saw " + marked}}
	gate := GateData{Reasons: []string{marked}, Warnings: []string{marked}, Losses: []string{marked}, Words: marked}
	changes := []ChangeData{{Protects: marked, Layer: "Vault", Now: "can't tell", Why: marked}}
	must(t,
		w.Event(steps.Event{Kind: steps.StepSkipped, Step: "a", Why: "because " + marked}),
		w.Gate("a", gate), w.Code("a", CodeData{Code: "echo " + marked, Document: marked}), w.Ended("a", EndData{Exit: -1, Why: marked}),
		w.Checks("a", checks), w.Changes("a", changes), w.Note("a", marked), w.Close())
	if text := read(t, filepath.Join(w.Dir(), file)); bytes.Contains(text, []byte(marked)) {
		t.Errorf("the value is in the record:\n%s", text)
	}
	if gate.Reasons[0] != marked || checks[0].Why != "saw "+marked || changes[0].Why != marked {
		t.Error("what the caller holds was changed")
	}
	r, err := Read(w.Dir())
	must(t, err)
	if p := r.Header.Params["DSN"]; !p.Secret || p.Value != "" {
		t.Errorf("a parameter that holds a secret: got %+v, want it kept as one", p)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

func FuzzReadingARecordNeverPanics(f *testing.F) {
	line, _ := json.Marshal(Line{N: 1, Kind: Opened, Data: json.RawMessage(`{"run":"x"}`)})
	f.Add(append(line, '\n'))
	f.Add([]byte("{}\n{}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, file), b, 0o600))
		if r, err := Read(dir); err == nil {
			r.Run()
			r.Trace("a")
		}
	})
}

// What people and servers say is judged as a sentence: a name and a colon don't
// make the rest of it a secret.
func TestAReasonIsKeptAsItWasSaid(t *testing.T) {
	const reason = "the secret: see the wiki, and its token: rotated by the other team; the password: Hunter2xx"
	const want = "the secret: see the wiki, and its token: rotated by the other team; the password: [redacted]"
	w := create(t)
	skipped := fact(steps.StepSkipped, "a")
	skipped.Why = reason
	must(t, w.Event(skipped), w.Gate("a", GateData{Reasons: []string{reason}, Warnings: []string{reason}, Losses: []string{reason}}),
		w.Checks("a", []CheckData{{Text: reason, Why: reason}}), w.Changes("a", []ChangeData{{Protects: reason, Why: reason}}), w.Note("a", reason), w.Close())
	text := read(t, filepath.Join(w.Dir(), file))
	if got := strings.Count(string(text), want); got != 9 {
		t.Errorf("kept %d times, want 9:\n%s", got, text)
	}
}

func TestWhatCannotBeWrittenIsNamedAsItIsCalledNow(t *testing.T) {
	w := create(t)
	must(t, w.f.Close())
	err := w.Note("a", "lost")
	if want := "write " + filepath.Join(w.Dir(), file) + ": "; err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), ".new-") {
		t.Errorf("got %v, want %q and the reason", err, want)
	}
}
