package main

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keys is a runbook that makes values and says nothing of how they are known.
const keys = "# Keys\n\n## Entry\n\n```yaml action\nvault: create\nentry: ${CLUSTER}/shop\ndata:\n  key: {generate: base64, bytes: 32}\n  user: shop\n```\n\n" +
	"## More\n\n```yaml action\nvault: add\nentry: ${CLUSTER}/shop\ndata:\n  more: {generate: base64, bytes: 32}\n```\n\n" +
	"## Secret\n\n```yaml action\nsecret: create\nnamespace: default\nname: shop\ndata:\n  key: {generate: base64, bytes: 32}\n```\n"

// makesKeys is a walk of that runbook that is killed somewhere.
func makesKeys(t *testing.T, die, at string) *ascent {
	t.Helper()
	b := beside(t, "", "")
	b.dir = t.TempDir()
	text := "---\nrunbook: v1\nparams:\n  CLUSTER: {}\n---\n\n" + keys
	if err := os.WriteFile(filepath.Join(b.dir, "keys.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := b.run([]string{"DIE=" + die, "DIE_AT=" + at}, "runbook-that-dies", "run", "keys.md"); err == nil {
		t.Fatalf("it came to its end:\n%s", out)
	}
	return b
}

// entry is what the keys of an entry have as their values.
func (b *ascent) entry() map[string]any {
	b.t.Helper()
	data, err := b.box.Vault().Do(http.MethodGet, "", b.box.Place().Cluster+"/data/shop", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return data["data"].(map[string]any)
}

func TestAnEntryWrittenRightBeforeTheKillIsKnownToBeOurs(t *testing.T) {
	t.Parallel()
	b := makesKeys(t, "before", "ended entry")
	before := b.entry()
	out, err := b.run(nil, "runbook", "resume", "--from", "entry")
	if err != nil || !strings.Contains(out, "/shop: this run has made it already") {
		t.Errorf("%v\n%s", err, out)
	}
	if after := b.entry(); before["key"] == nil || after["key"] != before["key"] {
		t.Errorf("the key is %q, was %q", after["key"], before["key"])
	}
}

func TestAnEntryThatSomebodyElseMadeIsNotTakenForOurs(t *testing.T) {
	t.Parallel()
	b := makesKeys(t, "after", "code entry") // before anything was written
	if err := b.box.Vault().Put(b.box.Place().Cluster, "shop", map[string]any{"key": "theirs"}); err != nil {
		t.Fatal(err)
	}
	before := b.entry()
	out, err := b.run(nil, "runbook", "resume")
	if exitOf(err) != int(exitFailed) || !strings.Contains(out, "somebody else made it") {
		t.Errorf("%v\n%s", err, out)
	}
	if after := b.entry(); !maps.Equal(after, before) {
		t.Errorf("got %v, want it as it was: %v", after, before)
	}
}

func TestWhatWasAddedRightBeforeTheKillIsNotAddedAgain(t *testing.T) {
	t.Parallel()
	b := makesKeys(t, "before", "ended more")
	before := b.entry()
	out, err := b.run(nil, "runbook", "resume")
	if err != nil || !strings.Contains(out, "nothing to do, every key is there") {
		t.Errorf("%v\n%s", err, out)
	}
	if after := b.entry(); !maps.Equal(after, before) {
		t.Errorf("got %v, want it as it was: %v", after, before)
	}
}

func TestASecretMadeRightBeforeTheKillIsKnownToBeOurs(t *testing.T) {
	t.Parallel()
	b := makesKeys(t, "before", "ended secret")
	out, err := b.run(nil, "runbook", "resume")
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if err := finished(b.record()); err != nil {
		t.Error(err)
	}
}
