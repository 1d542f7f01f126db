package ratio

import (
	"fmt"
	"strings"
)

// Runbook is a runbook of n steps, about 500 bytes each, as people write them:
// prose with inline Markdown, commands, output, now and then an annotation.
func Runbook(n int) []byte {
	var b strings.Builder
	b.WriteString("---\nrunbook: v1\nparams:\n  NAMESPACE: {default: web}\n---\n\n# Generated\n\nSome text.\n\n")
	for i := range n {
		fmt.Fprintf(&b, "## Step %d: look at **service** `web-%d`\n\n", i, i)
		b.WriteString("The [deployment](https://example.org/docs) must be _ready_ before the next step,\nor the `HTTPRoute` has no backend, and the host answers 503. Wait for it, and look\nat the events when it takes longer than that.\n\n")
		if i%4 == 0 {
			fmt.Fprintf(&b, "<!-- step\nid: step-%d\nexpect: deployment/web-%d is ready\n-->\n\n", i, i)
		}
		fmt.Fprintf(&b, "```sh\nkubectl -n <namespace> get deployment web-%d -o jsonpath='{.status.readyReplicas}'\nkubectl -n \"$NAMESPACE\" rollout status deployment/web-%d --timeout=120s\n```\n\nExample output:\n\n```\ndeployment \"web\" successfully rolled out\n```\n\n", i, i)
	}
	return []byte(b.String())
}
