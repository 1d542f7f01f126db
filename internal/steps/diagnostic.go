package steps

import (
	"fmt"
	"strings"
)

// A Pos is a place in a runbook; lines and columns count from 1.
type Pos struct {
	Line, Col int
}

// A Severity ranks a diagnostic.
type Severity string

// The severities. A runbook with an error is refused.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// A Diagnostic is something the author of a runbook should know.
type Diagnostic struct {
	Path     string   `json:"-"`
	Line     int      `json:"line"`
	Col      int      `json:"col"`
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"` // stable id, documented in docs/lint.md
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"` // what to do next
}

func (d Diagnostic) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", d.Path, d.Line, d.Col, d.Message)
}

// OneLine is the same on one line, whatever of the file it quotes.
func (d Diagnostic) OneLine() Diagnostic {
	d.Message, d.Hint = oneLine(d.Message), oneLine(d.Hint)
	return d
}

func oneLine(s string) string {
	if !strings.ContainsAny(s, "\n\r") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' }), " ")
}
