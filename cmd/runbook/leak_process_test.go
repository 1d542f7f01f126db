package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// proper uses secrets as they should be used: from the environment and through
// pipes, and by the actions that make values in the process. A step looks at
// every process of the walk while it runs.
const proper = `---
runbook: v1
title: Proper
params:
  CLUSTER: {help: the mount}
  NAMESPACE: {help: where, default: schmetterpause}
  TOKEN: {help: a token, secret: true}
  SHORT: {help: a short one, secret: true}
  SPY: {help: where traces are kept}
---

# Proper

## Made

` + "```yaml action\nvault: create\nentry: ${CLUSTER}/made\ndata:\n  password: {generate: base64, bytes: 32}\n```" + `

## Copied

` + "```yaml action\nsecret: create\nnamespace: ${NAMESPACE}\nname: made\ndata:\n  token: {generate: base64, bytes: 32}\n```" + `

## Piped

` + "```sh" + `
printf %s "$TOKEN" | kubectl -n "$NAMESPACE" create secret generic piped --from-file=token=/dev/stdin
` + "```" + `

## Looked

` + "```bash" + `
for p in /proc/[0-9]*; do
  if tr '\0' '\n' <"$p/environ" | grep -qxF "SPY=$SPY"; then
    echo "-- $p" >>"$SPY/argv"; tr '\0' '\n' <"$p/cmdline" >>"$SPY/argv"
  fi
done 2>/dev/null
env -0 >"$SPY/exported"
` + "```\n"

// spies are put before the programs that a walk starts: each writes down what
// it was called with and hands on.
func (s *stakeout) spies(names ...string) (spy string) {
	s.t.Helper()
	spy = s.t.TempDir()
	bin := s.t.TempDir()
	for _, name := range names {
		real, err := exec.LookPath(name)
		if err != nil {
			continue // what isn't there isn't started
		}
		text := "#!/bin/sh\nfor a in \"$0\" \"$@\"; do printf '%s\\n' \"$a\"; done >>'" + spy + "/argv'\n/usr/bin/env >>'" + spy + "/env-" + name + "'\nexec '" + real + "' \"$@\"\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	s.env = append(s.env, "PATH="+bin+":"+os.Getenv("PATH"), "SPY="+spy)
	return spy
}

// G17: no secret is in a process list. The shell's own files are not looked at
// here: a walk removes them when it ends, which the other tests see.
func TestNoSecretIsInTheArgumentsOfAnyProcess(t *testing.T) {
	t.Parallel()
	s := newStakeout(t, "runbook", proper)
	spy := s.spies("kubectl", "vault", "git", "bash", "sh")
	s.run(0, "run", s.file, "--accept-risk", "made,copied,piped,looked")
	for key, value := range secretData(t, s.box, "made") {
		s.secrets["the made "+key] = value
	}
	if got := secretData(t, s.box, "piped")["token"]; got != marked["the parameter"] {
		t.Errorf("piped: got %q", got)
	}
	argv := sink{"arguments": read(t, filepath.Join(spy, "argv"))}
	for _, want := range []string{"--from-file=token=/dev/stdin", "-- /proc/", "keeper"} {
		if !bytes.Contains(argv["arguments"], []byte(want)) {
			t.Errorf("no process had %q: not all were seen", want)
		}
	}
	for _, l := range append(argv.has(s.secrets), s.search()...) {
		t.Error(l)
	}
}

// exported are the variables that a step gets beside those that the program
// was started with.
var exported = []string{"KUBECONFIG", "VAULT_ADDR", "VAULT_NAMESPACE", "RUNBOOK_RUN", "RUNBOOK_RECORD", "RUNBOOK_STEP_ID", "PWD", "OLDPWD", "SHLVL", "TERM", "_"}

// G18: what is exported to a step is its runbook's parameters, the pinned
// target and where the record is; no path of a key, no value that was made.
func TestAStepGetsNoVariableThatItsRunbookDoesNotName(t *testing.T) {
	t.Parallel()
	s := newStakeout(t, "runbook", proper)
	spy := s.spies("kubectl")
	s.run(0, "run", s.file, "--accept-risk", "made,copied,piped,looked")
	for key, value := range secretData(t, s.box, "made") {
		s.secrets["the made "+key] = value
	}
	had := map[string]string{}
	for _, kv := range s.env {
		name, value, _ := strings.Cut(kv, "=")
		had[name] = value
	}
	allowed := append([]string{"CLUSTER", "NAMESPACE", "TOKEN", "SHORT", "SPY"}, exported...)
	for kv := range strings.SplitSeq(strings.Trim(string(read(t, filepath.Join(spy, "exported"))), "\x00"), "\x00") {
		name, value, _ := strings.Cut(kv, "=")
		if was, known := had[name]; !slices.Contains(allowed, name) && (!known || was != value) {
			t.Errorf("a step gets %s", name)
		}
		if !slices.Contains(allowed, name) && had[name] == value {
			continue // the operator's own
		}
		for _, l := range (sink{name: []byte(value)}).has(s.secrets) {
			if name != "TOKEN" && name != "SHORT" {
				t.Error(l)
			}
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
