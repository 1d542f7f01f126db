package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/sandbox"
)

// marked are secrets that can be told from everything else, in every shape that
// quoting and encoding stumble over. The shortest is as long as the shortest
// value that is looked for without a name beside it.
var marked = map[string]string{
	"the parameter":        `Mk7 p@ss/wörd?"quoted"&9x'%41\n`,
	"the short parameter":  "Zq8$w!",
	"the multi-line one":   "Mk7-first-of-two-lines\n\tMk7-second 'of' two\\lines",
	"the operator's token": "Mk7-in-the-environment-of-the-operator",
	"the one for names":    "mk7-in-small-letters-for-names",
	"the password":         "Mk7-password-in-vault",
	"the session key":      "Mk7-session-key-in-vault-0123456789abcdef",
	"the DSN tail":         "Mk7-tail-of-a-dsn",
}

// leaky prints secrets in every way that a person who looks for a fault might;
// nothing in it has to be confirmed.
const leaky = `---
runbook: v1
title: Leaky Mk7-in-the-environment-of-the-operator
params:
  ADDRESS: {help: where, default: "https://u:Mk7-in-the-environment-of-the-operator@h/"}
  CLUSTER: {help: the mount}
  TOKEN: {help: a token, secret: true}
  SHORT: {help: a short one, secret: true}
  PARTS: {help: two lines, secret: true}
  NAMESPACE: {help: where, default: schmetterpause}
protects:
  - {name: session key, secret: "${NAMESPACE}/schmetterpause-app", key: SP_SESSION_KEY, vault: "${CLUSTER}/schmetterpause", property: session-key}
---

# Leaky

## Words

` + "```sh" + `
echo "$TOKEN"; echo "$SHORT"; echo "$PARTS"
` + "```" + `

` + "```bash" + `
for v in "$TOKEN" "$SHORT" "$PARTS" "$OPERATOR_API_TOKEN" "$VAULT_TOKEN"; do
  echo "$v"; printf '%q\n' "$v"; declare -p v
  printf %s "$v" | base64; printf %s "xy$v" | base64 -w0; printf %s "$v" | od -An -v -tx1 | tr -d ' \n'
  printf '\033[31m%s\033[0m%s\n' "${v:0:4}" "${v:4}"
  printf %s "${v:0:7}"; sh -c 'printf "%s\n" "$1"' x "${v:7}"
  printf '%s\r%s\n' "${v:0:12}" "${v:12}"; echo "$v" | fold -w 14
  cat <<<"$v"
done
export | sort
env
set -x; : "$TOKEN" "$SHORT" "$PARTS"; set +x
` + "```" + `

## Secrets

<!-- step
id: secrets
expect: secret/schmetterpause-db in ${NAMESPACE} exists
-->

` + "```sh" + `
kubectl -n "$NAMESPACE" get secret schmetterpause-app schmetterpause-db -o yaml
kubectl -n "$NAMESPACE" get secret schmetterpause-db -o json
kubectl -n "$NAMESPACE" get secret schmetterpause-db -o jsonpath='{.data}'
kubectl -n "$NAMESPACE" get secret schmetterpause-app schmetterpause-db -o json | tr -d '\n '
` + "```" + `

## World

<!-- step
id: world
expect: externalsecret/broken in ${NAMESPACE} is ready
within: 1s
-->

` + "```sh" + `
kubectl -n "$NAMESPACE" get events
kubectl -n "$NAMESPACE" get configmap applied -o yaml
kubectl -n "$NAMESPACE" get configmap applied -o json
kubectl -n "$NAMESPACE" get secret "no-$SHORT-such"
` + "```" + `
`

// written is a step that has the operator's token in its text, its commands and
// what is said of it, and another one in its name, of which its id is made; its
// output sets titles and the clipboard.
const written = `
## Written mk7-in-small-letters-for-names

<!-- step
cost: whoever uses ${ADDRESS} is logged out
expect: https://127.0.0.1:1/?t=Mk7-in-the-environment-of-the-operator answers 200
within: 1s
-->

It says Mk7-in-the-environment-of-the-operator in its text.

` + "```sh" + `
: <address> 'Mk7-in-the-environment-of-the-operator'
printf '\033]0;%s\007\033]2;%s\007\033]52;c;%s\007' "$TOKEN" "$PARTS" "$(printf %s "$TOKEN" | base64 -w0)"
` + "```" + `

` + "```powershell" + `
Get-Item 'Mk7-in-the-environment-of-the-operator'
` + "```" + `

## Choice

<!-- step
when: NAMESPACE == never
-->

` + "```sh" + `
kubectl get pods --selector=x=Mk7-in-the-environment-of-the-operator
` + "```" + `
`

// gated are the steps that have to be confirmed, with secrets in the commands
// themselves.
const gated = `
## Vault

` + "```sh" + `
curl -s -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/$CLUSTER/data/schmetterpause"
curl -s -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/$CLUSTER/metadata/schmetterpause"
curl -s -o /dev/null -w '%{url_effective}\n' -G --data-urlencode "t=$TOKEN" "$VAULT_ADDR/v1/sys/health"
` + "```" + `

## Created

` + "```sh" + `
kubectl -n "$NAMESPACE" create secret generic made --from-literal=password="$TOKEN" --dry-run=client -o json
kubectl -n "$NAMESPACE" create configmap made --from-literal=text="$TOKEN" --dry-run=client -o yaml
` + "```" + `

## Last

` + "```sh" + `
cd "/nowhere/$TOKEN"; "./no-such-$SHORT"; cat "$PARTS" "postgres://app:$TOKEN@nowhere/x"
echo "$TOKEN" >&2; sh -c 'echo "failed with $TOKEN"; exit 3'
` + "```" + `

## Changes

` + "```sh" + `
kubectl -n "$NAMESPACE" delete configmap "no-$SHORT-such"
` + "```" + `
`

// A stakeout is a sandbox full of marked values, and a program beside it whose
// every trace is kept.
type stakeout struct {
	t       *testing.T
	box     *sandbox.Sandbox
	program string // the name or path of what is run
	home    string // below it is all that the program may write
	env     []string
	file    string
	secrets map[string]string
	left    sink
	ended   []func() // what is kept once a terminal is closed
}

func newStakeout(t *testing.T, program, text string) *stakeout {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not on the path: make kubectl builds it")
	}
	s := &stakeout{t: t, box: box(t, "deployed"), program: program, home: t.TempDir(), secrets: map[string]string{}, left: sink{}}
	for name, value := range marked {
		s.secrets[name] = value
	}
	s.secrets["the Vault token"] = s.box.Vault().RootToken()
	s.file = filepath.Join(t.TempDir(), "leaky.md")
	if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.env = append(append(os.Environ(), s.box.Env()...), "HOME="+s.home, "TMPDIR="+s.folder("tmp"), "TERM=xterm-256color",
		"XDG_STATE_HOME="+s.folder("state"), "XDG_CACHE_HOME="+s.folder("cache"), "XDG_CONFIG_HOME="+s.folder("config"), "XDG_DATA_HOME="+s.folder("data"),
		"TOKEN="+marked["the parameter"], "SHORT="+marked["the short parameter"], "PARTS="+marked["the multi-line one"],
		"OPERATOR_API_TOKEN="+marked["the operator's token"], "NAMES_TOKEN="+marked["the one for names"], "RUNBOOK_PATH="+filepath.Dir(s.file))
	s.stage()
	return s
}

func (s *stakeout) folder(name string) string {
	dir := filepath.Join(s.home, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	return dir
}

// stage puts the marked values where a cluster and a Vault have them.
func (s *stakeout) stage() {
	s.t.Helper()
	place := s.box.Place()
	put := func(path string, data map[string]any) {
		s.t.Helper()
		if _, err := s.box.Vault().Do(http.MethodPost, "", path, data); err != nil {
			s.t.Fatal(err)
		}
	}
	put(place.Cluster+"/data/schmetterpause", map[string]any{"data": map[string]any{
		"password": marked["the password"], "session-key": marked["the session key"], "username": "schmetterpause", "note": marked["the multi-line one"]}})
	put(place.Cluster+"/metadata/schmetterpause", map[string]any{"custom_metadata": map[string]any{"password": marked["the password"], "by": marked["the operator's token"]}})
	kubectl := func(args ...string) {
		s.t.Helper()
		staged(s.t, s.box, append([]string{"-n", place.Namespace}, args...)...)
	}
	kubectl("patch", "secret", "schmetterpause-db", "--type=merge", "-p",
		fmt.Sprintf(`{"stringData":{"password":%q,"SP_DATABASE_URL":"postgres://u:%s@db/x"}}`, marked["the password"], marked["the DSN tail"]))
	kubectl("patch", "secret", "schmetterpause-app", "--type=merge", "-p", fmt.Sprintf(`{"stringData":{"SP_SESSION_KEY":%q}}`, marked["the session key"]))
	kubectl("create", "configmap", "applied")
	kubectl("annotate", "configmap", "applied", "ops/token="+marked["the operator's token"],
		`kubectl.kubernetes.io/last-applied-configuration={"kind":"Secret","stringData":{"password":"`+marked["the password"]+`"}}`)
	event := `{"apiVersion":"v1","kind":"Event","metadata":{"name":"%s","namespace":"%s"},"type":"Warning","reason":"Failed","message":%q,"lastTimestamp":"2026-01-01T00:00:00Z","involvedObject":{"apiVersion":"external-secrets.io/v1","kind":"ExternalSecret","namespace":"%[2]s","name":"broken"}}`
	s.apply(fmt.Sprintf(event, "one", place.Namespace, "dial postgres://u:"+marked["the DSN tail"]+"@db/x with "+marked["the operator's token"]))
	s.apply(fmt.Sprintf(`{"apiVersion":"external-secrets.io/v1","kind":"ExternalSecret","metadata":{"name":"broken","namespace":"%s"},"spec":{"secretStoreRef":{"kind":"ClusterSecretStore","name":"%s"},"target":{"name":"broken"},"data":[{"secretKey":"x","remoteRef":{"key":"schmetterpause","property":"no-%s"}}]}}`,
		place.Namespace, "vault-"+place.Cluster, marked["the operator's token"]))
}

func (s *stakeout) apply(manifest string) {
	s.t.Helper()
	cmd := exec.Command("kubectl", "create", "-f", "-")
	cmd.Env = append(os.Environ(), s.box.Env()...)
	cmd.Stdin = strings.NewReader(manifest)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("kubectl create: %v\n%s", err, out)
	}
}

// run runs the program off a terminal and keeps what it printed. A negative
// code means any.
func (s *stakeout) run(code int, args ...string) {
	s.t.Helper()
	cmd := exec.Command(s.program, args...)
	cmd.Env = s.env
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	name := strings.Join(args, " ")
	if got := cmd.ProcessState.ExitCode(); code >= 0 && got != code {
		s.t.Errorf("%s: %v, exit code %d, want %d\n%.2000s\n%.2000s", name, err, got, code, out.String(), errOut.String())
	}
	s.left[name+" (stdout)"], s.left[name+" (stderr)"] = []byte(out.String()), []byte(errOut.String())
}
