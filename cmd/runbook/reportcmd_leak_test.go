package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/sandbox"
)

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
	t.Parallel()
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
