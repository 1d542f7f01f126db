package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	vaultapi "github.com/hashicorp/vault/api"

	"runbook/internal/guard"
	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators/trial"
	"runbook/internal/steps"
)

// A desk is the program beside a sandbox, asked for gates and never told to run
// a step.
type desk struct {
	t     *testing.T
	box   *sandbox.Sandbox
	world *trial.World
	app   *app
}

func newDesk(t *testing.T, scenario string) *desk {
	t.Helper()
	box, err := sandbox.Start(context.WithoutCancel(t.Context()), sandbox.Options{Dir: t.TempDir(), Scenario: scenario, Speed: 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	env := append(append(os.Environ(), box.Env()...), "XDG_STATE_HOME="+t.TempDir(), "HOME="+t.TempDir())
	return &desk{t: t, box: box, world: trial.New(t, box.Rest()),
		app: &app{in: strings.NewReader(""), out: io.Discard, errOut: io.Discard, environ: env, getwd: os.Getwd, now: time.Now}}
}

// protecting is the front matter that every step of these tests stands under.
const protecting = `---
runbook: v1
title: Try
params:
  CLUSTER: {default: none}
  NAMESPACE: {default: none}
  STORE: {default: none}
protects:
  - name: session key
    secret: ${NAMESPACE}/schmetterpause-app
    key: SP_SESSION_KEY
    vault: ${CLUSTER}/schmetterpause
    property: session-key
    cost: every player is logged out
---

# Try

`

// gates are what stands before steps with these fences; their ids are try-0,
// try-1 and so on.
func (d *desk) gates(t *testing.T, fences ...string) []guard.Gate {
	t.Helper()
	text := protecting
	for i, fence := range fences {
		text += fmt.Sprintf("## Try\n\n<!-- step\nid: try-%d\n-->\n\n%s\n\n", i, fence)
	}
	r := steps.Parse("try.md", []byte(text))
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	values, target, err := d.app.prepare(t.Context(), r, setFlags{pairs: &[]string{}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.app.begin(t.Context(), r, values, target)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	var out []guard.Gate
	for i := range fences {
		g, err := w.Gate(t.Context(), fmt.Sprintf("try-%d", i))
		if err != nil {
			t.Fatal(err)
		}
		if g.Decision == guard.Confirm && g.Words == "" {
			t.Errorf("it asks for no words: %+v", g)
		}
		out = append(out, g)
	}
	return out
}

// kubectl is what somebody does in another window.
func (d *desk) kubectl(t *testing.T, args ...string) string {
	t.Helper()
	path, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("kubectl is not on the path: make kubectl builds it")
	}
	cmd := exec.Command(path, args...)
	cmd.Env = d.app.environ
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// later waits until a whole second has passed by the API server's clock.
func (d *desk) later(t *testing.T) {
	t.Helper()
	stamp := func(n int) string {
		name := fmt.Sprintf("tick-%d", n)
		d.kubectl(t, "-n", "default", "create", "configmap", name)
		return d.kubectl(t, "-n", "default", "get", "configmap", name, "-o", "jsonpath={.metadata.creationTimestamp}")
	}
	first := stamp(0)
	for n := 1; t.Context().Err() == nil; n++ {
		if stamp(n) != first {
			return
		}
	}
}

// limited is a token that may see that the entry is there, and not its keys.
func (d *desk) limited(t *testing.T) string {
	t.Helper()
	c := d.vault(t)
	if err := c.Sys().PutPolicyWithContext(t.Context(), "names-only", `path "cicd-test2/metadata/*" { capabilities = ["read", "list"] }`); err != nil {
		t.Fatal(err)
	}
	made, err := c.Auth().Token().CreateWithContext(t.Context(), &vaultapi.TokenCreateRequest{Policies: []string{"names-only"}})
	if err != nil {
		t.Fatal(err)
	}
	return made.Auth.ClientToken
}

// vault is Vault, for somebody who may do everything.
func (d *desk) vault(t *testing.T) *vaultapi.Client {
	t.Helper()
	cfg := vaultapi.DefaultConfig()
	cfg.Address = d.box.VaultAddr()
	c, err := vaultapi.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.SetToken(d.box.Vault().RootToken())
	return c
}

// versions is what Vault says of the entry, without its values.
func (d *desk) versions(t *testing.T) string {
	t.Helper()
	m, err := d.vault(t).KVv2("cicd-test2").GetMetadata(t.Context(), "schmetterpause")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d %v %v", m.CurrentVersion, m.UpdatedTime, m.Versions)
}
