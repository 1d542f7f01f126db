package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"runbook/internal/redact"
	"runbook/internal/steps"
)

// A listed runbook is one row of `runbook list`.
type listed struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose"`
	Title   string `json:"title"`
	Steps   int    `json:"steps"`
	Path    string `json:"path"`
	Problem string `json:"problem,omitempty"` // why it can't be walked
}

func (a *app) listCommand() *cobra.Command {
	output := "text"
	c := &cobra.Command{
		Use:   "list",
		Short: "List the runbooks under ./runbooks, $RUNBOOK_PATH and the shipped ones",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := formats(output, "text", "json"); err != nil {
				return err
			}
			rows, err := a.listed()
			if err != nil {
				return err
			}
			if output == "json" {
				return a.writeJSON(rows)
			}
			return a.writeList(rows)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", output, "text or json")
	return c
}

func (a *app) listed() ([]listed, error) {
	all, err := a.find()
	if err != nil {
		return nil, err
	}
	rows := []listed{}
	for _, f := range all {
		src, err := f.read()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Path, err)
		}
		r := steps.Parse(f.Path, src)
		row := listed{Name: f.Name, Purpose: string(r.Purpose), Title: r.Title, Steps: len(r.Steps), Path: f.Path}
		if err := r.Err(); err != nil {
			row.Problem, _, _ = strings.Cut(err.Error(), "\n")
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (a *app) writeList(rows []listed) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(a.out, "no runbooks under ./runbooks or $RUNBOOK_PATH")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tPURPOSE\tSTEPS\tTITLE\tPATH") // the writer keeps the error for Flush
	for _, r := range rows {
		title := r.Title
		if r.Problem != "" {
			title = "can't be walked: " + r.Problem
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", r.Name, orDash(r.Purpose), r.Steps, title, r.Path)
	}
	return w.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func (a *app) writeJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := a.out.Write(redact.JSON(b.Bytes()))
	return err
}
