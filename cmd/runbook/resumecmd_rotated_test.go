package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/journal"
)

const rotation = "---\nrunbook: v1\nparams:\n  CLUSTER: {}\n---\n\n# Rotate\n\n## Rotate\n\n<!-- step\nid: rotate\n-->\n\n" +
	"```yaml action\nvault: rotate\nentry: ${CLUSTER}/shop\nproperty: key\n```\n\n## Second\n\n```sh\necho second\n```\n"

// rotates is a walk of a rotation that is killed somewhere, and what the entry
// had before.
func rotates(t *testing.T, die, at string) (b *ascent, before map[string]any) {
	t.Helper()
	b = beside(t, "", "")
	b.dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(b.dir, "rotate.md"), []byte(rotation), 0o600); err != nil {
		t.Fatal(err)
	}
	b.puts(map[string]any{"key": "old", "user": "shop"})
	before = b.entry()
	if out, err := b.run([]string{"DIE=" + die, "DIE_AT=" + at}, "runbook-that-dies", "run", "rotate.md", "--accept-risk", "rotate"); err == nil {
		t.Fatalf("it came to its end:\n%s", out)
	}
	return b, before
}

func (b *ascent) puts(data map[string]any) {
	b.t.Helper()
	if err := b.box.Vault().Put(b.box.Place().Cluster, "shop", data); err != nil {
		b.t.Fatal(err)
	}
}

func TestARotationThatHadWrittenIsDoneAndNotDoneAgain(t *testing.T) {
	t.Parallel()
	for name, since := range map[string]func(b *ascent){
		"as it was left": func(*ascent) {},
		"with another property written since": func(b *ascent) {
			data := b.entry()
			data["user"] = "another"
			b.puts(data)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, before := rotates(t, "before", "ended rotate")
			made := b.entry()["key"]
			if made == before["key"] {
				t.Fatal("it had not written: nothing is tested")
			}
			since(b)
			out, err := b.run(nil, "runbook", "resume") // nothing has to be accepted
			if err != nil || !strings.Contains(out, "has the value that this run made before it was cut off") {
				t.Errorf("%v\n%s", err, out)
			}
			if now := b.entry()["key"]; now != made {
				t.Errorf("it was rotated again")
			}
			if err := finished(b.record()); err != nil {
				t.Error(err)
			}
			if text, err := os.ReadFile(filepath.Join(b.record().Dir, "run.jsonl")); err != nil || strings.Contains(string(text), made.(string)) {
				t.Errorf("the value is in the record, or that can't be read: %v", err)
			}
		})
	}
}

func TestARotationThatHadNotWrittenIsAskedAboutAsIfItWereNew(t *testing.T) {
	t.Parallel()
	for _, moment := range [][2]string{{"after", "code rotate"}, {"before", "intent rotate"}, {"after", "intent rotate"}} {
		t.Run(strings.Join(moment[:], " "), func(t *testing.T) {
			t.Parallel()
			b, before := rotates(t, moment[0], moment[1])
			if !maps.Equal(b.entry(), before) {
				t.Fatal("it had written: nothing is tested")
			}
			out, err := b.run(nil, "runbook", "resume")
			if got := exitOf(err); got != int(exitRefused) || !strings.Contains(out, "overwrites key of the Vault entry") || !maps.Equal(b.entry(), before) {
				t.Fatalf("exit status %d, want 4, and the entry as it was:\n%s", got, out)
			}
			if strings.Contains(out, "isn't known") {
				t.Errorf("it says that something isn't known:\n%s", out)
			}
			if out, err := b.run(nil, "runbook", "resume", "--accept-risk", "rotate"); err != nil || b.entry()["key"] == before["key"] {
				t.Errorf("accepted: %v\n%s", err, out)
			}
			if err := finished(b.record()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestARotationThatSomebodyElseMayHaveDoneIsAskedAbout(t *testing.T) {
	t.Parallel()
	for _, moment := range [][2]string{{"after", "intent rotate"}, {"before", "ended rotate"}} {
		t.Run(strings.Join(moment[:], " "), func(t *testing.T) {
			t.Parallel()
			b, _ := rotates(t, moment[0], moment[1])
			b.puts(map[string]any{"key": "theirs", "user": "shop"})
			out, err := b.run(nil, "runbook", "resume")
			if got := exitOf(err); got != int(exitStopped) || !strings.Contains(out, "can't be told: it is at version") || !strings.Contains(out, "--accept-risk rotate") {
				t.Errorf("exit status %d, want 3:\n%s", got, out)
			}
			if now := b.entry()["key"]; now != "theirs" {
				t.Errorf("the key is %q, want theirs", now)
			}
		})
	}
}

// A record of a version that foretold nothing can't say that nothing was written.
func TestARotationOfAnOlderRecordIsAskedAbout(t *testing.T) {
	rec := &journal.Record{Lines: []journal.Line{
		{Kind: journal.Fact, Step: "rotate", Data: []byte(`{"kind":"started","step":"rotate"}`)},
		{Kind: journal.Code, Step: "rotate", Data: []byte(`{"block":0,"code":"","output":"x"}`)},
	}}
	if tr := rec.Trace("rotate"); !tr.Began[0] || tr.Foretells[0] {
		t.Errorf("got %+v, want a block that has begun and doesn't foretell", tr)
	}
}
