package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// envOf is the value that the last NAME=value gives.
func envOf(env []string, name string) string {
	value := ""
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			value = v
		}
	}
	return value
}

func TestAContextThatIsChangedInAnotherWindowIsSaidAndTheRunStays(t *testing.T) {
	t.Parallel()
	s := tell(t, stage{scenario: "deployed-ordinary", args: []string{"runbooks/schmetterpause/teardown.md"}, width: 100, height: 30})
	s.selected("Look first")
	was := strings.TrimSpace(s.kubectl("config", "current-context"))
	s.kubectl("config", "set-context", "somewhere-else", "--cluster=nowhere")
	s.kubectl("config", "use-context", "somewhere-else")
	s.WaitFor("! the run stays on " + was + "; your kubeconfig says somewhere-else now") // no key was pressed
	s.selected("Look first")
	s.Type("\r")
	s.WaitFor("1/3")
	s.selected("Postgres cluster")
	s.Type("\r")
	s.WaitFor("DESTROY", "enter: do it", "context   "+was, "┃ ! the run stays on "+was+"; your kubeconfig says somewhere-else now")
	s.kubectl("config", "use-context", was)
	s.Type("\x1b")
	s.WaitGone("DESTROY")
	s.WaitGone("! the run stays on")
}

func TestOffATerminalAContextThatIsChangedIsSaid(t *testing.T) {
	t.Parallel()
	s := tell(t, stage{args: []string{"runbooks/schmetterpause/bring-up.md", "--set", "VARIANT=external-secrets"}, width: 80, height: 24})
	path := filepath.Join(t.TempDir(), "try.md")
	document := "---\nrunbook: v1\nneeds: [kubectl]\n---\n\n# Try\n\n## Move\n\n```sh\nkubectl config get-contexts\n```\n\n" +
		"## Stay\n\n```sh\nkubectl config current-context\n```\n"
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	was := strings.TrimSpace(s.kubectl("config", "current-context"))
	// What stands before kubectl does what somebody would in another window.
	bin := t.TempDir()
	real, err := exec.LookPath("kubectl")
	if err != nil {
		t.Fatal(err)
	}
	other := "#!/bin/sh\n" + real + " config set-context other --cluster=x --kubeconfig '" + envOf(s.env, "KUBECONFIG") + "' >/dev/null\n" +
		real + " config use-context other --kubeconfig '" + envOf(s.env, "KUBECONFIG") + "' >/dev/null\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(other), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("runbook", "run", path)
	cmd.Env = append(s.env, "PATH="+bin+":"+os.Getenv("PATH"), "XDG_STATE_HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if want := "! the run stays on " + was + "; your kubeconfig says other now"; err != nil || !strings.Contains(string(out), want) || !strings.Contains(string(out), "    "+was+"\n") {
		t.Errorf("got %v, want %q, and that the second step is still on %s:\n%s", err, want, was, out)
	}
}
