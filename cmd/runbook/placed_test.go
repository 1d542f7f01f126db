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
