package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func stripped(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return out
}

func TestProseIsRenderedWithinItsWidth(t *testing.T) {
	source := "# A heading\n\nSome **bold** and a [link](https://example.org/a-very-long-path-that-goes-on-and-on/and/on).\n\n" +
		"- one item that is long enough to be wrapped somewhere\n- two\n\n> quoted text that is wrapped as well, more than once\n\n" +
		"| a | b |\n|---|---|\n| 宽字符宽字符宽字符 | `kubectl get pods --all-namespaces` |\n\n日本語の文章はどこでも折り返せます。長い行です。\n"
	for _, width := range []int{1, 2, 5, 17, 30, 80} {
		for _, dark := range []bool{true, false} {
			for _, line := range newProse(dark, width).lines(source) {
				if w := ansi.StringWidth(line); w > width && width > 1 {
					t.Errorf("width %d: line of %d cells: %q", width, w, ansi.Strip(line))
				}
				if strings.Contains(line, "\x1b]") {
					t.Errorf("a sequence that isn't a colour: %q", line)
				}
			}
		}
	}
}

func TestAFlagInProseIsNotBrokenAtItsHyphens(t *testing.T) {
	for width := 18; width < 60; width++ {
		got := stripped(newProse(true, width).lines("Look with `kubectl get pods --all-namespaces` first."))
		for _, line := range got {
			if strings.HasSuffix(line, "-") {
				t.Errorf("width %d: broken at a hyphen: %q", width, got)
			}
		}
	}
}

func TestCommentsAndEscapesInProseAreNotShown(t *testing.T) {
	got := strings.Join(stripped(newProse(true, 60).lines("before <!-- expect: x\nis ready --> after\x1b]52;c;eA==\x07\u202e")), "\n")
	if want := "before  after"; got != want && got != "before after" {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAWordInAngleBracketsIsShown(t *testing.T) {
	got := strings.Join(stripped(newProse(true, 60).lines("Run against <namespace>, **now**.\n\n<cluster-name>")), "\n")
	if want := "Run against <namespace>, now.\n\n<cluster-name>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCodeIsCutWithAMark(t *testing.T) {
	tests := []struct {
		line  string
		width int
		want  []string
	}{
		{"short", 10, []string{"short"}},
		{"kubectl --context prod", 12, []string{"kubectl --co", "↳ ntext prod"}},
		{"", 5, []string{""}},
		{"宽字符", 3, []string{"宽", "字", "符"}},
		{"abcdefgh", 1, []string{"a", "b", "c", "d", "e", "f", "g", "h"}},
	}
	for _, tt := range tests {
		if got := cutCode(tt.line, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("cutCode(%q, %d) = %q, want %q", tt.line, tt.width, got, tt.want)
		}
	}
	got := cutCode("\x1b[31mredredred\x1b[m", 5)
	if want := []string{"\x1b[31mredre\x1b[m", "↳ \x1b[31mdre\x1b[m", "↳ \x1b[31md\x1b[m"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOnlyColoursOfOutputAreKept(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                       "plain",
		"a\tb":                        "a       b",
		"\x1b[1;31mred\x1b[0m":        "\x1b[1;31mred\x1b[0m\x1b[m",
		"\x1b[2Jx\x1b]0;t\x07y":       "xy",
		"\x1b]52;c;eA==":              "",
		"a\u009b31mb\u202ec\x08":      "a31mbc", // the control is gone; what it would have done is text
		"\x1b[?25lx\x1b[>4my\x1b[1Hz": "xyz",
		"宽\xff":                       "宽�",
	} {
		if got := colourOnly(in); got != want {
			t.Errorf("colourOnly(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzCells(f *testing.F) {
	for _, s := range []string{"", "plain", "┏━┓│", "\x1b[1;31mred\x1b[m", "\x1b[2Jx", "宽e\u0301", "│\u0301", "a\x1b", "─\ufe0f", "\x1b[31", "✓ … ✗ ▸ ↳ • █ › –", "✓\ufe0f", "…\ufe0f", "\xe2\x940", "x\u0301", "\x1b[31m\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := cells(s), ansi.StringWidth(s); got != want {
			t.Errorf("cells(%q) = %d, want %d", s, got, want)
		}
	})
}
