package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"runbook/internal/redact"
	"runbook/internal/risk"
)

func (a *app) riskCommand() *cobra.Command {
	output := "text"
	c := &cobra.Command{
		Use:   "risk ['COMMAND']",
		Short: "Say what a command would do, without running it",
		Long: `Say what a command would do, without running it: its class (read, write,
unknown, interrupt, rotate, destroy), why, and what it touches.

With no argument, commands are read from standard input, separated by NUL if
there is one, else by newlines; the answers are JSON objects, one a line.`,
		Example: `  runbook risk 'kubectl delete ns shop'
  runbook risk -o json 'vault kv put cicd/shop password=x'
  printf '%s\0' "$(cat script.sh)" | runbook risk`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{what: "risk takes one command", hint: "put it in quotes: runbook risk '" + strings.Join(args, " ") + "'"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := formats(output, "text", "json"); err != nil {
				return err
			}
			if len(args) == 0 {
				return a.riskStdin()
			}
			r := a.judged(args[0])
			if output == "json" {
				return a.writeLine(r)
			}
			return a.writeRisk(r)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", output, "text or json")
	return c
}

// judged is what a command would do, without the secrets in it. The command
// itself stays what was asked about: answers are told apart by it.
func (a *app) judged(command string) risk.Result {
	r := risk.Classify(command, a.riskContext())
	for i, x := range r.Reasons {
		r.Reasons[i].Command, r.Reasons[i].Why = a.secrets().Text(x.Command), a.secrets().Sentence(x.Why)
	}
	for i, n := range r.Notes {
		r.Notes[i] = a.secrets().Sentence(n)
	}
	r.ParseError = a.secrets().Sentence(r.ParseError)
	return r
}

// writeLine prints v as JSON in one line.
func (a *app) writeLine(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = a.out.Write(append(redact.JSON(text), '\n'))
	return err
}

// riskContext lets the classifier read manifests, scripts and task files.
func (a *app) riskContext() risk.Context {
	return risk.Context{ReadFile: readSmall}
}

// readSmall reads a file that a command names. Only regular files: a pipe
// would be emptied, and a device might never end.
func readSmall(path string) ([]byte, error) {
	const limit = 4 << 20
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("read %s: not a regular file of at most 4 MiB", path)
	}
	return os.ReadFile(path)
}

func (a *app) riskStdin() error {
	text, err := io.ReadAll(a.in)
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	sep := []byte("\n")
	if bytes.IndexByte(text, 0) >= 0 {
		sep = []byte{0}
	}
	for command := range bytes.SplitSeq(text, sep) {
		if len(bytes.TrimSpace(command)) == 0 {
			continue
		}
		if err := a.writeLine(a.judged(string(command))); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) writeRisk(r risk.Result) error {
	var b strings.Builder
	fmt.Fprintln(&b, r.Class)
	for _, x := range r.Reasons {
		fmt.Fprintf(&b, "  %-9s %s: %s\n", x.Class, oneLine(x.Command), x.Why)
	}
	if names := r.TouchNames(); len(names) > 0 {
		fmt.Fprintf(&b, "touches %s\n", strings.Join(names, ", "))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if r.ParseError != "" {
		fmt.Fprintf(&b, "not shell: %s\n", r.ParseError)
	}
	_, err := io.WriteString(a.out, b.String())
	return err
}

// oneLine shortens a command for a line of text.
func oneLine(s string) string {
	first, rest, more := strings.Cut(s, "\n")
	if more && strings.TrimSpace(rest) != "" {
		return first + " …"
	}
	return first
}
