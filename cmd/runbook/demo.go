package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/scenarios"
)

func (a *app) demoCommand() *cobra.Command {
	f := openFlags{}
	scenario := ""
	c := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "Walk a shipped runbook on the embedded sandbox: no cluster, no Vault, no account",
		Args:  atMostOneFile,
		RunE: func(c *cobra.Command, args []string) error {
			name := "schmetterpause/bring-up"
			if len(args) == 1 {
				name = args[0]
			}
			return a.watched(func() error { return a.demo(c.Context(), name, scenario, f) })
		},
	}
	c.Flags().StringVar(&scenario, "scenario", "", "the state to start in (the default fits the runbook)")
	f.add(c)
	return c
}

// demo opens a runbook in an environment that knows the sandbox only: nothing
// of it can reach a cluster of the person who tries it.
func (a *app) demo(ctx context.Context, name, scenario string, f openFlags) error {
	if _, err := exec.LookPath("kubectl"); err != nil {
		return &usageError{what: "demo: kubectl is not on the path", hint: "install it, or in a checkout run: make demo"}
	}
	dir, err := os.MkdirTemp("", "runbook-demo-")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a leftover in the temporary folder is no failure
	if scenario == "" {
		scenario = scenarioFor(name)
	}
	say(a.errOut, "starting the sandbox: a cluster and a Vault on this machine (scenario %s)", scenario)
	s, err := sandbox.Start(ctx, sandbox.Options{Dir: dir, Scenario: scenario})
	if err != nil {
		return err
	}
	defer s.Close()
	inside := *a
	inside.demonstrates = true
	inside.environ = append(append([]string{}, a.environ...), s.Env()...)
	inside.environ = append(inside.environ, "XDG_STATE_HOME="+dir)
	inside.kube = kubeFlags{}
	return inside.openTUI(ctx, []string{name}, f)
}

// scenarioFor is the state in which a runbook has something to do.
func scenarioFor(name string) string {
	if strings.HasSuffix(name, "teardown") || strings.HasSuffix(name, "teardown.md") {
		return "deployed"
	}
	return scenarios.All()[0].Name
}
