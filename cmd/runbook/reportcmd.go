package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"runbook/internal/journal"
)

func (a *app) reportCommand() *cobra.Command {
	output, verify := "text", false
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Show the record of a run, or check that nobody has changed it",
		Long: `Show the record of a run: who walked what where, each step with its gate and
its answer, the commands as they ran, and how it came out.

With --verify the record is checked instead: every line carries the hash of the
line before it, and every output file is held against its sum. That shows a line
that was changed, put in or taken out; it can't show lines that were taken off
the end, nor that the last one was changed. The hash of the last line, which is
printed, shows that to whoever keeps it elsewhere.`,
		Example: "  runbook report 20260504T1200\n  runbook report 20260504T1200 --verify",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{what: "report: which run?", hint: "runbook runs lists them"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := formats(output, "text", "json", "markdown"); err != nil {
				return err
			}
			return a.report(args[0], output, verify)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", output, "text, json or markdown")
	c.Flags().BoolVar(&verify, "verify", false, "check that the record is as it was written")
	return c
}

func (a *app) report(word, output string, verify bool) error {
	root, err := a.recordRoot()
	if err != nil {
		return err
	}
	rec, err := a.named(root, word)
	if err != nil {
		return err
	}
	if verify {
		return a.verify(rec, output)
	}
	acc := account(rec)
	switch output {
	case "json":
		return a.writeJSON(acc)
	case "markdown":
		_, err = io.WriteString(a.out, acc.markdown())
	default:
		_, err = io.WriteString(a.out, acc.text())
	}
	return err
}

// A changedError says that something of a record was changed after it was written.
type changedError struct{ cause error }

func (e *changedError) Error() string { return e.cause.Error() }
func (e *changedError) Unwrap() error { return e.cause }

// verify says that a record is intact; that its chain holds was seen when it
// was read.
func (a *app) verify(rec *journal.Record, output string) error {
	if err := rec.VerifyOutputs(); err != nil {
		return &changedError{cause: err}
	}
	if output == "json" {
		return a.writeJSON(map[string]any{"run": rec.Header.Run, "intact": true, "lines": len(rec.Lines), "cutOff": rec.Cut, "last": rec.Last(), "head": rec.Head()})
	}
	text := fmt.Sprintf("%s: intact, %d lines, the last of %s\n", rec.Header.Run, len(rec.Lines), rec.Last().Local().Format("2006-01-02 15:04:05"))
	text += "sha256 of the last line: " + rec.Head() + "\n"
	if rec.Cut {
		text += "a line behind it was cut off while it was written\n"
	}
	_, err := io.WriteString(a.out, text)
	return err
}
