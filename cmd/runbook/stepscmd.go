package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"runbook/internal/engine"
	"runbook/internal/risk"
	"runbook/internal/steps"
)

// The documented shape of `runbook steps -o json`.
type (
	stepsReport struct {
		Runbook     runbookReport      `json:"runbook"`
		Steps       []stepReport       `json:"steps"`
		NotOffered  []fenceReport      `json:"notOffered"`
		Diagnostics []steps.Diagnostic `json:"diagnostics"`
	}
	runbookReport struct {
		Path    string        `json:"path"`
		Title   string        `json:"title"`
		Purpose string        `json:"purpose"`
		Params  []paramReport `json:"params"`
	}
	paramReport struct {
		Name    string            `json:"name"`
		Value   string            `json:"value"` // empty for a secret
		Source  steps.ValueSource `json:"source"`
		Choices []string          `json:"choices"`
		Secret  bool              `json:"secret,omitempty"`
	}
	stepReport struct {
		N      int           `json:"n"`
		ID     string        `json:"id"`
		Title  string        `json:"title"`
		Line   int           `json:"line"`
		Taken  bool          `json:"taken"`
		Why    string        `json:"why,omitempty"` // it isn't taken
		Kind   string        `json:"kind"`
		Risk   risk.Class    `json:"risk"`
		Before []string      `json:"before"`
		Expect []string      `json:"expect"`
		Blocks []blockReport `json:"blocks"`
	}
	blockReport struct {
		Line         int        `json:"line"`
		EndLine      int        `json:"endLine"`
		Lang         string     `json:"lang"`
		Code         string     `json:"code"`
		Resolved     string     `json:"resolved"`
		Offered      bool       `json:"offered"`
		Why          string     `json:"why"`
		Detail       string     `json:"detail,omitempty"` // Why in words
		Placeholders []string   `json:"placeholders"`
		Risk         risk.Class `json:"risk"`
		Reasons      []string   `json:"reasons"`
		Touches      []string   `json:"touches"`
	}
	fenceReport struct {
		Line   int    `json:"line"`
		Lang   string `json:"lang"`
		Why    string `json:"why"`
		Detail string `json:"detail,omitempty"` // Why in words
	}
)

func (a *app) stepsCommand() *cobra.Command {
	output := "text"
	set := setFlags{}
	c := &cobra.Command{
		Use:   "steps FILE",
		Short: "Show the steps of a runbook: what would run, how risky it is, what it expects",
		Args:  oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := formats(output, "text", "json"); err != nil {
				return err
			}
			r, err := a.open(args[0])
			if err != nil && (output != "json" || r == nil) {
				return err
			}
			rep, planErr := a.reportSteps(r, set)
			if planErr != nil {
				return planErr
			}
			if output == "json" {
				return firstOf(a.writeJSON(rep), err)
			}
			return a.writeSteps(rep)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", output, "text or json")
	set.add(c)
	return c
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// reportSteps binds what is known; a parameter without a value stays open, and
// the blocks that need it aren't offered.
func (a *app) reportSteps(r *steps.Runbook, set setFlags) (*stepsReport, error) {
	values, err := a.values(r, set, "")
	if err != nil {
		return nil, err
	}
	plan, err := r.Bind(values)
	if err != nil {
		return nil, err
	}
	rep := &stepsReport{
		Runbook: runbookReport{Path: r.Path, Title: r.Title, Purpose: string(r.Purpose), Params: []paramReport{}},
		Steps:   []stepReport{}, NotOffered: []fenceReport{}, Diagnostics: append([]steps.Diagnostic{}, r.Diagnostics...),
	}
	for _, p := range r.Params {
		rep.Runbook.Params = append(rep.Runbook.Params, reportParam(p, values))
	}
	for i := range plan.Steps {
		rep.Steps = append(rep.Steps, a.reportStep(&plan.Steps[i], riskEnv(values)))
	}
	for _, f := range r.NotOffered {
		rep.NotOffered = append(rep.NotOffered, fenceReport{Line: f.Line, Lang: f.Lang, Why: f.Why, Detail: f.Reason()})
	}
	return rep, nil
}

func riskEnv(v steps.Values) risk.Context {
	env := map[string]string{}
	for name, value := range v {
		if !value.Secret && value.Source != steps.FromNone {
			env[name] = value.Text
		}
	}
	return risk.Context{Env: env, ReadFile: readSmall}
}

func reportParam(p steps.Param, values steps.Values) paramReport {
	v := values[p.Name]
	rep := paramReport{Name: p.Name, Source: v.Source, Choices: append([]string{}, p.Choices...), Secret: p.Secret}
	if rep.Source == "" {
		rep.Source = steps.FromNone
	}
	if !p.Secret {
		rep.Value = v.Text
	}
	return rep
}

func (a *app) reportStep(s *steps.BoundStep, c risk.Context) stepReport {
	assessed := engine.Assess(s, s.Code, c)
	rep := stepReport{
		N: s.N, ID: s.ID, Title: s.Title, Line: s.Line, Taken: s.Taken, Why: s.WhyNot, Kind: kindOf(s),
		Risk: assessed.Class, Before: texts(s.Before), Expect: texts(s.Expect), Blocks: []blockReport{},
	}
	for i, b := range s.Blocks {
		rep.Blocks = append(rep.Blocks, a.reportBlock(b, s.Code[i], assessed.Blocks[i]))
	}
	return rep
}

func kindOf(s *steps.BoundStep) string {
	for _, b := range s.Blocks {
		if b.Kind == steps.ActionBlock {
			return string(steps.ActionBlock)
		}
	}
	if s.Manual || len(s.Blocks) == 0 {
		return "manual"
	}
	return string(steps.ShellBlock)
}

func (a *app) reportBlock(b steps.Block, resolved string, r risk.Result) blockReport {
	rep := blockReport{
		Line: b.Line, EndLine: b.EndLine, Lang: b.Lang, Code: b.Code, Resolved: resolved, Offered: b.Offered, Why: b.Why, Detail: b.Reason(),
		Placeholders: append([]string{}, b.Placeholders...), Risk: r.Class, Reasons: []string{}, Touches: r.TouchNames(),
	}
	for _, x := range r.Reasons {
		rep.Reasons = append(rep.Reasons, a.secrets().Sentence(x.Why))
	}
	return rep
}

func texts(es []steps.Expectation) []string {
	out := []string{}
	for _, e := range es {
		out = append(out, e.Text)
	}
	return out
}

func (a *app) writeSteps(rep *stepsReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", rep.Runbook.Title)
	for _, p := range rep.Runbook.Params {
		value := p.Value
		if p.Secret && p.Source != steps.FromNone {
			value = "(secret)"
		}
		fmt.Fprintf(&b, "  %s=%s (%s)\n", p.Name, value, p.Source)
	}
	for _, s := range rep.Steps {
		writeStep(&b, s)
	}
	for _, f := range rep.NotOffered {
		fmt.Fprintf(&b, "\nline %d: %s fence not offered: %s [%s]\n", f.Line, orDash(f.Lang), f.Detail, f.Why)
	}
	for _, d := range rep.Diagnostics {
		fmt.Fprintf(&b, "\n%s:%d:%d: %s: %s [%s]\n", rep.Runbook.Path, d.Line, d.Col, d.Severity, d.Message, d.Rule)
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
	}
	_, err := io.WriteString(a.out, b.String())
	return err
}

func writeStep(b *strings.Builder, s stepReport) {
	fmt.Fprintf(b, "\n%d %s (%s, line %d) [%s]\n", s.N, s.Title, s.ID, s.Line, s.Risk)
	if !s.Taken {
		fmt.Fprintf(b, "  not taken: %s\n", s.Why)
	}
	for _, x := range s.Before {
		fmt.Fprintf(b, "  before: %s\n", x)
	}
	for _, bl := range s.Blocks {
		if !bl.Offered {
			fmt.Fprintf(b, "  line %d: not offered: %s [%s]\n", bl.Line, bl.Detail, bl.Why)
		}
		for line := range strings.Lines(firstNonEmpty(bl.Resolved, bl.Code)) {
			fmt.Fprintf(b, "    %s\n", strings.TrimRight(line, "\n"))
		}
		for _, why := range bl.Reasons {
			fmt.Fprintf(b, "  - %s\n", why)
		}
	}
	for _, x := range s.Expect {
		fmt.Fprintf(b, "  expect: %s\n", x)
	}
}

func firstNonEmpty(ss ...string) string {
	for _, s := range ss {
		if s != "" {
			return s
		}
	}
	return ""
}
