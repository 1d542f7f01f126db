package tui

import (
	"strings"
	"testing"
)

// Quotes keep their bar and items their indent, at every width and in every script.
func TestWhatIsWrappedStaysUnderItsMark(t *testing.T) {
	latin := "a text that is wrapped as well, more than once and again, because it is long enough for that. And more."
	wide := "引用文も長くなることがあり、その場合でも左側の線は切れてはいけない。 A line that is long enough to be wrapped several times."
	for _, text := range []string{latin, wide} {
		for mark, first := range map[string]string{"> ": "│ ", "- ": "• ", "1. ": "1. ", "- [ ] ": "[ ] "} {
			below := strings.Repeat(" ", cells(first))
			if mark == "> " {
				below = "│ "
			}
			for width := 14; width < 130; width++ {
				for i, line := range stripped(newProse(true, width).lines(mark + text + "\n")) {
					want := below
					if i == 0 {
						want = first
					}
					if !strings.HasPrefix(line, want) || cells(line) > width {
						t.Errorf("%q at %d: line %d is %q, want it behind %q", mark, width, i, line, want)
					}
				}
			}
		}
	}
}

func TestTablesAndWhatStandsAroundThemAreBothDrawn(t *testing.T) {
	source := "before the table\n\n| a | b |\n|---|:--|\n| 🥇 x | y |\n\nbehind | it\n\n- item\n"
	got := strings.Join(stripped(newProse(true, 40).lines(source)), "\n")
	for _, want := range []string{"before the table\n\n", " a ", "🥇 x ", "│ y", "\n\nbehind | it", "\n• item"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q isn't in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\n\n\n") {
		t.Errorf("two empty lines in\n%s", got)
	}
}
