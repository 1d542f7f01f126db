package main

import (
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"runbook/internal/docs"
	"runbook/internal/steps"
)

func (a *app) printCommand() *cobra.Command {
	output := "term"
	set := setFlags{}
	c := &cobra.Command{
		Use:   "print FILE",
		Short: "Print a runbook as docs, with its parameters filled in",
		Args:  oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := formats(output, "term", "markdown"); err != nil {
				return err
			}
			r, err := a.open(args[0])
			if err != nil {
				return err
			}
			values, err := a.values(r, set, "")
			if err != nil {
				return err
			}
			plan, err := r.Bind(values)
			if err != nil {
				return err
			}
			return a.print(plan.Covered(a.secrets().Written), output)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", output, "term or markdown")
	set.add(c)
	return c
}

func (a *app) print(p *steps.Plan, output string) error {
	text := ""
	if output == "markdown" {
		text = docs.Markdown(p)
	} else {
		var err error
		if text, err = docs.Terminal(p, a.look()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// look fits the text to the terminal that it is for; a pipe gets 80 columns
// and no colour.
func (a *app) look() docs.Look {
	l := docs.Look{Width: 80, Color: a.color()}
	out, ok := a.file()
	if !ok {
		return l
	}
	if width, _, err := term.GetSize(int(out.Fd())); err == nil && width > 0 {
		l.Width = min(width, 110)
	}
	if l.Color && a.terminal {
		l.Dark = lipgloss.HasDarkBackground(os.Stdin, out)
	}
	return l
}

// color tells whether the output is a terminal that may have colour.
func (a *app) color() bool {
	out, ok := a.file()
	plain, _ := a.env("NO_COLOR")
	return ok && plain == "" && !dumb(a.environ) && term.IsTerminal(int(out.Fd()))
}

// dumb tells whether the terminal can do nothing but print, as the shells of
// editors: neither colour nor a cursor that can be moved.
func dumb(environ []string) bool {
	kind := ""
	for _, kv := range environ {
		if v, ok := strings.CutPrefix(kv, "TERM="); ok {
			kind = v
		}
	}
	return kind == "dumb"
}
