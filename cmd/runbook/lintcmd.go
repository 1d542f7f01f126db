package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"runbook/internal/lint"
	"runbook/internal/steps"
)

// A linted file is one of `runbook lint`, with what was found in it.
type linted struct {
	Path        string             `json:"path"`
	Diagnostics []steps.Diagnostic `json:"diagnostics"`

	lines []string
}

// A lintReport is the documented shape of `runbook lint -o json`.
type lintReport struct {
	Files    []linted `json:"files"`
	Errors   int      `json:"errors"`
	Warnings int      `json:"warnings"`
	Infos    int      `json:"infos"`
}

func (a *app) lintCommand() *cobra.Command {
	output := "text"
	c := &cobra.Command{
		Use:   "lint FILE…",
		Short: "Say what is wrong with runbooks, and what is dangerous in them",
		Long: `Say what is wrong with runbooks, what is dangerous in them, and what won't work
on the next person's machine. Nothing is run.

Each finding has its place, a rule of docs/lint.md and a way out. "-" reads from
standard input. The exit code is 1 when there is an error among the findings.`,
		Example: `  runbook lint runbooks/*.md
  runbook lint -o sarif bring-up.md > lint.sarif`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{what: "lint: which runbooks?", hint: "runbook lint FILE…"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := formats(output, "text", "json", "sarif"); err != nil {
				return err
			}
			rep, err := a.lint(args)
			if err != nil {
				return err
			}
			return firstOf(a.writeLint(rep, output), rep.err())
		},
	}
	c.Flags().StringVarP(&output, "output", "o", output, "text, json or sarif")
	return c
}

// lint reads all files before anything is said of one: a list that is cut short
// by a file that can't be read looks like a short list.
func (a *app) lint(args []string) (*lintReport, error) {
	rep := &lintReport{Files: []linted{}}
	for _, arg := range args {
		r, err := a.open(arg)
		if r == nil {
			return nil, err
		}
		f := linted{Path: r.Path, Diagnostics: append([]steps.Diagnostic{}, lint.Check(r, nil)...), lines: strings.Split(string(r.Source), "\n")}
		for _, d := range f.Diagnostics {
			switch d.Severity {
			case steps.Error:
				rep.Errors++
			case steps.Warning:
				rep.Warnings++
			case steps.Info:
				rep.Infos++
			}
		}
		rep.Files = append(rep.Files, f)
	}
	return rep, nil
}

func (a *app) writeLint(rep *lintReport, output string) error {
	switch output {
	case "json":
		return a.writeJSON(rep)
	case "sarif":
		return a.writeJSON(a.sarif(rep))
	}
	var b strings.Builder
	for _, f := range rep.Files {
		for _, d := range f.Diagnostics {
			b.WriteString(lint.Text(d))
		}
	}
	fmt.Fprintf(&b, "%s: %s\n", count(len(rep.Files), "file"), rep.summary())
	_, err := io.WriteString(a.out, b.String())
	return err
}

func (r *lintReport) summary() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{r.Errors, "error"}, {r.Warnings, "warning"}, {r.Infos, "remark"}} {
		if p.n > 0 {
			parts = append(parts, count(p.n, p.what))
		}
	}
	if parts == nil {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (r *lintReport) err() error {
	if r.Errors == 0 {
		return nil
	}
	return &lintError{errors: r.Errors}
}

// A lintError says that runbooks have errors.
type lintError struct{ errors int }

func (e *lintError) Error() string { return "lint: " + count(e.errors, "error") }
