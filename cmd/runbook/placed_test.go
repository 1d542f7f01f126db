package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// placing is a runbook whose commands name no namespace.
const placing = `---
runbook: v1
params:
  NAMESPACE: {default: shop}
---

# Place

## Make

` + "```sh\nkubectl create ns \"$NAMESPACE\"\n```\n\n## Put\n\n```sh\nkubectl create configmap here --from-literal=a=b\n```\n"

func TestABareCommandMeansTheNamespaceOnTheScreen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--set", "NAMESPACE=shop"}, "shop"},
		{[]string{"--set", "NAMESPACE=other", "-n", "other"}, "other"},
	} {
		b := beside(t, "", "")
		b.dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(b.dir, "place.md"), []byte(placing), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := b.run(nil, "runbook", append([]string{"run", "place.md"}, c.args...)...)
		if err != nil || !strings.Contains(out, "namespace "+c.want) {
			t.Fatalf("%v\n%s", err, out)
		}
		if out, err := b.run(nil, "kubectl", "-n", c.want, "get", "configmap", "here"); err != nil {
			t.Errorf("%s: %v\n%s", c.want, err, out)
		}
	}
}

// straying is a runbook whose commands turn the kubeconfig of the steps.
const straying = "# Stray\n\n## Turn\n\n```sh\nkubectl config set-context other --cluster=sandbox --user=admin && kubectl config use-context other\nkubectl config current-context\n```\n\n" +
	"## Look\n\n```sh\nkubectl config current-context\n```\n\n## Lose\n\n```sh\ncp /dev/null \"$KUBECONFIG\"\n```\n\n## Again\n\n```sh\nkubectl config current-context\n```\n"

func TestAStepThatTurnsItsKubeconfigElsewhereDoesSoForItselfOnly(t *testing.T) {
	t.Parallel()
	b := beside(t, "", "")
	b.dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(b.dir, "stray.md"), []byte(straying), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := b.run(nil, "runbook", "run", "stray.md", "--accept-risk", "turn,look,lose,again")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"    other\n", "(it chose other): it is put back", "(it chose no context): it is put back"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if got := strings.Count(out, "    sandbox\n"); got != 2 {
		t.Errorf("%d steps were on the pinned context, want 2:\n%s", got, out)
	}
}
