package lint

import (
	"strings"

	"runbook/internal/steps"
)

// offeredRule is about what looks like commands, and isn't offered as such.
func offeredRule() Rule {
	return Rule{ID: "not-offered", Group: Structure, Severity: steps.Info,
		What: "A fence that is labelled as commands, or holds some, isn't offered as a step's commands.",
		Why:  "Whoever walks the runbook is told so, and has to do it by hand. That may be meant; if it isn't, the step does less than its author thinks.",
		Fix:  "The message says what keeps it from being offered. If it is only to be read, say `no-run` behind the language, or label it `output`.",
		Bad:  "# Example\n\n## Step\n\n'''sh\nkubectl get nodes\n'''\n\n'''powershell\nGet-Process\n'''\n",
		Good: "# Example\n\n## Step\n\n'''sh\nkubectl get nodes\n'''\n\n'''powershell no-run\nGet-Process\n'''\n", check: checkOffered}
}

func checkOffered(p *pass) {
	for _, s := range p.book.Steps {
		for _, b := range s.Blocks {
			if b.Kind == steps.ShellBlock && !b.Offered && b.Why != steps.WhyPlaceholder && b.Why != steps.WhyDoubtful { // which others report
				p.notOffered(b.Line, b.Lang, b.Info, b.Reason())
			}
		}
	}
	for _, f := range p.book.NotOffered {
		if steps.Foreign(f.Lang) || f.Why != steps.WhyDoubtful && f.Why != steps.WhyOutput && steps.Commands(f.Lang) {
			p.notOffered(f.Line, f.Lang, f.Info, f.Reason())
		}
	}
}

func (p *pass) notOffered(line int, lang, info, reason string) {
	for word := range strings.FieldsSeq(strings.Trim(info, "{} ")) {
		if strings.Trim(word, "{}") == steps.NoRun {
			return // its author has said so
		}
	}
	what := "this fence"
	if lang != "" {
		what = "this fence (" + p.quote(lang) + ")"
	}
	p.report(steps.Pos{Line: line, Col: 1}, what+" isn't offered: "+reason, "if it is only to be read, say `no-run` behind the language")
}
