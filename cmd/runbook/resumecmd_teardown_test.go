package main

import (
	"strings"
	"testing"
)

const teardownFile = "runbooks/schmetterpause/teardown.md"

// cutTeardown leaves a teardown that was cut off at its last step.
func cutTeardown(t *testing.T, when, at string) *ascent {
	t.Helper()
	b := beside(t, "deployed", "external-secrets")
	out, err := b.run([]string{"DIE=" + when, "DIE_AT=" + at}, "runbook-that-dies", "run", teardownFile, "--accept-risk", "database,namespace")
	if err == nil {
		t.Fatalf("it came to its end:\n%s", out)
	}
	return b
}

func (b *ascent) hasNamespace() bool {
	out, err := b.run(nil, "kubectl", "get", "namespace", "schmetterpause", "--ignore-not-found", "-o", "name")
	if err != nil {
		b.t.Fatalf("%v\n%s", err, out)
	}
	return strings.Contains(out, "namespace/schmetterpause")
}

func TestATeardownThatWasCutOffBehindItsCommandDeletesNothingAgain(t *testing.T) {
	t.Parallel()
	b := cutTeardown(t, "before", "ended namespace")
	out, err := b.run(nil, "runbook", "resume")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := finished(b.record()); err != nil {
		t.Error(err)
	}
	if b.hasNamespace() {
		t.Error("the namespace is still there")
	}
}

func TestATeardownThatWasCutOffBeforeItsCommandAsksAgain(t *testing.T) {
	t.Parallel()
	b := cutTeardown(t, "after", "code namespace")
	out, err := b.run(nil, "runbook", "resume")
	if got := exitOf(err); got != int(exitStopped) || !b.hasNamespace() {
		t.Fatalf("exit status %d, want 3, and the namespace is there: %v\n%s", got, b.hasNamespace(), out)
	}
	if out, err := b.run(nil, "runbook", "resume", "--accept-risk", "namespace"); err != nil || b.hasNamespace() {
		t.Errorf("accepted: %v, the namespace is there: %v\n%s", err, b.hasNamespace(), out)
	}
}

func TestATeardownThatWasCutOffBeforeItBeganPassesItsGateFirst(t *testing.T) {
	t.Parallel()
	b := cutTeardown(t, "before", "started namespace")
	out, err := b.run(nil, "runbook", "resume")
	if got := exitOf(err); got != int(exitRefused) || !b.hasNamespace() {
		t.Fatalf("exit status %d, want 4, and the namespace is there: %v\n%s", got, b.hasNamespace(), out)
	}
}

func TestWhatIsGoneIsOpenAgainAndBroughtBack(t *testing.T) {
	t.Parallel()
	b := newAscent(t, "external-secrets")
	if out, err := b.run(nil, "runbook", "run", bringUpFile); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := b.made()
	if out, err := b.run(nil, "kubectl", "-n", "schmetterpause", "delete", "service", "schmetterpause"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := b.run(nil, "runbook", "resume", b.record().Header.Run)
	if err != nil || !strings.Contains(out, " Manifests is open again: service/schmetterpause exists") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := b.run(nil, "kubectl", "-n", "schmetterpause", "get", "service", "schmetterpause"); err != nil {
		t.Errorf("it isn't back: %v\n%s", err, out)
	}
	for what, is := range b.made() {
		if is != before[what] {
			t.Errorf("the %s was made or written again", what)
		}
	}
	if next := b.record().Run().Next(); next != "" {
		t.Errorf("step %s is open", next)
	}
}
