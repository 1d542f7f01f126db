package docs

import (
	"regexp"
	"strings"

	"runbook/internal/redact"
)

var colour = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// clean is the last thing that is done to a document: whatever stood in the
// runbook, no escape is left but the colours that were drawn, and no line is
// written over.
func clean(text string, coloured bool) string {
	text = strings.ReplaceAll(redact.Terminal([]byte(text)), "\r", "")
	if coloured {
		return text
	}
	return colour.ReplaceAllString(text, "")
}
