package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/kube"
)

// walked runs the program to its end and returns what it said and its code.
func walked(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command("runbook", args...)
	cmd.Env = append(append(os.Environ(), env...), "XDG_STATE_HOME="+t.TempDir())
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	for _, text := range []string{out.String(), errOut.String()} {
		if containsTrace(text) {
			t.Errorf("a stack trace:\n%s", text)
		}
	}
	return out.String(), errOut.String(), code
}

func box(t *testing.T, scenario string) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.Start(context.WithoutCancel(t.Context()), sandbox.Options{Dir: t.TempDir(), Scenario: scenario})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

const bringUp = "../../runbooks/schmetterpause/bring-up.md"

func TestAnExpiredTokenIsSaidBeforeAnythingRuns(t *testing.T) {
	t.Parallel()
	s := box(t, "")
	s.Kube().SetToken("old", kube.User{Name: "me", Expires: time.Unix(1, 0)})
	text, err := os.ReadFile(s.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "token: ")
	_, after, _ := strings.Cut(rest, "\n")
	expired := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(expired, []byte(before+"token: old\n"+after), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := walked(t, append(s.Env(), "KUBECONFIG="+expired), "run", bringUp, "--set", "VARIANT=external-secrets")
	if code != int(exitUnreachable) || !strings.Contains(stderr, "hint: ") || !strings.Contains(stderr, "log in") {
		t.Errorf("exit %d:\n%s", code, stderr)
	}
}

func TestASealedVaultIsSaidBeforeAnythingRuns(t *testing.T) {
	t.Parallel()
	s := box(t, "")
	s.Vault().Seal()
	_, stderr, code := walked(t, s.Env(), "run", bringUp, "--set", "VARIANT=external-secrets")
	if code != int(exitUnreachable) || !strings.Contains(stderr, "is sealed") || !strings.Contains(stderr, "unseal") {
		t.Errorf("exit %d:\n%s", code, stderr)
	}
	// Variant B has nothing to do with Vault.
	stdout, stderr, code := walked(t, s.Env(), "run", bringUp, "--set", "VARIANT=ordinary-secrets")
	if code != 0 || !strings.Contains(stdout, "9 of 9 done") {
		t.Errorf("exit %d:\n%s%s", code, stdout, stderr)
	}
}

func TestAVaultTokenThatExpiredIsSaid(t *testing.T) {
	t.Parallel()
	s := box(t, "")
	_, stderr, code := walked(t, append(s.Env(), "VAULT_TOKEN=hvs.nobody-knows-this-one"), "run", bringUp, "--set", "VARIANT=external-secrets")
	if code != int(exitUnreachable) || !strings.Contains(stderr, "permission denied") || !strings.Contains(stderr, "hint: ") {
		t.Errorf("exit %d:\n%s", code, stderr)
	}
}

func TestBothVariantsWalkWithoutATerminal(t *testing.T) {
	t.Parallel()
	for _, variant := range []string{"external-secrets", "ordinary-secrets"} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			s := box(t, "")
			stdout, stderr, code := walked(t, s.Env(), "run", bringUp, "--set", "VARIANT="+variant)
			if code != 0 || !strings.Contains(stdout, "9 of 9 done") {
				t.Fatalf("exit %d:\n%s%s", code, stdout, stderr)
			}
			// The same once more: every step that was needed isn't any more, or can be done again.
			stdout, stderr, code = walked(t, s.Env(), "run", bringUp, "--set", "VARIANT="+variant)
			if code != 0 || !strings.Contains(stdout, "satisfied") {
				t.Fatalf("a second time: exit %d:\n%s%s", code, stdout, stderr)
			}
		})
	}
}

func TestATeardownOffATerminalNeedsItsStepsNamed(t *testing.T) {
	t.Parallel()
	s := box(t, "deployed-ordinary")
	const teardown = "../../runbooks/schmetterpause/teardown.md"
	stdout, stderr, code := walked(t, s.Env(), "run", teardown)
	if code != int(exitRefused) || !strings.Contains(stdout, "lost for good: pvc/schmetterpause-db-1") || !strings.Contains(stderr, "--accept-risk database") {
		t.Fatalf("exit %d:\n%s%s", code, stdout, stderr)
	}
	stdout, stderr, code = walked(t, s.Env(), "run", teardown, "--accept-risk", "database,namespace")
	if code != 0 || !strings.Contains(stdout, "the session key") || !strings.Contains(stdout, "3 of 3 done") {
		t.Fatalf("exit %d:\n%s%s", code, stdout, stderr)
	}
}
