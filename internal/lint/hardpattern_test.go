package lint

import (
	"os"
	"strings"
	"testing"

	"runbook/internal/risk"
	"runbook/internal/steps"
)

// hardRisks are the risks that a careful person sees in the patterns of the
// hardest files: what looks harmless and destroys, and what looks like a
// destruction and is none.
var hardRisks = []struct {
	file    string
	code    string // the start of the first line of the block
	class   risk.Class
	reason  string // part of the worst reason
	endless bool
	asks    bool // it needs a terminal
}{
	{file: "graded-teardown.md", code: "kubectl -n storage patch", class: risk.Destroy, reason: "its deletion wipe"},
	{file: "graded-teardown.md", code: "kubectl -n storage delete", class: risk.Destroy, reason: "deletes cephcluster main"},
	{file: "graded-teardown.md", code: "for crd in", class: risk.Destroy, reason: "finalizers"},
	{file: "graded-teardown.md", code: "DISK=", class: risk.Destroy, reason: "wipes the table of partitions"},
	{file: "graded-teardown.md", code: "rm -rf", class: risk.Destroy, reason: "removes"},
	{file: "dry-run-yes-then-no.md", code: "./scripts/repository-delete.sh --dry-run=yes", class: risk.Unknown, reason: "isn't known"},
	{file: "dry-run-yes-then-no.md", code: "./scripts/repository-delete.sh --dry-run=no", class: risk.Destroy, reason: "speaks of delete"},
	{file: "leading-redirect.md", code: "find /data", class: risk.Write, reason: "remove.txt"},
	{file: "leading-redirect.md", code: "< remove.txt xargs -rn1", class: risk.Destroy, reason: "removes"},
	{file: "dry-run-piped-to-delete.md", code: "kubectl cnpg install", class: risk.Destroy, reason: "deletes everything"},
	{file: "dry-run-piped-to-delete.md", code: "kubectl cnpg publication drop --help", class: risk.Read},
	{file: "watch-never-returns.md", code: "kubectl -n storage get job/uninstall -w", class: risk.Read, endless: true},
	{file: "watch-never-returns.md", code: "kubectl -n storage get job/uninstall\n", class: risk.Read},
	{file: "tilde-fences-for-two-shells.md", code: "kubectl -n shop port-forward", class: risk.Read, endless: true},
	{file: "commented-out-option.md", code: "# WARNING", class: risk.Write, reason: "store.yaml"},
	{file: "prompt-of-a-client-is-a-redirect.md", code: "> flushall", class: risk.Destroy, reason: "empties flushall"},
	{file: "shell-in-a-pod-then-rm.md", code: "# look at them", class: risk.Destroy, reason: "removes"},
	{file: "shell-in-a-pod-then-exit.md", code: "kubectl -n hub exec", class: risk.Unknown, asks: true},
	{file: "shell-in-a-pod-then-exit.md", code: "ls /home | grep", class: risk.Destroy, reason: "removes"},
	{file: "blank-behind-a-backslash.md", code: "oc delete machineconfig", class: risk.Destroy, reason: "deletes machineconfig"},
	{file: "shortcode-inside-an-address.md", code: "kubectl delete -f", class: risk.Destroy, reason: "deletes everything"},
	{file: "destructive-command-in-a-tip.md", code: "helm uninstall", class: risk.Destroy, reason: "uninstalls storage"},
	{file: "task-list-with-secrets-in-variables.md", code: "read -p", class: risk.Interrupt, reason: "stops", asks: true},
	{file: "task-list-with-secrets-in-variables.md", code: "vault kv patch", class: risk.Rotate, reason: "overwrites password of shop/db"},
	{file: "loops-over-machines.md", code: "while read", class: risk.Write},
}

func TestHardPatternsHaveTheRisksThatACarefulPersonSees(t *testing.T) {
	for _, h := range hardRisks {
		code := hardCode(t, h.file, h.code)
		got := risk.Classify(code, risk.Context{})
		if got.Class != h.class || (got.Endless != "") != h.endless || (got.Interactive != "") != h.asks {
			t.Errorf("%s, %q: %s, endless %q, asks %q", h.file, h.code, got.Class, got.Endless, got.Interactive)
		}
		if len(got.Reasons) == 0 || !strings.Contains(got.Reasons[0].Why, h.reason) {
			t.Errorf("%s, %q: %+v, want %q", h.file, h.code, got.Reasons, h.reason)
		}
	}
}

// Whatever of these is refused for now has the same risk once its author mends
// the file: alternatives that wipe, and prose that is read as a redirection.
func TestWhatHidesBehindARefusalIsClassedTheSame(t *testing.T) {
	for code, want := range map[string]risk.Class{
		"sgdisk --zap-all /dev/sdb # takes the partitions away":         risk.Destroy,
		"dd if=/dev/zero of=/dev/sdb bs=1M count=100 # can't be undone": risk.Destroy,
		"blkdiscard /dev/sdb":               risk.Destroy,
		"docker compose down":               risk.Interrupt,
		"rm -rf etcd.bak":                   risk.Destroy,
		"kubectl delete ns storage --force": risk.Destroy,
		"argocd app sync shop --retry-backoff-duration=10 -> invalid": risk.Write,
		"$laptop docker rm web": risk.Unknown,
		"kubectl annotate cephblockpool a storage.io/force-deletion=true -n storage": risk.Destroy,
	} {
		if got := risk.Classify(code, risk.Context{}).Class; got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

// hardCode returns the code of the block of a pattern that starts with a text.
func hardCode(t *testing.T, file, start string) string {
	t.Helper()
	src, err := os.ReadFile("../steps/testdata/hard/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps.Parse(file, src).Steps {
		for _, b := range s.Blocks {
			if strings.HasPrefix(b.Code, start) {
				return b.Code
			}
		}
	}
	t.Fatalf("%s: no block starts with %q", file, start)
	return ""
}
