package docs

import (
	"fmt"
	"strings"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/styles"

	"runbook/internal/steps"
)

// Look says how terminal text is drawn.
type Look struct {
	Width int  // in cells; prose is wrapped to it, code never is
	Color bool // false draws no escape at all
	Dark  bool
}

// Terminal prints a plan for reading in a terminal. Commands are never broken,
// so that they can be copied as they stand.
func Terminal(p *steps.Plan, l Look) (string, error) {
	r, err := glamour.NewTermRenderer(glamour.WithStandardStyle(style(l)), glamour.WithWordWrap(max(20, l.Width)))
	if err != nil {
		return "", fmt.Errorf("draw runbook: %w", err)
	}
	var b strings.Builder
	for _, x := range pieces(p) {
		if x.fence {
			drawCode(&b, x)
			continue
		}
		text, err := r.Render(x.prose)
		if err != nil {
			return "", fmt.Errorf("draw runbook: %w", err)
		}
		for line := range strings.Lines(strings.Trim(text, "\n")) {
			b.WriteString(strings.TrimRight(line, " \n") + "\n")
		}
		b.WriteString("\n")
	}
	return clean(strings.TrimRight(b.String(), "\n")+"\n", l.Color), nil
}

func style(l Look) string {
	switch {
	case !l.Color:
		return styles.NoTTYStyle
	case l.Dark:
		return styles.DarkStyle
	}
	return styles.LightStyle
}

func drawCode(b *strings.Builder, x piece) {
	for line := range strings.Lines(x.code) {
		b.WriteString("      " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("\n")
}
