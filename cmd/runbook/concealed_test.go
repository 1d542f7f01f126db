package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// revealing is a runbook whose commands print what a Secret and an entry hold in
// every way that hides what it is, and carry it on.
const revealing = `# Reveal

## Make

` + "```sh\nkubectl create ns shop\nkubectl -n shop create secret generic app --from-literal=password=\"$MARK\" --from-literal=username=shopkeeper-1\n```" + `

## Secret

` + "```sh\nkubectl -n shop get secret app -o jsonpath='{.data.password}' | base64 -d; echo\nkubectl -n shop get secret app -o go-template='{{.data.password}}'; echo\nfor s in $(kubectl -n shop get secret -o name); do kubectl -n shop get \"$s\" -o go-template='{{range .data}}{{. | base64decode}} {{end}}'; echo; done\nKEPT=$(kubectl -n shop get secret app -o jsonpath='{.data.password}' | base64 -d)\n```" + `

## Entry

` + "```sh\ncurl -s -H \"X-Vault-Token: $VAULT_TOKEN\" \"$VAULT_ADDR/v1/cicd-test2/data/app\" | sed 's/[^a-zA-Z0-9-]/ /g'\n```" + `

## Later

` + "```sh\necho \"it was $KEPT, or backwards $(echo \"$KEPT\" | rev)\"\n```\n"

func TestWhatACommandReadsIsHiddenHoweverItPrintsIt(t *testing.T) {
	t.Parallel()
	const mark, inVault = "Zyx-marked-8123", "Wvu-marked-9241"
	b := beside(t, "", "")
	b.dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(b.dir, "reveal.md"), []byte(revealing), 0o600); err != nil {
		t.Fatal(err)
	}
	put := exec.Command("sh", "-c", `curl -sf -X POST -H "X-Vault-Token: $VAULT_TOKEN" -d '{"data":{"note":"`+inVault+`"}}' "$VAULT_ADDR/v1/cicd-test2/data/app"`)
	put.Env = b.env
	if out, err := put.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The name doesn't say that it is secret, so it isn't known beforehand.
	out, err := b.run([]string{"MARK=" + mark}, "runbook", "run", "reveal.md", "--accept-risk", "make,secret,entry,later")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"shopkeeper-1", "[redacted] shopkeeper-1", "it was [redacted], or backwards 3218-dekram-xyZ"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q isn't in\n%s", want, out)
		}
	}
	for name, text := range contents(t, b.record().Dir) {
		out += name + ":\n" + string(text)
	}
	for _, secret := range []string{mark, inVault, "Wnl4LW1hcmtlZC04MTIz"} {
		if strings.Contains(out, secret) {
			t.Errorf("%s is shown or recorded:\n%s", secret, out)
		}
	}
}
