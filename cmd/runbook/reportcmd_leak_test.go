package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/sandbox"
)

// disguises are the forms in which a value could leave.
func disguises(value string) map[string]string {
	quoted, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	once := base64.StdEncoding.EncodeToString([]byte(value))
	return map[string]string{
		"plain": value, "JSON": strings.Trim(string(quoted), `"`), "URL query": url.QueryEscape(value), "URL path": url.PathEscape(value),
		"base64": once, "base64 with a line end": strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(value+"\n")), "=")[:len(value)*4/3],
		"base64 for URLs": base64.URLEncoding.EncodeToString([]byte(value)), "base64 twice": base64.StdEncoding.EncodeToString([]byte(once)),
	}
}

// sink is everything that a run may have left somewhere: name → text.
type sink map[string][]byte

// under takes in every file below a folder.
func (s sink) under(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// has reports every secret that is in the sink in any form.
func (s sink) has(secrets map[string]string) []string {
	var leaks []string
	for where, text := range s {
		for name, value := range secrets {
			for form, shown := range disguises(value) {
				if i := bytes.Index(text, []byte(shown)); i >= 0 {
					line := text[max(0, i-80):i]
					leaks = append(leaks, fmt.Sprintf("%s as %s in %s, behind %q", name, form, filepath.Base(where), line))
				}
			}
		}
	}
	return leaks
}

// leave walks a runbook with a folder of its own for everything that is kept,
// and returns all that it left.
func leave(t *testing.T, box *sandbox.Sandbox, env []string, want int, args ...string) sink {
	t.Helper()
	state, temp := t.TempDir(), t.TempDir()
	left := sink{}
	for _, more := range [][]string{args, {"report", "2"}, {"report", "2", "-o", "json"}, {"runs", "-o", "json"}} {
		cmd := exec.Command("runbook", more...)
		cmd.Env = append(append(os.Environ(), box.Env()...), "XDG_STATE_HOME="+state, "TMPDIR="+temp)
		cmd.Env = append(cmd.Env, env...)
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		err := cmd.Run()
		if code := cmd.ProcessState.ExitCode(); more[0] == "run" && code != want {
			t.Fatalf("%s: %v, exit code %d, want %d\n%s%s", strings.Join(more, " "), err, code, want, out.Bytes(), errOut.Bytes())
		}
		left[strings.Join(more, " ")+" (stdout)"], left[strings.Join(more, " ")+" (stderr)"] = out.Bytes(), errOut.Bytes()
	}
	left.under(t, state)
	left.under(t, temp)
	return left
}

func TestNothingThatABringUpMakesIsLeftAnywhere(t *testing.T) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not on the path: make kubectl builds it")
	}
	for _, variant := range []string{"external-secrets", "ordinary-secrets"} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			b := box(t, "")
			left := leave(t, b, []string{"VARIANT=" + variant}, 0, "run", bringUp)
			secrets := map[string]string{"the Vault token": b.Vault().RootToken()}
			for _, name := range []string{"schmetterpause-app", "schmetterpause-db"} {
				for key, value := range secretData(t, b, name) {
					if key != "username" {
						secrets[name+" "+key] = value
					}
				}
			}
			if len(secrets) < 4 {
				t.Fatalf("made: %d values, want a session key, a password and a DSN", len(secrets)-1)
			}
			for _, leak := range left.has(secrets) {
				t.Error(leak)
			}
		})
	}
}

// secretData reads the values of a Secret, as somebody who may.
func secretData(t *testing.T, b *sandbox.Sandbox, name string) map[string]string {
	t.Helper()
	cmd := exec.Command("kubectl", "-n", b.Place().Namespace, "get", "secret", name, "-o", "json")
	cmd.Env = append(os.Environ(), b.Env()...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var o struct{ Data map[string][]byte }
	if err := json.Unmarshal(out, &o); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for key, value := range o.Data {
		values[key] = string(value)
	}
	return values
}

// leaky prints secrets in every way that a person who looks for a fault might.
const leaky = `---
runbook: v1
title: Leaky
params:
  TOKEN: {help: a token, secret: true}
  NAMESPACE: {help: where, default: schmetterpause}
protects:
  - {name: session key, secret: "${NAMESPACE}/schmetterpause-app", key: SP_SESSION_KEY, vault: "${CLUSTER}/schmetterpause", property: session-key}
---

# Leaky

## Parameter

` + "```sh" + `
echo "$TOKEN"
printf %s "$TOKEN" | base64
curl -s -o /dev/null -w '%{url_effective}\n' -G --data-urlencode "t=$TOKEN" "$VAULT_ADDR/v1/sys/health"
kubectl create secret generic x --from-literal=password="$TOKEN" --dry-run=client -o json
kubectl create configmap x --from-literal=text="$TOKEN" --dry-run=client -o yaml
set -x; : "$TOKEN"; set +x
env | sort
echo "$VAULT_TOKEN"
` + "```" + `

## Secret

` + "```sh" + `
kubectl -n "$NAMESPACE" get secret schmetterpause-app schmetterpause-db -o yaml
kubectl -n "$NAMESPACE" get secret schmetterpause-db -o json
kubectl -n "$NAMESPACE" get secret schmetterpause-db -o jsonpath='{.data}'
` + "```" + `

## Vault

` + "```sh" + `
curl -s -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/$CLUSTER/data/schmetterpause"
` + "```" + `

## Event

` + "```sh" + `
kubectl -n "$NAMESPACE" get events
` + "```" + `

## Skip

<!-- step
id: last
expect: configmap/there-is-none in ${NAMESPACE} exists
within: 1s
-->

` + "```sh" + `
echo "$TOKEN" >&2; sh -c 'echo "failed with $TOKEN"; exit 3'
` + "```\n"

func TestNothingThatIsMarkedIsLeftAnywhere(t *testing.T) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not on the path: make kubectl builds it")
	}
	t.Parallel()
	b := box(t, "deployed")
	dir := t.TempDir()
	file := filepath.Join(dir, "leaky.md")
	text := strings.Replace(leaky, "params:\n", "params:\n  CLUSTER: {help: the mount}\n", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	secrets := map[string]string{
		"the parameter":   `Mk7 p@ss/wörd?"quoted"&9x`,
		"the password":    "Mk7-password-in-vault",
		"the session key": "Mk7-session-key-in-vault-0123456789abcdef",
		"the DSN tail":    "Mk7-tail-of-a-dsn",
		"the Vault token": b.Vault().RootToken(),
	}
	if _, err := b.Vault().Do(http.MethodPost, "", b.Place().Cluster+"/data/schmetterpause", map[string]any{"data": map[string]any{
		"password": secrets["the password"], "session-key": secrets["the session key"], "username": "schmetterpause",
	}}); err != nil {
		t.Fatal(err)
	}
	staged(t, b, "-n", b.Place().Namespace, "patch", "secret", "schmetterpause-db", "--type=merge", "-p",
		fmt.Sprintf(`{"stringData":{"password":%q,"SP_DATABASE_URL":"postgres://u:%s@db/x"}}`, secrets["the password"], secrets["the DSN tail"]))
	for name, args := range map[string][]string{"text": nil, "json": {"-o", "json"}} {
		left := leave(t, b, []string{"TOKEN=" + secrets["the parameter"]}, 1, append([]string{"run", file, "--accept-risk", "parameter,secret,vault,event,last"}, args...)...)
		for _, leak := range left.has(secrets) {
			t.Errorf("%s: %s", name, leak)
		}
		if len(left) < 10 {
			t.Errorf("%s: only %d files were looked at", name, len(left))
		}
	}
}

// staged runs kubectl as whoever sets the scene.
func staged(t *testing.T, b *sandbox.Sandbox, args ...string) {
	t.Helper()
	cmd := exec.Command("kubectl", args...)
	cmd.Env = append(os.Environ(), b.Env()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// rotating changes the session key in Vault where nothing sees it beforehand.
const rotating = `---
runbook: v1
title: Rotating
params:
  CLUSTER: {help: the mount}
  NAMESPACE: {help: where, default: schmetterpause}
protects:
  - {name: session key, secret: "${NAMESPACE}/schmetterpause-app", key: SP_SESSION_KEY, vault: "${CLUSTER}/schmetterpause", property: session-key}
---

# Rotating

## Harmless

` + "```sh" + `
kubectl create ns harmless
` + "```" + `

## Drops

` + "```sh" + `
curl -sf -X POST -H "X-Vault-Token: $VAULT_TOKEN" -d '{"data":{"username":"x"}}' "$VAULT_ADDR/v1/$CLUSTER/data/schmetterpause"
` + "```\n"

func TestAStepThatTakesTheSessionKeyAwayIsNoticedAndRecorded(t *testing.T) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not on the path: make kubectl builds it")
	}
	t.Parallel()
	b := box(t, "deployed")
	dir := t.TempDir()
	file := filepath.Join(dir, "rotating.md")
	if err := os.WriteFile(file, []byte(rotating), 0o600); err != nil {
		t.Fatal(err)
	}
	left := leave(t, b, nil, 0, "run", file, "--accept-risk", "harmless,drops")
	out := string(left["run "+file+" --accept-risk harmless,drops (stdout)"])
	if !strings.Contains(out, "! session key in Vault: removed") {
		t.Errorf("nobody is told:\n%s", out)
	}
	report := string(left["report 2 (stdout)"])
	for _, want := range []string{"session key in Vault: same", "session key in Secret: same", "session key in Vault: removed"} {
		if !strings.Contains(report, want) {
			t.Errorf("the record lacks %q:\n%s", want, report)
		}
	}
	for path, text := range left {
		if filepath.Base(path) != "run.jsonl" {
			continue
		}
		if salt := left[filepath.Join(filepath.Dir(path), "..", "..", "salt")]; bytes.Contains(text, salt) || len(salt) != 32 {
			t.Error("the salt is in the record, or nowhere")
		}
	}
}
