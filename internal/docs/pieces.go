package docs

import (
	"fmt"
	"regexp"
	"strings"

	"runbook/internal/markdown"
	"runbook/internal/redact"
	"runbook/internal/risk"
	"runbook/internal/steps"
)

// A piece is a run of prose or one block of code, in the order of the document.
type piece struct {
	prose string // Markdown
	code  string // with no newline at its end
	lang  string
	fence bool
}

// pieces is a plan as a document: what annotations say has become sentences.
func pieces(p *steps.Plan) []piece {
	d := &document{plan: p}
	sections := p.Runbook.Sections
	if titled := len(sections) > 0 && sections[0].Level == 1; titled {
		d.section(sections[0])
		sections = sections[1:]
	} else if p.Runbook.Title != "" {
		d.prose("# " + p.Runbook.Title)
	}
	d.parameters()
	for _, s := range sections {
		d.section(s)
	}
	return d.out
}

type document struct {
	plan *steps.Plan
	out  []piece
}

func (d *document) prose(text string) {
	if text = strings.TrimSpace(text); text != "" {
		d.out = append(d.out, piece{prose: unfenced(text)})
	}
}

func (d *document) code(lang, text string) {
	d.out = append(d.out, piece{code: strings.TrimRight(text, "\n"), lang: lang, fence: true})
}

// parameters is the table of what was filled in.
func (d *document) parameters() {
	if len(d.plan.Runbook.Params) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString("| Parameter | Value | From | |\n|---|---|---|---|\n")
	for _, p := range d.plan.Runbook.Params {
		v := d.plan.Values[p.Name]
		value, source := "`"+strings.ReplaceAll(v.Text, "|", "\\|")+"`", string(v.Source)
		switch {
		case v.Source == steps.FromNone || v.Source == "":
			value, source = "*open*", ""
		case p.Secret:
			value = "(secret)"
		case v.Text == "":
			value = "(empty)"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, value, source, cell(p.Help))
	}
	d.prose(b.String())
}

func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ").Replace(markdown.Text(s))
}

func (d *document) section(s steps.Section) {
	if s.Level > 0 && s.Title != "" {
		d.prose(heading(s))
	}
	var step *steps.BoundStep
	if s.Step >= 0 {
		step = &d.plan.Steps[s.Step]
		if !step.Taken {
			d.prose("> Not taken: " + step.WhyNot + ".")
		}
	}
	for _, p := range s.Parts {
		d.part(p, step)
	}
	if step != nil {
		d.promises(step)
	}
}

// heading writes items of lists, which can be steps too, as small headings.
func heading(s steps.Section) string {
	return strings.Repeat("#", min(s.Level, 6)) + " " + s.Title
}

func (d *document) part(p steps.Part, step *steps.BoundStep) {
	switch {
	case p.Fence != nil:
		d.code(notRunLabel(p.Fence.Lang, p.Fence.Why), p.Fence.Code)
		d.notRun(p.Fence.Reason())
	case p.Block >= 0 && step != nil:
		d.block(step, p.Block)
	default:
		d.prose(markdown.Visible(p.Prose))
	}
}

// opener is a line that begins a fence.
var opener = regexp.MustCompile("(?m)^((?:[ \t]*>)*(?:[ \t]*(?:[-*+]|[0-9]{1,9}[.)]))*[ \t]*)(`{3,}[^`\n]*$|~{3,})")

// unfenced keeps prose from beginning a fence: where the structure of a document
// is broken, what belongs to no fence of it may look like the mark of one.
func unfenced(prose string) string { return opener.ReplaceAllString(prose, `$1\$2`) }

// notRun says why a fence isn't run.
func (d *document) notRun(reason string) {
	d.prose("> Not run by the program: " + markdown.Text(reason) + ".")
}

func (d *document) block(step *steps.BoundStep, i int) {
	b := step.Blocks[i]
	if !b.Offered {
		d.code(notRunLabel(b.Lang, b.Why), step.Code[i])
		if step.Taken {
			d.notRun(b.Reason())
		}
		return
	}
	if b.Kind == steps.ActionBlock {
		d.prose("Carried out by the program (`" + string(b.Action.Verb) + "`):")
		d.code("yaml", step.Code[i])
		return
	}
	d.code(asIs(firstOf(b.Lang, "sh"), step.Code[i]), step.Code[i])
	if r := risk.Classify(step.Code[i], risk.Context{Env: d.env()}); r.Class >= risk.Unknown {
		d.prose("> **" + r.Class.String() + "**: " + redact.New().Sentence(r.Why()))
	}
}

// asIs labels code that was read from behind prompts, and has lines that look as
// if they had one of their own.
func asIs(lang, code string) string {
	if !strings.ContainsAny(code, "$>#%") {
		return lang
	}
	fence := fenceFor(code, lang)
	again := steps.Parse("print.md", []byte("# A\n\n"+fence+lang+"\n"+code+"\n"+fence+"\n"))
	if len(again.Steps) == 1 && len(again.Steps[0].Blocks) == 1 && strings.TrimRight(again.Steps[0].Blocks[0].Code, "\n") == strings.TrimRight(code, "\n") {
		return lang
	}
	return lang + " " + steps.AsIs
}

// notRunLabel labels a fence that isn't run so that it isn't either when the
// print is opened: what kept it from that may not show there.
func notRunLabel(lang, why string) string {
	switch {
	case !steps.Runnable(lang):
		return lang
	case why == steps.WhyOutput:
		return "output"
	}
	return firstOf(lang, "text") + " " + steps.NoRun
}

// env are the values that commands are judged with.
func (d *document) env() map[string]string {
	env := map[string]string{}
	for name, v := range d.plan.Values {
		if !v.Secret && v.Source != steps.FromNone {
			env[name] = v.Text
		}
	}
	return env
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// promises are the annotations of a step as sentences.
func (d *document) promises(s *steps.BoundStep) {
	if s.Done != nil {
		d.prose("Not needed if " + s.Done.Text + ".")
	}
	d.list("Before it may run:", s.Before)
	d.list("Done when:", s.Expect)
	if s.Cost != "" {
		d.prose("> What it costs: " + s.Cost)
	}
	if s.Undo != "" {
		d.prose("Taken back by the step `" + s.Undo + "`.")
	}
}

func (d *document) list(title string, es []steps.Expectation) {
	if len(es) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(title + "\n\n")
	for _, e := range es {
		b.WriteString("- [ ] " + e.Text + "\n")
	}
	d.prose(b.String())
}
