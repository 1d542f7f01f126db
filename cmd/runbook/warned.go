package main

import (
	"fmt"

	"runbook/internal/engine"
	"runbook/internal/steps"
)

// warned is what is said of a document before it is walked: its first warning,
// and how many more there are. Who walks it may not know of lint.
func warned(r *steps.Runbook) []engine.Noticed {
	var first *steps.Diagnostic
	more := -1
	for i, d := range r.Diagnostics {
		if d.Severity != steps.Warning {
			continue
		}
		if more++; first == nil {
			first = &r.Diagnostics[i]
		}
	}
	if first == nil {
		return nil
	}
	text := fmt.Sprintf("%s:%d: %s", r.Path, first.Line, first.Message)
	if first.Hint != "" {
		text += "; " + first.Hint
	}
	if more > 0 {
		text += fmt.Sprintf(" (%d more: runbook lint %s)", more, r.Path)
	}
	return []engine.Noticed{{Text: text}}
}
