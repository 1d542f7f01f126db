package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/scenarios"
	"runbook/internal/steps"
)

// The variables by which a sandbox is found again, and the file in its folder
// that lists all that it exports.
const (
	pidVar   = "RUNBOOK_SANDBOX_PID"
	dirVar   = "RUNBOOK_SANDBOX_DIR"
	varsFile = "variables"
)

// readyMark is the line behind which a sandbox in the background has said all
// that its starter passes on.
const readyMark = "# ready"

type sandboxFlags struct {
	scenario         string
	background, stop bool
}

func (a *app) sandboxCommand() *cobra.Command {
	f := sandboxFlags{}
	c := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve a small cluster and a Vault on this machine, for trying things out",
		Long: `Serve a cluster and a Vault that are small enough to embed, on loopback, with
the operators that the shipped runbooks need. It prints the environment that
kubectl, vault, curl and runbook need to use it, for eval.

Scenarios:
` + scenarioHelp(),
		Example: `  eval "$(runbook sandbox --background)"
  runbook run bring-up --set VARIANT=external-secrets
  kubectl get pods -A
  eval "$(runbook sandbox --stop)"`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case f.stop:
				return a.stopSandbox(c.Context())
			case f.background:
				return a.detachSandbox(c.Context(), f.scenario)
			}
			return a.serveSandbox(c.Context(), f.scenario)
		},
	}
	c.Flags().StringVar(&f.scenario, "scenario", scenarios.All()[0].Name, "the state to start in")
	c.Flags().BoolVar(&f.background, "background", false, "go on in the background once it is ready")
	c.Flags().BoolVar(&f.stop, "stop", false, "end the sandbox that the environment names")
	c.MarkFlagsMutuallyExclusive("background", "stop")
	return c
}

// serveSandbox serves until the context ends.
func (a *app) serveSandbox(ctx context.Context, scenario string) error {
	dir, err := os.MkdirTemp("", "runbook-sandbox-")
	if err != nil {
		return fmt.Errorf("start sandbox: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a leftover in the temporary folder is no failure
	s, err := sandbox.Start(ctx, sandbox.Options{Dir: dir, Scenario: scenario})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := writeVars(dir, s.Env()); err != nil {
		return err
	}
	if err := exports(a.bare, s.Env()); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(a.bare, readyMark); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func scenarioHelp() string {
	var b strings.Builder
	for _, s := range scenarios.All() {
		fmt.Fprintf(&b, "  %-20s %s\n", s.Name, s.About)
	}
	return strings.TrimRight(b.String(), "\n")
}

// writeVars keeps the names of what a sandbox exports, for taking them back.
func writeVars(dir string, env []string) error {
	var names []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		names = append(names, name)
	}
	return os.WriteFile(filepath.Join(dir, varsFile), []byte(strings.Join(names, "\n")), 0o600)
}

// exports prints variables for a shell's eval.
func exports(w io.Writer, env []string) error {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if _, err := fmt.Fprintf(w, "export %s=%s\n", name, steps.Quote(value)); err != nil {
			return err
		}
	}
	return nil
}

// detachSandbox starts a sandbox in a session of its own and passes on what it
// says until it is ready. Its later errors go to a log in its folder.
func (a *app) detachSandbox(ctx context.Context, scenario string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start sandbox: %w", err)
	}
	cmd := exec.Command(self, "sandbox", "--scenario", scenario) // with no context: it outlives this process
	cmd.Env = a.environ
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start sandbox: %w", err)
	}
	log, err := os.CreateTemp("", "runbook-sandbox-*.log")
	if err != nil {
		return fmt.Errorf("start sandbox: %w", err)
	}
	// The child has its own end; nobody else is told the name.
	defer func() { _, _ = log.Close(), os.Remove(log.Name()) }()
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start sandbox: %w", err)
	}
	if err := passOn(ctx, a.bare, out); err != nil {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()                    // its reason is in the log
		why, _ := os.ReadFile(log.Name()) // empty at worst
		return fmt.Errorf("start sandbox: %w: %s", err, strings.TrimSpace(string(why)))
	}
	return cmd.Process.Release()
}

var errNotReady = errors.New("it ended before it was ready")

// passOn copies lines until the mark that says that all is ready.
func passOn(ctx context.Context, w io.Writer, r io.Reader) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if lines.Text() == readyMark {
			return nil
		}
		if _, err := fmt.Fprintln(w, lines.Text()); err != nil {
			return err
		}
	}
	return errNotReady
}

// stopSandbox ends the sandbox that the environment names, and waits for it.
func (a *app) stopSandbox(ctx context.Context) error {
	pidText, _ := a.env(pidVar)
	dir, _ := a.env(dirVar)
	pid, err := strconv.Atoi(pidText)
	if err != nil || dir == "" {
		return &usageError{what: "stop sandbox: the environment names none", hint: `start one with: eval "$(runbook sandbox --background)"`}
	}
	names, err := os.ReadFile(filepath.Join(dir, varsFile))
	if err != nil {
		return &usageError{what: fmt.Sprintf("stop sandbox: pid %d is not a sandbox any more", pid), hint: "unset " + pidVar}
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop sandbox: pid %d: %w", pid, err)
	}
	if err := gone(ctx, dir); err != nil {
		return fmt.Errorf("stop sandbox: pid %d: %w", pid, err)
	}
	for name := range strings.SplitSeq(string(names), "\n") {
		if _, err := fmt.Fprintf(a.out, "unset %s\n", name); err != nil {
			return err
		}
	}
	return nil
}

// gone waits until a sandbox has removed its folder, the last thing it does.
func gone(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New("it does not end")
		case <-tick.C:
		}
	}
}
